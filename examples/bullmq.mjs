// Summaries that a worker makes while the conversation goes on: node examples/bullmq.mjs
// A server and a worker in one process, for once; examples/fleet has two of each.
import { once } from 'node:events';
import { createSession } from 'palimpsest';
import { compactionJob, enqueueCompaction } from 'palimpsest/bullmq';
import { startPostgres } from '../__test__/support/servers/postgres.mjs';
import { connect } from './fleet/connect.mjs';
import { answerTo, question } from './fleet/conversation.mjs';

const database = await startPostgres();
const { store, queue, work, close } = await connect(database.url);

// In place of an LLM.
const summarizer = async (text, { key }) => `SUMMARY ${key}: ${text.split(/\s+/).slice(0, 6).join(' ')}`;
const worker = work(compactionJob({ store, queue, summarizer }), { concurrency: 4 });

const history = [];
for (let turn = 0; turn < 60; turn++) {
  history.push({ role: 'user', content: question('chat-1', turn) });
  // Any server can take the next request: what it has to know is in the store.
  const session = createSession({ store, id: 'chat-1', limit: 8000, format: 'openai-chat', summarizer: 'store' });
  const { messages, epoch, compaction, report } = await session.next(history);
  if (epoch) console.log(`${report} · ${messages.filter(({ content }) => content.includes('SUMMARY ')).length} with summaries`);
  if (compaction) {
    const completed = once(worker, 'completed');
    await enqueueCompaction(queue, compaction);
    // A server would not wait.
    const [, { kept }] = await completed;
    console.log(`${kept} summaries made for version ${compaction.version}`);
  }
  history.push({ role: 'assistant', content: answerTo(history.at(-1).content) });
}
await worker.close();
await close();
await database.stop();
