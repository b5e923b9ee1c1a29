// @ts-check
'use strict';

// Options of the verbs for an agent's messages.

const { isObject, mismatch } = require('../checks.js');
const { modelOf } = require('../model-of.js');
const kinds = require('./kinds.js');
const { outputTokens, tokensAbove0 } = require('./limits.js');
const { concurrency, format, signal, summarizer, tokenCounter, tokenizer, trace } = require('./shared.js');

/** @typedef {import('./shared.js').Option} Option */

const isThinking = kinds.choice(['keep', 'strip', 'leave']);

/** @type {Option} */
const recent = {
  kind: kinds.numberWhere((value) => value === Infinity || (Number.isInteger(value) && value >= 0), 'a whole number from 0, or Infinity'),
};

/** @type {Record<string, Option>} */
const prune = {
  format,
  mode: { kind: kinds.choice(['stub', 'remove']), default: 'stub' },
  edits: { kind: kinds.choice(['safe', 'last']), default: 'safe' },
  failures: { kind: kinds.choice(['status', 'words']), default: 'status' },
  thinking: { kind: isThinking, default: 'keep' },
  keep: { kind: kinds.object({ recent: { ...recent, default: 6 }, tools: { kind: kinds.strings }, paths: { kind: kinds.strings } }) },
  toolMap: { kind: kinds.toolMap },
  tools: { kind: kinds.renamed(kinds.toolMap, 'tools', 'toolMap', 'PALIMPSEST_DEP0001') },
  trace,
};
const checkPrune = kinds.object(prune);

/** @type {import('./kinds.js').Check} */
function pruneOrNot(name, value, options) {
  if (typeof value === 'boolean') return;
  if (!isObject(value)) throw mismatch(name, 'a boolean or an object', value);
  checkPrune(name, value, options);
}
pruneOrNot.options = prune;

/**
 * Options that `fit` and sessions take.
 *
 * @type {Record<string, Option>}
 */
const fitting = {
  model: { kind: kinds.checkedByReader },
  tokenizer,
  tokenCounter,
  format,
  keep: {
    kind: kinds.object({
      recent: { ...recent, default: 0 },
      user: { kind: kinds.boolean, default: false },
      tools: { kind: kinds.strings },
      arguments: { kind: kinds.boolean, default: false },
      patterns: { kind: kinds.regExps },
    }),
  },
  query: { kind: kinds.query },
  prune: { kind: pruneOrNot, default: true },
  thinking: { kind: isThinking, default: 'strip' },
  summarizer,
  concurrency,
};

/**
 * What is sent beside the messages.
 *
 * @type {Record<string, Option>}
 */
const beside = { system: { kind: kinds.checkedByReader }, tools: { kind: kinds.tools } };

/**
 * Options of `fit` that `fitRequest` takes, too.
 *
 * @type {Record<string, Option>}
 */
const fittingOnce = {
  budget: { kind: kinds.numberWhere((value) => value >= 0, 'a number of tokens from 0', 'a number of tokens') },
  window: { kind: tokensAbove0 },
  margin: { kind: kinds.numberWhere((value) => value >= 0 && value < 1, 'a share from 0 and below 1') },
  calibration: {
    kind: kinds.object({ counted: { kind: tokensAbove0, isRequired: true }, actual: { kind: tokensAbove0, isRequired: true } }),
  },
  ...fitting,
  originals: { kind: kinds.checkedByReader },
  signal,
  trace,
};

/** @type {Record<string, Option>} */
const fit = {
  ...fittingOnce,
  ...beside,
  maxOutputTokens: { kind: outputTokens('budget'), default: 0, isRequired: true },
};
/** @type {Record<string, Option>} */
const fitRequest = {
  ...fittingOnce,
  maxOutputTokens: { kind: outputTokens('budget', true), isRequired: true },
};

/** @type {Record<string, Option>} */
const countTokens = {
  model: { kind: (_, value) => void modelOf({ model: value }, 'countTokens(): options', 'tokenizer') },
  tokenizer,
  format,
  ...beside,
};
/** @type {Record<string, Option>} */
const recall = {
  tokens: { kind: tokensAbove0, default: 500 },
  model: { kind: (_, value) => void modelOf({ model: value }, 'recall(): options', 'tokenizer') },
  tokenizer,
  format,
};
/** @type {Record<string, Option>} */
const validate = { format };
/** @type {Record<string, Option>} */
const warmUp = { tokenizer };

module.exports = { beside, countTokens, fit, fitRequest, fitting, prune, recall, validate, warmUp };
