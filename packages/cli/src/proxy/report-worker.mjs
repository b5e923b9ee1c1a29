// @ts-check
// Makes the report of what went through, in a thread of its own, so that no request waits for it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Recordings } from './recordings.mjs';

/** @type {{ limit: number, redact: boolean, isDry: boolean, version: number }} */
const { limit, redact, isDry, ...start } = workerData;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const recordings = new Recordings(isDry);
let { version } = start;
let html = '';
/** Whether `html` is the report of all that came so far. */
let isCurrent = false;

/** Leaves room for requests between two conversations. */
async function* transcripts() {
  for (const transcript of recordings.transcripts()) {
    yield transcript;
    await nextTurn();
  }
}

async function make() {
  if (isCurrent) return html;
  isCurrent = true;
  const live = { version, isDry };
  const [{ analyse }, { page }] = await Promise.all([import('../analysis/index.mjs'), import('../report/page.mjs')]);
  const report = await analyse(transcripts(), { limit });
  html = page({ ...report, ...(!isDry && { isProxied: true }) }, { redact, live });
  return html;
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
    isCurrent = false;
    port.postMessage({ type: 'changed', version });
  },
  refusal: ({ id }) => recordings.refuse(id),
  forget: ({ session }) => {
    recordings.forget(session);
    isCurrent = false;
  },
  page: async () => port.postMessage({ type: 'page', html: await make() }),
};
port.on('message', (message) => kinds[message.type](message));
