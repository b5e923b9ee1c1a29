import { isCount, isObject } from '../checks.js';
import { counted, grouped, percent } from '../agent/wording.js';
import { Bill } from './cache.js';
import type { Cache } from './cache.js';
import type { reasonFor } from './policy.js';
import type { Saved } from '../fit/shortening.js';
import type { History } from './history.js';
import type { PrefixChange, SessionMistake, SessionReport } from '../../index.js';

/** Why an epoch was made. */
export type Reason = NonNullable<ReturnType<typeof reasonFor>>;

/** A request that is sent. */
export interface Sending {
  history: History;
  /** how many messages it has in common with the last history */
  start: number;
  /** what the results save that were not shorter in the last request */
  saved: readonly Saved[];
  tokens: number;
  /** the tokens of the whole history */
  all: number;
  /** tokens that the request before had as well */
  reused: number;
  /** tokens that belong to no message */
  request: number;
  limit: number;
  scale: (tokens: number) => number;
  cache: Cache;
  isWarm: boolean;
  reason: Reason | undefined;
  /** results that were asked for again because they had been cut */
  faults: number;
  /** what the caller changed in what the last request began with */
  change: PrefixChange | undefined;
}

/** Totals of a session's requests, beside the cost of the alternatives. */
export class Ledger {
  requests = 0;
  reasons = { limit: 0, turn: 0, early: 0, cold: 0 };
  sent = 0;
  session = new Bill();
  uncut = new Bill();
  trimmed = new Bill();
  window = new Window();
  faults = 0;
  prefix: SessionReport['prefix'];
  shortened: Saved = {};

  get epochs() {
    return Object.values(this.reasons).reduce((sum, count) => sum + count, 0);
  }

  /**
   * Adds a request, and returns its cost and the tokens of it that could be read from the cache. It takes tokens as they are counted here;
   * `scale` converts them to the provider's, in which it keeps and returns all totals.
   */
  add({ history, start, saved, tokens, all, reused, request, limit, scale, cache, isWarm, reason, faults, change }: Sending) {
    if (reason !== undefined) this.reasons[reason]++;
    this.sent += scale(tokens);
    this.faults += faults;
    for (const byKind of saved)
      for (const kind in byKind)
        this.shortened[kind as keyof Saved] = (this.shortened[kind as keyof Saved] ?? 0) + (byKind[kind as keyof Saved] ?? 0);
    if (change !== undefined)
      this.prefix = { ...(this.prefix ?? { request: this.requests + 1, ...change }), requests: (this.prefix?.requests ?? 0) + 1 };
    const billing = { ...cache, isWarm, scale };
    // The content that was counted too high may not be among these.
    const whole = (of: number) => Math.max(0, request + of);
    const { cost, cached } = this.session.add(tokens, reused, billing);
    // There is no request before the first one.
    const isFirst = this.requests++ === 0;
    const uncut = this.uncut.add(all, isFirst ? 0 : whole(history.whole(0, start)), billing);
    const trimmed = this.window.slide(history, start, limit - request);
    const window = this.trimmed.add(whole(trimmed.tokens), isFirst ? 0 : whole(trimmed.reused), billing);
    return { cachedTokens: cached, cost: { session: cost, uncut: uncut.cost, trimmed: window.cost } };
  }

  /** Reads a ledger that `toJSON` wrote; undefined for anything else. */
  static from(json: SavedLedger | null | undefined) {
    const ledger = new Ledger();
    const saved = json ?? ({} as SavedLedger);
    const { requests, reasons, sent, window, faults = 0, prefix, shortened = {} } = saved;
    const bills = ['session', 'uncut', 'trimmed'] as const;
    if (
      ![
        requests,
        sent,
        faults,
        ...Object.keys(ledger.reasons).map((reason) => reasons?.[reason as Reason]),
        window?.start,
        window?.tokens,
      ].every(isCount)
    )
      return undefined;
    if (!Number.isInteger(window.start)) return undefined;
    if (!isObject(shortened) || !Object.values(shortened).every(Number.isFinite)) return undefined;
    if (!bills.every((name) => Bill.isSaved(saved[name])) || (prefix !== undefined && !isPrefix(prefix))) return undefined;
    for (const reason of Object.keys(ledger.reasons) as Reason[]) ledger.reasons[reason] = reasons[reason];
    for (const name of bills) ledger[name] = new Bill(saved[name]);
    return Object.assign(ledger, {
      requests,
      sent,
      faults,
      prefix,
      shortened: { ...shortened },
      window: Object.assign(new Window(), { start: window.start, tokens: window.tokens }),
    });
  }

