// A web server, one of several: it knows nothing of a conversation but what is in the store. run.mjs starts it.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { createSession } from 'palimpsest';
import { enqueueCompaction } from 'palimpsest/bullmq';
import { connect } from './connect.mjs';

const [database, provider, ...numbers] = process.argv.slice(2);
const [limit, storeTimeout] = numbers.map(Number);
const { store, queue } = await connect(database);

async function chat({ id, history }) {
  const session = createSession({ store, id, limit, format: 'openai-chat', summarizer: 'store', storeTimeout });
  const start = performance.now();
  const step = await session.next(history);
  const ms = performance.now() - start;
  // A worker makes the summaries that the next epoch wants; this request doesn't wait for it.
  if (step.compaction) enqueueCompaction(queue, step.compaction).catch((error) => console.error(error.message));
  const answer = await fetch(`${provider}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-conversation': id },
    body: JSON.stringify({ model: 'gpt-5.5', messages: step.messages, prompt_cache_key: id }),
  });
  const { choices, usage, error } = await answer.json();
  if (!answer.ok) throw new Error(error.message);
  session.observe(usage);
  return { message: choices[0].message, ms, fits: step.fits, epoch: step.epoch?.reason };
}

const server = createServer(async (request, response) => {
  try {
    const reply = await chat(await json(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  } catch (error) {
    response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: error.message }));
  }
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
