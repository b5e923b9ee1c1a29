'use strict';

const { firstEditable, strippedFrom, strippedWith } = require('../agent/thinking.js');
const { engineOptions, gatherParts } = require('../agent/prune.js');
const { writing } = require('../formats/write.js');
const { FIT_EDIT_COLUMN, FIT_PIECE_COLUMN, SENTINEL } = require('../generated/layout.js');
const native = require('../native.js');
const { inOneGo, withPauses } = require('../steps.js');
const { countingMessages, providerOf } = require('../tokens/index.js');
const { measure, measuring } = require('../tokens/measure.js');
const { askCounter, requestTokens } = require('../tokens/request.js');

/** How often a choice is mended whose tokens are not what they were thought to be. */
const MAX_TRIES = 8;
/** A choice that uses so much of the budget is good enough. */
const ENOUGH = 0.985;
/** What is chosen at first, of the budget: where marks meet the text, a tokenizer may cut a little differently. */
const FIRST = 0.999;

/** What asks, as the engine takes it: nothing for the current exchange, no text where nothing is asked. */
function queryOf(query) {
  if (query === false) return [];
  return typeof query === 'string' ? [query] : (query?.slice() ?? undefined);
}

/**
 * A conversation that is read once, and what is chosen of it for a number of tokens. What is called `…Async` works on another
 * thread and with pauses: neither the messages nor the fitting may be changed before its promise is settled, but for `close`.
 */
class Fitting {
  /**
   * @param {import('./earlier.js').Conversation} conversation
   * @param {object} options as checked by `checkFitOptions`
   */
  constructor(conversation, options) {
    inOneGo(this.reading(conversation, options));
  }

  /**
   * What the constructor makes.
   *
   * @returns {Promise<Fitting>}
   */
  static open(conversation, options) {
    return withPauses(Fitting.opening(conversation, options));
  }

  static *opening(conversation, options) {
    const fitting = Object.create(Fitting.prototype);
    yield* fitting.reading(conversation, options);
    return fitting;
  }

  *reading({ messages, parts, format, stale, carried }, options) {
    this.messages = messages;
    this.format = format;
    this.stale = stale;
    this.carried = carried;
    this.tokenizer = options.tokenizer ?? 'o200k_base';
    this.tokenCounter = options.tokenCounter ?? undefined;
    this.thinking = options.thinking;
    this.parts = parts;
    const provider = providerOf(format.name);
    const measured = yield* measuring(messages, this.parts, provider, this.tokenizer, { texts: false });
    /** Tokens that belong to no message. */
    this.request = requestTokens(provider, this.tokenizer, options, 'fit(): options');
    /** The first part that may be edited. */
    this.editable = firstEditable(this.parts, this.thinking);
    /** Signed thinking that may go. All of it goes before anything else is cut, so a cut result takes no tokens for it. */
    this.strippable = this.thinking === 'strip' ? strippedFrom(this.parts, 0) : [];
    /** The conversation without signed thinking, once it was asked for. */
    this.bare = undefined;
    const mayGo = new Set(this.strippable.map(({ part }) => part));
    const stripped = measured.parts.map((tokens, index) => (mayGo.has(this.parts[index]) ? tokens : 0));
    const { keep } = options;
    const gathered = yield* gatherParts(messages, this.parts, provider, this.editable);
    const costs = {
      tokenizer: this.tokenizer,
      parts: measured.parts.map((tokens, index) => tokens - stripped[index]),
      messages: measured.own.slice(),
      request: this.request,
      keepRecent: Math.min(keep?.recent ?? 0, 0xffffffff),
      keepUser: keep?.user ?? false,
      keepTools: [...(keep?.tools ?? [])],
      keepRanges: yield* matches(this.parts, keep?.patterns ?? []),
      query: queryOf(options.query),
      prune: options.prune === false ? undefined : engineOptions(options.prune === true ? {} : (options.prune ?? {})),
    };
    this.fitter = yield { now: () => new native.Fitter(gathered, costs), later: () => native.Fitter.open(gathered, costs) };
    const counted = this.fitter.tokens();
    this.parts.forEach(({ message }, index) => (counted[message] += stripped[index]));
    const tokens = this.tokenCounter ? yield* this.asking(messages) : counted;
    if (this.tokenCounter) {
      const scales = Float64Array.from(tokens, (count, index) => (counted[index] > 0 ? count / counted[index] : 1));
      this.fitter = yield { now: () => this.fitter.scaled(scales), later: () => this.fitter.scaledAsync(scales) };
    }
    this.known = new Map();
    for (const [index, message] of messages.entries()) {
      yield;
      this.known.set(message, tokens[index]);
    }
    this.before = tokens.reduce((sum, count) => sum + count, this.request);
  }

