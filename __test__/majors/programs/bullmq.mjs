import { Queue, Worker } from 'bullmq';
import { createSession } from 'palimpsest';
import { compactionJob, enqueueCompaction } from 'palimpsest/bullmq';
import { memoryStore } from 'palimpsest/store/memory';
import { checksumOf, LIMIT, pathOf, READS } from './common.mjs';

const { port } = new URL(process.env.REDIS_URL);
const connection = { host: '127.0.0.1', port: Number(port), maxRetriesPerRequest: null };

/** An answer in prose: code has no summaries. */
const answerOf = (turn) =>
  Array.from(
    { length: 18 },
    (_, line) =>
      `The ledger ${checksumOf(`${turn}:${line}`)} held the lock of its shard, because worker ${line} retried ${turn + line} times.`,
  ).join(' ');

export const ways = {
  /** Plays a conversation, whose summaries a worker makes; the provider refuses the first one by its rate limit, and the second one fails. */
  'jobs on Redis': async () => {
    const store = memoryStore();
    const queue = new Queue('compaction', { connection });
    const asked = [];
    const failures = [Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after-ms': '50' } }), new Error('broken')];
    const summarizer = (text, { key }) => {
      const failure = failures.shift();
      if (failure) throw failure;
      asked.push(text);
      return `SUMMARY ${key}`;
    };
    const worker = new Worker('compaction', compactionJob({ store, queue, summarizer }), { connection });
    const done = () => new Promise((resolve) => worker.once('drained', resolve));
    const history = [];
    let sent;
    for (let turn = 0; turn < READS; turn++) {
      history.push({ role: 'user', content: `Why is ${pathOf(turn)} slow?` }, { role: 'assistant', content: answerOf(turn) });
      const session = createSession({ limit: LIMIT, format: 'openai-chat', store, id: 'chat', summarizer: 'store' });
      const step = await session.next([...history, { role: 'user', content: 'Go on.' }]);
      sent = step.messages;
      if (!step.compaction) continue;
      const drained = done();
      await enqueueCompaction(queue, step.compaction);
      await drained;
    }
    const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
    await worker.close();
    await queue.close();
    return { asked: asked.length, used: (JSON.stringify(sent).match(/SUMMARY /g) ?? []).length, left: failures.length, counts };
  },
};
