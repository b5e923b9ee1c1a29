import { inspect, types } from 'node:util';
import type { Foreign } from './types.js';

/** Names the kind of a value for an error message: `'null'`, `'array'`, `'promise'`, otherwise what `typeof` says. Never what is in it. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (types.isPromise(value)) return 'promise';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Reads a member of the caller's object.
 *
 * @param at what errors call the object
 * @throws {TypeError} it is a getter that throws
 */
export function read(object: Record<string, unknown>, name: string, at: string) {
  try {
    return object[name];
  } catch (cause) {
    throw new TypeError(unreadable(`${at}${stepOf(name)}`), { cause });
  }
}

export const unreadable = (place: string) => `${place} can't be read: its getter threw`;

/** Maximum length of a string or name that an error shows. */
const MOST_SHOWN = 40;

/** Shows the value of an option that is one of a few names: numbers, booleans and short strings as they are, anything else by its kind. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > MOST_SHOWN ? `a string of ${value.length} characters` : inspect(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describe(value);
}

/** A step into an object or array as errors write it: `.content`, `[2]` or `["my input"]`, without the end of a long name. */
export function stepOf(key: string | number) {
  if (typeof key === 'number') return `[${key}]`;
  const name = key.length > MOST_SHOWN ? `${key.slice(0, MOST_SHOWN)}…` : key;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Steps of a path as errors write them: `.content[2]["my input"]` */
export const stepsOf = (path: readonly (string | number)[]) => path.map(stepOf).join('');

/** Whether a value can be an index or a length of an array. Sums of two such numbers are exact. */
export const isIndex = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32;

/** Whether a value has members, as arrays do, too. */
export const hasMembers = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';

export const isObject = <T>(value: T): value is T & Record<string, unknown> => hasMembers(value) && !Array.isArray(value);

// Each checker throws a TypeError for what the argument must not be. `name` is what the error calls it: `selectEDUs(): edus[1].text`.

export function mismatch(name: string, expected: string, value: unknown) {
  return new TypeError(`${name} must be ${expected}, got ${describe(value)}`);
}

export function checkString(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw mismatch(name, 'a string', value);
}

export function checkNumber(name: string, value: unknown): asserts value is number {
  if (typeof value !== 'number') throw mismatch(name, 'a number', value);
}

export function checkFunction(name: string, value: unknown) {
  if (typeof value !== 'function') throw mismatch(name, 'a function', value);
}

export function checkObject(name: string, value: unknown): asserts value is Record<string, Foreign> {
  if (value === null || typeof value !== 'object') throw mismatch(name, 'an object', value);
}

export function checkArray(name: string, value: unknown, of?: string): asserts value is unknown[] {
  if (!Array.isArray(value)) throw mismatch(name, of === undefined ? 'an array' : `an array of ${of}`, value);
}

// By index: a callback of `every` or `findIndex` would not be called for a hole, or not know it from `undefined`.

export function checkStrings(name: string, value: unknown): asserts value is string[] {
  checkArray(name, value, 'strings');
  for (let index = 0; index < value.length; index++) {
    if (typeof value[index] !== 'string') throw mismatch(`${name}[${index}]`, 'a string', value[index]);
  }
}

export function checkNumbers(name: string, value: unknown): asserts value is number[] {
  checkArray(name, value, 'numbers');
  for (let index = 0; index < value.length; index++) {
    if (typeof value[index] !== 'number') throw mismatch(`${name}[${index}]`, 'a number', value[index]);
  }
}

/** Returns whether a value is a finite number from 0. */
export const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < Infinity;

/** Messages of which only role and text are read. */
export function checkMessageList(name: string, value: unknown): asserts value is Record<string, unknown>[] {
  checkArray(name, value);
  for (let index = 0; index < value.length; index++) {
    const message = value[index];
    if (message === null || typeof message !== 'object') throw mismatch(`${name}[${index}]`, 'an object', message);
  }
}

/** Roles as a Set; none where nothing is given. */
export function rolesOf(name: string, value: unknown) {
  if (value === null) return new Set<string>();
  // A string is an iterable of strings too, but of letters.
  if (!isIterable(value)) {
    throw mismatch(name, 'an iterable of role strings such as an array or a Set', value);
  }
  const roles = new Set(value);
  for (const role of roles) if (typeof role !== 'string') throw mismatch(name, 'an iterable of role strings', role);
  return roles as Set<string>;
}

/** Whether a value that is not null is an iterable object; strings are none here. */
export const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && typeof (value as Iterable<unknown>)[Symbol.iterator] === 'function';
