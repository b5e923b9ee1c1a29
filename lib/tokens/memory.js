// @ts-check
'use strict';

/** @import { Foreign, Format } from '../types.d.ts' */

const { measure, perMessage, providerOf } = require('./measure.js');
const { toolSchemas } = require('./schemas.js');
const { isUnchanged, snapshotOf } = require('./snapshot.js');
const { systemPrompts } = require('./system.js');

/**
 * What is known of a message: the values in it when that was found out, and the UTF-16 code units of its texts; its tokens by format and
 * tokenizer, and other facts by name; its marks; its fingerprint.
 *
 * @typedef {{ values: unknown[], units: number, facts: Record<string, any>, marks?: any, print?: string }} Memory
 */

/**
 * They live as long as the messages, and are valid as long as these are unchanged.
 *
 * @type {WeakMap<object, Memory>}
 */
const memories = new WeakMap();

/**
 * Returns what is known of a message; undefined if nothing is, or the message was changed.
 *
 * @param {Foreign} message
 * @returns {Memory | undefined}
 */
function recall(message) {
  const known = memories.get(message);
  return known !== undefined && isUnchanged(known.values, message) ? known : undefined;
}

/** Begins to remember a message; undefined if a change of it could go unseen. */
function memorise(message) {
  const snapshot = snapshotOf(message);
  if (snapshot === undefined) return undefined;
  // Properties that are added to a spread object would make hidden classes of their own for each message.
  const memory = { values: snapshot.values, units: snapshot.units, facts: {}, marks: undefined, print: undefined };
  memories.set(message, memory);
  return memory;
}

/** The tokens of a request's messages, of which some were counted before. */
class Recalled {
  #messages;
  #format;
  #tokenizer;
  /** What tokens are remembered by. */
  #key;
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
    this.#key = `${format.name} ${tokenizer}`;
    /** The tokens of each message; 0 where they aren't known. */
    this.tokens = new Float64Array(messages.length);
    /**
     * The messages whose tokens aren't known, by index.
     *
     * @type {number[]}
     */
    this.fresh = [];
    /** The UTF-16 code units in those of them that can be remembered. */
    this.units = 0;
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index];
      const known = recall(message) ?? memorise(message);
      if (known !== undefined) this.#known.set(message, known);
      const tokens = known?.facts[this.#key];
      if (tokens !== undefined) this.tokens[index] = tokens;
      else {
        this.fresh.push(index);
        this.units += known?.units ?? 0;
      }
    }
  }

  /**
   * What is known of one of the messages, where its fingerprint may be remembered: a `toJSON` may give another text each time.
   *
   * @param {any} message
   */
  memoryOf(message) {
    return typeof message.toJSON === 'function' ? undefined : this.#known.get(message);
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
    for (let place = 0; place < this.fresh.length; place++) {
      const index = this.fresh[place];
      this.tokens[index] = tokens[place];
      const known = this.#known.get(this.#messages[index]);
      if (known !== undefined) known.facts[this.#key] = tokens[place];
    }
    this.fresh = [];
    this.units = 0;
  }

  /**
   * Returns what `find` finds in a message, which is remembered as long as the message is unchanged.
   *
   * @template T
   * @param {object} message
   * @param {string} name of what is found, the same for all messages of all requests
   * @param {(message: object) => T} find
   * @returns {T}
   */
  remembered(message, name, find) {
    const facts = this.#known.get(message)?.facts;
    if (facts === undefined) return find(message);
    facts[name] ??= find(message);
    return facts[name];
  }
}

module.exports = { memorise, Recalled, recall };
