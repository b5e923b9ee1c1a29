'use strict';

const { mismatch } = require('../checks.js');
const { Fitting } = require('../fit/fitting.js');
const { checkFormat, detect, formatNamed } = require('../formats/index.js');
const { checkSessionOptions, sharesOf } = require('./arguments.js');
const { withBreakpoints } = require('./breakpoints.js');
const { cacheOf } = require('./cache.js');
const { Counter } = require('./counter.js');
const { History } = require('./history.js');
const { isSurplus, reasonFor } = require('./policy.js');
const { createStepReport, Ledger } = require('./report.js');
const { isSame } = require('./same.js');
const { readSaved, writeSaved } = require('./saved.js');
const { Sent } = require('./sent.js');
const { readUsage } = require('./usage.js');

/** What is left of a window for a tokenizer that isn't public and may make more tokens than the one that counts, until it is observed. */
const WINDOW_MARGIN = 0.8;
/** What a forced epoch leaves free of the limit in the same case, where it can't reach its target. */
const LIMIT_MARGIN = 0.9;
/** An epoch that leaves so much more than its target has missed it. */
const MISSED = 1.02;
/** By what the usage of a provider may differ from what was counted; beyond it something else was sent. */
const MOST_FACTOR = 4;

/** Formats whose tokens are counted exactly. */
const EXACT = new Set(['openai-chat', 'openai-responses', 'message']);

/** The format that the other options speak of, where the messages don't show theirs. */
function hintOf({ tools, cache, cacheControl }) {
  const has = (key) => tools?.some((tool) => tool?.[key] !== undefined);
  if (cacheControl || has('input_schema') || (typeof cache === 'string' && cache.startsWith('anthropic'))) return 'anthropic';
  return cache === 'gemini' || has('functionDeclarations') ? 'gemini' : undefined;
}

/** See `Session` in `index.d.ts`. */
class Session {
  #options;
  #shares;
  #now;
  #format;
  #isFormatShown = false;
  #counter;
  #history = new History();
  #sent = new Sent();
  #ledger = new Ledger();
  /** The last request: its messages, and its tokens as they were counted. */
  #last = { messages: [], tokens: 0, time: undefined };
  /** What carrying the surplus has cost since the last epoch, and the tokens that it left. */
  #carried = 0;
  #floor = 0;
  /** Tokens that the provider counts for one that is counted here, once that was observed. */
  #factor = undefined;

  constructor(options, saved) {
    checkSessionOptions(options);
    this.#options = { ...options, thinking: options.thinking ?? 'strip' };
    this.#shares = sharesOf(options);
    this.#now = options.now ?? Date.now;
    if (options.format != null && options.format !== 'auto') this.#setFormat({ format: formatNamed(options.format), isShown: true });
    if (saved !== undefined && saved !== null) readSaved(saved);
  }

  get report() {
    return this.#ledger.report();
  }

  next(given) {
    const step = this.#align(given);
    const { tokens, reason, target } = this.#decide(step);
    const sent = reason === undefined ? step.sent : this.#choose(step, reason, target);
    return this.#finish(step, sent, { tokens, reason, target });
  }

  observe(usage) {
    const { input } = readUsage(usage);
    const { tokens } = this.#last;
    const factor = input / tokens;
    if (tokens > 0 && factor > 1 / MOST_FACTOR && factor < MOST_FACTOR) this.#factor = factor;
  }

  toJSON() {
    return writeSaved(this);
  }

