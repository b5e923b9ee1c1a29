// @ts-check
'use strict';

const { applyTexts } = require('../agent/originals.js');
const { firstEditable } = require('../agent/thinking.js');
const { whatIs } = require('../given.js');
const { compressPlain } = require('./plain.js');
const { getIn } = require('../formats/copy.js');
const { formatOf } = require('../formats/index.js');
const { placeOf } = require('../formats/reader.js');
const { checkOptions } = require('../options/index.js');
const { named } = require('../places.js');
const native = require('../native.js');
const { measure } = require('../tokens/measure.js');
const { providerOf } = require('../tokens/provider.js');

const DEFAULT_PRESERVE = ['system'];
const DEFAULT_RECENCY = 4;
/** Role of texts that may not be edited, for the engine. */
const LOCKED = 'locked';

/** @typedef {import('../messages.js').Message} Message */
/** @typedef {{ part: any, number: number | undefined, entry: Message }} Text `part`: the first of the message if it has no text */

/**
 * Compresses the messages of a provider. Each of their texts goes through the engine as a message of its own and returns to its
 * place, so that no message is merged or removed, and calls stay beside their results.
 *
 * @param {any} given
 * @param {any} options those of `compress`, with `format`
 */
function compressProvider(given, options) {
  if (!Array.isArray(given)) throw new TypeError(`compress(): messages must be an array, got ${whatIs(given, 'messages')}`);
  checkOptions('compress', options);
  // A copy, because a callback may change the list.
  const messages = given.slice();
  const format = /** @type {any} */ (formatOf(messages, options.format));
  const parts = format.read(messages);
  const texts = textsOf(messages, parts);
  const window = (/** @type {number} */ recency) => windowOf(texts, messages.length, recency);
  const entries = texts.map(({ entry }) => entry);
  const result = /** @type {any} */ (
    compressPlain(entries, {
      ...options,
      format: undefined,
      preserve: [...(options.preserve ?? DEFAULT_PRESERVE), LOCKED],
      recencyWindow: window(options.recencyWindow ?? DEFAULT_RECENCY),
      minRecencyWindow: window(options.minRecencyWindow ?? 0),
      tokenizer: undefined,
      tokenCounter: counterOf(messages, parts, texts, format, options),
    })
  );
  const finish = (/** @type {Record<string, any>} */ outcome) => {
    const result = assemble(messages, format, texts, entries, outcome);
    return result.messages === messages ? { ...result, messages: given } : result;
  };
  return typeof result.then === 'function' ? result.then(finish) : finish(result);
}

/**
 * Returns the texts of a conversation, each with the message that represents it. A message without texts gets an empty one, so
 * that the recency window counts every message.
 *
 * @param {Message[]} messages
 * @param {readonly any[]} parts
 * @returns {Text[]}
 */
function textsOf(messages, parts) {
  const editable = firstEditable(parts, 'keep');
  /** @type {Text[]} */
  const texts = [];
  for (let first = 0, end; first < parts.length; first = end) {
    const { message } = parts[first];
    /** @type {(number | undefined)[]} */
    const own = [];
    /** @type {any[] | undefined} */
    let calls;
    for (end = first; parts[end]?.message === message; end++) {
      const { kind, path } = parts[end];
      if (kind === 'call') calls = [parts[end]];
      // Anything but a string is data, such as a tool's output in JSON.
      if ((kind === 'text' || kind === 'result') && typeof getIn(messages[message], path) === 'string') own.push(end);
    }
    if (own.length === 0) own.push(undefined);
    own.forEach((number, place) => {
      const part = parts[number ?? first];
      const isLocked = number !== undefined && (part.locked !== undefined || number < editable);
      const id = own.length > 1 ? `message ${message + 1}, text ${place + 1}` : `message ${message + 1}`;
      const entry = {
        id,
        index: texts.length,
        role: isLocked ? LOCKED : part.role,
        content: number === undefined ? undefined : part.text,
        tool_calls: part.kind === 'result' ? undefined : calls,
        tool_call_id: id, // keeps it from being merged
      };
      texts.push({ part, number, entry });
    });
  }
  return texts;
}