  /** What the caller's counter says of each message. */
  *asking(messages) {
    const counts = [];
    for (const message of messages) {
      yield;
      counts.push(askCounter(this.tokenCounter, message));
    }
    return counts;
  }

  /** Whether all of it may stay as it is. */
  fits(budget) {
    return this.before <= budget && this.stale === Infinity;
  }

  /** The messages whose signed thinking stands behind something else than it was made from. */
  staleMessages() {
    return new Set(
      this.parts.filter(({ signed, message }) => signed && message >= this.stale).map(({ message }) => this.messages[message]),
    );
  }

  /**
   * The conversation that uses the most of `budget` without going beyond it; or the smallest there is.
   *
   * @param {{ message: number, part: number, text: string }[]} [notes] what is said of what goes
   * @returns {{ written: { messages: object[], sources: object[] }, edits: object[], tokens: number, choice?: object }} the `edits` that
   *   make it; those of texts have `pieces`, which are marks and ranges of the part's text
   */
  search(budget, notes = []) {
    return inOneGo(this.searching(budget, notes));
  }

  /** The same, as a promise. */
  searchAsync(budget, notes = []) {
    return withPauses(this.searching(budget, notes));
  }

  *searching(budget, notes) {
    const thoughtless = yield* this.stripping(budget);
    if (thoughtless !== undefined) return thoughtless;
    let best;
    let least;
    let limit = budget * FIRST;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const made = yield* this.making(limit, notes);
      const { tokens } = made;
      const isBetter = best === undefined || (best.tokens > budget ? tokens < best.tokens : tokens <= budget && tokens > best.tokens);
      if (isBetter) best = made;
      if (tokens <= budget && (tokens >= ENOUGH * budget || !made.choice.isCut)) break;
      if (tokens > budget) {
        least ??= yield* this.making(0, []);
        if (least.tokens > budget) break;
      }
      // What was over has to go, and a little more, so that this ends.
      limit += tokens > budget ? (budget - tokens) * 1.1 - 1 : (budget - tokens) * 0.97;
    }
    if (best.tokens <= budget) return best;
    const all = this.stale === Infinity ? [this.whole(), best, least] : [best, least];
    return all.reduce((smallest, made) => (made.tokens < smallest.tokens ? made : smallest));
  }

  /** Everything, as it is. */
  whole() {
    return { written: { messages: [...this.messages], sources: this.everySource() }, edits: [], tokens: this.before };
  }

  everySource() {
    return this.messages.map((_, index) => ({ first: index, last: index }));
  }

  /**
   * The conversation without signed thinking from some message on, the latest with which it is within `budget` and nothing stale
   * stays; undefined where taking out all of it is not enough. What stays stands behind what it was made from.
   */
  stripTo(budget) {
    return inOneGo(this.stripping(budget));
  }

  *stripping(budget) {
    if (this.strippable.length === 0) return undefined;
    this.bare ??= yield* writing(this.format, this.messages, this.strippable);
    const { messages, sources } = this.bare;
    let tokens = yield* this.counting(messages, new Map());
    if (tokens > budget) return undefined;
    let [stripped, whole] = [0, 0];
    for (; stripped < messages.length; stripped++) {
      const end = sources[stripped].last + 1;
      const before = this.messages.slice(whole, end).reduce((sum, message) => sum + this.known.get(message), 0);
      const more = before - this.known.get(messages[stripped]);
      if (tokens + more > budget || end > this.stale) break;
      tokens += more;
      whole = end;
    }
    const written = {
      messages: [...this.messages.slice(0, whole), ...messages.slice(stripped)],
      sources: [...this.everySource().slice(0, whole), ...sources.slice(stripped)],
    };
    const edits = this.strippable.filter(({ part }) => part.message >= whole);
    return { written, edits, tokens: yield* this.counting(written.messages, new Map()) };
  }

  *making(limit, notes) {
    const choice = yield { now: () => this.fitter.choose(limit, notes), later: () => this.fitter.chooseAsync(limit, notes) };
    const { edits: cuts, texts } = yield* this.editing(choice);
    const stripped = this.thinking === 'leave' ? strippedWith(this.format, this.messages, this.parts, cuts) : this.strippable;
    const edits = [...cuts, ...stripped];
    const written = yield* writing(this.format, this.messages, edits);
    return { choice, written, edits, tokens: yield* this.counting(written.messages, texts) };
  }

  /** The edits of a choice, and the tokens of the texts that they make. */
  *editing({ edits, counts, pieces, marks }) {
    const list = [];
    const texts = new Map();
    let piece = 0;
    for (let at = 0; at < edits.length; at += FIT_EDIT_COLUMN.COUNT) {
      yield;
      const part = this.parts[edits[at + FIT_EDIT_COLUMN.PART]];
      const count = edits[at + FIT_EDIT_COLUMN.PIECES];
      if (count === SENTINEL.NONE) {
        list.push({ part, remove: true });
        continue;
      }
      let text = '';
      const kept = [];
      for (const end = piece + FIT_PIECE_COLUMN.COUNT * count; piece < end; piece += FIT_PIECE_COLUMN.COUNT) {
        const from = pieces[piece + FIT_PIECE_COLUMN.START];
        const to = pieces[piece + FIT_PIECE_COLUMN.END];
        const isMark = from === SENTINEL.NONE;
        text += isMark ? marks[to] : part.text.slice(from, to);
        kept.push(isMark ? marks[to] : [from, to]);
      }
      list.push({ part, text, pieces: kept });
      texts.set(text, counts[at / FIT_EDIT_COLUMN.COUNT]);
    }
    return { edits: list, texts };
  }

  /** The tokens of messages, most of which are known; `texts` says those of texts that are. */
  *counting(messages, texts) {
    const fresh = messages.filter((message) => !this.known.has(message));
    const counts = this.tokenCounter
      ? yield* this.asking(fresh)
      : (yield* countingMessages(fresh, { tokenizer: this.tokenizer, format: this.format.name, texts })).messages;
    fresh.forEach((message, index) => this.known.set(message, counts[index]));
    return messages.reduce((total, message) => total + this.known.get(message), this.request);
  }

  /** The tokens of what is not cut because signed thinking stands behind it; the system's instructions never are. */
  heldByThinking() {
    if (this.editable === 0) return 0;
    const free = this.parts[this.editable];
    const systems = new Set(this.parts.filter(({ role }) => role === 'system').map(({ message }) => message));
    const before = this.messages.slice(0, free?.message).filter((_, index) => !systems.has(index));
    const held = before.reduce((sum, message) => sum + this.known.get(message), 0);
    if (free?.message !== this.parts[this.editable - 1].message) return held;
    // A message with several steps, of which the first ones are held: their share of it.
    const message = this.messages[free.message];
    const parts = this.format.read([message]);
    const tokens = measure([message], parts, providerOf(this.format.name), this.tokenizer).parts;
    const sumOf = (list) => list.reduce((sum, count) => sum + count, 0);
    const count = this.editable - this.parts.findIndex((part) => part.message === free.message);
    return held + Math.round((this.known.get(message) * sumOf(tokens.slice(0, count))) / (sumOf(tokens) || 1));
  }

  /** Frees what the engine read; nothing more can be chosen. */
  close() {
    this.fitter.close();
  }

  /** The tokens of a message of the conversation, or of one that was made of it. */
  tokensOf(message) {
    return this.known.get(message);
  }
}

/** The ranges of the parts' texts that patterns match: part, start and end of each, in order, none in another; in steps. */
function* matches(parts, patterns) {
  if (patterns.length === 0) return new Uint32Array(0);
  const found = [];
  const searches = patterns.map(globally);
  for (const [index, { text }] of parts.entries()) {
    yield;
    const ranges = searches
      .flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => [match.index, match.index + match[0].length]))
      .filter(([start, end]) => start < end)
      .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    let last = 0;
    for (const [start, end] of ranges) {
      if (end <= last) continue;
      found.push(index, Math.max(start, last), end);
      last = end;
    }
  }
  return Uint32Array.from(found);
}

/** Finds all that `pattern` matches, wherever it stands and wherever the last search with it ended. */
const globally = ({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);

module.exports = { Fitting };
