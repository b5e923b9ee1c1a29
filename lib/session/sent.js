// @ts-check
'use strict';

const { writing } = require('../formats/write.js');
const { isSame, markersOf } = require('./same.js');

/**
 * An edit of a part, without a reference to a message, so that it outlives the messages.
 *
 * @typedef {object} KeptEdit
 * @property {number} part the part's place among those of the history
 * @property {(string | [number, number] | Recalled)[] | undefined} pieces marks, ranges of its text, and passages of other parts that
 *   replace the part; undefined if it is removed
 */

/**
 * A range of the text of another part, recalled behind the user's words.
 *
 * @typedef {{ part: number, start: number, end: number }} Recalled
 */

/**
 * A message that is sent for messages `first` to `last` of the history.
 *
 * @typedef {object} Item
 * @property {number} first
 * @property {number} last
 * @property {object | undefined} message a copy with edits; undefined if the history's own message is sent
 * @property {number} tokens
 * @property {boolean} isStripped signed thinking was taken out of it
 * @property {string} markers the caller's breakpoints in the copied messages
 */

/** Number of the last covered messages that are checked for moved breakpoints in every step; callers move those most. */
const LATEST = 4;

/** The messages sent for the first `covered` messages of a history. Later messages are sent unchanged. */
class Sent {
  /**
   * @param {number} covered
   * @param {Item[]} items
   * @param {KeptEdit[]} edits those that make the items, by their parts
   * @param {number} epoch number of items that the last epoch made
   */
  constructor(covered = 0, items = [], edits = [], epoch = items.length) {
    this.covered = covered;
    this.items = items;
    this.edits = edits;
    this.epoch = epoch;
    /** Whether it is the choice of an epoch that cut the user's last words. */
    this.cutsLastWords = false;
    /** The tokens of the items. */
    this.tokens = items.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /**
   * Makes it of the result of fitting a whole history.
   *
   * @param {import('../types.d.ts').History} history
   * @param {import('../types.d.ts').Fitting} fitting
   * @param {{ written: import('../types.d.ts').Written, edits: any[], choice?: { cutsLastWords: boolean } }} made `edits` with their `pieces`
   */
  static made(history, fitting, { written, edits, choice }) {
    const places = new Map(fitting.parts.map((part, place) => [part, place]));
    // Thinking may be removed twice: by itself and with its message.
    const byPart = new Map(edits.map(({ part, pieces }) => [/** @type {number} */ (places.get(part)), pieces]));
    const kept = Array.from(byPart, ([part, pieces]) => ({ part, pieces })).sort((a, b) => a.part - b.part);
    const sent = new Sent(
      history.length,
      itemsOf(history, written, edits, (message) => fitting.tokensOf(message)),
      kept,
    );
    return Object.assign(sent, { cutsLastWords: choice?.cutsLastWords === true });
  }

  /**
   * Writes messages again from kept edits, in steps.
   *
   * @param {number} [epoch] number of items that the last epoch made; default all
   */
  static *writing(history, covered, edits, counter, epoch) {
    const messages = history.messages(covered);
    if (edits.length === 0)
      return new Sent(
        covered,
        history.entries.slice(0, covered).map(({ tokens }, index) => itemOf(index, tokens)),
      );
    const parts = yield* counter.format.reading(messages);
    const made = edits.map(({ part, pieces }) => editOf(parts, part, pieces));
    const written = yield* writing(counter.format, messages, made);
    const copies = written.messages.filter((message, index) => message !== messages[written.sources[index].first]);
    const tokens = yield* counter.counting(copies);
    const known = new Map(copies.map((copy, index) => [copy, tokens[index]]));
    const items = itemsOf(history, written, made, (message) => known.get(message));
    return new Sent(covered, items, edits, epoch === undefined ? items.length : Math.min(epoch, items.length));
  }

  /**
   * Appends recalled passages to a text of the last message, in steps. All else is sent as it was.
   *
   * @param {import('../types.d.ts').History} history
   * @param {number} part number of the part with the text
   * @param {(string | Recalled)[]} addition
   * @param {import('../types.d.ts').Counter} counter
   * @param {import('../types.d.ts').Part[]} parts those of the history
   */
  *adding(history, part, addition, counter, parts) {
    const known = this.edits.find((edit) => edit.part === part);
    const edit = { part, pieces: [...(known?.pieces ?? [[0, parts[part].text.length]]), ...addition] };
    const edits = [...this.edits.filter((other) => other !== known), edit].sort((a, b) => a.part - b.part);
    const items = this.items.slice();
    for (let index = this.covered; index < history.length; index++) items.push(itemOf(index, history.entries[index].tokens));
    const last = items.length - 1;
    const { message, first } = items[last];
    if (message !== undefined) return yield* Sent.writing(history, history.length, edits, counter, this.epoch);
    const entry = history.entries[first];
    const own = { ...editOf(parts, part, edit.pieces), part: { ...parts[part], message: 0 } };
    const [copy] = (yield* writing(counter.format, [entry.message], [own])).messages;
    const [tokens] = yield* counter.counting([copy]);
    items[last] = { first, last: first, message: copy, tokens, isStripped: false, markers: markersIn(history, first, first) };
    return new Sent(history.length, items, edits, this.epoch);
  }

  /**
   * Returns whether copied messages have to be written again: the caller moved their breakpoints, or another object is sent in their place.
   *
   * @param {import('../types.d.ts').History} history
   * @param {{ index: number, isReplaced: boolean }[]} others the messages that are other objects than before
   */
  isOutdated(history, others) {
    const replaced = others.filter(({ isReplaced }) => isReplaced).map(({ index }) => index);
    // Usually the last breakpoint moves.
    const isLookedAt = ({ last, markers }) => markers !== '' || others.length > 0 || last >= this.covered - LATEST;
    // Both are in the order of the history.
    let next = 0;
    return this.items.some((item) => {
      while (replaced[next] < item.first) next++;
      if (item.message === undefined) return false;
      return replaced[next] <= item.last || (isLookedAt(item) && item.markers !== markersIn(history, item.first, item.last));
    });
  }

  /** Number of messages that are covered whatever follows: up to the last unedited one after which nothing was removed. */
  get certain() {
    return this.#endOf(({ message }) => message === undefined);
  }

  /** The messages that are sent for a history. */
  messages({ entries }) {
    const list = this.items.map(({ first, message }) => message ?? entries[first].message);
    for (let index = this.covered; index < entries.length; index++) list.push(entries[index].message);
    return list;
  }

  /**
   * Returns the messages to send for a history that differs from message `start` on, in steps: those sent before, then every
   * message as it is, without stale thinking.
   *
   * @param {import('../types.d.ts').History} history the new one
   * @param {number} start
   * @param {import('../types.d.ts').Counter} counter
   * @param {boolean} isStripping whether stale thinking goes
   * @param {number} [most] how much of what was sent before is known at most
   */
  *reopening(history, start, counter, isStripping, most = start) {
    const parts = yield* counter.format.reading(history.messages());
    const end = this.#boundary(Math.min(start, most), parts);
    const kept = this.edits.filter(({ part }) => parts[part]?.message < end);
    // Cuts between the two places are undone, and thinking after them was signed after the cuts.
    const isStale = (message) => history.entries[message].isStale || (end < start && message > end);
    const stale = [];
    parts.forEach(({ signed, message }, part) => {
      if (isStripping && signed && message >= end && isStale(message)) stale.push({ part, pieces: undefined });
    });
    // Messages that were sent before stay the same objects.
    const items = this.items.filter(({ last }) => last < end);
    if (stale.length === 0) return new Sent(Math.min(end, this.covered), items, kept, Math.min(this.epoch, items.length));
    const written = yield* Sent.writing(history, history.length, [...kept, ...stale], counter);
    return new Sent(
      history.length,
      written.items.map((item, index) => items[index] ?? item),
      written.edits,
    );
  }

  /**
   * Returns the latest place up to `start` where the sent messages can be split: no removal on one side has its mark on the
   * other, and no removed call has its result after it.
   */
  #boundary(start, parts) {
    let end = this.#whole(start);
    const gone = new Set(this.edits.filter(({ pieces }) => pieces === undefined).map(({ part }) => part));
    for (let index = parts.length - 1; index >= 0; index--) {
      const { message, call } = parts[index];
      if (message >= end && gone.has(call) && parts[call].message < end) end = this.#whole(parts[call].message);
    }
    return end;
  }

