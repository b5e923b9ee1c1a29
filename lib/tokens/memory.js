// @ts-check
'use strict';

/** @import { Foreign, Format } from '../types.d.ts' */

const { measure, perMessage, providerOf } = require('./measure.js');
const { toolSchemas } = require('./schemas.js');
const { isUnchanged, snapshotOf } = require('./snapshot.js');
const { systemPrompts } = require('./system.js');

/**
 * A message that was counted: its values, its tokens, and the result of {@link Recalled.remembered}.
 *
 * @typedef {{ values: unknown[], tokens: number, found?: any }} Memory
 */

/**
 * The tokens of messages that were counted, by format and tokenizer. They live as long as the messages, and are valid as long as these
 * are unchanged.
 *
 * @type {Map<string, WeakMap<object, Memory>>}
 */
const memories = new Map();

/** The tokens of a request's messages, of which some were counted before. */
class Recalled {
  #messages;
  #format;
  #tokenizer;
  #memory;
  /**
   * Of each message whose tokens aren't known.
   *
   * @type {({ values: unknown[], units: number } | undefined)[]}
   */
  #snapshots = [];
  /**
   * The memories of the messages as they are now.
   *
   * @type {Map<object, Memory>}
   */
  #known = new Map();

  /**
   * @param {readonly Foreign[]} messages
   * @param {Format} format
   * @param {'o200k_base' | 'cl100k_base' | 'estimate'} tokenizer
   */
  constructor(messages, format, tokenizer) {
    this.#messages = messages;
    this.#format = format;
    this.#tokenizer = tokenizer;
    this.#memory = memoryOf(format, tokenizer);
    /** The tokens of each message; 0 where they aren't known. */
    this.tokens = new Float64Array(messages.length);
    /**
     * The messages whose tokens aren't known, by index.
     *
     * @type {number[]}
     */
    this.fresh = [];
    // `entries` sees holes too.
    for (const [index, message] of messages.entries()) {
      const known = this.#memory.get(message);
      if (known !== undefined && isUnchanged(known.values, message)) {
        this.tokens[index] = known.tokens;
        this.#known.set(message, known);
      } else {
        this.fresh.push(index);
        this.#snapshots.push(snapshotOf(message));
      }
    }
  }

  /** The UTF-16 code units in the messages whose tokens aren't known, as far as they can be remembered. */
  get units() {
    return this.#snapshots.reduce((sum, snapshot) => sum + (snapshot?.units ?? 0), 0);
  }

  /**
   * Counts the messages whose tokens aren't known, and remembers them. The tokens of a message don't depend on the others.
   *
   * @param {{ tools?: unknown, system?: unknown }} beside
   * @param {string} at what errors call the options
   * @returns {number} the tokens of the request that belong to no message
   * @throws {TypeError} a message isn't what its format has, or `system` or a tool is of no known shape
   */
  count({ tools, system }, at) {
    const messages = this.fresh.map((index) => this.#messages[index]);
    const parts = this.#read(messages);
    const beside = { schemas: toolSchemas(tools, `${at}.tools`), prompts: systemPrompts(system, `${at}.system`) };
    const measured = measure(messages, parts, providerOf(this.#format.name), this.#tokenizer, beside);
    this.learn(perMessage(parts, measured));
    return measured.request + measured.system;
  }

  #read(messages) {
    try {
      return this.#format.read(messages);
    } catch (error) {
      // Errors name the place among all messages.
      this.#format.read(this.#messages);
      throw error;
    }
  }

  /**
   * Sets the tokens of the messages that were not known, and remembers them.
   *
   * @param {ArrayLike<number>} tokens
   */
  learn(tokens) {
    this.fresh.forEach((index, place) => {
      const snapshot = this.#snapshots[place];
      this.tokens[index] = tokens[place];
      if (snapshot === undefined) return;
      const memory = { values: snapshot.values, tokens: tokens[place] };
      this.#memory.set(this.#messages[index], memory);
      this.#known.set(this.#messages[index], memory);
    });
    this.fresh = [];
    this.#snapshots = [];
  }

  /**
   * Returns what `find` finds in a message, which is remembered as long as the message is unchanged.
   *
   * @template T
   * @param {object} message
   * @param {(message: object) => T} find the same function for all messages of all requests
   * @returns {T}
   */
  remembered(message, find) {
    const known = this.#known.get(message);
    if (known === undefined) return find(message);
    known.found ??= find(message);
    return known.found;
  }
}

function memoryOf({ name }, tokenizer) {
  const key = `${name} ${tokenizer}`;
  const memory = memories.get(key) ?? new WeakMap();
  memories.set(key, memory);
  return memory;
}

module.exports = { Recalled };
