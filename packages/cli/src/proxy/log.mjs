// @ts-check
// What went through, without content: the page shows it.

/** Number of requests that are remembered. */
const MAX_RECORDS = 1000;
/** Number of pages that can watch at once. */
const MAX_WATCHERS = 16;
/** Bytes that may wait for a page, before it is disconnected. */
const MAX_WAITING = 2 ** 20;

/**
 * A request that went through.
 *
 * @typedef {object} Record
 * @property {number} id
 * @property {number} time ms since 1970
 * @property {string} api
 * @property {string} [model]
 * @property {number} [before] tokens of the request as it came; in the provider's tokens as soon as the session observed usage, as are the next two
 * @property {number} [after] tokens of what was sent
 * @property {number} [reused] tokens of its start that the last request began with, too
 * @property {string} [epoch] why the messages were chosen anew
 * @property {string} [passed] why it went through as it came
 * @property {number} [status] of the answer
 * @property {number} [output] tokens of the answer
 * @property {number} [ms] until the answer's end
 * @property {string} [ended] `whole`, `aborted` by the client, or `failed`
 */

/** @typedef {{ requests: number, fitted: number, before: number, after: number, failures: number }} Totals */

/** The requests that went through, and the pages that watch them. */
export class Log {
  /** @type {Record[]} */
  #records = [];
  /** @type {Set<import('node:http').ServerResponse>} */
  #watchers = new Set();
  #requests = 0;

  /** Totals since the start, or since that of the saved state. `before` and `after`: tokens of requests that a session chose. */
  totals = { requests: 0, fitted: 0, before: 0, after: 0, failures: 0 };
  #onRequest;
  /** How often cutting changed what the model did. @type {import('palimpsest').ShadowReport | undefined} */
  #shadow;

  /** @param {Totals | undefined} totals of an earlier run @param {(record: Record) => void} onRequest */
  constructor(totals, onRequest) {
    this.totals = { ...this.totals, ...totals };
    this.#onRequest = onRequest;
  }

  /** What the page says about the report. @type {import('./reporting.mjs').State | undefined} */
  #report;

  /** @param {Omit<Record, 'id'>} record */
  add(record) {
    const entry = { id: ++this.#requests, ...record };
    const { totals } = this;
    totals.requests++;
    if (record.ended === 'failed') totals.failures++;
    if (record.before !== undefined && record.after !== undefined) {
      totals.fitted++;
      totals.before += record.before;
      totals.after += record.after;
    }
    this.#records.push(entry);
    if (this.#records.length > MAX_RECORDS) this.#records.shift();
    this.#tell({ totals, records: [entry] });
    this.#onRequest(entry);
  }

  /** Sends a page all of it, and from then on each request. @param {import('node:http').ServerResponse} response */
  watch(response) {
    if (this.#watchers.size >= MAX_WATCHERS) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    this.#watchers.add(response);
    response.on('close', () => this.#watchers.delete(response));
    response.write(eventOf({ totals: this.totals, records: this.#records, report: this.#report, shadow: this.#shadow }));
  }

  /** Tells the pages how the report changed. @param {import('./reporting.mjs').State} report */
  tellReport(report) {
    this.#report = report;
    this.#tell({ report });
  }

  /** Tells the pages what shadow requests found. @param {import('palimpsest').ShadowReport} shadow */
  tellShadow(shadow) {
    this.#shadow = shadow;
    this.#tell({ shadow });
  }

  close() {
    for (const response of this.#watchers) response.end();
  }

  /** @param {object} value */
  #tell(value) {
    const event = eventOf(value);
    for (const response of this.#watchers) {
      if (response.writableLength > MAX_WAITING) response.destroy();
      else response.write(event);
    }
  }
}

const eventOf = (/** @type {object} */ value) => `data: ${JSON.stringify(value)}\n\n`;
