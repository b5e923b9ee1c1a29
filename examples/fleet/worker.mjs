// A worker, one of several: it has texts summarised, and puts the summaries into the store. run.mjs starts it.
import { compactionJob } from 'palimpsest/bullmq';
import { connect } from './connect.mjs';

const [database, provider] = process.argv.slice(2);
const { store, queue, work } = await connect(database);

async function summarizer(text, { key, signal }) {
  // A worker that dies between the answer and the store leaves the job to another one. The key lets the provider recognise the repeated request.
  const headers = { 'idempotency-key': key, 'x-worker': String(process.pid) };
  const answer = await fetch(`${provider}/summaries`, { method: 'POST', headers, body: text, signal });
  if (!answer.ok) throw Object.assign(new Error('refused'), { status: answer.status, headers: answer.headers });
  return answer.text();
}

// A job of a worker that died is another's after `lockDuration`.
const worker = work(compactionJob({ store, queue, summarizer }), { concurrency: 8, lockDuration: 3000, stalledInterval: 1000 });
worker.on('completed', (_job, result) => process.send({ completed: result }));
worker.on('failed', (_job, error) => process.send({ failed: error.message }));
worker.on('stalled', () => process.send({ stalled: true }));
worker.on('error', (error) => console.error(error.message));
await worker.waitUntilReady();
process.send({ ready: true });
process.on('disconnect', () => process.exit());
