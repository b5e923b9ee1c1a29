import { constants } from 'node:os';
import { isObject, mismatch, shown } from '../checks.js';
import { DEFAULT_CONCURRENCY } from '../fit/summaries.js';
import { compaction } from '../options/compaction.js';
import { checkOwnOptions } from '../options/index.js';
import { requestedIn, summaryKey, textKey } from '../session/summaries.js';
import { checkPeers } from './peer.js';
import type { Store } from '../../index.js';

checkPeers('bullmq');

/** A conversation whose summaries are wanted: `step.compaction` of a session with a store and `summarizer: 'store'`. */
export interface CompactionData {
  /** Id of the conversation. */
  id: string;
  /** Version of its state in the store, from 1. */
  version: number;
}

/** What a processor returned: numbers of texts. */
export interface CompactionResult {
  /** Texts without a summary when the job began. */
  wanted: number;
  /** Calls of the summarizer. */
  asked: number;
  /** Answers that were put into the store. */
  kept: number;
}

/** Options of {@link compactionJob}. `undefined` and `null` mean the default, which `concurrency` alone has. */
export interface CompactionOptions {
  /** The store of the sessions. */
  store: Store;
  /**
   * Summarises a text. `key` is a fingerprint of the text: pass it on as the idempotency key of the request, so that a provider that has
   * one answers a repeated request without another call of the model. Pass `signal` on as well: it is aborted when the job is cancelled
   * or the conversation is found deleted.
   *
   * An error with the status 429 pauses the queue for the time that its headers ask for (`retry-after-ms`, `retry-after`), or for 10 s.
   * Any other error fails the job, once its other texts are done; it is tried again later, and asks only for what is missing.
   */
  summarizer: (text: string, context: { key: string; signal: AbortSignal }) => string | Promise<string>;
  /** The queue, which is paused after a 429. */
  queue: { rateLimit(ms: number): Promise<void> };
  /** Maximum number of concurrent calls of the summarizer in one job: an integer from 1, or `Infinity`. Default 4. */
  concurrency?: number | null | undefined;
}

/** Name of the jobs. */
const NAME = 'compaction';
/** Attempts at a job, and the delay before the second one in ms, which doubles: the last one comes some four minutes after the first. */
const ATTEMPTS = 9;
const DELAY = 1000;
/** By this message a worker knows BullMQ's `RateLimitError`. All subpaths are in one file, so that an import of BullMQ here would be one for all. */
const RATE_LIMIT_ERROR = 'bullmq:rateLimitExceeded';
/** Failed jobs that are kept for a look. */
const FAILED = 1000;
/** Codes of failed connections. Those of a provider's or a caller's errors may hold anything. */
const CODES: ReadonlySet<unknown> = new Set([
  ...Object.keys(constants.errno),
  ...[
    'ENOTFOUND',
    'EAI_AGAIN',
    'ABORT_ERR',
    'UND_ERR_SOCKET',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
  ],
]);
/** Names of classes of errors. */
const CLASS = /^(?:[A-Z][A-Za-z_]{0,40})?Error$/;
/** Pause of the queue after a 429 that does not name one, in ms. */
const PAUSE = 10_000;

/**
 * Adds a job that makes the summaries which the next epoch of a conversation wants. Any server may call it, any number of times: a conversation
 * has at most one active job and one that waits. A job that fails is tried up to 9 times, after delays that double from 1 s on.
 *
 * @example
 * const { messages, compaction } = await session.next(history);
 * if (compaction) await enqueueCompaction(queue, compaction);
 *
 * @param queue a `Queue` of BullMQ, on Redis or on Postgres
 * @param data `step.compaction`
 * @returns the job, or the one that it became part of
 * @throws {TypeError} `data` has another shape (the promise rejects)
 */