  toJSON() {
    const { requests, reasons, sent, session, uncut, trimmed, window, faults, prefix, shortened } = this;
    return {
      requests,
      reasons: { ...reasons },
      sent,
      session: session.toJSON(),
      uncut: uncut.toJSON(),
      trimmed: trimmed.toJSON(),
      window: { ...window },
      ...(faults === 0 ? {} : { faults }),
      ...(prefix === undefined ? {} : { prefix: { ...prefix } }),
      ...(isEmpty(shortened) ? {} : { shortened: { ...shortened } }),
    };
  }

  /**
   * @param mistakes in how the session is used
   * @param limit of the last request
   */
  report(mistakes: SessionMistake[] = [], limit?: SessionReport['limit']): SessionReport {
    const cost = { session: this.session.cost, uncut: this.uncut.cost, trimmed: this.trimmed.cost };
    const summary = [
      counted(this.requests, 'request'),
      counted(this.epochs, 'epoch'),
      `${counted(Math.round(this.sent), 'token')} sent, ${percent(this.session.cached, this.sent)} of them cached`,
      `cost ${grouped(Math.round(cost.session))}: ${percent(cost.session, cost.uncut)} of never cutting, ${percent(cost.session, cost.trimmed)} of trimming`,
      ...(limit?.by === 'default' ? [`limit ${grouped(limit.tokens)} by default`] : []),
    ].join(' · ');
    const report = {
      requests: this.requests,
      epochs: { ...this.reasons },
      ...(limit === undefined ? {} : { limit: { ...limit } }),
      tokens: { sent: this.sent, cached: this.session.cached },
      cost,
      faults: { count: this.faults, per100: this.requests === 0 ? 0 : (100 * this.faults) / this.requests },
      ...(this.prefix === undefined ? {} : { prefix: { ...this.prefix } }),
      ...(isEmpty(this.shortened) ? {} : { shortened: { ...this.shortened } }),
      ...(mistakes.length === 0 ? {} : { mistakes }),
      summary,
    };
    return Object.defineProperty(report, 'toString', { value: () => report.summary });
  }
}

type SavedLedger = ReturnType<Ledger['toJSON']>;

const isEmpty = (object: object) => Object.keys(object).length === 0;

const PLACES = ['system', 'tools', 'messages'];
const isPrefix = ({ request, requests, at }: NonNullable<SessionReport['prefix']>) =>
  isCount(request) && isCount(requests) && PLACES.includes(at);

/** The alternative of trimming: the system's messages and the newest messages that fit, starting with one that is no result. */
class Window {
  /** Index of the first message sent besides the system's, and the tokens of the system's. */
  start = 0;
  tokens = 0;

  /**
   * @param shared how many messages it has in common with the last one
   * @param limit tokens for messages
   */
  slide(history: History, shared: number, limit: number): { tokens: number; reused: number } {
    const { entries } = history;
    const length = entries.length;
    this.start = Math.min(this.start, length);
    const head = (start: number | undefined) =>
      entries.slice(0, start).reduce((sum, { role, tokens, less }) => (role === 'system' ? sum + tokens + less : sum), 0);
    let system = this.tokens;
    if (shared < this.start) system = head(this.start);
    let reused = system + history.whole(this.start, Math.max(this.start, shared));
    if (system + history.whole(this.start) > limit) {
      const all = head(length);
      let left = limit - all;
      let start = length;
      for (; start > 0; start--) {
        const { role, tokens, less } = entries[start - 1];
        if (role === 'system') continue;
        if (tokens + less > left) break;
        left -= tokens + less;
      }
      while (start < length && entries[start].role === 'tool') start++;
      this.start = start;
      system = head(start);
      reused = 0;
    }
    this.tokens = system;
    return { tokens: system + history.whole(this.start), reused };
  }
}
