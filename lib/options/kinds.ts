import { types } from 'node:util';

import { checkStrings, isIndex, isObject, mismatch, read, shown, stepOf } from '../checks.js';
import type { Option } from './shared.js';

/**
 * Throws for a value that an option must not have. Called for values other than undefined and null, which mean the default; for these
 * too if the option is required.
 *
 * @param name name of the option in errors
 * @param options all options of the call
 */
export type Check = (name: string, value: unknown, options: Record<string, unknown>) => void;

/**
 * A check. If the value is an object with options of its own, it has their names; `each` are those of every member of such an object.
 */
export type Kind = Check & { options?: Options | undefined; each?: Options | undefined };

export type Options = Record<string, Option>;

const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`);

/** A switch, which is read for its truthiness. */
export const flag = () => {};

/** An option that its reader checks, because the check needs the messages or the format. */
export const checkedByReader = () => {};

export function number(name: string, value: unknown): void {
  if (typeof value !== 'number') throw mismatch(name, 'a number', value);
}

/**
 * A number for which `isRight` holds.
 *
 * @param range name of such a number in errors
 * @param type name of a number in errors
 */
export function numberWhere(isRight: (value: number) => boolean, range: string, type: string = 'a number'): Kind {
  return (name, value) => {
    if (typeof value !== 'number') throw mismatch(name, type, value);
    if (!isRight(value)) throw new RangeError(`${name} must be ${range}, got ${value}`);
  };
}

export function string(name: string, value: unknown): void {
  if (typeof value !== 'string') throw mismatch(name, 'a string', value);
}

export function boolean(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw mismatch(name, 'a boolean', value);
}

/** `true` or `false`, or a function that returns it. */
export function switching(name: string, value: unknown): void {
  if (typeof value !== 'boolean' && typeof value !== 'function') throw mismatch(name, 'a boolean or a function', value);
}

export function func(name: string, value: unknown): void {
  if (typeof value !== 'function') throw mismatch(name, 'a function', value);
}

/** Tools as a provider or an SDK takes them. */
export function tools(name: string, value: unknown): void {
  if (value === null || typeof value !== 'object' || types.isPromise(value))
    throw mismatch(name, 'an array, or an object of tools by name', value);
}

export const strings: Kind = (name, value) => checkStrings(name, value);

/** A list of strings; errors name the list, not the element. */
export function stringList(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw mismatch(name, 'an array of strings', value);
  for (const item of value as unknown[]) if (typeof item !== 'string') throw mismatch(name, 'an array of strings', item);
}

/** A kind for which any falsy value means "none". */
export function orNone(kind: Kind): Kind {
  return (name, value, options) => {
    if (value) kind(name, value, options);
  };
}

/** One of two names or more. */
export function choice(values: readonly string[]): Kind {
  const names = quoted(values);
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return (name, value) => {
    if (!values.includes(value as string)) throw new TypeError(`${name} must be ${expected}, got ${shown(value)}`);
  };
}

/**
 * One of a list of names.
 *
 * @param more other accepted values, for errors
 */
export function oneOf(values: readonly string[], more: string = ''): Kind {
  const expected = `one of ${quoted(values).join(', ')}${more}`;
  return (name, value) => {
    if (!values.includes(value as string)) throw new TypeError(`${name} must be ${expected}, got ${shown(value)}`);
  };
}

/** An object with options of its own. */
export function object(options: Options): Kind {
  const rules = new Rules(options);
  const check: Check = (name, value) => {
    if (!isObject(value)) throw mismatch(name, 'an object', value);
    rules.check(value, name);
  };
  return Object.assign(check, { options });
}

/** A list of RegExps; those of other realms work as well. */
export function regExps(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw mismatch(name, 'an array of RegExps', value);
  for (let index = 0; index < value.length; index++) {
    if (!types.isRegExp(value[index])) throw mismatch(`${name}[${index}]`, 'a RegExp', value[index]);
  }
}

/** A list of texts, none of them blank, and of indices. */
export function textsOrIndices(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw mismatch(name, 'an array of texts and indices of messages', value);
  for (let index = 0; index < value.length; index++) {
    const one: unknown = value[index];
    if (isIndex(one)) continue;
    if (typeof one === 'number') throw new RangeError(`${name}[${index}] must be the index of a message, from 0, got ${one}`);
    if (typeof one !== 'string') throw mismatch(`${name}[${index}]`, 'a text or the index of a message', one);
    if (one.trim() === '') throw new TypeError(`${name}[${index}] must not be blank`);
  }
}

/** A list of strings and RegExps; those of other realms work as well. */
export function stringsOrRegExps(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw mismatch(name, 'an array of strings and RegExps', value);
  for (let index = 0; index < value.length; index++) {
    const one: unknown = value[index];
    if (typeof one !== 'string' && !types.isRegExp(one)) throw mismatch(`${name}[${index}]`, 'a string or a RegExp', one);
    if (one === '') throw new TypeError(`${name}[${index}] must not be empty`);
  }
}

/** An AbortSignal by shape, not by class: those of polyfills and of other realms work as well. */
export function abortSignal(name: string, value: unknown): void {
  const signal = value as { aborted?: unknown; addEventListener?: unknown };
  if (typeof signal !== 'object' || typeof signal.aborted !== 'boolean' || typeof signal.addEventListener !== 'function') {
    throw mismatch(name, 'an AbortSignal', value);
  }
}

export function query(name: string, value: unknown): void {
  if (value === false || typeof value === 'string') return;
  if (!Array.isArray(value)) throw mismatch(name, 'a string, an array of strings or false', value);
  checkStrings(name, value);
}

const TOOL_KINDS = ['read', 'write', 'edit', 'command', 'search', 'other'];
const TOOL_ARGUMENTS = ['path', 'text', 'command', 'cwd', 'offset', 'limit', 'start', 'end'];
/** The argument that a tool of this kind requires. */
const NEEDED_ARGUMENT: Record<string, string> = { read: 'path', write: 'path', edit: 'path', command: 'command' };
const toolKind = oneOf(TOOL_KINDS);

export function toolMap(name: string, value: unknown): void {
  if (!isObject(value)) throw mismatch(name, 'an object of tools by name', value);
  for (const [toolName, tool] of Object.entries(value)) {
    const at = `${name}${stepOf(toolName)}`;
    if (tool === null || typeof tool !== 'object') throw mismatch(at, 'an object with a kind', tool);
    const told = tool as Record<string, unknown>;
    toolKind(`${at}.kind`, told.kind, told);
    for (const argument of TOOL_ARGUMENTS) {
      const given = told[argument];
      if (given != null && typeof given !== 'string') throw mismatch(`${at}.${argument}`, "an argument's name", given);
    }
    const needed = NEEDED_ARGUMENT[told.kind as string];
    if (needed !== undefined && !told[needed]) throw mismatch(`${at}.${needed}`, "an argument's name", told[needed]);
  }
}
toolMap.each = Object.fromEntries(['kind', ...TOOL_ARGUMENTS].map((name) => [name, { kind: checkedByReader }]));

/** Maximum number of unknown names that are remembered, so that memory stays bounded. */
const MAX_PASSED_OVER = 1000;

/** Whether what an option holds is checked here. */
const isChecked = (kind: Kind) => kind !== flag && kind !== checkedByReader;

/** The options of an object. The table is asked as it is: a first call would spend longer on another order of it than on its checks. */
export class Rules {
  #options;
  #passedOver: Set<string> = new Set();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Accepts an unknown name from now on. */
  passOver(name: string) {
    if (this.#passedOver.size < MAX_PASSED_OVER) this.#passedOver.add(name);
  }

  /**
   * Throws for the first option of the table that is wrong.
   *
   * @param at name of the object in errors
   */
  check(given: Record<string, unknown>, at: string) {
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
   */
  areRight(given: Record<string, unknown>) {
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
