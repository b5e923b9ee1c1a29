// Snapshots of messages, by which a message that was changed in place is known, however deep the change is. Texts are compared as strings:
// those that are still the same string cost nothing. What is no part of a message for `isSame` is none of a snapshot either.

import { DATA, isBreakpoint, loneText } from '../agent/breakpoints.js';
import { bytesOf } from './same.js';
import type { Foreign } from '../types.js';

/** What stands in a snapshot at the start of an array and of an object, and at the end of an object. */
const [ARRAY, OBJECT, END] = [{}, {}, {}];

/** In place of a number of values: a value is another one than before. */
const OTHER = -1;

/** Snapshots of messages that can't change any more, and so need no comparison. */
const FIXED = new WeakSet();

const isObject = (value: Foreign) => value !== null && typeof value === 'object';

/** Lists all values in a message with their keys, in order. Those that JSON leaves out and breakpoints don't count. */
export function snapshotOf(message: Foreign) {
  const values: unknown[] = [];
  visitMembers(message, values, 0, true, false);
  if (isFixed(message)) FIXED.add(values);
  return values;
}

/** Returns whether a message is still what its snapshot lists. It ends with the snapshot, even if the message has become circular. */
export function isUntouched(snapshot: unknown[], message: Foreign) {
  try {
    return visitMembers(message, snapshot, 0, false, false) === snapshot.length;
  } catch {
    // A getter threw; the reader of the format names its place.
    return false;
  }
}

/** Whether the message of a snapshot can't change any more. */
export const isFinal = (snapshot: unknown[]) => FIXED.has(snapshot);

/** Whether a value and all in it are frozen. Bytes, getters, prototypes of their own and a `toJSON` could still change. */
function isFixed(value: Foreign): boolean {
  if (!isObject(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && prototype !== Array.prototype) return false;
  if (!Object.isFrozen(value) || typeof value.toJSON === 'function') return false;
  return Object.values(Object.getOwnPropertyDescriptors(value)).every((property) => 'value' in property && isFixed(property.value));
}

// Every step visits the whole history, so the same loops list and compare.

/**
 * Visits the members of an object and all that is in them: adds them to `values`, or compares them with those from `next` on.
 *
 * @param next how many values were visited before
 * @param isNew whether `values` is to be filled
 * @param isData whether no key is a breakpoint
 * @returns how many were visited then, or {@link OTHER}
 */
function visitMembers(object: any, values: unknown[], next: number, isNew: boolean, isData: boolean): number {
  for (const key in object) {
    const value = object[key];
    if (value === undefined || typeof value === 'function' || (!isData && isBreakpoint(key, value))) continue;
    if (isNew) values.push(key);
    else if (values[next] !== key) return OTHER;
    next++;
    // Texts, which are most values, take no call of their own.
    if (typeof value === 'string') {
      if (isNew) values.push(value);
      else if (values[next] !== value) return OTHER;
      next++;
      continue;
    }
    // A text with a breakpoint becomes a block.
    const lone = key === 'content' && !isData ? loneText(value) : undefined;
    next = lone === undefined ? visit(value, values, next, isNew, isData || DATA.has(key)) : visitLeaf(lone, values, next, isNew);
    if (next === OTHER) return OTHER;
  }
  return next;
}

/** {@link visitMembers} for a value. */
function visit(value: Foreign, values: unknown[], next: number, isNew: boolean, isData: boolean): number {
  if (!isObject(value)) return visitLeaf(value, values, next, isNew);
  if (Array.isArray(value)) {
    if (isNew) values.push(ARRAY, value.length);
    else if (values[next] !== ARRAY || values[next + 1] !== value.length) return OTHER;
    next += 2;
    for (let index = 0; index < value.length && next !== OTHER; index++) next = visit(value[index], values, next, isNew, isData);
    return next;
  }
  // Hardly any object is an instance of another class.
  const bytes = Object.getPrototypeOf(value) === Object.prototype ? undefined : bytesOf(value);
  if (bytes !== undefined) return visitBytes(bytes, values, next, isNew);
  if (typeof value.toJSON === 'function') return visitLeaf(JSON.stringify(value), values, next, isNew);
  if (isNew) values.push(OBJECT);
  else if (values[next] !== OBJECT) return OTHER;
  next = visitMembers(value, values, next + 1, isNew, isData);
  if (next === OTHER) return OTHER;
  if (isNew) values.push(END);
  else if (values[next] !== END) return OTHER;
  return next + 1;
}

function visitBytes(bytes: Buffer, values: unknown[], next: number, isNew: boolean) {
  const before = values[next];
  if (isNew) values.push(Buffer.from(bytes));
  else if (!Buffer.isBuffer(before) || !bytes.equals(before)) return OTHER;
  return next + 1;
}

function visitLeaf(value: unknown, values: unknown[], next: number, isNew: boolean) {
  if (isNew) values.push(value);
  else if (!Object.is(values[next], value)) return OTHER;
  return next + 1;
}