/**
 * Returns the number of texts in the last `recency` messages. Returns `recency` itself if it is not above 0.
 *
 * @param {Text[]} texts
 * @param {number} count of messages
 * @param {number} recency
 */
function windowOf(texts, count, recency) {
  if (!(recency > 0)) return recency;
  const first = texts.findIndex(({ part }) => part.message >= count - recency);
  return first < 0 ? 0 : texts.length - first;
}

/**
 * Returns a counter for the messages that represent texts, by the caller's counter or tokenizer, if there is one.
 *
 * @param {Message[]} messages
 * @param {readonly any[]} parts
 * @param {Text[]} texts
 * @param {any} format
 * @param {any} options
 * @returns {((message: any) => number) | undefined}
 */
function counterOf(messages, parts, texts, format, { tokenizer, tokenCounter }) {
  if (tokenCounter) {
    return ({ index, id, content }) => {
      const { message, role } = texts[index].part;
      return tokenCounter({ id, index: message, role, content: content ?? '' });
    };
  }
  if (!tokenizer) return undefined;
  const measured = measure(messages, parts, providerOf(format.name), tokenizer);
  const isText = new Set(texts.map(({ number }) => number));
  const firstOf = new Map(); // message → its first text, which is charged for everything but the texts
  texts.forEach(({ part }, index) => firstOf.has(part.message) || firstOf.set(part.message, index));
  const beside = new Float64Array(texts.length);
  measured.own.forEach((tokens, message) => (beside[firstOf.get(message)] += tokens));
  measured.parts.forEach((tokens, number) => {
    if (!isText.has(number)) beside[firstOf.get(parts[number].message)] += tokens;
  });
  if (texts.length > 0) beside[0] += measured.request;
  return ({ index, content }) => {
    const { part, number } = texts[index];
    if (number === undefined) return beside[index];
    return beside[index] + (content === part.text ? measured.parts[number] : native.countTexts([content], tokenizer)[0]);
  };
}

/**
 * Assembles the result from the provider's messages.
 *
 * @param {Message[]} messages
 * @param {any} format
 * @param {Text[]} texts
 * @param {Message[]} entries
 * @param {Record<string, any>} outcome of `compressPlain`
 */
function assemble(messages, format, texts, entries, outcome) {
  /** @type {{ part: any, text: string }[]} */
  const edits = [];
  outcome.messages.forEach((/** @type {Message} */ entry, /** @type {number} */ index) => {
    // An adapter may have returned a blank text, which some providers refuse.
    if (entry === entries[index] || entry.content.trim() === '') return;
    const { part } = texts[index];
    // Anthropic continues the last message, and refuses one that ends in blanks. A summary may end in blank lines.
    const mayEndBlank = part.message < messages.length - 1 || /\s$/.test(part.text);
    edits.push({ part, text: mayEndBlank ? entry.content : entry.content.trimEnd() });
  });
  const isUntouched = outcome.messages === entries;
  const { messages: compressed, originals } = isUntouched ? { messages, originals: {} } : applyTexts(messages, format, edits);
  /** @type {Record<string, any>} */
  const result = { ...outcome, messages: compressed, verbatim: originals };
  const { recencyWindow, compression } = outcome;
  if (recencyWindow > 0) {
    const before = texts[texts.length - 1 - recencyWindow];
    result.recencyWindow = before === undefined ? messages.length : messages.length - 1 - before.part.message;
  }
  if (compression.decisions) {
    compression.decisions = compression.decisions.map((/** @type {any} */ decision) => {
      const { part, number } = texts[decision.messageIndex];
      return { ...decision, messageId: placeOf(part.message, number === undefined ? [] : part.path), messageIndex: part.message };
    });
  }
  return result;
}

module.exports = { compressProvider: named('compress', compressProvider) };
