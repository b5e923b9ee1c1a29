'use strict';

const { write } = require('../formats/write.js');
const { markersOf } = require('./same.js');

/**
 * An edit of a part, as it is kept: nothing in it refers to a message, so it outlives them.
 *
 * @typedef {object} KeptEdit
 * @property {number} part the part's place among those of the history
 * @property {(string | [number, number])[] | undefined} pieces what the part becomes: marks, and ranges of its text; undefined where it goes
 */

/**
 * A message that is sent for messages from `first` to `last` of the history.
 *
 * @typedef {object} Item
 * @property {number} first
 * @property {number} last
 * @property {object | undefined} message a copy with edits; undefined where the history's own message is sent
 * @property {number} tokens
 * @property {boolean} isStripped signed thinking was taken out of it
 */

/**
 * What is sent for the first `covered` messages of a history. All that come after them are sent as they are.
 */
class Sent {
  covered = 0;
  /** @type {Item[]} */
  items = [];
  /** @type {KeptEdit[]} */
  edits = [];
  /** The tokens of the items. */
  tokens = 0;
  #markers = '';

  /**
   * @param {import('./history.js').History} history
   * @param {number} covered
   * @param {KeptEdit[]} edits of parts of the first `covered` messages, in order
   * @param {import('./counter.js').Counter} counter
   */
  static of(history, covered, edits, counter) {
    const sent = new Sent();
    sent.covered = covered;
    sent.edits = edits;
    sent.#write(history, counter);
    return sent;
  }

  /** The messages that are sent for a history. */
  messages({ entries }) {
    const own = ({ first, message }) => message ?? entries[first].message;
    const list = this.items.map(own);
    for (let index = this.covered; index < entries.length; index++) list.push(entries[index].message);
    return list;
  }

  /** Copies messages anew whose breakpoints the caller moved. */
  refresh(history, counter) {
    if (this.#markers !== '' && this.#markers !== this.#markersIn(history)) this.#write(history, counter);
  }

  /**
   * What is sent for a history that is another one from message `start` on: what was sent before, and then every message as it is,
   * without thinking that is stale.
   *
   * @param {import('./history.js').History} history the new one
   * @param {number} start
   * @param {import('./counter.js').Counter} counter
   */
  reopened(history, start, counter) {
    const parts = counter.format.read(history.messages);
    const end = this.#boundary(start, parts);
    const kept = this.edits.filter(({ part }) => parts[part]?.message < end);
    const stale = [];
    parts.forEach(({ signed, message }, part) => {
      if (signed && message >= end && history.entries[message].isStale) stale.push({ part, pieces: undefined });
    });
    return Sent.of(history, stale.length > 0 ? history.length : end, [...kept, ...stale], counter);
  }

  /**
   * The latest place up to `start` that what is sent can be cut off at: nothing that is gone there has a mark on the other side, and no call
   * that is gone has its result there.
   */
  #boundary(start, parts) {
    let end = this.#gap(start);
    const gone = new Set(this.edits.filter(({ pieces }) => pieces === undefined).map(({ part }) => part));
    for (let index = parts.length - 1; index >= 0; index--) {
      const { message, call } = parts[index];
      if (message >= end && gone.has(call)) end = this.#gap(parts[call].message);
    }
    return end;
  }

  /** The latest place up to `start` that nothing is gone beside, as a number of messages. */
  #gap(start) {
    let count = this.items.length;
    while (count > 0 && (this.items[count - 1].last >= start || this.#endOf(count) !== this.items[count - 1].last + 1)) count--;
    return count === 0 ? 0 : this.items[count - 1].last + 1;
  }

  /** Where the item behind the first `count` ones begins. */
  #endOf(count) {
    return this.items[count]?.first ?? this.covered;
  }

  #write(history, counter) {
    const { format } = counter;
    const messages = history.entries.slice(0, this.covered).map(({ message }) => message);
    const parts = this.edits.length === 0 ? [] : format.read(messages);
    const edits = this.edits.map(({ part, pieces }) => editOf(parts[part], pieces));
    const written = this.edits.length === 0 ? { messages, sources: messages.map((_, index) => ({ first: index, last: index })) } : write(format, messages, edits);
    const stripped = new Set(edits.filter(({ part }) => part.signed).map(({ part }) => part.message));
    const copies = written.messages.filter((message, index) => message !== messages[written.sources[index].first]);
    const counts = counter.tokens(copies);
    let next = 0;
    this.items = written.messages.map((message, index) => {
      const { first, last } = written.sources[index];
      const { message: own, tokens } = history.entries[first];
      if (message === own) return { first, last, message: undefined, tokens, isStripped: false };
      let isStripped = false;
      for (let at = first; at <= last; at++) isStripped ||= stripped.has(at);
      return { first, last, message, tokens: counts[next++], isStripped };
    });
    this.tokens = this.items.reduce((sum, { tokens }) => sum + tokens, 0);
    this.#markers = this.#markersIn(history);
  }

  /** The breakpoints in what was copied. */
  #markersIn({ entries }) {
    let found = '';
    for (const { first, last, message } of this.items) {
      if (message === undefined) continue;
      for (let index = first; index <= last; index++) found += markersOf(entries[index].message);
    }
    return found;
  }
}

/** A kept edit as `write` takes it. */
function editOf(part, pieces) {
  if (pieces === undefined) return { part, remove: true };
  return { part, text: pieces.map((piece) => (typeof piece === 'string' ? piece : part.text.slice(piece[0], piece[1]))).join('') };
}

module.exports = { Sent };
