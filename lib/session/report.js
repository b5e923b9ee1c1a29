'use strict';

const { counted, grouped, percent } = require('../agent/report.js');
const { Bill } = require('./cache.js');

/** What the requests of a session came to, beside what others would have cost. */
class Ledger {
  requests = 0;
  reasons = { limit: 0, turn: 0, early: 0, cold: 0 };
  sent = 0;
  session = new Bill();
  uncut = new Bill();
  trimmed = new Bill();
  #window = new Window();
  #all = 0;

  get epochs() {
    return Object.values(this.reasons).reduce((sum, count) => sum + count, 0);
  }

  add({ history, start, tokens, all, reused, request, limit, cache, isWarm, reason }) {
    if (reason !== undefined) this.reasons[reason]++;
    this.sent += tokens;
    this.session.add(tokens, reused, cache, isWarm);
    // Nothing was sent before the first request.
    const isFirst = this.requests++ === 0;
    this.uncut.add(all, isFirst ? 0 : request + history.tokens(0, start), cache, isWarm);
    const trimmed = this.#window.slide(history, start, limit - request);
    this.trimmed.add(request + trimmed.tokens, isFirst ? 0 : request + trimmed.reused, cache, isWarm);
    this.#all = all;
  }

  report() {
    const cost = { session: this.session.cost, uncut: this.uncut.cost, trimmed: this.trimmed.cost };
    const report = {
      requests: this.requests,
      epochs: { ...this.reasons },
      tokens: { sent: this.sent, cached: this.session.cached },
      cost,
    };
    report.summary = [
      counted(this.requests, 'request'),
      counted(this.epochs, 'epoch'),
      `${counted(Math.round(this.sent), 'token')} sent, ${percent(this.session.cached, this.sent)} of them cached`,
      `cost ${grouped(Math.round(cost.session))}: ${percent(cost.session, cost.uncut)} of never cutting, ${percent(cost.session, cost.trimmed)} of trimming`,
    ].join(' · ');
    return Object.defineProperty(report, 'toString', { value: () => report.summary });
  }
}

/** The system's messages and the newest that fit, from one on that is no result: what trimming would send. */
class Window {
  #start = 0;
  #tokens = 0;

  /**
   * @param {import('./history.js').History} history
   * @param {number} shared how many messages it has in common with the last one
   * @param {number} limit tokens for messages
   * @returns {{ tokens: number, reused: number }}
   */
  slide(history, shared, limit) {
    const { entries } = history;
    const length = entries.length;
    this.#start = Math.min(this.#start, length);
    const head = (start) => entries.slice(0, start).reduce((sum, { role, tokens }) => (role === 'system' ? sum + tokens : sum), 0);
    let system = this.#tokens;
    if (shared < this.#start) system = head(this.#start);
    let reused = system + history.tokens(this.#start, Math.max(this.#start, shared));
    if (system + history.tokens(this.#start) > limit) {
      const all = head(length);
      let left = limit - all;
      let start = length;
      for (; start > 0; start--) {
        const { role, tokens } = entries[start - 1];
        if (role === 'system') continue;
        if (tokens > left) break;
        left -= tokens;
      }
      while (start < length && entries[start].role === 'tool') start++;
      this.#start = start;
      system = head(start);
      reused = 0;
    }
    this.#tokens = system;
    return { tokens: system + history.tokens(this.#start), reused };
  }
}

/** What became of one request; see `StepReport` in `index.d.ts`. */
function createStepReport({ history, sent, messages, reused, isExact, format, tokens, before, limit, reason }) {
  const report = {
    format,
    messages: { before: history.length, after: messages.length, reused: reused.messages },
    reusedTokens: reused.tokens,
    exact: isExact,
    ...(isOpenTurnStripped(history, sent) ? { strippedOpenTurn: true } : {}),
  };
  report.summary = [
    reason === undefined ? 'appended' : `epoch (${reason})`,
    `${grouped(history.length)} → ${counted(messages.length, 'message')}`,
    `${grouped(Math.round(before))} → ${counted(Math.round(tokens), 'token')} of ${grouped(Math.round(limit))}`,
    `${percent(reused.tokens, tokens)} sent before`,
  ].join(' · ');
  return Object.defineProperty(report, 'toString', { value: () => report.summary });
}

/** Whether the message whose calls are being answered lost its signed thinking. */
function isOpenTurnStripped({ entries }, sent) {
  let index = entries.length - 1;
  while (index >= 0 && entries[index].role === 'tool') index--;
  if (index < 0 || index === entries.length - 1 || !entries[index].isSigned || index >= sent.covered) return false;
  return sent.items.some(({ first, last, isStripped }) => isStripped && first <= index && index <= last);
}

module.exports = { createStepReport, Ledger };
