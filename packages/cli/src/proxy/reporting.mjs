// @ts-check
// Hands what went through to the thread that makes the report. A request never waits for it.
import { Worker } from 'node:worker_threads';
import { billedUsage } from './usage.mjs';

/** Maximum bytes of JSON of the conversations in the report. */
const MAX_BYTES = 32 * 2 ** 20;
/** Maximum number of conversations in the report. */
const MAX_SESSIONS = 100;
/** Maximum bytes of a body that is taken into the report. */
const MAX_BODY = 8 * 2 ** 20;
/** Maximum bytes of bodies that the thread has not taken yet. */
const MAX_WAITING = 32 * 2 ** 20;
/** Maximum size of the thread's heap, in MiB. */
const MAX_HEAP = 512;

/**
 * What the page says about the report.
 *
 * @typedef {object} State
 * @property {number} version number of requests that went into it since the start
 * @property {number} sessions number of conversations in it
 * @property {number} gone number of conversations that had to go
 * @property {number} missed number of requests that it had no room for
 * @property {number} failures number of times that it began anew
 */

/** The report of what went through. */
export class Reporting {
  #options;
  /** @type {Worker | undefined} */
  #worker;
  #waiting = 0;
  #requests = 0;
  #sessions = 0;
  /** @type {WeakMap<object, number>} */
  #names = new WeakMap();
  /** The page that is being made. @type {ReturnType<typeof askedPage> | undefined} */
  #page;
  #isClosed = false;

  /** @type {State} */
  state = { version: 0, sessions: 0, gone: 0, missed: 0, failures: 0 };

  /** @param {{ limit: number, redact: boolean, onChange: (state: State) => void }} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Takes a request that was fitted.
   *
   * @param {import('./fitting.mjs').Fitted & { step: {}, session: object }} fitted
   * @param {import('./apis.mjs').Api} api
   * @param {Buffer} bytes the body as it came
   * @param {number} time
   * @returns {number | undefined} its id; undefined if there is no room for it
   */
  add({ body, step, session, model }, { format, messages }, bytes, time) {
    const sent = body === bytes ? undefined : body;
    const size = bytes.length + (sent?.length ?? 0);
    if (bytes.length > MAX_BODY || this.#waiting + size > MAX_WAITING) {
      this.#change({ missed: this.state.missed + 1 });
      return undefined;
    }
    this.#waiting += size;
    const id = ++this.#requests;
    const { tokens, report, epoch, fits } = step;
    const request = {
      id,
      session: this.#nameOf(session),
      format,
      list: messages,
      model,
      time,
      body: copyOf(bytes),
      sent: sent && copyOf(sent),
      before: tokens.before,
      after: tokens.after,
      reused: report.reusedTokens,
      epoch: epoch?.reason,
      fits,
    };
    const copies = [request.body.buffer, ...(request.sent ? [request.sent.buffer] : [])];
    this.#thread().postMessage({ type: 'request', request }, copies);
    return id;
  }

  /**
   * Takes the answer of a request.
   *
   * @param {number | undefined} id
   * @param {import('./usage.mjs').Usage} usage
   */
  answer(id, usage) {
    if (id !== undefined) this.#worker?.postMessage({ type: 'answer', id, usage: billedUsage(usage) });
  }

  /** Forgets a request that the provider refused. @param {number | undefined} id */
  refuse(id) {
    if (id !== undefined) this.#worker?.postMessage({ type: 'refusal', id });
  }

  /**
   * Returns the page with the report as of now.
   *
   * @returns {Promise<string>}
   * @throws {Error} it takes more memory than there is for it
   */
  page() {
    const page = this.#page ?? askedPage();
    if (page !== this.#page) this.#thread().postMessage({ type: 'page' });
    this.#page = page;
    return page.promise;
  }

  async close() {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  /** The thread. It is started when it is needed first, and again after a failure. */
  #thread() {
    if (this.#worker !== undefined) return this.#worker;
    const { limit, redact } = this.#options;
    const worker = new Worker(new URL('report-worker.mjs', import.meta.url), {
      workerData: { limit, redact, version: this.state.version, maxBytes: MAX_BYTES, maxSessions: MAX_SESSIONS },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP },
    });
    worker.unref();
    worker.on('message', (message) => this.#take(message));
    worker.on('error', () => {});
    worker.on('exit', () => this.#begin());
    this.#worker = worker;
    return worker;
  }

  /** @param {any} message */
  #take({ type, ...message }) {
    if (type === 'taken') this.#waiting -= message.bytes;
    else if (type === 'changed') this.#change(message);
    else {
      this.#page?.resolve(message.html);
      this.#page = undefined;
    }
  }

  /** Begins anew after the thread ended. */
  #begin() {
    this.#worker = undefined;
    this.#waiting = 0;
    this.#names = new WeakMap();
    this.#page?.reject(new Error('the report took too much memory'));
    this.#page = undefined;
    if (!this.#isClosed) this.#change({ sessions: 0, failures: this.state.failures + 1 });
  }

  /** @param {Partial<State>} change */
  #change(change) {
    this.state = { ...this.state, ...change };
    this.#options.onChange(this.state);
  }

  /** @param {object} session */
  #nameOf(session) {
    const name = this.#names.get(session) ?? ++this.#sessions;
    this.#names.set(session, name);
    return name;
  }
}

function askedPage() {
  /** @type {(html: string) => void} */
  let resolve = () => {};
  /** @type {(error: Error) => void} */
  let reject = () => {};
  const promise = /** @type {Promise<string>} */ (new Promise((...settle) => ([resolve, reject] = settle)));
  return { promise, resolve, reject };
}

/** A copy with a buffer of its own: small ones share theirs with others. @param {Buffer} bytes */
const copyOf = (bytes) => new Uint8Array(bytes);
