// @ts-check
'use strict';

const { RecallIndex } = require('../recall/recall-index.js');
const { isRecall } = require('./recall-tool.js');

/** @import { Format, History, Part } from '../types.d.ts' */

/** The parts of a session's history, and an index of their texts. Both grow with it. */
class Remembered {
  /** @type {Part[]} */
  parts = [];
  /** The messages that were read, by their snapshots, and the number of parts up to the end of each. */
  #snapshots = /** @type {unknown[][]} */ ([]);
  #ends = /** @type {number[]} */ ([]);
  /** The last call of each id so far, by the number of its part: many servers use ids again in each turn. @type {Map<string, number>} */
  #calls = new Map();
  #index = new RecallIndex();

  /**
   * Reads the messages of a history that were not read before, in steps.
   *
   * @param {History} history
   * @param {Format} format
   */
  *read(history, format) {
    const messages = history.messages();
    const snapshots = history.entries.map(({ snapshot }) => snapshot);
    this.#truncate(this.#sharedWith(messages, snapshots, format));
    const known = this.#snapshots;
    const start = known.length;
    // Some results are told from others by their place behind the calls.
    const from = this.#turnOf(start);
    const read = /** @type {Part[]} */ (yield* format.reading(messages.slice(from)));
    // Another call may have read them meanwhile.
    if (this.#snapshots !== known) return yield* this.read(history, format);
    this.#snapshots = snapshots;
    const first = from === 0 ? 0 : this.#ends[from - 1];
    for (const part of read) {
      part.message += from;
      if (part.message < start) continue;
      // From now on it counts from the first part of the history.
      if (part.call !== undefined) part.call = part.call < 0 ? this.#lastCall(part) : part.call + first;
      this.#ends[part.message] = this.parts.push(part);
      this.#learn(part, this.parts.length - 1);
    }
  }

  /** The first message of the calls whose results may go on at message `start`. @param {number} start */
  #turnOf(start) {
    const has = (message, kind) => message >= 0 && this.partsOf(message, message).some((part) => part.kind === kind);
    let from = start;
    while (has(from - 1, 'result') && !has(from - 1, 'call')) from--;
    while (has(from - 1, 'call')) from--;
    return from;
  }

  /** @param {Part} part */
  #lastCall({ callId }) {
    return (callId === undefined ? undefined : this.#calls.get(callId)) ?? -1;
  }

  /** @param {Part} part @param {number} number */
  #learn({ kind, callId }, number) {
    if (kind === 'call' && callId !== undefined) this.#calls.set(callId, number);
  }

  /**
   * Returns the passages that match a query best, of what a request does not contain.
   *
   * @param {string} query
   * @param {readonly Part[]} sent parts of the request
   * @param {{ tokens: number, tokenizer: any, isPlain?: boolean, before?: number }} options `before`: the message up to which is searched, all
   *   by default. A message that asks does not answer itself, and its words are no clue because it says them.
   */
  search(query, sent, { before = this.#snapshots.length, ...options }) {
    this.#indexTo(before);
    this.#index.setSent(sent);
    return this.#index.search(query, options);
  }

  /** Makes the index that of the first `count` messages. @param {number} count */
  #indexTo(count) {
    if (this.#index.messages > count) this.#index.truncate(count);
    const parts = this.partsOf(this.#index.messages, count - 1);
    this.#index.append(parts.map((part) => (this.#isOwn(part) ? { ...part, text: '' } : part)));
  }

  /** How much a query asks for, in the messages that were searched last. @param {string} query */
  weightOf(query) {
    return this.#index.weightOf(query);
  }

  /** The parts of messages `from` to `to`. @param {number} from @param {number} to */
  partsOf(from, to) {
    const last = Math.min(to, this.#ends.length - 1);
    return from > last ? [] : this.parts.slice(from === 0 ? 0 : this.#ends[from - 1], this.#ends[last]);
  }

  /** Name of the tool that a part calls or answers. @param {Part} part */
  toolOf({ name, call = -1 }) {
    return name ?? this.parts[call]?.name;
  }

  /** What was recalled stands where it came from. @param {Part} part */
  #isOwn(part) {
    return part.kind !== 'text' && isRecall(this.toolOf(part));
  }

  /**
   * Number of messages at the start that were read already. A message that was changed in place has another snapshot.
   *
   * @param {object[]} messages
   * @param {unknown[][]} snapshots theirs
   * @param {Format} format
   */
  #sharedWith(messages, snapshots, format) {
    const known = this.#snapshots;
    let count = 0;
    while (count < known.length && (known[count] === snapshots[count] || this.#isSame(count, messages[count], format))) count++;
    return count;
  }

  /** Returns whether a message has the texts and calls of the one that was read in its place. */
  #isSame(index, message, format) {
    if (message === undefined) return false;
    const known = this.partsOf(index, index);
    const parts = format.read([message]);
    const areSame = (one, other) => ['kind', 'text', 'name', 'callId'].every((key) => one[key] === other[key]);
    return parts.length === known.length && parts.every((part, place) => areSame(part, known[place]));
  }

  /** @param {number} count */
  #truncate(count) {
    if (count === this.#snapshots.length) return;
    this.#snapshots = this.#snapshots.slice(0, count);
    this.#ends.length = count;
    this.parts.length = this.#ends.at(-1) ?? 0;
    this.#calls.clear();
    this.parts.forEach((part, number) => this.#learn(part, number));
    this.#index.truncate(count);
  }
}

module.exports = { Remembered };
