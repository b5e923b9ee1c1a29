// @ts-check
'use strict';

/** @import { Foreign, Format, FormatKind } from '../types.d.ts' */

const { isObject } = require('../checks.js');
const { whatIs } = require('../given.js');
const { misplaced } = require('../places.js');
const { inOneGo } = require('../steps.js');
const { checkNested } = require('./json.js');
const aiSdkModel = require('./recognises/ai-sdk-model.js');
const aiSdkUi = require('./recognises/ai-sdk-ui.js');
const anthropic = require('./recognises/anthropic.js');
const gemini = require('./recognises/gemini.js');
const langchain = require('./recognises/langchain.js');
const mastra = require('./recognises/mastra.js');
const message = require('./recognises/message.js');
const openaiChat = require('./recognises/openai-chat.js');
const openaiItems = require('./recognises/openai-items.js');
const { noObject, unknownFormat } = require('./unknown.js');
const { write } = require('./write.js');

/**
 * Every format, in the order of error messages. All are asked what messages are of; the rest of a format is loaded when it is used.
 *
 * @type {FormatKind[]}
 */
const FORMATS = [
  { name: 'openai-chat', recognises: openaiChat.recognises, load: () => require('./openai-chat.js') },
  {
    name: 'openai-responses',
    recognises: (item) => openaiItems.recognises(item, 'responses'),
    load: () => require('./openai-responses.js'),
  },
  { name: 'openai-agents', recognises: (item) => openaiItems.recognises(item, 'agents'), load: () => require('./openai-agents.js') },
  { name: 'anthropic', recognises: anthropic.recognises, load: () => require('./anthropic.js') },
  { name: 'ai-sdk-model', recognises: aiSdkModel.recognises, load: () => require('./ai-sdk-model.js') },
  { name: 'ai-sdk-ui', recognises: aiSdkUi.recognises, load: () => require('./ai-sdk-ui.js') },
  { name: 'gemini', recognises: gemini.recognises, load: () => require('./gemini.js') },
  { name: 'langchain', recognises: langchain.recognises, load: () => require('./langchain.js') },
  { name: 'mastra', recognises: mastra.recognises, load: () => require('./mastra.js') },
  // Calls are as in OpenAI's chat completions.
  { name: 'message', recognises: message.recognises, load: () => require('./openai-chat.js') },
];
/** @type {Map<string, Format>} */
const LOADED = new Map();

/**
 * Returns the format of messages.
 *
 * `'auto'` asks every format about every message (with bounded work for each) and drops a format that rejects one of them.
 * Of the remaining formats, the one that recognises a message for sure is taken. If no message is characteristic (plain texts
 * with roles read and write the same in each), it is the first one of the hints that fits, without one the first of the list above,
 * `openai-chat` as a rule.
 *
 * @param {unknown} messages
 * @param {string | null} [name] a format's name, or `'auto'`, the default; checked
 * @param {readonly string[]} [hints] names of formats that something else indicates, the likeliest first
 * @throws {TypeError} `messages` is not an array of objects, or no format or more than one fits
 */
function formatOf(messages, name = 'auto', hints = []) {
  if (!Array.isArray(messages)) throw misplaced(`messages must be an array, got ${whatIs(messages, 'messages')}`);
  if (name === null || name === 'auto') return detect(messages, hints).format;
  return formatNamed(name);
}

/**
 * @param {string} name of a format, checked
 * @returns {Format}
 */
function formatNamed(name) {
  const known = LOADED.get(name);
  if (known !== undefined) return known;
  const { recognises, load } = /** @type {FormatKind} */ (FORMATS.find((kind) => kind.name === name));
  /** @type {Format} */
  const format = {
    name,
    recognises,
    ...load(),
    read: (messages) => inOneGo(format.reading(messages)),
    write: (messages, edits) => write(format, messages, edits).messages,
  };
  LOADED.set(name, format);
  return format;
}

/**
 * Detects the format of messages.
 *
 * @param {readonly Foreign[]} messages
 * @param {readonly string[]} hints formats of which the first that fits is taken if no message is characteristic
 * @returns {{ format: Format, isShown: boolean }} `isShown`: a message shows that it is this one
 * @throws {TypeError} no format or more than one fits
 */
function detect(messages, hints) {
  let candidates = FORMATS;
  const shows = new Map(); // format → the first message that is certainly of it
  for (let index = 0; index < messages.length; index++) {
    const message = messageAt(messages, index);
    let left = candidates;
    for (const format of candidates) {
      const answer = recognises(format, message, index);
      if (answer === 'no') left = without(left, format);
      else if (answer === 'yes' && !shows.has(format)) shows.set(format, index);
    }
    if (left.length === 0) throw unknownFormat(FORMATS, message, index, candidates, shows);
    candidates = left;
  }
  const sure = candidates.filter((format) => shows.has(format));
  if (sure.length === 1) return { format: formatNamed(sure[0].name), isShown: true };
  if (sure.length === 0) {
    const hinted = hints.map((hint) => candidates.find(({ name }) => name === hint)).find((format) => format !== undefined);
    return { format: formatNamed((hinted ?? candidates[0]).name), isShown: false };
  }
  const found = sure.map((format) => `${format.name} (messages[${shows.get(format)}])`).join(' and ');
  throw misplaced(`messages fit ${found}: say which with options.format`);
}

/** Outside of the loop above: V8 would allocate a scope for each format of each message. */
const without = (list, format) => list.filter((other) => other !== format);

/**
 * Checks that the messages from `start` on are of a format.
 *
 * @throws {TypeError} one doesn't
 *
 * @param {readonly Foreign[]} messages
 * @param {Format} format
 * @param {number} start
 */
function checkFormat(messages, format, start) {
  for (let index = start; index < messages.length; index++) {
    const message = messageAt(messages, index);
    if (recognises(format, message, index) === 'no') throw unknownFormat(FORMATS, message, index, [format], new Map());
  }
}

function messageAt(messages, index) {
  const message = messages[index];
  if (!isObject(message)) throw noObject(message, index);
  return message;
}

/** Asks a format about a message, and names the place of a getter that throws. */
function recognises(format, message, index) {
  try {
    return format.recognises(message);
  } catch (error) {
    checkNested(message, () => `messages[${index}]`);
    throw error;
  }
}

module.exports = { checkFormat, detect, formatNamed, formatOf, FORMATS };
