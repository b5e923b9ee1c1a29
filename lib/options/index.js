// @ts-check
'use strict';

const { describe, mismatch, stepOf } = require('../checks.js');
const { VERBS } = require('./table.js');
const { warnOnce } = require('./warnings.js');

/** @typedef {{ rules: InstanceType<typeof import('./kinds.js').Rules>, names?: InstanceType<typeof import('./names.js').Names> }} Checks */

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
function checkOptions(verb, given) {
  const { expected = 'an object', isAbsent, isDropIn } = VERBS[verb];
  if (isAbsent(given)) return NONE;
  const at = `${verb}(): options`;
  const isRefused = isDropIn ? given === null || typeof given !== 'object' : describe(given) !== 'object';
  if (isRefused) throw mismatch(at, expected, given);
  const checks = checksOf(verb);
  if (checks.rules.areRight(given)) return given;
  // The drop-in takes arrays, buffers and the like for options, too; their members are no mistakes.
  if (!isDropIn || (describe(given) === 'object' && !ArrayBuffer.isView(given))) checkNames(verb, checks, given);
  checks.rules.check(given, at);
  return given;
}

/**
 * @param {string} verb
 * @returns {Checks}
 */
function checksOf(verb) {
  const known = CHECKS.get(verb);
  if (known !== undefined) return known;
  const { Rules } = require('./kinds.js');
  const checks = { rules: new Rules(VERBS[verb].options()) };
  CHECKS.set(verb, checks);
  return checks;
}

/**
 * @param {string} verb
 * @param {Checks} checks
 * @param {Record<string, any>} given
 */
function checkNames(verb, checks, given) {
  const { Names } = require('./names.js');
  checks.names ??= new Names(VERBS[verb].options());
  checks.names.check(given, 'options', (name, scopes) => {
    const text = `${verb}(): ${scopes[0].at}${stepOf(name)} is not an option`;
    const help = helpWith(name, scopes, verb);
    if (!VERBS[verb].isDropIn) throw new TypeError(`${text}: ${help}`);
    checks.rules.passOver(name);
    warnOnce(`${text} and has no effect: ${help}`, 'PALIMPSEST_UNKNOWN_OPTION', 'Warning');
  });
}

/**
 * Returns advice about an unknown name: the option that it may mean, the functions that have it, or the options that exist.
 *
 * @param {string} name
 * @param {import('./names.js').Scope[]} scopes the objects that it is in, from the inside out
 * @param {string} verb
 */
function helpWith(name, scopes, verb) {
  const { meantBy } = require('./meant.js');
  const meant = meantBy(name, scopes);
  if (meant !== undefined) return `did you mean ${meant}?`;
  const others = Object.keys(VERBS).filter((other) => other !== verb && Object.hasOwn(VERBS[other].options(), name));
  if (others.length > 0) return `it is an option of ${others.join(', ')}`;
  return `the options are ${scopes[0].names.own().join(', ')}`;
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
  for (const name in VERBS[verb].options()) copy[name] = given[name];
  return copy;
}

/**
 * Returns the default of an option.
 *
 * @param {string} verb
 * @param {string} name
 * @returns {any}
 */
const defaultOf = (verb, name) => VERBS[verb].options()[name].default;

module.exports = { checkOptions, copyOptions, defaultOf };
