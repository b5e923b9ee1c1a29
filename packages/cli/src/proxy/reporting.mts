// Hands what went through to the thread that makes the report. A request never waits for it.
import { Worker } from 'node:worker_threads';
import { inspected } from 'palimpsest/internal';
import { Followed } from './followed.mjs';
import { billedUsage } from './usage.mjs';
import type { CacheReport } from 'palimpsest';
import type { Api } from './apis.mjs';
import type { Fitted } from './fitting.mjs';
import type { Told } from './report-worker.mjs';
import type { RawUsage } from './usage.mjs';
import type { ReportState } from '../types.mjs';

/** Maximum bytes of JSON of the conversations in the report. */
const MAX_BYTES = 32 * 2 ** 20;
/** Maximum number of conversations in the report. */
const MAX_SESSIONS = 100;
/** Maximum bytes that wait for the thread. */
const MAX_WAITING = 16 * 2 ** 20;
/** Maximum bytes of messages that one request adds. */
const MAX_CHANGE = 8 * 2 ** 20;
/** Maximum size of the thread's heap, in MiB. */
const MAX_HEAP = 512;

/** The report of what went through. */
export class Reporting {
  #options;
  #worker: Worker | undefined;
  #waiting = 0;
  #requests = 0;
  #followed = new Followed({
    maxBytes: MAX_BYTES,
    maxSessions: MAX_SESSIONS,
    forget: (session) => {
      this.#sessions.delete(session);
      this.#worker?.postMessage({ type: 'forget', session });
    },
  });
  /** The sessions by their names, and whether the thread knows what they say of their last requests. They live as long as the proxy remembers them. */
  #sessions: Map<number, { session: WeakRef<object>; isInspected: boolean }> = new Map();
  /** The page that is being made. */
  #page: ReturnType<typeof askedPage> | undefined;
  #isClosed = false;

  state: ReportState = { version: 0, gone: 0, missed: 0, failures: 0 };

  /** @param options `isDry`: nothing is cut */
  constructor(options: { limit: number; redact: boolean; isDry: boolean; onChange: (state: ReportState) => void }) {
    this.#options = options;
  }

  /**
   * Takes a request that was fitted.
   *
   * @returns its id; undefined if it is not for the report
   */
  add({ step, session, number, source, parts, model }: Fitted, format: Api['format'], time: number): number | undefined {
    if (step === undefined || session === undefined || number === undefined || source === undefined) return undefined;
    const { tokens, report, epoch, fits } = step;
    const chosen = { number, before: tokens.before, after: tokens.after, reused: report.reusedTokens, epoch: epoch?.reason, fits };
    try {
      const added = this.#followed.add(session, source, parts, Math.min(MAX_CHANGE, MAX_WAITING - this.#waiting));
      if (added === undefined) {
        this.#change({ missed: this.state.missed + 1 });
        return undefined;
      }
      const { change, bytes } = added;
      const id = ++this.#requests;
      this.#thread().postMessage({ type: 'request', request: { id, format, model, time, ...chosen, ...change }, bytes });
      this.#sessions.set(change.session, { session: new WeakRef(session), isInspected: false });
      this.#waiting += bytes;
      const gone = this.#followed.makeRoom();
      if (gone > 0) this.#change({ gone: this.state.gone + gone });
      return id;
    } catch {
      // The request itself must not fail, whatever the report does.
      this.#fail();
      return undefined;
    }
  }

  /** Takes the answer of a request. */
  answer(id: number | undefined, usage: RawUsage, cache?: CacheReport) {
    if (id !== undefined) this.#worker?.postMessage({ type: 'answer', id, usage: billedUsage(usage), cache });
  }

  /** Forgets a request that the provider refused. */
  refuse(id: number | undefined) {
    if (id !== undefined) this.#worker?.postMessage({ type: 'refusal', id });
  }

  /**
   * Returns the page with the report as of now.
   *
   * @throws {Error} it could not be made, such as for want of memory
   */
  page(): Promise<string> {
    const page = this.#page ?? askedPage();
    const isAsked = page === this.#page;
    this.#page = page;
    if (!isAsked) this.#ask().catch(() => this.#fail());
    return page.promise;
  }

  /** Asks the thread for the page, once it knows what the sessions say. */
  async #ask() {
    for (const [name, one] of this.#sessions) {
      const session = one.session.deref();
      if (one.isInspected || session === undefined) continue;
      one.isInspected = true;
      // The page does without what can't be told.
      const found = await inspected(session).catch(() => undefined);
      if (found !== undefined) this.#worker?.postMessage({ type: 'inspected', session: name, inspected: found });
    }
    if (this.#isClosed) this.#page?.reject(new Error('the proxy is closed'));
    else this.#thread().postMessage({ type: 'page' });
  }

  async close() {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  /** The thread. It is started when it is needed first, and again after a failure. */
  #thread() {
    if (this.#worker !== undefined) return this.#worker;
    const { limit, redact, isDry } = this.#options;
    const worker = new Worker(new URL('report-worker.mjs', import.meta.url), {
      workerData: { limit, redact, isDry, version: this.state.version },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP },
    });
    worker.unref();
    worker.on('message', (message) => this.#take(message));
    worker.on('error', () => {});
    worker.on('exit', () => this.#begin());
    this.#worker = worker;
    return worker;
  }

  #take(message: Told) {
    if (message.type === 'taken') this.#waiting -= message.bytes;
    else if (message.type === 'changed') this.#change({ version: message.version });
    else {
      this.#page?.resolve(message.html);
      this.#page = undefined;
    }
  }

  #fail() {
    if (this.#worker === undefined) this.#begin();
    else void this.#worker.terminate();
  }

  /** Begins anew after the thread ended. */
  #begin() {
    this.#worker = undefined;
    this.#waiting = 0;
    this.#followed.clear();
    this.#sessions.clear();
    this.#page?.reject(new Error('the report could not be made'));
    this.#page = undefined;
    if (!this.#isClosed) this.#change({ failures: this.state.failures + 1 });
  }

  #change(change: Partial<ReportState>) {
    this.state = { ...this.state, ...change };
    this.#options.onChange(this.state);
  }
}

function askedPage() {
  let resolve: (html: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise((...settle) => ([resolve, reject] = settle)) as Promise<string>;
  return { promise, resolve, reject };
}
