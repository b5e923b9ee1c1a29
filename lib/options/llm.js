// @ts-check
'use strict';

// Options of the factories of summarizers and classifiers.

const kinds = require('./kinds.js');

const { checkedByReader, choice, numberWhere, strings } = kinds;

/** @typedef {import('./shared.js').Option} Option */

/** @type {Option} */
const maxResponseTokens = {
  kind: numberWhere((value) => value > 0 && value < Infinity, 'a positive number of tokens'),
};
/** @type {Option} */
const systemPrompt = { kind: kinds.string };
/** @type {Option} */
const stringList = { kind: kinds.stringList };

/** @type {Record<string, Option>} */
const createSummarizer = {
  mode: { kind: choice(['normal', 'aggressive', 'structured']), default: 'normal' },
  maxResponseTokens: { ...maxResponseTokens, default: 300 },
  systemPrompt,
  preserveTerms: {
    kind(name, value, options) {
      // Mode `structured` ignores them.
      if (options.mode !== 'structured') kinds.stringList(name, value, options);
    },
  },
};
/** @type {Record<string, Option>} */
const createEscalatingSummarizer = { ...createSummarizer, mode: { kind: checkedByReader }, preserveTerms: stringList };
/** @type {Record<string, Option>} */
const createClassifier = {
  systemPrompt,
  maxResponseTokens: { ...maxResponseTokens, default: 100 },
  alwaysPreserve: stringList,
  alwaysCompress: stringList,
};
/**
 * Options that are passed on to `createSummarizer`, which checks the others.
 *
 * @type {Record<string, Option>}
 */
const refined = {
  ...createSummarizer,
  mode: { kind: checkedByReader },
  maxResponseTokens: { kind: checkedByReader },
  preserveTerms: { kind: strings },
};

module.exports = { createClassifier, createEscalatingSummarizer, createSummarizer, refined };
