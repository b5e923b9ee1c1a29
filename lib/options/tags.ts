// Tags of a session, by which events, reports and budgets tell sessions apart.

import { isObject, mismatch, stepOf } from '../checks.js';

const MAX_TAGS = 16;
/** In UTF-16 code units: of a name, and of a value. What collects telemetry cuts or refuses longer ones. */
const MAX_NAME = 64;
const MAX_VALUE = 256;

/** The tags of an object: a member that is undefined is none, as programs hand on what they were not given. */
const given = (value: Record<string, unknown>) => Object.entries(value).filter(([, text]) => text !== undefined);

/** Tags as a program gives them. */
export function tags(name: string, value: unknown): void {
  if (!isObject(value)) throw mismatch(name, 'an object with a string for each tag', value);
  const entries = given(value);
  if (entries.length > MAX_TAGS) throw new RangeError(`${name} must have at most ${MAX_TAGS} tags, got ${entries.length}`);
  for (const [tag, text] of entries) {
    const at = `${name}${stepOf(tag)}`;
    if (tag === '' || tag.length > MAX_NAME)
      throw new RangeError(`${at} must have a name of 1 to ${MAX_NAME} UTF-16 code units, got ${tag.length}`);
    if (typeof text !== 'string') throw mismatch(at, 'a string', text);
    if (text.length > MAX_VALUE) throw new RangeError(`${at} must have at most ${MAX_VALUE} UTF-16 code units, got ${text.length}`);
  }
}

/** A copy of tags that were checked, which nobody changes; undefined where there are none. */
export function tagsOf(
  value: Readonly<Record<string, string | undefined>> | null | undefined,
): Readonly<Record<string, string>> | undefined {
  return value === null || value === undefined ? undefined : Object.freeze(Object.fromEntries(given(value) as [string, string][]));
}

/** Whether a saved state has tags that an option may be. */
export function areTags(value: unknown): value is Record<string, string> {
  try {
    tags('', value);
    return true;
  } catch {
    return false;
  }
}
