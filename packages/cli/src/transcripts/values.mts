// Checks of values from JSON that may be anything.

/** An object of JSON that somebody else wrote: its members may be anything until a reader looked at them. */
export type Json = Record<string, any>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A count of tokens; 0 if it is none. */
export const countOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0);

/** Tokens that somebody counted, or calls; 0 if it is none, `NaN` if it is a number that no count can be. */
export const tokensOf = (value: unknown) =>
  typeof value !== 'number' ? 0 : value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.round(value) : Number.NaN;

/** The last time that a `Date` has. */
const MAX_TIME = 8.64e15;

/** A time in ms since 1970, from a date of ISO 8601 or a number. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && time > 0 && time <= MAX_TIME ? time : undefined;
}

/** @returns undefined if it is no JSON */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A count as people write it: `12,345`. */
export const grouped = (count: number) => Math.round(count).toLocaleString('en');

export const counted = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/**
 * A title from what a user said: its first line.
 *
 * @returns undefined if there is none, or an agent wrote it for the user
 */
export function titleIn(text: unknown): string | undefined {
  const said = typeof text === 'string' ? text.trim() : '';
  return said === '' || /^(?:<|# AGENTS\.md|Caveat:)/.test(said) ? undefined : said.split('\n', 1)[0].slice(0, 120);
}
