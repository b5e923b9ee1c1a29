// @ts-check
'use strict';

const { firstEditable } = require('../agent/thinking.js');
const { pruningOf } = require('./fitting.js');

/** UTF-16 code units of a token in dense text. Where texts of this density would fit, counting them first is likely to be enough. */
const DENSE_UNITS = 3.5;

/** A conversation that fits as it is. Has what a result reads of a `Fitting`. */
class Whole {
  #conversation;
  #counts;
  /**
   * The tokens of each message, once they were asked for.
   *
   * @type {Map<import('../types.d.ts').Foreign, number> | undefined}
   */
  #tokens;
  thinking = undefined;

  /**
   * @param {import('./earlier.js').Conversation} conversation
   * @param {any} options of `fit`, checked
   * @param {Float64Array} tokens of each message
   * @param {number} before tokens of everything
   */
  constructor(conversation, options, tokens, before) {
    const { messages, carried } = conversation;
    this.#conversation = conversation;
    this.messages = messages;
    this.carried = carried;
    this.before = before;
    this.pruning = pruningOf(options);
    this.#counts = tokens;
  }

  get parts() {
    this.#conversation.parts ??= this.#conversation.format.read(this.messages);
    return this.#conversation.parts;
  }

  tokensOf(message) {
    this.#tokens ??= new Map(this.messages.map((one, index) => [one, this.#counts[index]]));
    return this.#tokens.get(message);
  }

  fits() {
    return true;
  }

  heldByThinking() {
    return 0;
  }

  staleMessages() {
    return new Set();
  }

  whole() {
    return { written: { messages: this.messages.slice(), sources: [] }, edits: [], tokens: this.before };
  }

  close() {}
}

/**
 * Returns a conversation that fits as it is, at the cost of counting it.
 *
 * @param {import('./earlier.js').Conversation} conversation
 * @param {any} options of `fit`, checked
 * @param {import('../types.d.ts').Recalled} counts of its messages
 * @param {number} limit tokens
 * @returns {Whole | undefined} undefined if it doesn't fit, or isn't likely to, or signed thinking holds some of it
 */
function wholeWithin(conversation, options, counts, limit) {
  if (conversation.stale !== Infinity || counts.sum() + counts.units / DENSE_UNITS > limit) return undefined;
  if (options.thinking === 'keep' && holdsThinking(conversation, counts)) return undefined;
  const before = counts.count(options, 'fit(): options') + counts.sum();
  return before <= limit ? new Whole(conversation, options, counts.tokens, before) : undefined;
}

/** Whether signed thinking holds messages before it. */
function holdsThinking(conversation, counts) {
  const { format, messages } = conversation;
  if (conversation.parts === undefined && counts.fresh.length === 0) {
    const isSigned = (message) => format.read([message]).some(({ signed }) => signed);
    if (!counts.some(`${format.name} signed`, isSigned)) return false;
  }
  conversation.parts ??= format.read(messages);
  return firstEditable(conversation.parts, 'keep') > 0;
}

module.exports = { wholeWithin };
