// In place of the LLM: a strict server for the chat, with a prompt cache, and one that summarises. Both keep count.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { startProvider } from '../../__test__/support/agents/index.mjs';
import { answerTo } from './conversation.mjs';

/** Every so many calls for a summary one is refused with a 429. */
const REFUSED = 50;

/** The chat: refuses what is not valid, or larger than `window` tokens. */
export async function startChat(window) {
  const provider = await startProvider(({ request }) => ({ text: answerTo(request.messages.at(-1).content) }), { window });
  const totals = { requests: 0, refused: 0, sent: 0, cached: 0, largest: 0 };
  /** The last messages of each conversation. */
  const last = new Map();
  return {
    url: provider.url,
    totals,
    last,
    /** Adds up what was answered since the last call, and forgets it. */
    tally() {
      const open = [];
      for (const record of provider.requests.splice(0)) {
        if (record.status === undefined) open.push(record);
        else {
          totals.requests++;
          totals.refused += record.status === 200 ? 0 : 1;
          totals.sent += record.tokens;
          totals.cached += record.cached;
          totals.largest = Math.max(totals.largest, record.tokens);
          last.set(record.conversation, record.body.messages);
        }
      }
      provider.requests.unshift(...open);
    },
    close: () => provider.close(),
  };
}

/** Summaries: each key is answered by the model once, and after that from a record. */
export async function startSummaries() {
  const answers = new Map();
  /** The processes that asked for each of them. */
  const askedBy = new Map();
  /** Texts that the model was run for, each as often as it was. */
  const texts = [];
  const totals = { limited: 0 };
  let count = 0;
  let onHeld;
  const server = createServer(async (request, response) => {
    const [key, worker] = [request.headers['idempotency-key'], Number(request.headers['x-worker'])];
    const body = await text(request);
    if (++count % REFUSED === 0) {
      totals.limited++;
      return void response.writeHead(429, { 'retry-after-ms': '50' }).end();
    }
    askedBy.set(key, [...(askedBy.get(key) ?? []), worker]);
    if (!answers.has(key)) {
      texts.push(body);
      answers.set(key, `SUMMARY ${key}: ${body.split(/\s+/).slice(0, 6).join(' ')}`);
    }
    if (onHeld === undefined) return void response.end(answers.get(key));
    // The model has answered, but the answer does not arrive.
    onHeld(worker);
    onHeld = undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    totals,
    texts,
    answers,
    askedBy,
    /** Holds back the next answer. @returns {Promise<number>} the process id of the worker that waits for it */
    hold: () =>
      new Promise((resolve) => {
        onHeld = resolve;
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
