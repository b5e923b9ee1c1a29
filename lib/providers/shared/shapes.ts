// Checks of values of any type.
import { isObject } from '../../checks.js';

/** An object of which nothing is known. */
export type Fields = Record<string, unknown>;

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns whether a text is a JSON object, as every provider requires of `arguments`. */
export function isJsonObject(text: unknown) {
  if (typeof text !== 'string') return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * The names of functions that a provider takes, from the error text of its API.
 *
 * @param longest in characters
 */
export const isFunctionName = (name: unknown, longest: number) =>
  typeof name === 'string' && name.length <= longest && /^[a-zA-Z0-9_-]+$/.test(name);

const LONGEST = 80; // characters of a value in a message; every id is shorter

/** Describes a value for a message: ids and roles in quotes, anything else by its type. */
export function show(value: unknown) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'string')
    return typeof value === 'undefined' ? 'nothing' : `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`;
  return JSON.stringify(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
}
