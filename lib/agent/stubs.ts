import { hasMembers } from '../checks.js';
import { recall } from '../equality/memory.js';
import { markedIn } from './marked.js';
import { mayHoldMark } from './marker.js';
import type { Memory } from '../equality/memory.js';
import type { Path } from '../types.js';

/** Levels up to which marks are looked for without remembering the objects seen, and the number of values up to which they are. */
const [EASY_LEVELS, EASY_VALUES] = [12, 50_000];

export type Marks = { readonly keys: readonly string[]; readonly mark: 'long' | 'short' | undefined };

const NO_MARKS: Marks = Object.freeze({ keys: Object.freeze([]), mark: undefined });

/**
 * Finds the marks in a message: the keys of all markers, in order, and whether there is a mark without a key. Instructions have none, but may
 * explain marks.
 *
 * @param memory what is known of it
 */
export function marksIn(message: object, memory: Memory | undefined = recall(message)): Marks {
  if (memory === undefined) return mayHoldMarks(message, EASY_LEVELS, { values: EASY_VALUES }) ? markedIn(message) : NO_MARKS;
  memory.marks ??= mayBeMarked(memory.snapshot.values) ? markedIn(message) : NO_MARKS;
  return memory.marks as Marks;
}

/** Whether one of some values, of which a message has many, may hold a mark. */
function mayBeMarked(values: ArrayLike<unknown>) {
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value === 'string' && mayHoldMark(value)) return true;
  }
  return false;
}

/** Returns false for most messages without marks. */
function mayHoldMarks(value: unknown, levels: number, room: { values: number }) {
  if (typeof value === 'string') return mayHoldMark(value);
  if (!hasMembers(value) || ArrayBuffer.isView(value)) return false;
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

/** Returns the keys of all markers in a message, in order. */
export const markedKeys = (message: object) => marksIn(message).keys;

/**
 * Returns the kind of place that a path in a message leads to: the role, and the keys of the path without indices. A quote of a
 * stub is in a place of another kind.
 */
export function placeKind(message: { role?: unknown; type?: unknown }, path: Path) {
  return [message.role ?? message.type ?? '', ...path.filter((step) => typeof step === 'string')].join(' ');
}