  /** Returns the latest place up to `start` after which nothing was removed. */
  #whole(start) {
    if (start >= this.covered) return start;
    return this.#endOf(({ last }) => last < start);
  }

  /** Counts the messages up to the last item that `isEnd` accepts and after which nothing was removed. */
  #endOf(isEnd) {
    const next = (index) => this.items[index + 1]?.first ?? this.covered;
    const index = this.items.findLastIndex((item, place) => isEnd(item) && item.last + 1 === next(place));
    return index < 0 ? 0 : this.items[index].last + 1;
  }
}

const itemOf = (index, tokens) => ({ first: index, last: index, message: undefined, tokens, isStripped: false, markers: '' });

function itemsOf(history, { messages, sources }, edits, tokensOf) {
  const { entries } = history;
  const stripped = new Set(edits.filter(({ part }) => part.signed).map(({ part }) => part.message));
  return messages.map((message, index) => {
    const { first, last } = sources[index];
    const entry = entries[first];
    if (message === entry.message) return itemOf(first, entry.tokens);
    let isStripped = false;
    for (let at = first; at <= last; at++) isStripped ||= stripped.has(at);
    return { first, last, message, tokens: tokensOf(message), isStripped, markers: markersIn(history, first, last) };
  });
}

/** The caller's breakpoints in messages `first` to `last`. */
function markersIn({ entries }, first, last) {
  let found = '';
  for (let index = first; index <= last; index++) found += markersOf(entries[index].message);
  return found;
}

