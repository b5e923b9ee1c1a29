'use strict';

const { describe, mismatch } = require('../checks.js');
const { Fitting } = require('../fit/fitting.js');
const { detect, formatNamed } = require('../formats/index.js');
const { checkOptions, defaultOf } = require('../options/index.js');
const { PRESETS } = require('../options/presets.js');
const { inOneGo, withPauses } = require('../steps.js');
const { aligning } = require('./align.js');
const { withBreakpoints } = require('./breakpoints.js');
const { cacheOf } = require('./cache.js');
const { Counter } = require('./counter.js');
const { History } = require('./history.js');
const { Ledger } = require('./ledger.js');
const { isSurplus, reasonFor } = require('./policy.js');
const { createReport } = require('./report.js');
const { readSaved, takeUp, writeSaved } = require('./saved.js');
const { reusedOf, Sent } = require('./sent.js');
const { START } = require('./state.js');
const { Summaries } = require('./summaries.js');
const { systemPrompts } = require('../tokens/system.js');
const { readUsage } = require('./usage.js');

/** What is used of a window until usage was observed, where the tokenizer isn't public: it may make more tokens than are counted. */
const WINDOW_MARGIN = 0.8;
/** What an epoch may use of the limit in the same case. */
const LIMIT_MARGIN = 0.9;
/** An epoch that leaves so much more than its target has missed it. */
const MISSED = 1.02;
/** By what the usage of a provider may differ from what was counted; beyond it something else was sent. */
const MOST_FACTOR = 4;
/** From this share of the limit on summaries are asked for ahead. */
const AHEAD = 0.8;

/** Formats whose tokens are counted exactly. */
const EXACT = new Set(['openai-chat', 'openai-responses', 'message']);

/** The format that the other options speak of, where the messages don't show theirs. */
function hintOf({ tools, cache, cacheControl }) {
  const has = (key) => tools?.some((tool) => tool?.[key] !== undefined);
  if (cacheControl || has('input_schema') || (typeof cache === 'string' && cache.startsWith('anthropic'))) return 'anthropic';
  return cache === 'gemini' || has('functionDeclarations') ? 'gemini' : undefined;
}

/** The shares of the limit that epochs leave. */
function sharesOf({ preset, low, coldLow }) {
  const shares = PRESETS[preset ?? defaultOf('createSession', 'preset')];
  return { low: low ?? shares.low, coldLow: coldLow ?? Math.min(low ?? 1, shares.coldLow) };
}

/** See `Session` in `index.d.ts`. */
class Session {
  #options;
  #now;
  /** @type {import('./state.js').State} */
  #state = START;
  #ledger = new Ledger();
  /** Tokens that the provider counts for one that is counted here, once that was observed. */
  #factor;
  #summaries;
  /** What was saved by another session, until the first history is there. */
  #saved;
  /** The promise of the last step that was begun. */
  #running = Promise.resolve();

  constructor(options, saved) {
    checkOptions('createSession', options);
    // What is wrong with it is the same for every provider.
    systemPrompts(options.system, 'createSession(): options.system');
    this.#options = { ...options, thinking: options.thinking ?? 'strip', shares: sharesOf(options) };
    this.#now = options.now ?? Date.now;
    this.#saved = saved === undefined || saved === null ? undefined : readSaved(saved);
    if (options.format != null && options.format !== 'auto') this.#state = this.#withFormat(START, formatNamed(options.format), true);
    if (options.summarizer) this.#summaries = new Summaries(options, this.#saved?.json.summaries);
    this.#factor = this.#saved?.json.factor;
  }