  get #isExact() {
    return this.#factor !== undefined || EXACT.has(this.#format.name);
  }

  get #limit() {
    const { limit, window, maxOutputTokens } = this.#options;
    if (limit != null) return limit;
    return Math.floor((window - (maxOutputTokens ?? 0)) * (this.#isExact ? 1 : WINDOW_MARGIN));
  }

  #setFormat({ format, isShown }) {
    this.#isFormatShown = isShown;
    if (format === this.#format) return;
    // What was read as another format has to be read again.
    this.#format = format;
    this.#counter = new Counter(format, this.#options);
    this.#history = new History();
    this.#sent = new Sent();
  }

  /** What a history has in common with the last one, and what of what was sent still stands. Changes nothing. */
  #align(given) {
    if (!Array.isArray(given)) throw mismatch('next(): history', 'an array of messages', given);
    if (!this.#isFormatShown) this.#setFormat(detect(given, hintOf(this.#options)));
    const before = this.#history.length;
    const start = this.#history.shared(given);
    checkFormat(given, this.#format, start);
    const fresh = this.#read(given, start);
    const isChanged = start < before;
    // They were signed behind what stood there before.
    if (isChanged) fresh.forEach((entry, index) => (entry.isStale = index > 0));
    const history = isChanged || fresh.length > 0 ? this.#history.with(start, fresh) : this.#history;
    let sent = this.#sent;
    const isStale = this.#options.thinking === 'strip' && fresh.some((entry) => entry.isStale && entry.isSigned);
    if (start < sent.covered || isStale) sent = sent.reopened(history, start, this.#counter);
    else sent.refresh(history, this.#counter);
    return { history, sent, start, isChanged };
  }

  #read(given, start) {
    if (start === given.length) return [];
    try {
      return this.#counter.entries(start === 0 ? given : given.slice(start));
    } catch (error) {
      // The place in an error is that in the whole history.
      if (start > 0 && error instanceof TypeError) this.#format.read(given);
      throw error;
    }
  }

  #tokensOf({ history, sent }) {
    return this.#counter.request + sent.tokens + history.tokens(sent.covered);
  }

  /** Whether this request begins an epoch, and the tokens that it aims at. */
  #decide(step) {
    const factor = this.#factor ?? 1;
    const limit = this.#limit;
    const cache = cacheOf(this.#options.cache, this.#format.name);
    const time = this.#now();
    const tokens = this.#tokensOf(step) * factor;
    const [low, coldLow] = [this.#shares.low * limit, this.#shares.coldLow * limit];
    const isWarm = this.#last.time === undefined || time - this.#last.time <= cache.ttl;
    const carried = this.#carried + (isSurplus(tokens, low, this.#floor) ? cache.read * (tokens - low) : 0);
    const isTurnEnd = step.history.entries.at(-1)?.role === 'user';
    const reason = reasonFor({ tokens, limit, low, coldLow, floor: this.#floor, carried, write: cache.write, isCold: !isWarm, isTurnEnd });
    step.situation = { limit, cache, time, isWarm, carried };
    const aim = reason === 'cold' ? coldLow : low;
    return { tokens, reason, target: this.#isExact ? aim : Math.min(aim, LIMIT_MARGIN * limit) };
  }

  /** Chooses from everything there is. */
  #choose({ history, situation }, reason, target) {
    const fitting = this.#fitting(history);
    try {
      const budget = target / (this.#factor ?? 1);
      const made = fitting.fits(budget) ? fitting.whole() : fitting.search(budget);
      const places = new Map(fitting.parts.map((part, place) => [part, place]));
      const edits = made.edits.map(({ part, pieces }) => ({ part: places.get(part), pieces })).sort((a, b) => a.part - b.part);
      return Sent.of(history, history.length, edits, this.#counter);
    } finally {
      fitting.close();
    }
  }

  #fitting(history) {
    const { tokenizer, tokenCounter, tools, thinking, keep, query, prune } = this.#options;
    const { messages, entries } = history;
    const stale = entries.findIndex(({ isStale, isSigned }) => isStale && isSigned);
    const conversation = { messages, parts: this.#format.read(messages), format: this.#format, stale: stale < 0 || thinking !== 'strip' ? Infinity : stale, carried: {} };
    return new Fitting(conversation, { tokenizer, tokenCounter, tools, thinking, keep, query, prune });
  }

  /** Makes the request, and takes note of it. */
  #finish({ history, sent: before, start, isChanged, situation }, sent, { reason, target }) {
    const { limit, cache, time, isWarm, carried } = situation;
    const factor = this.#factor ?? 1;
    this.#history = history;
    const messages = sent.messages(history);
    const tokens = this.#tokensOf({ history, sent });
    const reused = this.#reused(messages, sent, history, isChanged || reason !== undefined || sent !== this.#sent);
    if (reason !== undefined) markStale(history, reused.start);
    this.#sent = sent;
    this.#carried = reason === undefined ? carried : 0;
    // One that can't reach its target leaves what has to stay; to try it again at once would bring nothing.
    if (reason !== undefined) this.#floor = tokens * factor > MISSED * target ? tokens * factor : 0;
    this.#last = { messages, tokens, time };
    const all = this.#counter.request + history.tokens();
    this.#ledger.add({ history, start, tokens, all, reused: reused.tokens, request: this.#counter.request, limit: limit / factor, cache, isWarm, reason });
    const after = tokens * factor;
    const fits = after <= limit;
    return {
      messages: this.#options.cacheControl ? withBreakpoints(messages, sent, this.#options) : messages,
      fits,
      tokens: { before: all * factor, after, limit, ...(fits ? {} : { minimum: after }) },
      ...(reason === undefined ? {} : { epoch: { number: this.#ledger.epochs, reason, target } }),
      report: createStepReport({ history, sent, messages, reused, isExact: this.#isExact, format: this.#format.name, tokens: after, before: all * factor, limit, reason }),
    };
  }

  /** How many messages at the start of a request the last one had as well, with their tokens, and where the history's first other one stands. */
  #reused(messages, sent, history, isOther) {
    const { messages: last, tokens } = this.#last;
    if (!isOther) return { messages: last.length, tokens, start: history.length };
    let count = 0;
    let sum = last.length === 0 ? 0 : this.#counter.request;
    let start = 0;
    const most = Math.min(messages.length, last.length);
    while (count < most && isSame(last[count], messages[count])) {
      // An equal copy need not be sent as another object.
      const item = sent.items[count];
      start = item === undefined ? sent.covered + count - sent.items.length : item.last;
      sum += item?.tokens ?? history.entries[start].tokens;
      start++;
      count++;
    }
    return { messages: count, tokens: sum, start };
  }
}

/** Signed thinking behind the first change of what is sent is stale from now on. */
function markStale({ entries }, start) {
  for (let index = start + 1; index < entries.length; index++) entries[index].isStale = true;
}

const createSession = (options, saved) => new Session(options, saved);

module.exports = { createSession };
