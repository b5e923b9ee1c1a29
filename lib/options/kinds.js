// @ts-check
'use strict';

const { types } = require('node:util');

const { checkStrings, isObject, mismatch, read, shown, stepOf } = require('../checks.js');
const { warnOnce } = require('./warnings.js');

/**
 * Throws for a value that an option must not have. Called for values other than undefined and null, which mean the default; for these
 * too if the option is required.
 *
 * @callback Check
 * @param {string} name name of the option in errors
 * @param {any} value
 * @param {Record<string, any>} options all options of the call
 * @returns {void}
 */

/**
 * A check. If the value is an object with options of its own, it has their names; `each` are those of every member of such an object.
 * `isFormer`: there is a newer name for the option.
 *
 * @typedef {Check & { options?: Options, each?: Options, isFormer?: boolean }} Kind
 */

/** @typedef {Record<string, import('./shared.js').Option>} Options */

/** @param {readonly string[]} values */
const quoted = (values) => values.map((value) => `'${value}'`);

/** A switch, which is read for its truthiness. */
const flag = () => {};

/** An option that its reader checks, because the check needs the messages or the format. */
const checkedByReader = () => {};

/** @type {Check} */
function number(name, value) {
  if (typeof value !== 'number') throw mismatch(name, 'a number', value);
}

/**
 * A number for which `isRight` holds.
 *
 * @param {(value: number) => boolean} isRight
 * @param {string} range name of such a number in errors
 * @param {string} [type] name of a number in errors
 * @returns {Kind}
 */
function numberWhere(isRight, range, type = 'a number') {
  return (name, value) => {
    if (typeof value !== 'number') throw mismatch(name, type, value);
    if (!isRight(value)) throw new RangeError(`${name} must be ${range}, got ${value}`);
  };
}

/** @type {Check} */
function string(name, value) {
  if (typeof value !== 'string') throw mismatch(name, 'a string', value);
}

/** @type {Check} */
function boolean(name, value) {
  if (typeof value !== 'boolean') throw mismatch(name, 'a boolean', value);
}

/** @type {Check} */
function func(name, value) {
  if (typeof value !== 'function') throw mismatch(name, 'a function', value);
}

/**
 * Tools as a provider or an SDK takes them.
 *
 * @type {Check}
 */
function tools(name, value) {
  if (value === null || typeof value !== 'object' || types.isPromise(value))
    throw mismatch(name, 'an array, or an object of tools by name', value);
}

/** @type {Kind} */
const strings = (name, value) => checkStrings(name, value);

/**
 * A list of strings; errors name the list, not the element.
 *
 * @type {Check}
 */
function stringList(name, value) {
  if (!Array.isArray(value)) throw mismatch(name, 'an array of strings', value);
  for (const item of value) if (typeof item !== 'string') throw mismatch(name, 'an array of strings', item);
}

/**
 * A kind for which any falsy value means "none".
 *
 * @param {Kind} kind
 * @returns {Kind}
 */
function orNone(kind) {
  return (name, value, options) => {
    if (value) kind(name, value, options);
  };
}

/**
 * One of two names or more.
 *
 * @param {readonly string[]} values
 * @returns {Kind}
 */
function choice(values) {
  const names = quoted(values);
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return (name, value) => {
    if (!values.includes(value)) throw new TypeError(`${name} must be ${expected}, got ${shown(value)}`);
  };
}

/**
 * One of a list of names.
 *
 * @param {readonly string[]} values
 * @param {string} [more] other accepted values, for errors
 * @returns {Kind}
 */
function oneOf(values, more = '') {
  const expected = `one of ${quoted(values).join(', ')}${more}`;
  return (name, value) => {
    if (!values.includes(value)) throw new TypeError(`${name} must be ${expected}, got ${shown(value)}`);
  };
}

/**
 * An object with options of its own.
 *
 * @param {Options} options
 * @returns {Kind}
 */
function object(options) {
  const rules = new Rules(options);
  /** @type {Check} */
  const check = (name, value) => {
    if (!isObject(value)) throw mismatch(name, 'an object', value);
    rules.check(value, name);
  };
  return Object.assign(check, { options });
}

/**
 * A list of RegExps; those of other realms work as well.
 *
 * @type {Check}
 */
function regExps(name, value) {
  if (!Array.isArray(value)) throw mismatch(name, 'an array of RegExps', value);
  for (let index = 0; index < value.length; index++) {
    if (!types.isRegExp(value[index])) throw mismatch(`${name}[${index}]`, 'a RegExp', value[index]);
  }
}

/**
 * An AbortSignal by shape, not by class: those of polyfills and of other realms work as well.
 *
 * @type {Check}
 */
function abortSignal(name, value) {
  if (typeof value !== 'object' || typeof value.aborted !== 'boolean' || typeof value.addEventListener !== 'function') {
    throw mismatch(name, 'an AbortSignal', value);
  }
}

