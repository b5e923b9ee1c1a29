// @ts-check
'use strict';

// Options that several functions take.

const kinds = require('./kinds.js');
const { FORMATS } = require('./presets.js');

/**
 * @typedef {object} Option
 * @property {import('./kinds.js').Kind} kind
 * @property {unknown} [default] the value that undefined and null stand for; absent if there is none
 * @property {true} [isRequired] checked even if it is not given
 */

/**
 * Refuses `tokenizer` and `tokenCounter` together.
 *
 * @param {import('./kinds.js').Kind} kind
 * @returns {import('./kinds.js').Kind}
 */
const unlessBothCount = (kind) => (name, value, options) => {
  kind(name, value, options);
  if (options.tokenizer && options.tokenCounter) {
    const at = name.slice(0, name.lastIndexOf('.'));
    throw new TypeError(`${at}.tokenizer and options.tokenCounter both count tokens: give one of them`);
  }
};

const isTokenizer = kinds.oneOf(['o200k_base', 'cl100k_base', 'estimate']);

/** @type {Option} */
const format = { kind: kinds.oneOf([...FORMATS, 'auto']), default: 'auto' };
/** @type {Option} */
const trace = { kind: kinds.flag, default: false };
/** @type {Option} */
const tokenizer = { kind: isTokenizer, default: 'o200k_base' };
/** @type {Option} */
const tokenCounter = { kind: unlessBothCount(kinds.func) };
/** @type {Option} */
const summarizer = { kind: kinds.orNone(kinds.func) };
/** @type {Option} */
const concurrency = {
  kind: kinds.numberWhere((value) => value === Infinity || (Number.isInteger(value) && value >= 1), 'a positive integer or Infinity'),
  default: 4,
};
/** @type {Option} */
const signal = { kind: kinds.abortSignal };
module.exports = { concurrency, format, isTokenizer, signal, summarizer, tokenCounter, tokenizer, trace, unlessBothCount };