/** Converts a kept edit to one that `write` takes. */
function editOf(parts, part, pieces) {
  if (pieces === undefined) return { part: parts[part], remove: true };
  const textOf = (piece) => {
    if (typeof piece === 'string') return piece;
    if (Array.isArray(piece)) return parts[part].text.slice(piece[0], piece[1]);
    return parts[piece.part].text.slice(piece.start, piece.end);
  };
  return { part: parts[part], text: pieces.map(textOf).join('') };
}

/**
 * Compares a request with the last one from the start; `next` is the message of the history where they differ.
 *
 * @param {object[]} last
 * @param {object[]} messages
 * @param {Sent} sent
 * @param {import('../types.d.ts').History} history
 * @param {{ request: number, touched: Set<object> }} before `request`: tokens that belong to no message; `touched`: messages of the history that
 *   were changed in place since `last`, which holds the same objects
 */
function reusedOf(last, messages, sent, { entries }, { request, touched }) {
  const most = Math.min(messages.length, last.length);
  let [count, next] = [0, 0];
  let tokens = last.length === 0 ? 0 : request;
  for (; count < most && (last[count] === messages[count] || isSame(last[count], messages[count])); count++) {
    const item = sent.items[count];
    const index = item?.last ?? sent.covered + count - sent.items.length;
    if (touched.size > 0 && entries.slice(item?.first ?? index, index + 1).some(({ message }) => touched.has(message))) break;
    tokens += item?.tokens ?? entries[index].tokens;
    next = index + 1;
  }
  return { messages: count, tokens, next };
}

module.exports = { reusedOf, Sent };
