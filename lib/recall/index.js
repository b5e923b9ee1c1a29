// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

const { describe } = require('../checks.js');
const { whatIs } = require('../given.js');
const { formatOf } = require('../formats/index.js');
const { modelOf } = require('../model-of.js');
const { checkOptions, defaultOf } = require('../options/index.js');
const { named } = require('../places.js');
const { shown, textOf } = require('./place.js');
const { RecallIndex } = require('./recall-index.js');

const AT = 'recall(): options';

/**
 * See `index.d.ts`.
 *
 * @param {readonly Foreign[]} history
 * @param {readonly Foreign[]} messages
 * @param {string} query
 * @param {any} [options]
 */
function recall(history, messages, query, options) {
  for (const [name, list] of Object.entries({ history, messages }))
    if (!Array.isArray(list)) throw new TypeError(`recall(): ${name} must be an array of messages, got ${whatIs(list, 'messages')}`);
  if (typeof query !== 'string') throw new TypeError(`recall(): query must be a string, got ${describe(query)}`);
  const given = checkOptions('recall', options);
  const model = modelOf(given, AT, 'tokenizer');
  const format = ofHistory(() => formatOf(history, given.format ?? 'auto', []));
  const index = new RecallIndex();
  index.append(ofHistory(() => format.read(history)));
  index.setSent(format.read(messages));
  const passages = index.search(query, {
    tokens: given.tokens ?? defaultOf('recall', 'tokens'),
    tokenizer: given.tokenizer ?? model?.tokenizer ?? defaultOf('recall', 'tokenizer'),
  });
  const text = textOf(passages);
  return { passages: passages.map(shown), tokens: passages.reduce((sum, { cost }) => sum + cost, 0), text };
}

/**
 * Returns what `read` returns for the history; errors about places in messages name the history.
 *
 * @template T
 * @param {() => T} read
 */
function ofHistory(read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.startsWith('messages')) throw error;
    throw new TypeError(`recall(): ${error.message.replace('messages', 'history')}`, { cause: error.cause });
  }
}

module.exports = { recall: named('recall', recall) };
