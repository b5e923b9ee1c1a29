// @ts-check
'use strict';

// Options of `compactionJob`.

const { mismatch } = require('../checks.js');
const { func } = require('./kinds.js');
const { concurrency } = require('./shared.js');

/** @param {readonly string[]} methods */
const having = (...methods) => {
  /** @type {import('./kinds.js').Check} */
  return (name, value) => {
    if (methods.some((method) => typeof value?.[method] !== 'function'))
      throw mismatch(name, `an object with ${methods.join('(), ')}()`, value);
  };
};

/** @type {Record<string, import('./shared.js').Option>} */
const compaction = {
  store: { kind: having('get', 'put', 'load'), isRequired: true },
  summarizer: { kind: func, isRequired: true },
  queue: { kind: having('rateLimit'), isRequired: true },
  concurrency,
};

module.exports = { compaction };
