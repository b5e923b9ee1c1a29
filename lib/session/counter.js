'use strict';

const { describe } = require('../arguments.js');
const { isUnawaited } = require('../promises.js');
const { providerOf } = require('../tokens/index.js');
const { measure, measuring, perMessage } = require('../tokens/measure.js');
const { toolSchemas } = require('../tokens/schemas.js');
const { systemTokens } = require('../tokens/system.js');
const { snapshotOf } = require('./history.js');

/** Reads and counts messages of one format, with whatever counts them. */
class Counter {
  /**
   * @param {object} format a format module
   * @param {object} options as checked by `checkSessionOptions`
   */
  constructor(format, { tokenizer, tokenCounter, system, tools }) {
    this.format = format;
    this.provider = providerOf(format.name);
    this.tokenizer = tokenizer ?? 'o200k_base';
    this.tokenCounter = tokenCounter ?? undefined;
    const { request } = measure([], [], this.provider, this.tokenizer, toolSchemas(tools));
    /** Tokens that belong to no message. */
    this.request = (this.tokenCounter && !tools?.length ? 0 : request) + systemTokens(system, this.provider, this.tokenizer, 'createSession(): options.system');
  }

  /** The tokens of each message, in steps. */
  *counting(messages, parts) {
    if (this.tokenCounter) return messages.map((message) => this.#ask(message));
    parts ??= yield* this.format.reading(messages);
    return perMessage(parts, yield* measuring(messages, parts, this.provider, this.tokenizer));
  }

  /**
   * What is known of messages that come in, in steps.
   *
   * @returns {import('../steps.js').Steps<import('./history.js').Entry[]>}
   * @throws {TypeError} one of them is not what its format has
   */
  *reading(messages) {
    const parts = yield* this.format.reading(messages);
    const tokens = yield* this.counting(messages, parts);
    const entries = messages.map((message, index) => entryOf(message, tokens[index]));
    for (const { message, role, signed } of parts) {
      const entry = entries[message];
      // A message that holds a result is one, whatever else it holds.
      if (entry.role === undefined || role === 'tool') entry.role = role;
      entry.isSigned ||= signed === true;
    }
    return entries;
  }

  #ask(message) {
    const count = this.tokenCounter(message);
    if (typeof count === 'number' && count >= 0 && count < Infinity) return count;
    isUnawaited(count);
    throw new TypeError(`options.tokenCounter must return a number of tokens from 0, got ${typeof count === 'number' ? count : describe(count)}`);
  }
}

/** @returns {import('./history.js').Entry} */
function entryOf(message, tokens) {
  const snapshot = snapshotOf(message);
  return { message, snapshot, given: message, givenSnapshot: snapshot, tokens, role: undefined, isSigned: false, isStale: false, print: undefined };
}

module.exports = { Counter, entryOf };
