// @ts-check
'use strict';

const { recall } = require('../tokens/memory.js');
const { keysIn, markIn, mayHoldMark } = require('./marker.js');

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
  memory.marks ??= mayBeMarked(memory.values) ? markedIn(message) : NO_MARKS;
  return memory.marks;
}

/** Whether one of some values, of which a message has many, may hold a mark. */
function mayBeMarked(values) {
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value === 'string' && mayHoldMark(value)) return true;
  }
  return false;
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
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (--room.values < 0 || mayHoldMarks(value[index], levels - 1, room)) return true;
    return false;
  }
  for (const key in value) {
    const inner = value[key];
    if (--room.values < 0 || mayHoldMark(key)) return true;
    if (typeof inner === 'string' ? mayHoldMark(inner) : mayHoldMarks(inner, levels - 1, room)) return true;
  }
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

module.exports = { markedKeys, marksIn, placeKind, walked };
