// @ts-check
'use strict';

const { mismatch } = require('../checks.js');
const { Rules } = require('./kinds.js');
const { VERBS } = require('./table.js');

const RULES = new Map(Object.entries(VERBS).map(([verb, { options }]) => [verb, new Rules(options)]));
/** @type {Record<string, any>} */
const NONE = Object.freeze({});

/**
 * Checks the options of a function against the table, and returns them, or an empty object if none are given. `undefined` and `null`
 * mean the default. Unknown options are ignored.
 *
 * @param {string} verb the function's name
 * @param {unknown} given
 * @returns {Record<string, any>}
 * @throws {TypeError} the options are not an object, or one has the wrong type or is not one of the choices; the error names it
 * @throws {RangeError} a number is out of range
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
 * Copies the options of a function that are in the table, absent ones as undefined. Each is read once.
 *
 * @param {string} verb the function's name
 * @param {Record<string, any>} given
 * @returns {any}
 */
function copyOptions(verb, given) {
  /** @type {Record<string, any>} */
  const copy = {};
  for (const name in VERBS[verb].options) copy[name] = given[name];
  return copy;
}

/**
 * Returns the default of an option.
 *
 * @param {string} verb
 * @param {string} name
 * @returns {any}
 */
const defaultOf = (verb, name) => VERBS[verb].options[name].default;

module.exports = { checkOptions, copyOptions, defaultOf };
