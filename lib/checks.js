// @ts-check
'use strict';

const { inspect, types } = require('node:util');

/**
 * Names the kind of a value for an error message: `'null'`, `'array'`, `'promise'`, otherwise what `typeof` says. Never what is in it.
 *
 * @param {unknown} value
 * @returns {string}
 */
function describe(value) {
  if (value === null) return 'null';
  if (types.isPromise(value)) return 'promise';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Reads a member of the caller's object.
 *
 * @param {any} object
 * @param {string} name
 * @param {string} at what errors call the object
 * @throws {TypeError} it is a getter that throws
 */
function read(object, name, at) {
  try {
    return object[name];
  } catch (cause) {
    throw new TypeError(unreadable(`${at}${stepOf(name)}`), { cause });
  }
}

/** @param {string} place */
const unreadable = (place) => `${place} can't be read: its getter threw`;

/** Maximum length of a string or name that an error shows. */
const MOST_SHOWN = 40;

/**
 * Shows the value of an option that is one of a few names: numbers, booleans and short strings as they are, anything else by its kind.
 *
 * @param {unknown} value
 * @returns {string}
 */
function shown(value) {
  if (typeof value === 'string') return value.length > MOST_SHOWN ? `a string of ${value.length} characters` : inspect(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describe(value);
}

/**
 * A step into an object or array as errors write it: `.content`, `[2]` or `["my input"]`, without the end of a long name.
 *
 * @param {string | number} key
 */
function stepOf(key) {
  if (typeof key === 'number') return `[${key}]`;
  const name = key.length > MOST_SHOWN ? `${key.slice(0, MOST_SHOWN)}…` : key;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/**
 * Steps of a path as errors write them: `.content[2]["my input"]`
 *
 * @param {readonly (string | number)[]} path
 */
const stepsOf = (path) => path.map(stepOf).join('');

/** @param {unknown} value */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// Each checker throws a TypeError for what the argument must not be. `name` is what the error calls it: `selectEDUs(): edus[1].text`.

/**
 * @param {string} name
 * @param {string} expected
 * @param {unknown} value
 */
function mismatch(name, expected, value) {
  return new TypeError(`${name} must be ${expected}, got ${describe(value)}`);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function checkString(name, value) {
  if (typeof value !== 'string') throw mismatch(name, 'a string', value);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function checkNumber(name, value) {
  if (typeof value !== 'number') throw mismatch(name, 'a number', value);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function checkFunction(name, value) {
  if (typeof value !== 'function') throw mismatch(name, 'a function', value);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function checkObject(name, value) {
  if (value === null || typeof value !== 'object') throw mismatch(name, 'an object', value);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {string} [of]
 */
function checkArray(name, value, of) {
  if (!Array.isArray(value)) throw mismatch(name, of === undefined ? 'an array' : `an array of ${of}`, value);
}

// By index: a callback of `every` or `findIndex` would not be called for a hole, or not know it from `undefined`.

/**
 * @param {string} name
 * @param {any} value
 */
function checkStrings(name, value) {
  checkArray(name, value, 'strings');
  for (let index = 0; index < value.length; index++) {
    if (typeof value[index] !== 'string') throw mismatch(`${name}[${index}]`, 'a string', value[index]);
  }
}

/**
 * @param {string} name
 * @param {any} value
 */
function checkNumbers(name, value) {
  checkArray(name, value, 'numbers');
  for (let index = 0; index < value.length; index++) {
    if (typeof value[index] !== 'number') throw mismatch(`${name}[${index}]`, 'a number', value[index]);
  }
}

/**
 * Returns whether a value is a finite number from 0.
 *
 * @param {unknown} value
 * @returns {value is number}
 */
const isCount = (value) => typeof value === 'number' && value >= 0 && value < Infinity;

/**
 * Messages of which only role and text are read.
 *
 * @param {string} name
 * @param {any} value
 */
function checkMessageList(name, value) {
  checkArray(name, value);
  for (let index = 0; index < value.length; index++) {
    const message = value[index];
    if (message === null || typeof message !== 'object') throw mismatch(`${name}[${index}]`, 'an object', message);
  }
}

/**
 * Roles as a Set; none where nothing is given.
 *
 * @param {string} name
 * @param {any} value
 */
function rolesOf(name, value) {
  if (value === null) return new Set();
  // A string is an iterable of strings too, but of letters.
  if (typeof value !== 'object' || typeof value[Symbol.iterator] !== 'function') {
    throw mismatch(name, 'an iterable of role strings such as an array or a Set', value);
  }
  const roles = new Set(value);
  for (const role of roles) if (typeof role !== 'string') throw mismatch(name, 'an iterable of role strings', role);
  return roles;
}

module.exports = {
  checkArray,
  checkFunction,
  checkMessageList,
  checkNumber,
  checkNumbers,
  checkObject,
  checkString,
  checkStrings,
  describe,
  isCount,
  isObject,
  mismatch,
  read,
  rolesOf,
  shown,
  stepOf,
  stepsOf,
  unreadable,
};