/** @type {Check} */
function query(name, value) {
  if (value === false || typeof value === 'string') return;
  if (!Array.isArray(value)) throw mismatch(name, 'a string, an array of strings or false', value);
  checkStrings(name, value);
}

const TOOL_KINDS = ['read', 'write', 'edit', 'command', 'search', 'other'];
const TOOL_ARGUMENTS = ['path', 'text', 'command', 'cwd', 'offset', 'limit', 'start', 'end'];
/**
 * The argument that a tool of this kind requires.
 *
 * @type {Record<string, string>}
 */
const NEEDED_ARGUMENT = { read: 'path', write: 'path', edit: 'path', command: 'command' };
const toolKind = oneOf(TOOL_KINDS);

/** @type {Check} */
function toolMap(name, value) {
  if (!isObject(value)) throw mismatch(name, 'an object of tools by name', value);
  for (const [toolName, tool] of Object.entries(value)) {
    const at = `${name}${stepOf(toolName)}`;
    if (tool === null || typeof tool !== 'object') throw mismatch(at, 'an object with a kind', tool);
    toolKind(`${at}.kind`, tool.kind, tool);
    for (const argument of TOOL_ARGUMENTS) {
      const given = tool[argument];
      if (given != null && typeof given !== 'string') throw mismatch(`${at}.${argument}`, "an argument's name", given);
    }
    const needed = NEEDED_ARGUMENT[tool.kind];
    if (needed !== undefined && !tool[needed]) throw mismatch(`${at}.${needed}`, "an argument's name", tool[needed]);
  }
}
toolMap.each = Object.fromEntries(['kind', ...TOOL_ARGUMENTS].map((name) => [name, { kind: checkedByReader }]));

/**
 * The former name of an option of `prune`. It still works, with a warning.
 *
 * @param {Kind} kind
 * @param {string} former
 * @param {string} current
 * @param {string} code of the warning
 * @returns {Kind}
 */
function renamed(kind, former, current, code) {
  /** @type {Check} */
  const check = (name, value, options) => {
    kind(name, value, options);
    if (options[current] != null) throw new TypeError(`${name} is the former name of ${current}: give one of them`);
    warnOnce(`prune(): options.${former} is now called options.${current}`, code, 'DeprecationWarning');
  };
  return Object.assign(check, { each: kind.each, isFormer: true });
}

/** Maximum number of unknown names that are remembered, so that memory stays bounded. */
const MAX_PASSED_OVER = 1000;

/** Whether what an option holds is checked here. @param {Kind} kind */
const isChecked = (kind) => kind !== flag && kind !== checkedByReader;

/** The options of an object. The table is asked as it is: a first call would spend longer on another order of it than on its checks. */
class Rules {
  #options;
  /** @type {Set<string>} */
  #passedOver = new Set();

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Accepts an unknown name from now on.
   *
   * @param {string} name
   */
  passOver(name) {
    if (this.#passedOver.size < MAX_PASSED_OVER) this.#passedOver.add(name);
  }

  /**
   * Throws for the first option of the table that is wrong.
   *
   * @param {Record<string, any>} given
   * @param {string} at name of the object in errors
   */
  check(given, at) {
    for (const name of Object.keys(this.#options)) {
      const { kind, isRequired } = this.#options[name];
      if (!isChecked(kind)) continue;
      const value = read(given, name, at);
      if (isRequired || (value !== undefined && value !== null)) kind(`${at}.${name}`, value, given);
    }
  }

  /**
   * Returns whether the options of a plain object are certainly right. Checks only those that are given: most callers give a few of forty.
   * Returns false, too, for objects that only {@link check} and the check of names can judge: those that are not plain, and those with
   * nested options.
   *
   * @param {Record<string, any>} given
   */
  areRight(given) {
    const prototype = Object.getPrototypeOf(given);
    if (prototype !== Object.prototype && prototype !== null) return false;
    const options = this.#options;
    try {
      for (const name of Object.keys(options)) if (options[name].isRequired) options[name].kind('', given[name], given);
      for (const name of Object.getOwnPropertyNames(given)) {
        if (!Object.hasOwn(options, name)) {
          if (this.#passedOver.has(name)) continue;
          return false;
        }
        const { kind, isRequired } = options[name];
        if (isRequired || !isChecked(kind)) continue;
        const value = given[name];
        if (value === undefined || value === null) continue;
        if (kind.options !== undefined || kind.each !== undefined) return false;
        kind('', value, given);
      }
      return true;
    } catch {
      return false;
    }
  }
}

module.exports = {
  Rules,
  abortSignal,
  boolean,
  checkedByReader,
  choice,
  flag,
  func,
  number,
  numberWhere,
  object,
  oneOf,
  orNone,
  query,
  regExps,
  renamed,
  string,
  stringList,
  strings,
  toolMap,
  tools,
};
