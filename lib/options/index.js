// @ts-check
'use strict';

const { mismatch } = require('../checks.js');
const { Rules } = require('./kinds.js');
const { VERBS } = require('./table.js');

const RULES = new Map(Object.entries(VERBS).map(([verb, { options }]) => [verb, new Rules(options)]));
/** @type {Record<string, any>} */
const NONE = Object.freeze({});

/**
 * Checks the options of a function as the table says, and returns them, or none where none are given. `undefined` and `null`
 * mean the default. Unknown options are ignored.
 *
 * @param {string} verb the function's name
 * @param {unknown} given
 * @returns {Record<string, any>}
 * @throws {TypeError} the options are no object, or one is of the wrong type or no such choice; it is named
 * @throws {RangeError} a number makes no sense
 */
function checkOptions(verb, given) {
  const { at, expected = 'an object', isAbsent, isArrayRefused } = VERBS[verb];
  if (isAbsent(given)) return NONE;
  if (given === null || typeof given !== 'object' || (isArrayRefused && Array.isArray(given))) {
    throw mismatch(`${verb}(): options`, expected, given);
  }
  RULES.get(verb)?.check(given, at);
  return given;
}

/**
 * The value of an option that is not given.
 *
 * @param {string} verb
 * @param {string} name
 * @returns {any}
 */
const defaultOf = (verb, name) => VERBS[verb].options[name].default;

module.exports = { checkOptions, defaultOf };
