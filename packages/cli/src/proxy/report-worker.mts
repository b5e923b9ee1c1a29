// Makes the report of what went through, in a thread of its own, so that no request waits for it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Recordings } from './recordings.mjs';
import type { MessagePort } from 'node:worker_threads';
import type { CacheReport } from 'palimpsest';
import type { Change } from './followed.mjs';
import type { Recorded } from './recordings.mjs';
import type { Inspected, Usage } from '../types.mjs';

const { limit, redact, isDry, ...start }: { limit: number; redact: boolean; isDry: boolean; version: number } = workerData;
const port = parentPort as MessagePort;
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

/** What the thread is told. */
type Asked =
  | { type: 'request'; request: Recorded & Change; bytes: number }
  | { type: 'answer'; id: number; usage?: Usage; cache?: CacheReport }
  | { type: 'refusal'; id: number }
  | { type: 'inspected'; session: number; inspected: Required<Inspected> }
  | { type: 'forget'; session: number }
  | { type: 'page' };
/** What it tells. */
export type Told = { type: 'taken'; bytes: number } | { type: 'changed'; version: number } | { type: 'page'; html: string };
const tell = (told: Told) => port.postMessage(told);

const kinds: { [Type in Asked['type']]: (message: Extract<Asked, { type: Type }>) => void } = {
  request: ({ request, bytes }) => {
    recordings.add(request);
    tell({ type: 'taken', bytes });
  },
  answer: ({ id, usage, cache }) => {
    recordings.answer(id, usage, cache);
    version++;
    isCurrent = false;
    tell({ type: 'changed', version });
  },
  refusal: ({ id }) => recordings.refuse(id),
  inspected: ({ session, inspected }) => {
    recordings.inspect(session, inspected);
    isCurrent = false;
  },
  forget: ({ session }) => {
    recordings.forget(session);
    isCurrent = false;
  },
  page: async () => tell({ type: 'page', html: await make() }),
};
port.on('message', (message: Asked) => (kinds[message.type] as (message: Asked) => void)(message));
