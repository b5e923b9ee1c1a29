// @ts-check
'use strict';

/** @import { Part } from '../types.d.ts' */

const native = require('../native.js');
const { Numbered } = require('../numbered.js');
const { mainArgument, placeOf } = require('./place.js');
const { readQuery } = require('./query.js');

/** Tokens that the place of a passage takes, about. */
const PLACE_TOKENS = 12;
/** Number of parts of the history among which one of a request is looked for. One that is not found is read again. */
const LOOKED_AT = 32;

/**
 * A passage with its place, and the range of its part's text. `cost`: the tokens of both.
 *
 * @typedef {object} Found
 * @property {string} text
 * @property {number} message
 * @property {string} role
 * @property {string} [tool]
 * @property {string} [argument]
 * @property {[number, number]} [lines]
 * @property {number} tokens
 * @property {number} score
 * @property {number} part number of the part, in the order in which parts were added
 * @property {number} start
 * @property {number} end
 * @property {string} place
 * @property {number} cost
 * @property {boolean} isClear whether it is clearly about what the query asks
 */

/** An index of a history, which grows and shrinks at its end. */
class RecallIndex {
  #index = new native.RecallIndex();
  /** @type {Part[]} */
  #parts = [];
  /**
   * For each part the number of the call that it is or answers; -1 if there is none.
   *
   * @type {number[]}
   */
  #calls = [];
  /** The number of messages that were added. */
  get messages() {
    return (this.#parts.at(-1)?.message ?? -1) + 1;
  }

  /**
   * Adds the parts of new messages; their `message` and `call` count from the start of the whole history. Instructions and reasoning are not
   * searched.
   *
   * @param {readonly Part[]} parts
   */
  append(parts) {
    const before = this.#parts.length;
    for (const part of parts) {
      this.#calls.push(part.kind === 'call' ? this.#parts.length : (part.call ?? -1));
      this.#parts.push(part);
    }
    const texts = parts.map(searchedText);
    const names = /** @type {InstanceType<typeof Numbered<string>>} */ (new Numbered());
    const named = parts.map(({ kind, name }) => (kind === 'call' && name !== undefined ? names.number(name) : -1));
    const calls = this.#calls.slice(before);
    this.#index.append(texts, lengthsOf(texts), new Int32Array(calls), names.values, new Int32Array(named));
  }

  /**
   * Removes all messages but the first `count`.
   *
   * @param {number} count
   */
  truncate(count) {
    const end = this.#parts.findIndex(({ message }) => message >= count);
    if (end < 0) return;
    this.#parts.length = end;
    this.#calls.length = end;
    this.#index.truncate(end);
  }

  /**
   * Sets what was sent. Passages are looked for in what does not stand in it.
   *
   * @param {readonly Part[]} parts
   */
  setSent(parts) {
    const known = /** @type {number[]} */ ([]);
    const texts = /** @type {string[]} */ ([]);
    // A request mostly ends as its history does.
    let end = this.#parts.length;
    for (let index = parts.length - 1; index >= 0; index--) {
      const { text } = parts[index];
      if (text === '') continue;
      const number = this.#lastWith(text, end);
      if (number < 0) {
        texts.push(text);
      } else {
        known.push(number);
        end = number;
      }
    }
    this.#index.setSent(new Uint32Array(known), texts, lengthsOf(texts));
  }

  /**
   * Returns the number of the last of the few parts before `end` that the index has with this text; -1 if there is none.
   *
   * @param {string} text
   * @param {number} end
   */
  #lastWith(text, end) {
    for (let number = end - 1; number >= Math.max(0, end - LOOKED_AT); number--) {
      if (searchedText(this.#parts[number]) === text) return number;
    }
    return -1;
  }

  /**
   * Returns the best passages, best first.
   *
   * @param {string} query
   * @param {{ tokens: number, tokenizer: 'o200k_base' | 'cl100k_base' | 'estimate', isPlain?: boolean }} options `isPlain`: quotes in the
   *   query have no meaning
   * @returns {Found[]} as many as fit
   */
  search(query, { tokens, tokenizer, isPlain = false }) {
    const { text, exact } = isPlain ? { text: query, exact: [] } : readQuery(query);
    const found = this.#index.search({ text, exact, tokens, overhead: PLACE_TOKENS, tokenizer });
    const passages = found.map((passage) => this.#placed(passage));
    // Counted with its place as it is shown; a place that is longer than assumed leaves no room for the last.
    const costs = native.countTexts(
      passages.map(({ place, text }) => `${place}\n${text}\n\n`),
      tokenizer,
    );
    let left = tokens;
    return passages.flatMap((passage, index) => {
      if (costs[index] > left) return [];
      left -= costs[index];
      return [{ ...passage, cost: costs[index] }];
    });
  }

  /**
   * Returns how much a query asks for: the sum of the rarities of its terms, as a multiple of the rarity of a term that occurs once.
   *
   * @param {string} query
   * @returns {number}
   */
  weightOf(query) {
    return this.#index.weightOf(query);
  }

  #placed({ part: number, start, end, firstLine, lastLine, tokens, score, isClear }) {
    const part = this.#parts[number];
    const call = this.#parts[this.#calls[number]];
    const passage = {
      text: part.text.slice(start, end),
      message: part.message,
      role: part.role,
      ...(call?.name === undefined ? {} : { tool: call.name }),
      ...argumentOf(call),
      ...(part.text.includes('\n') ? { lines: /** @type {[number, number]} */ ([firstLine, lastLine]) } : {}),
      tokens,
      score,
    };
    return { ...passage, part: number, start, end, place: placeOf(passage), cost: 0, isClear };
  }
}

/** @param {readonly string[]} texts */
const lengthsOf = (texts) => new Uint32Array(texts.map(({ length }) => length));

/** @param {Part} part */
const searchedText = ({ kind, role, text }) => (kind !== 'reasoning' && role !== 'system' ? text : '');

/** @param {Part | undefined} call */
function argumentOf(call) {
  const argument = call === undefined ? undefined : mainArgument(call);
  return argument === undefined ? {} : { argument };
}

module.exports = { RecallIndex };
