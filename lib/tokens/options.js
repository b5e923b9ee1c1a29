'use strict';

const { inspect } = require('node:util');

const TOKENIZERS = ['o200k_base', 'cl100k_base', 'estimate'];

/** Throws for what is neither a tokenizer's name nor absent. */
function checkTokenizer(value) {
  if (value === undefined || value === null || TOKENIZERS.includes(value)) return;
  const names = TOKENIZERS.map((name) => `'${name}'`).join(', ');
  throw new TypeError(`options.tokenizer must be one of ${names}, got ${inspect(value, { depth: 0 })}`);
}

module.exports = { checkTokenizer };