  get report() {
    return (this.#saved?.ledger ?? this.#ledger).report();
  }

  next(history) {
    return this.#summaries ? this.nextAsync(history) : inOneGo(this.#stepping(history));
  }

  nextAsync(history) {
    // The array may grow while others are waited for.
    const given = Array.isArray(history) ? history.slice() : history;
    const step = this.#running.then(() => withPauses(this.#stepping(given)));
    this.#running = step.catch(() => {});
    return step;
  }

  observe(usage) {
    const observed = readUsage(usage);
    if (observed === undefined) return;
    const { input, cached } = observed;
    const { last, format } = this.#state;
    const factor = input / last.tokens;
    if (factor > 1 / MOST_FACTOR && factor < MOST_FACTOR) this.#factor = factor;
    if (cached === undefined || last.reused === 0) return;
    // What was not in the cache after all was paid for in full: the surplus has cost more.
    const missed = Math.max(0, 1 - cached / (last.reused * (this.#factor ?? 1)));
    const { write, read } = cacheOf(this.#options.cache, format.name);
    this.#state = { ...this.#state, carried: this.#state.carried + missed * Math.max(0, write - read) * last.surplus };
  }

  toJSON() {
    if (this.#saved !== undefined) return this.#saved.json;
    return writeSaved(this.#state, { ledger: this.#ledger, factor: this.#factor, summaries: this.#summaries });
  }

  *#stepping(given) {
    if (!Array.isArray(given)) throw mismatch('next(): history', 'an array of messages', given);
    const base = this.#state;
    const { state, isForeign } = yield* this.#taken(given, yield* this.#formatting(base, given));
    const step = yield* aligning(state, given, this.#options.thinking === 'strip');
    const situation = this.#situation(step);
    const { reason, target } = situation;
    const sent = reason === undefined ? step.sent : yield* this.#choosing(step, target);
    if (reason === undefined && situation.tokens > AHEAD * situation.limit && this.#summaries?.isDue(step.history))
      yield* this.#askingAhead(step, target);
    // A step that was made meanwhile comes first.
    if (this.#state !== base) return yield* this.#stepping(given);
    if (isForeign !== undefined) {
      if (!isForeign) this.#ledger = this.#saved.ledger;
      this.#saved = undefined;
    }
    return this.#finish(step, sent, situation, isForeign === true);
  }

  /** The state in the format of a history: what was taken for another one is read again. */
  *#formatting(state, given) {
    if (state.isFormatShown) return state;
    const { format, isShown } = detect(given, this.#saved?.json.format ?? hintOf(this.#options));
    if (format === state.format) return { ...state, isFormatShown: isShown };
    const next = this.#withFormat(START, format, isShown);
    if (state.history.length === 0) return next;
    // What was cut is chosen anew.
    if (state.sent.edits.length > 0) return { ...next, sent: new Sent(), last: state.last };
    const history = new History().with([], 0, yield* next.counter.reading(state.history.messages()));
    return { ...next, history, last: { ...state.last, tokens: next.counter.request + history.tokens() } };
  }

  #withFormat(state, format, isFormatShown) {
    if (this.#options.cacheControl && format.name !== 'anthropic') {
      throw new TypeError(`createSession(): options.cacheControl is for messages of format 'anthropic', got ${format.name}`);
    }
    return { ...state, format, isFormatShown, counter: new Counter(format, this.#options) };
  }

  /** The state that was saved, with the messages that it was saved with. `isForeign` says whether it is one of this history. */
  *#taken(given, state) {
    if (this.#saved === undefined) return { state, isForeign: undefined };
    const taken = yield* takeUp(this.#saved, given, state);
    return { state: taken ?? state, isForeign: taken === undefined };
  }

  /** Where the request stands: what it takes, whether it begins an epoch, and why. */
  #situation({ state, history, sent }) {
    const { format, counter, last, floor } = state;
    const factor = this.#factor ?? 1;
    const isExact =
      this.#factor !== undefined ||
      this.#options.tokenCounter != null ||
      (EXACT.has(format.name) && this.#options.tokenizer !== 'estimate');
    const limit = this.#limit(isExact);
    const cache = cacheOf(this.#options.cache, format.name);
    const time = this.#time();
    const isWarm = last.time === undefined || time - last.time <= cache.ttl;
    const tokens = (counter.request + sent.tokens + history.tokens(sent.covered)) * factor;
    const [low, coldLow] = [this.#options.shares.low * limit, this.#options.shares.coldLow * limit];
    const surplus = isSurplus(tokens, low, floor) ? tokens - low : 0;
    const carried = state.carried + cache.read * surplus;
    const isTurnEnd = history.entries.at(-1)?.role === 'user';
    const reason = reasonFor({ tokens, limit, low, coldLow, floor, carried, write: cache.write, isCold: !isWarm, isTurnEnd });
    const target = Math.min(reason === 'cold' ? coldLow : low, isExact ? Infinity : LIMIT_MARGIN * limit);
    return { factor, isExact, limit, cache, time, isWarm, tokens, surplus, carried, reason, target };
  }

  #time() {
    const time = this.#now();
    if (Number.isFinite(time)) return time;
    throw new TypeError(`createSession(): options.now must return the time in ms, got ${typeof time === 'number' ? time : describe(time)}`);
  }

  #limit(isExact) {
    const { limit, window, maxOutputTokens } = this.#options;
    return limit ?? Math.floor((window - (maxOutputTokens ?? 0)) * (isExact ? 1 : WINDOW_MARGIN));
  }

  /** Chooses from everything there is. */
  *#choosing(step, target) {
    const { history } = step;
    const fitting = yield* this.#opening(step);
    try {
      const budget = target / (this.#factor ?? 1);
      if (fitting.fits(budget)) return Sent.made(history, fitting, fitting.whole());
      const notes = this.#summaries ? yield* this.#summaries.noting(fitting, budget) : [];
      return Sent.made(history, fitting, yield* fitting.searching(budget, notes));
    } finally {
      fitting.close();
    }
  }

  *#opening({ state: { format }, history }) {
    const { tokenizer, tokenCounter, system, tools, thinking, keep, query, prune } = this.#options;
    const messages = history.messages();
    const parts = yield* format.reading(messages);
    const stale = thinking === 'strip' ? history.entries.findIndex(({ isStale, isSigned }) => isStale && isSigned) : -1;
    const conversation = { messages, parts, format, stale: stale < 0 ? Infinity : stale, carried: {} };
    return yield* Fitting.opening(conversation, { tokenizer, tokenCounter, system, tools, thinking, keep, query, prune });
  }

  /** Takes note of a request, and gives it out. */
  #finish({ state, history, start }, sent, situation, isForeign) {
    const { factor, isExact, limit, cache, time, isWarm, surplus, carried, reason, target } = situation;
    const { format, counter, last } = state;
    const messages = sent.messages(history);
    const tokens = counter.request + sent.tokens + history.tokens(sent.covered);
    const isAppended = sent === this.#state.sent && start === this.#state.history.length;
    const reused = isAppended
      ? { messages: last.messages.length, tokens: last.tokens }
      : reusedOf(last.messages, messages, sent, history, counter.request);
    if (!isAppended) history.markStale(reused.next);
    const all = counter.request + history.tokens();
    this.#ledger.add({
      history,
      start,
      tokens,
      all,
      reused: reused.tokens,
      request: counter.request,
      limit: limit / factor,
      cache,
      isWarm,
      reason,
    });
    const after = scaled(tokens, factor);
    const fits = after <= limit;
    this.#state = {
      ...state,
      history,
      sent,
      last: { messages, tokens, time, reused: reused.tokens, surplus: reason === undefined ? surplus : 0 },
      cutOff: undefined,
      carried: reason === undefined ? carried : 0,
      // To try again at once would bring nothing.
      floor: reason === undefined ? state.floor : after > MISSED * target ? after : 0,
    };
    const counts = { before: scaled(all, factor), after, limit };
    return {
      messages: this.#options.cacheControl ? this.#marked(messages, sent, last, reused, cache) : messages,
      fits,
      tokens: fits ? counts : { ...counts, minimum: after },
      ...(reason === undefined ? {} : { epoch: { number: this.#ledger.epochs, reason, target } }),
      report: createReport({ format: format.name, isExact, history, sent, messages, reused, counts, reason, isForeign }),
    };
  }

  #marked(messages, sent, last, reused, { ttl }) {
    const { system, tools } = this.#options;
    const isWhole = reused.messages === last.messages.length;
    return withBreakpoints(messages, {
      last: isWhole ? reused.messages : 0,
      epoch: sent.edits.length > 0 ? sent.items.length : 0,
      ttl,
      system,
      tools,
    });
  }

  /** Has what would go at the next epoch summed up, in the background. */
  *#askingAhead(step, target) {
    const fitting = yield* this.#opening(step);
    try {
      yield* this.#summaries.asking(fitting, target / (this.#factor ?? 1));
    } finally {
      fitting.close();
    }
  }
}

/** Tokens as the provider counts them. */
const scaled = (tokens, factor) => (factor === 1 ? tokens : Math.ceil(tokens * factor));

const createSession = (options, saved) => new Session(options, saved);

module.exports = { createSession };
