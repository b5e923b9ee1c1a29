// @ts-check
'use strict';

const { getIn } = require('../formats/copy.js');
const { CONTENT, COUNTED_MESSAGE_COLUMN, COUNTED_PART_COLUMN, EXTRA, SENTINEL } = require('../generated/layout.js');
const { Numbered } = require('../numbered.js');
const { pace } = require('../steps.js');
const { givenTexts } = require('../texts.js');
const { contentOf, mediaOf } = require('./media.js');
const { addTools } = require('./tools.js');

/** UTF-16 code units up to which it pays to look whether a text was there before. */
const SHORT_TEXT = 64;

const { COUNT: PART_COLUMNS, MESSAGE, CONTENT: PART_CONTENT, NAME, ID } = COUNTED_PART_COLUMN;
const { COUNT: MESSAGE_COLUMNS, ROLE, NAME: AUTHOR } = COUNTED_MESSAGE_COLUMN;
const { TEXT, TOKENS, JSON: JSON_UNITS, CALL } = CONTENT;
const { NONE } = SENTINEL;

/** @extends {Numbered<string>} */
class NumberedTexts extends Numbered {
  /**
   * The number of a text, of which equal ones have the same only where they are short.
   *
   * @param {string} text
   */
  content(text) {
    return text.length > SHORT_TEXT ? this.values.push(text) - 1 : this.number(text);
  }
}

/**
 * Gathers what a request sends, for the engine to count, in steps.
 *
 * @param {readonly import('../types.d.ts').Foreign[]} messages
 * @param {readonly import('../types.d.ts').Part[]} parts their parts, in order
 * @param {'openai' | 'anthropic' | 'gemini'} provider
 * @param {'o200k_base' | 'cl100k_base' | 'estimate'} tokenizer
 * @param {object} [more]
 * @param {import('../types.d.ts').Tool[]} [more.schemas] those of the tools that are sent along, as `toolSchemas` gives them
 * @param {string[][]} [more.prompts] the texts of each system prompt beside the messages
 * @param {false | ReadonlyMap<string, number>} [more.texts] tokens of texts that are known; `false` leaves all texts out that can be cut
 * @returns {import('../steps.js').Steps<import('../../binding').GatheredRequest>}
 */
function* gatherRequest(messages, parts, provider, tokenizer, { schemas = [], prompts = [], texts: known } = {}) {
  const texts = new NumberedTexts();
  const rows = new Int32Array(PART_COLUMNS * parts.length);
  for (let index = 0; index < parts.length; index++) {
    if (pace.mayPause) yield;
    const part = parts[index];
    const at = PART_COLUMNS * index;
    const isCall = part.kind === 'call';
    rows[at + MESSAGE] = part.message;
    gatherContent(part, messages[part.message], rows, at + PART_CONTENT, texts, known);
    if (isCall) rows[at + PART_CONTENT] |= CALL;
    rows[at + NAME] = isCall && part.name !== undefined ? texts.number(part.name) : NONE;
    rows[at + ID] = part.callId === undefined ? NONE : texts.number(part.callId);
  }
  const columns = new Int32Array(MESSAGE_COLUMNS * messages.length);
  for (let index = 0, next = 0; index < messages.length; index++) {
    if (pace.mayPause) yield;
    const { role, name } = messages[index];
    const first = parts[next]?.message === index ? parts[next] : undefined;
    while (parts[next]?.message === index) next++;
    const at = MESSAGE_COLUMNS * index;
    columns[at + ROLE] = texts.number(typeof role === 'string' ? role : (first?.role ?? 'user'));
    columns[at + AUTHOR] = typeof name === 'string' && !isOfTool(first) ? texts.number(name) : NONE;
  }
  const extras = [];
  const add = (row, text) => extras.push(row, text === undefined ? NONE : texts.content(text));
  if (schemas.length > 0) addTools(schemas, provider, add);
  for (const prompt of prompts) {
    add(EXTRA.prompt, 'system');
    for (const text of prompt) add(EXTRA.promptText, text);
  }
  const copies = yield* givenTexts(texts.values);
  return { texts: copies, parts: rows, messages: columns, extras: Int32Array.from(extras), provider, tokenizer };
}

/**
 * Whether an item of OpenAI's is itself a call or its output: its name is the tool's.
 *
 * @param {import('../types.d.ts').Part | undefined} first
 */
function isOfTool(first) {
  if (first?.kind === 'call') return first.path.length === 1;
  return first?.path[0] === 'output' || first?.path[0] === 'providerData';
}

/**
 * Writes what is sent of a part into the three columns from `at` on.
 *
 * @param {import('../types.d.ts').Part} part
 * @param {import('../types.d.ts').Foreign} message
 * @param {Int32Array} rows
 * @param {number} at
 * @param {NumberedTexts} texts
 * @param {false | ReadonlyMap<string, number> | undefined} known
 */
function gatherContent({ kind, text, path, whole }, message, rows, at, texts, known) {
  if (kind === 'media') {
    const media = mediaOf(getIn(message, path));
    if (typeof media === 'string') set(rows, at, TEXT, texts.content(media));
    else rows.set(contentOf(media), at);
  }
  // Encrypted and unknown content can't be counted, but it is sent.
  else if (kind === 'opaque' || (kind === 'reasoning' && text === '')) set(rows, at, JSON_UNITS, unitsOf(getIn(message, path)));
  else if (known !== false || kind === 'reasoning' || whole) {
    const tokens = known ? known.get(text) : undefined;
    if (tokens === undefined) set(rows, at, TEXT, texts.content(text));
    else set(rows, at, TOKENS, tokens);
  }
}

function set(rows, at, what, number) {
  rows[at] = what;
  rows[at + 1] = number;
}

/** The length of a value's JSON in UTF-16 code units. */
function unitsOf(value) {
  try {
    return (JSON.stringify(value) ?? '').length;
  } catch {
    // Cycles and BigInts can't be sent as JSON either.
    return 0;
  }
}

module.exports = { gatherRequest };
