import { misplaced } from '../../places.js';
import { checkJson } from './json-errors.js';
import { isNest, MAX_LEVELS } from './nest.js';
import type { Fields } from './shapes.js';

/** Levels up to which nesting is checked without remembering the values seen. */
const EASY_LEVELS = 12;
/** Number of values up to which it is; objects that share values have few values but exponentially many paths to them. */
const EASY_VALUES = 50_000;

/**
 * Returns the JSON text of a value; empty for values that JSON leaves out.
 *
 * @param place what errors call it
 * @throws {TypeError} it is circular, nested too deeply, holds a BigInt or has a getter that throws. What a `toJSON` of it throws is passed on.
 */
export function jsonText(value: unknown, place: () => string) {
  let text: string;
  try {
    text = JSON.stringify(value) ?? '';
  } catch (error) {
    if (typeof (value as Fields)?.toJSON !== 'function') checkJson(value, place);
    // Members of bytes, and what a `toJSON` returns, are only seen by JSON.
    if (error instanceof TypeError && error.message.startsWith('Converting circular structure')) throw misplaced(`${place()} is circular`);
    throw error;
  }
  // Each level has two brackets.
  if (text.length > 2 * MAX_LEVELS && isNest(value)) checkNested(value, place);
  return text;
}

/**
 * Checks that a value is neither circular nor nested too deeply, and can be read.
 *
 * @param value values in it with a `toJSON` are not checked
 * @param place what errors call it
 * @param levels maximum nesting, where the value describes something that is nested less
 * @throws {TypeError} it is circular, nested too deeply, or has a getter that throws
 */
export function checkNested(value: object, place: () => string, levels: number = MAX_LEVELS) {
  let endsAll = false;
  try {
    endsAll = endsEasily(value, EASY_LEVELS, { values: EASY_VALUES });
  } catch {
    // The place is found below.
  }
  if (!endsAll) checkJson(value, place, false, levels);
}

function endsEasily(value: object, levels: number, room: { values: number }) {
  if (Array.isArray(value)) {
    const { length } = value;
    room.values -= length;
    if (room.values < 0) return false;
    for (let index = 0; index < length; index++) {
      const inner: unknown = value[index];
      if (typeof inner === 'object' && !isEasy(inner, levels, room)) return false;
    }
    return true;
  }
  // Inherited members are few, and listing the own ones takes longer.
  for (const key in value) {
    const inner = (value as Fields)[key];
    if (--room.values < 0 || (typeof inner === 'object' && !isEasy(inner, levels, room))) return false;
  }
  return true;
}

const isEasy = (inner: unknown, levels: number, room: { values: number }) =>
  !isNest(inner) || (levels > 0 && endsEasily(inner, levels - 1, room));

/** An item as it stands in the JSON of a list. */
export function itemOf(list: readonly unknown[], index: number) {
  const json = jsonOf(list[index]);
  return json && `${index === 0 ? '[' : ','}${json}${index === list.length - 1 ? ']' : ''}`;
}

/** Undefined for what is no JSON. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
