'use strict';

const { describe } = require('../arguments.js');

/**
 * Reads the arguments of a helper's factory, so that what is wrong with them is said where they are given and not in
 * the middle of a later compression.
 *
 * @param {string} factory name of the factory, for error messages
 */
function argumentsOf(factory, callLlm, options) {
  if (typeof callLlm !== 'function') {
    throw new TypeError(`${factory}(): callLlm must be a function, got ${describe(callLlm)}`);
  }
  if (options != null && typeof options !== 'object') {
    throw new TypeError(`${factory}(): options must be an object, got ${describe(options)}`);
  }
  const given = options ?? {};

  return {
    /** A list of strings, copied; empty when not given. */
    strings(name) {
      const value = given[name] ?? [];
      if (!Array.isArray(value)) throw mismatch(name, 'an array of strings', value);
      for (const item of value) if (typeof item !== 'string') throw mismatch(name, 'an array of strings', item);
      return [...value];
    },

    /** A text; empty when not given. */
    string(name) {
      const value = given[name] ?? '';
      if (typeof value !== 'string') throw mismatch(name, 'a string', value);
      return value;
    },

    /** A number of tokens. */
    tokens(name, byDefault) {
      const value = given[name] ?? byDefault;
      if (typeof value !== 'number') throw mismatch(name, 'a number', value);
      if (!(value > 0 && value < Infinity)) {
        throw new RangeError(`options.${name} must be a positive number of tokens, got ${value}`);
      }
      return value;
    },

    /** One of a few names; the first is the default. */
    oneOf(name, names) {
      const value = given[name] ?? names[0];
      if (names.includes(value)) return value;
      const expected = names.map((one) => `'${one}'`).join(' or ');
      throw mismatch(name, expected, value, typeof value === 'string' ? `'${value}'` : undefined);
    },
  };
}

function mismatch(name, expected, value, got = describe(value)) {
  return new TypeError(`options.${name} must be ${expected}, got ${got}`);
}

module.exports = { argumentsOf };
