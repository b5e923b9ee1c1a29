// @ts-check
'use strict';

const { describe, mismatch } = require('../checks.js');
const { none, VERBS } = require('./table.js');
const { checkNames } = require('./unknown.js');

/**
 * @typedef {object} Checks
 * @property {Record<string, import('./shared.js').Option>} options
 * @property {InstanceType<typeof import('./kinds.js').Rules>} rules
 * @property {InstanceType<typeof import('./names.js').Names>} [names]
 */

/** @type {Map<string, Checks>} */
const CHECKS = new Map();
/** @type {Record<string, any>} */
const NONE = Object.freeze({});

/**
 * Checks the options of a function against the table, and returns them, or an empty object if none are given. `undefined` and `null`
 * mean the default. An unknown option is an error. In the drop-in's functions it has no effect, and causes one warning.
 *
 * @param {string} verb the function's name
 * @param {any} given
 * @returns {Record<string, any>}
 * @throws {TypeError} the options are not an object, there is no such option, or one has the wrong type or is not one of the choices; the
 *   error names it
 * @throws {RangeError} a number is out of range
 */
const checkOptions = (verb, given) => checkGiven(`${verb}()`, VERBS[verb], () => checksOf(verb), given);

/**
 * As {@link checkOptions}, against a table of their own.
 *
 * @param {string} caller name of the function in errors, with its parentheses
 * @param {Record<string, import('./shared.js').Option>} options all of them, in the order of the checks
 * @param {any} given
 */
function checkOwnOptions(caller, options, given) {
  return checkGiven(caller, { options: () => options, isAbsent: none }, () => ({ options, rules: rulesOf(options) }), given);
}

/**
 * @param {string} caller
 * @param {import('./table.js').Verb} table
 * @param {() => Checks} checksFor
 * @param {any} given
 */
function checkGiven(caller, table, checksFor, given) {
  const { expected = 'an object', isAbsent, isDropIn } = table;
  if (isAbsent(given)) return NONE;
  const at = `${caller}: options`;
  const isRefused = isDropIn ? given === null || typeof given !== 'object' : describe(given) !== 'object';
  if (isRefused) throw mismatch(at, expected, given);
  const checks = checksFor();
  if (checks.rules.areRight(given)) return given;
  // The drop-in takes arrays, buffers and the like for options, too; their members are no mistakes.
  if (!isDropIn || (describe(given) === 'object' && !ArrayBuffer.isView(given))) checkNames(caller, table, checks, given);
  checks.rules.check(given, at);
  return given;
}

/** @param {Record<string, import('./shared.js').Option>} options */
const rulesOf = (options) => new (require('./kinds.js').Rules)(options);

/**
 * @param {string} verb
 * @returns {Checks}
 */
function checksOf(verb) {
  const known = CHECKS.get(verb);
  if (known !== undefined) return known;
  const options = VERBS[verb].options();
  const checks = { options, rules: rulesOf(options) };
  CHECKS.set(verb, checks);
  return checks;
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
  for (const name in checksOf(verb).options) copy[name] = given[name];
  return copy;
}

/**
 * Returns the default of an option.
 *
 * @param {string} verb
 * @param {string} name
 * @returns {any}
 */
const defaultOf = (verb, name) => checksOf(verb).options[name].default;

module.exports = { checkOptions, checkOwnOptions, copyOptions, defaultOf };
