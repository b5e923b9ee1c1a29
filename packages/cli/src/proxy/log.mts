// What went through, without content: the page shows it.
import type { ServerResponse } from 'node:http';
import type { ShadowReport } from 'palimpsest';
import type { LogEntry, News, ProxyTotals, ReportState } from '../types.mjs';

/** Number of requests that are remembered. */
const MAX_RECORDS = 1000;
/** Number of pages that can watch at once. */
const MAX_WATCHERS = 16;
/** Maximum number of reasons for which requests went out uncut. */
const MAX_REASONS = 20;
/** Bytes that may wait for a page, before it is disconnected. */
const MAX_WAITING = 2 ** 20;

/** The requests that went through, and the pages that watch them. */
export class Log {
  #records: LogEntry[] = [];
  #watchers: Set<ServerResponse> = new Set();
  #requests = 0;

  /** ProxyTotals since the start, or since that of the saved state. `before` and `after`: tokens of requests that a session chose. */
  totals = { requests: 0, fitted: 0, before: 0, after: 0, failures: 0 };
  #onRequest;
  /** How often cutting changed what the model did. */
  #shadow: ShadowReport | undefined;
  #leftOut: string | undefined;
  #uncut: Map<string, number> = new Map();

  /** @param totals of an earlier run */
  constructor(totals: ProxyTotals | undefined, onRequest: (record: LogEntry) => void) {
    this.totals = { ...this.totals, ...totals };
    this.#onRequest = onRequest;
  }

  /** What the page says about the report. */
  #report: ReportState | undefined;

  add(record: Omit<LogEntry, 'id'>) {
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

  /** Sends a page all of it, and from then on each request. */
  watch(response: ServerResponse) {
    if (this.#watchers.size >= MAX_WATCHERS) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    this.#watchers.add(response);
    response.on('close', () => this.#watchers.delete(response));
    response.write(eventOf({ totals: this.totals, records: this.#records, ...this.#notes() }));
  }

  /** Tells the pages how the report changed. */
  tellReport(report: ReportState) {
    this.#report = report;
    this.#tell({ report });
  }

  /** Tells the pages what shadow requests found. */
  tellShadow(shadow: ShadowReport) {
    this.#shadow = shadow;
    this.#tell({ shadow });
  }

  /** Tells the pages why a cut request can't be compared. */
  tellLeftOut(reason: string) {
    if (reason === this.#leftOut) return;
    this.#leftOut = reason;
    this.#tell({ leftOut: reason });
  }

  /** Tells the pages that a request went out uncut. */
  tellUncut(reason: string) {
    if (!this.#uncut.has(reason) && this.#uncut.size >= MAX_REASONS) return;
    this.#uncut.set(reason, (this.#uncut.get(reason) ?? 0) + 1);
    this.#tell({ uncut: [...this.#uncut] });
  }

  #notes(): News {
    return { report: this.#report, shadow: this.#shadow, leftOut: this.#leftOut, uncut: [...this.#uncut] };
  }

  close() {
    for (const response of this.#watchers) response.end();
  }

  #tell(value: News) {
    const event = eventOf(value);
    for (const response of this.#watchers) {
      if (response.writableLength > MAX_WAITING) response.destroy();
      else response.write(event);
    }
  }
}

const eventOf = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
