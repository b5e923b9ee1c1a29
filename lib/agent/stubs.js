// @ts-check
'use strict';

const { copyOf, setOwn } = require('../formats/copy.js');
const { recall } = require('../tokens/memory.js');
const { fingerprintOf } = require('./fingerprint.js');
const { keysIn, markIn, mayHoldMark } = require('./marker.js');
const { sampledFingerprint } = require('./sampled.js');
const { rebuild } = require('./structure.js');

/** Maximum depth of a stub; bounds the stack. */
const MAX_DEPTH = 100;

const walked = (value, depth) => {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (depth === 0 || Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Levels up to which marks are looked for without remembering the objects seen, and the number of values up to which they are. */
const [EASY_LEVELS, EASY_VALUES] = [12, 50_000];

/** @typedef {{ readonly keys: readonly string[], readonly mark: 'long' | 'short' | undefined }} Marks */

/** @type {Marks} */
const NO_MARKS = Object.freeze({ keys: Object.freeze([]), mark: undefined });

/**
 * Finds the marks in a message: the keys of all markers, in order, and whether there is a mark without a key. Instructions have none, but may
 * explain marks.
 *
 * @param {any} message
 * @param {import('../tokens/memory.js').Memory} [memory] what is known of it
 * @returns {Marks}
 */
function marksIn(message, memory = recall(message)) {
  if (memory === undefined) return mayHoldMarks(message, EASY_LEVELS, { values: EASY_VALUES }) ? markedIn(message) : NO_MARKS;
  const isMarked = (value) => typeof value === 'string' && mayHoldMark(value);
  memory.marks ??= memory.values.some(isMarked) ? markedIn(message) : NO_MARKS;
  return memory.marks;
}

/**
 * Returns false for most messages without marks.
 *
 * @param {any} value
 * @param {number} levels
 * @param {{ values: number }} room
 */
function mayHoldMarks(value, levels, room) {
  if (typeof value === 'string') return mayHoldMark(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => --room.values < 0 || mayHoldMarks(item, levels - 1, room));
  for (const key in value) if (--room.values < 0 || mayHoldMark(key) || mayHoldMarks(value[key], levels - 1, room)) return true;
  return false;
}

/** @returns {Marks} */
function markedIn(message) {
  const found = { keys: [], mark: undefined };
  readMarks(message, 0, found);
  const role = message.role ?? message.type;
  if (role === 'system' || role === 'developer') found.mark = undefined;
  return found;
}

/**
 * @param {any} value
 * @param {number} depth
 * @param {{ keys: string[], mark: 'long' | 'short' | undefined }} found
 * @param {Set<object>} [seen] the objects before this one; absent for the message itself, because most messages hold no other
 */
function readMarks(value, depth, found, seen) {
  if (!walked(value, depth) || seen?.has(value)) return;
  seen?.add(value);
  const isArray = Array.isArray(value);
  const keys = Object.keys(value);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    // V8 looks for one character of Latin-1 faster than for the start of a mark, which is none.
    if (!isArray && key.includes('[') && markIn(key) === 'long') found.mark = 'long';
    const inner = value[key];
    if (typeof inner === 'string') {
      if (inner.includes('[')) readText(inner, found);
    } else if (typeof inner === 'object') {
      seen ??= new Set([value]);
      readMarks(inner, depth + 1, found, seen);
    }
  }
}

function readText(text, found) {
  const keys = keysIn(text);
  if (keys.length > 0) found.keys.push(...keys);
  if (found.mark !== 'long') found.mark = markIn(text) ?? found.mark;
}

/** Returns the keys of all markers in a message, in order. */
const markedKeys = (message) => marksIn(message).keys;

/**
 * Returns the kind of place that a path in a message leads to: the role, and the keys of the path without indices. A quote of a
 * stub is in a place of another kind.
 */
function placeKind(message, path) {
  return [message.role ?? message.type ?? '', ...path.filter((step) => typeof step === 'string')].join(' ');
}

const ABSENT = Symbol('there was nothing');

/** Returns the original in the place of a stub. */
function originalOf(place) {
  if (!Object.hasOwn(place, 'value') || place.value === undefined) return ABSENT;
  return place.in === undefined ? place.value : rebuild([place.value], [])[0];
}

/**
 * Replaces the stubs in one message by the originals.
 *
 * @param {object} message
 * @param {Map<string, { places: any[] }>} stubs entries by key
 * @param {Set<string>} found gets the keys that were restored
 * @returns {object} the message, or a copy of it
 */
function restoreStubs(message, stubs, found) {
  const done = new Map(); // objects that stand twice stay one
  const path = [];
  /** Places above the text that was just read: checked on the way up. */
  let above = [];

  const fits = (value, place) => {
    // Entries of earlier versions have no kind of place, and another fingerprint.
    if (place.in === undefined) return sampledFingerprint(value) === place.written;
    return place.in === placeKind(message, path) && fingerprintOf(value) === place.written;
  };
  const take = (key, place) => {
    found.add(key);
    return originalOf(place);
  };

  const visit = (value, depth) => {
    if (typeof value === 'string') {
      for (const key of keysIn(value)) {
        for (const place of stubs.get(key)?.places ?? []) {
          if (place.up > 0) above.push({ key, place, up: place.up });
          else if (fits(value, place)) return take(key, place);
        }
      }
      return value;
    }
    if (!walked(value, depth)) return value;
    if (done.has(value)) return done.get(value);
    let result = value;
    const waiting = [];
    for (const key of Object.keys(value)) {
      above = [];
      path.push(Array.isArray(value) ? Number(key) : key);
      const inner = visit(value[key], depth + 1);
      path.pop();
      for (const { key: name, place, up } of above) {
        if (up > 1) waiting.push({ key: name, place, up: up - 1 });
        else if (fits(value, place)) {
          above = [];
          const original = take(name, place);
          done.set(value, original);
          return original;
        }
      }
      if (inner === value[key]) continue;
      if (result === value) result = copyOf(value);
      if (inner === ABSENT) delete result[key];
      else setOwn(result, key, inner);
    }
    above = waiting;
    done.set(value, result);
    return result;
  };
  return visit(message, 0);
}

module.exports = { markedKeys, marksIn, placeKind, restoreStubs };
