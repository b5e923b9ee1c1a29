// @ts-check
'use strict';

/** @import { Foreign, Path } from '../types.d.ts' */

const { describe, stepOf, unreadable } = require('../checks.js');
const { misplaced } = require('../places.js');

/**
 * Maximum nesting of arrays and objects. Programs that send or store a message recurse into it:
 * `JSON.stringify` itself fails after some thousands of levels.
 */
const MAX_LEVELS = 1000;
/** Levels up to which nesting is checked without remembering the values seen. */
const EASY_LEVELS = 12;
/** Number of values up to which it is; objects that share values have few values but exponentially many paths to them. */
const EASY_VALUES = 50_000;

/**
 * Returns the JSON text of a value; empty for values that JSON leaves out.
 *
 * @param {() => string} place what errors call it
 * @throws {TypeError} it is circular, nested too deeply, holds a BigInt or has a getter that throws. What a `toJSON` of it throws is passed on.
 */
function jsonText(value, place) {
  let text;
  try {
    text = JSON.stringify(value) ?? '';
  } catch (error) {
    if (typeof value?.toJSON !== 'function') checkJson(value, place);
    throw error;
  }
  // Each level has two brackets.
  if (text.length > 2 * MAX_LEVELS && isNest(value)) checkNested(value, place);
  return text;
}

/**
 * Checks that a value is neither circular nor nested too deeply, and can be read.
 *
 * @param {object} value values in it with a `toJSON` are not checked
 * @param {() => string} place what errors call it
 * @throws {TypeError} it is circular, nested too deeply, or has a getter that throws
 */
function checkNested(value, place) {
  let endsAll = false;
  try {
    endsAll = endsEasily(value, EASY_LEVELS, { values: EASY_VALUES });
  } catch {
    // The place is found below.
  }
  if (!endsAll) checkJson(value, place, false);
}

const isNest = (value) => value !== null && typeof value === 'object' && !ArrayBuffer.isView(value) && typeof value.toJSON !== 'function';

/**
 * @param {Foreign} value
 * @param {number} levels
 * @param {{ values: number }} room
 */
function endsEasily(value, levels, room) {
  if (Array.isArray(value)) {
    const { length } = value;
    room.values -= length;
    if (room.values < 0) return false;
    for (let index = 0; index < length; index++) {
      const inner = value[index];
      if (typeof inner === 'object' && !isEasy(inner, levels, room)) return false;
    }
    return true;
  }
  // Inherited members are few, and listing the own ones takes longer.
  for (const key in value) {
    const inner = value[key];
    if (--room.values < 0 || (typeof inner === 'object' && !isEasy(inner, levels, room))) return false;
  }
  return true;
}

const isEasy = (inner, levels, room) => !isNest(inner) || (levels > 0 && endsEasily(inner, levels - 1, room));

/**
 * Visits each value once, and throws for the first that JSON cannot hold, naming its place.
 *
 * @param {Foreign} root
 * @param {() => string} place what errors call it
 * @param {boolean} [isText]
 */
function checkJson(root, place, isText = true) {
  const heights = new Map(); // height of each finished value; undefined while it is open
  const open = [];
  const enter = (value, key) => {
    const keys = readable(
      () => Object.keys(value),
      () => pathTo(open.length, ...(key === undefined ? [] : [key])),
    );
    heights.set(value, undefined);
    open.push({ value, key, keys, next: 0, height: 0 });
  };
  const pathTo = (levels, ...more) => `${place()}${stepsOf([...open.slice(1, levels).map((step) => step.key), ...more])}`;
  if (root !== null && typeof root === 'object') enter(root);
  while (open.length > 0) {
    const at = open.at(-1);
    if (at.next === at.keys.length) {
      heights.set(at.value, at.height);
      open.pop();
      if (open.length > 0) open.at(-1).height = Math.max(open.at(-1).height, at.height + 1);
      continue;
    }
    const key = Array.isArray(at.value) ? at.next : at.keys[at.next];
    const path = () => pathTo(open.length, key);
    const inner = readable(() => at.value[at.keys[at.next++]], path);
    if (isText && typeof inner === 'bigint') throw misplaced(`${path()} must be a value that JSON has, got ${describe(inner)}`);
    if (!readable(() => isNest(inner), path)) continue;
    const below = heights.get(inner);
    if (heights.has(inner) && below === undefined) {
      const level = open.findIndex((step) => step.value === inner);
      throw misplaced(`${pathTo(level + 1)} is circular`);
    }
    if (open.length + (below ?? 0) > MAX_LEVELS) throw misplaced(`${place()} is nested more than ${MAX_LEVELS} levels deep`);
    if (below === undefined) enter(inner, key);
    else at.height = Math.max(at.height, below + 1);
  }
  if (isText && typeof root === 'bigint') throw misplaced(`${place()} must be a value that JSON has, got bigint`);
}

/**
 * @template T
 * @param {() => T} read
 * @param {() => string} place what errors call what is read
 * @returns {T}
 */
function readable(read, place) {
  try {
    return read();
  } catch (cause) {
    throw misplaced(unreadable(place()), { cause });
  }
}

/**
 * Writes steps of a path: `.content[2]["my input"]`
 *
 * @param {Path} path
 */
const stepsOf = (path) => path.map(stepOf).join('');

module.exports = { checkNested, jsonText, stepsOf };
