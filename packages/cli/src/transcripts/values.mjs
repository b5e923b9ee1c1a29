// @ts-check
// Checks of values from JSON that may be anything.

/** @typedef {Record<string, any>} Json an object of JSON */

/** @param {unknown} value @returns {value is Json} */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} value @returns {string | undefined} */
export const stringOf = (value) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A count of tokens; 0 if it is none. @param {unknown} value */
export const countOf = (value) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0);

/** The last time that a `Date` has. */
const MAX_TIME = 8.64e15;

/** A time in ms since 1970, from a date of ISO 8601 or a number. @param {unknown} value @returns {number | undefined} */
export function timeOf(value) {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && time > 0 && time <= MAX_TIME ? time : undefined;
}

/** @param {string} text @returns {unknown} undefined if it is no JSON */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {number} number @param {string} noun */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/**
 * A title from what a user said: its first line.
 *
 * @param {unknown} text
 * @returns {string | undefined} undefined if there is none, or an agent wrote it for the user
 */
export function titleIn(text) {
  const said = typeof text === 'string' ? text.trim() : '';
  return said === '' || /^(?:<|# AGENTS\.md|Caveat:)/.test(said) ? undefined : said.split('\n', 1)[0].slice(0, 120);
}
