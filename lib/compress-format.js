'use strict';

const { applyTexts } = require('./agent/originals.js');
const { firstEditable } = require('./agent/thinking.js');
const { describe } = require('./checks.js');
const { compress } = require('./compress.js');
const { getIn } = require('./formats/copy.js');
const { formatOf } = require('./formats/index.js');
const { placeOf } = require('./formats/reader.js');
const { checkOptions } = require('./options/index.js');
const native = require('./native.js');
const { providerOf } = require('./tokens/index.js');
const { measure } = require('./tokens/measure.js');

const DEFAULT_PRESERVE = ['system'];
const DEFAULT_RECENCY = 4;
/** The role that texts have for the engine when they may not be edited. */
const LOCKED = 'locked';

/**
 * `compress` on the messages of a provider. Each of their texts goes through the engine as a message of its own and comes back
 * to where it stood, so that no message is merged with another, none goes, and calls stay beside their results.
 *
 * @param {object[]} given
 * @param {object} options those of `compress`, with `format`
 */
function compressFormat(given, options) {
  if (!Array.isArray(given)) throw new TypeError(`compress(): messages must be an array, got ${describe(given)}`);
  checkOptions('compress', options);
  // As it is now: a callback may change the list.
  const messages = given.slice();
  const format = formatOf(messages, options.format);
  const parts = format.read(messages);
  const texts = textsOf(messages, parts);
  const window = (recency) => windowOf(texts, messages.length, recency);
  const entries = texts.map(({ entry }) => entry);
  const result = compress(entries, {
    ...options,
    format: undefined,
    preserve: [...(options.preserve ?? DEFAULT_PRESERVE), LOCKED],
    recencyWindow: window(options.recencyWindow ?? DEFAULT_RECENCY),
    minRecencyWindow: window(options.minRecencyWindow ?? 0),
    tokenizer: undefined,
    tokenCounter: counterOf(messages, parts, texts, format, options),
  });
  const finish = (outcome) => {
    const result = assemble(messages, format, texts, entries, outcome);
    return result.messages === messages ? { ...result, messages: given } : result;
  };
  return typeof result.then === 'function' ? result.then(finish) : finish(result);
}

/**
 * The texts of a conversation, each with the message that stands for it. A message without texts has an empty one, so that
 * every message counts.
 *
 * @returns {{ part: object, number: number | undefined, entry: object }[]} `part`: the first of the message where there is no text
 */
function textsOf(messages, parts) {
  const editable = firstEditable(parts, 'keep');
  const texts = [];
  for (let first = 0, end; first < parts.length; first = end) {
    const { message } = parts[first];
    const own = [];
    let calls;
    for (end = first; parts[end]?.message === message; end++) {
      const { kind, path } = parts[end];
      if (kind === 'call') calls = [parts[end]];
      // What is no string is data, such as a tool's output in JSON.
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
        tool_call_id: id, // with one it is merged with no other
      };
      texts.push({ part, number, entry });
    });
  }
  return texts;
}

/** The number of texts in the last `recency` messages. What is no number above 0 means none, as it is. */
function windowOf(texts, count, recency) {
  if (!(recency > 0)) return recency;
  const first = texts.findIndex(({ part }) => part.message >= count - recency);
  return first < 0 ? 0 : texts.length - first;
}

/** Counts the tokens of a text's message, by the counter or the tokenizer that was asked for. */
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
  const firstOf = new Map(); // message → its first text, with which all is counted that is sent beside the texts
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

/** The result in the provider's messages. */
function assemble(messages, format, texts, entries, outcome) {
  const edits = [];
  outcome.messages.forEach((entry, index) => {
    // Some providers refuse a blank text, which an adapter may have answered with.
    if (entry === entries[index] || entry.content.trim() === '') return;
    const { part } = texts[index];
    // Anthropic continues the last message, and refuses one that ends in blanks. A summary may end in blank lines.
    const mayEndBlank = part.message < messages.length - 1 || /\s$/.test(part.text);
    edits.push({ part, text: mayEndBlank ? entry.content : entry.content.trimEnd() });
  });
  const isUntouched = outcome.messages === entries;
  const { messages: compressed, originals } = isUntouched ? { messages, originals: {} } : applyTexts(messages, format, edits);
  const result = { ...outcome, messages: compressed, verbatim: originals };
  const { recencyWindow, compression } = outcome;
  if (recencyWindow > 0) {
    const before = texts[texts.length - 1 - recencyWindow];
    result.recencyWindow = before === undefined ? messages.length : messages.length - 1 - before.part.message;
  }
  if (compression.decisions) {
    const decisions = compression.decisions.map((decision) => {
      const { part, number } = texts[decision.messageIndex];
      return { ...decision, messageId: placeOf(part.message, number === undefined ? [] : part.path), messageIndex: part.message };
    });
    result.compression = { ...compression, decisions };
  }
  return result;
}

module.exports = { compressFormat };
