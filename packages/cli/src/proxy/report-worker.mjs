// @ts-check
// Makes the report of what went through, in a thread of its own, so that no request waits for it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Recordings } from './recordings.mjs';

/** @type {{ limit: number, redact: boolean, version: number }} */
const { limit, redact, ...start } = workerData;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const recordings = new Recordings();
let { version } = start;
/** @type {{ version: number, html: string } | undefined} */
let made;

/** Leaves room for requests between two conversations. */
async function* transcripts() {
  for (const transcript of recordings.transcripts()) {
    yield transcript;
    await nextTurn();
  }
}

async function make() {
  if (made?.version === version) return made.html;
  const [{ analyse }, { page }] = await Promise.all([import('../analysis/index.mjs'), import('../report/page.mjs')]);
  const of = version;
  const report = await analyse(transcripts(), { limit });
  made = { version: of, html: page({ ...report, isProxied: true }, { redact, live: { version: of } }) };
  return made.html;
}

/** @type {Record<string, (message: any) => void>} */
const kinds = {
  request: ({ request, bytes }) => {
    recordings.add(request);
    port.postMessage({ type: 'taken', bytes });
  },
  answer: ({ id, usage }) => {
    recordings.answer(id, usage);
    version++;
    port.postMessage({ type: 'changed', version });
  },
  refusal: ({ id }) => recordings.refuse(id),
  forget: ({ session }) => {
    recordings.forget(session);
    made = undefined;
  },
  page: async () => port.postMessage({ type: 'page', html: await make() }),
};
port.on('message', (message) => kinds[message.type](message));