export async function enqueueCompaction<J>(
  queue: { add(name: string, data: any, options?: any): Promise<J> },
  data: CompactionData,
): Promise<J> {
  const { id, version } = checkData('enqueueCompaction(): data', data);
  return queue.add(
    NAME,
    { id, version },
    {
      deduplication: { id, keepLastIfActive: true },
      attempts: ATTEMPTS,
      backoff: { type: 'exponential', delay: DELAY, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: { count: FAILED },
    },
  );
}

function checkData(name: string, data: unknown): CompactionData {
  if (!isObject(data)) throw mismatch(name, "a step's compaction, an object with id and version", data);
  if (typeof data.id !== 'string') throw mismatch(`${name}.id`, 'a string', data.id);
  if (!Number.isSafeInteger(data.version) || (data.version as number) < 1)
    throw new TypeError(`${name}.version must be a whole number from 1, got ${shown(data.version)}`);
  return data as unknown as CompactionData;
}

/**
 * Creates the processor of a `Worker` for the jobs of {@link enqueueCompaction}. It reads the latest state of the conversation, has the texts
 * summarised that wait, and puts each answer into the store as soon as it comes, if the state still has the version that it knows. After
 * another version it goes on if that one still has the text. If the conversation was deleted, it stops, and stores nothing.
 *
 * A job that runs twice asks for nothing that is in the store already.
 *
 * @example
 * const worker = new Worker('compaction', compactionJob({ store, queue, summarizer }), { connection });
 *
 * @throws {TypeError} an option is missing or wrong
 * @throws {RangeError} `concurrency` is out of range
 */
export function compactionJob(
  options: CompactionOptions,
): (job: { data: any }, token?: string, signal?: AbortSignal) => Promise<CompactionResult> {
  const settings = checkOwnOptions('compactionJob()', compaction, options ?? {}) as CompactionOptions;
  // BullMQ gives a signal to processors with three parameters.
  return (job, _token, signal) => new Compaction(settings, checkData('compactionJob(): job.data', job.data).id, signal).run();
}

/** A text to summarise. */
interface Text {
  print: string;
  text: string;
}

/** What is read of an error of a client or a provider. */
interface Failure {
  status?: unknown;
  statusCode?: unknown;
  code?: unknown;
  name?: unknown;
  headers?: HeadersOf;
  responseHeaders?: HeadersOf;
  response?: { status?: unknown; headers?: HeadersOf };
}

/** Headers of an answer, or an object of them. */
type HeadersOf = { get?: unknown; [name: string]: unknown };

/** The summaries that one conversation waits for. */
class Compaction {
  #options;
  #id;
  /** Aborts the calls that run if the job is cancelled or the conversation is gone. */
  #stop = new AbortController();
  #isGone = false;
  #version = 0;
  #result = { wanted: 0, asked: 0, kept: 0 };
  #errors: unknown[] = [];

  constructor(options: CompactionOptions, id: string, signal: AbortSignal | undefined) {
    this.#options = options;
    this.#id = id;
    const cancel = () => this.#stop.abort(signal?.reason);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
  }

  get #signal() {
    return this.#stop.signal;
  }

  /** An error with status 429: no other call is made. */
  get #limited() {
    return this.#errors.find((error) => statusOf(error) === 429);
  }

  async run() {
    const waiting = await this.#open();
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (this.#signal.aborted || this.#limited !== undefined) return;
        await this.#summarise(next);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#options.concurrency ?? DEFAULT_CONCURRENCY, waiting.length) }, work));
    if (this.#signal.aborted && !this.#isGone) throw this.#signal.reason;
    if (this.#errors.length > 0) await this.#fail();
    return this.#result;
  }

  /** Finds the texts that have no summary yet. */
  async #open() {
    const { store } = this.#options;
    const saved = await store.load(this.#id);
    if (saved === undefined) return [];
    this.#version = saved.version;
    const { wanted } = requestedIn(stateOf(saved));
    const kept = await store.get(this.#id, wanted.map(summaryKey));
    const open = wanted.filter((_, index) => kept[index] === undefined);
    const texts = await store.get(this.#id, open.map(textKey));
    this.#result.wanted = open.length;
    return open.map((print, index) => ({ print, text: texts[index] })).filter((one): one is Text => one.text !== undefined);
  }

  async #summarise({ print, text }: Text) {
    try {
      if (!(await this.#isWanted(print))) return;
      this.#result.asked++;
      const answer: unknown = await this.#options.summarizer(text, { key: print, signal: this.#signal });
      // No summary is a result, too: the text is not submitted again.
      if (await this.#keep(print, typeof answer === 'string' ? answer : '')) this.#result.kept++;
    } catch (error) {
      if (!this.#signal.aborted) this.#errors.push(error);
    }
  }

  /** Returns whether the conversation still has this text, and no summary of it; follows its version. Stops everything if it is gone. */
  async #isWanted(print: string) {
    const { store } = this.#options;
    const saved = await store.load(this.#id);
    if (saved === undefined) {
      this.#isGone = true;
      this.#stop.abort();
      return false;
    }
    if (saved.version !== this.#version) {
      if (!requestedIn(stateOf(saved)).asked.has(print)) return false;
      this.#version = saved.version;
    }
    const [kept] = await store.get(this.#id, [summaryKey(print)]);
    return kept === undefined;
  }

  /** Puts a summary into the store, if the conversation still has its text. */
  async #keep(print: string, answer: string) {
    do {
      if (await this.#options.store.put(this.#id, [[summaryKey(print), answer]], this.#version)) return true;
    } while (await this.#isWanted(print));
    return false;
  }

  /** Fails the job, so that it is tried again; after a 429, when the queue's pause is over. */
  async #fail(): Promise<never> {
    if (this.#limited !== undefined) {
      await this.#options.queue.rateLimit(pauseOf(this.#limited));
      throw Object.assign(new Error(RATE_LIMIT_ERROR), { name: 'RateLimitError' });
    }
    const [error] = this.#errors;
    throw new Error(`${this.#errors.length} of ${this.#result.asked} summaries failed: ${kindOf(error)}`, { cause: error });
  }
}

/** Reads a state of the store. The error of `JSON.parse` would quote it. */
function stateOf({ state }: { state: string }): unknown {
  try {
    return JSON.parse(state);
  } catch {
    throw new Error('compactionJob(): the state in the store is not that of a session');
  }
}

const failureOf = (error: unknown) => (error ?? {}) as Failure;

function statusOf(error: unknown) {
  const { status, statusCode, response } = failureOf(error);
  return status ?? statusCode ?? response?.status;
}

/** Names an error in a message that the queue keeps: nothing of what the text, the answer or a key says. */
function kindOf(error: unknown) {
  const status = statusOf(error);
  if (typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599) return status;
  const { code, name } = failureOf(error);
  if (CODES.has(code)) return code;
  return typeof name === 'string' && CLASS.test(name) ? name : 'an error';
}

/** The pause in ms that an error's headers ask for, in seconds, in ms or as a date. */
function pauseOf(error: unknown) {
  const { headers, responseHeaders, response } = failureOf(error);
  const all = headers ?? responseHeaders ?? response?.headers;
  const header = (name: string): unknown => (typeof all?.get === 'function' ? all.get(name) : all?.[name]) ?? undefined;
  const [ms, after] = [header('retry-after-ms'), header('retry-after')];
  const pause = ms !== undefined ? Number(ms) : Number(after) * 1000 || Date.parse(after as string) - Date.now();
  return pause > 0 ? Math.ceil(pause) : PAUSE;
}
