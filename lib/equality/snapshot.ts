import { hasMembers } from '../checks.js';
// Was a message changed in place since then? A snapshot lists what was in it; however deep a change is, it shows. Texts are compared as strings:
// those that are still the same string cost nothing. What JSON leaves out is in no snapshot.

import { ALL, inside, isCachePoint, isIgnored, loneText, MESSAGE, WRITTEN } from './ignored.js';

/** What stands in a snapshot at the start of an array and of an object, and at the end of either. */
const [ARRAY, OBJECT, END] = [{}, {}, {}];

/** In place of a number of values: a value is another one than before, or one of which a change could go unseen. */
const OTHER = -1;

/** Maximum number of values in a snapshot of all there is; more than nearly all messages hold. */
const MAX_VALUES = 10_000;

/** Members that a format reads of an instance of a class. A getter of its class may change its mind, so that they have to be its own. */
const READ = ['content', 'tool_calls', 'tool_call_id', 'additional_kwargs', 'name', 'role'];

/** What stood in an object. */
export interface Snapshot {
  of: object;
  /** it can't change any more */
  isFinal: boolean;
  /** all values in it, with their keys, in order */
  values: unknown[];
  /**
   * The same by the objects that they stand in, which compares fastest with the object itself: once it was compared, as most are never again. Null
   * where they hold more than plain values.
   */
  members: unknown[] | null | undefined;
}

export const CIRCULAR = 'messages must not be circular';

/** Names the circle that filled the stack; returns any other error as it is. */
export const circleOf = (error: unknown) =>
  error instanceof RangeError && /call stack/.test(error.message) ? new TypeError(CIRCULAR) : error;

/** Lists all values in a message but what ignored.ts ignores, with their keys, in order. */
export function snapshotOf(message: object): Snapshot {
  const values: unknown[] = [];
  try {
    visitMembers(message as Members, values, 0, true, MESSAGE);
  } catch (error) {
    // Nobody looked for circles in a message with a `toJSON`: it may hold anything.
    throw circleOf(error);
  }
  return { of: message, isFinal: isFixed(message), values: fitted(values), members: undefined };
}

/** A copy of a list that takes no more memory than its items: one that grew keeps room for half as many more. */
const fitted = (list: readonly unknown[]) => list.slice();

/** Returns whether a message is still what its snapshot lists. It ends with the snapshot, even if the message has become circular. */
export function isUntouched(snapshot: Snapshot, message: object) {
  const { of, values, members } = snapshot;
  if (isAsListed(snapshot, message)) return true;
  try {
    if (visitMembers(message as Members, values, 0, false, MESSAGE) !== values.length) return false;
    if (of === message && members === undefined) snapshot.members = membersOf(message);
    return true;
  } catch {
    // A getter threw; the reader of the format names its place.
    return false;
  }
}

/** Whether a message is the object that was listed, with all its members, breakpoints and ids too; false where that was not listed. */
export function isAsListed({ of, isFinal, members }: Snapshot, message: object) {
  try {
    return of === message && (isFinal || (members != null && haveMembers(members)));
  } catch {
    return false;
  }
}

/**
 * Lists all values in an object, breakpoints too; undefined where a change could go unseen (bytes, instances of classes, members that
 * are not enumerable) or there are too many values.
 */
export function fullSnapshotOf(object: object): Snapshot | undefined {
  const values: unknown[] = [];
  try {
    if (visitAll(object, values, true) === OTHER) return undefined;
    return { of: object, isFinal: false, values: fitted(values), members: isPlain(Object.getPrototypeOf(object)) ? undefined : null };
  } catch {
    // A getter threw, or the object is circular.
    return undefined;
  }
}

/** {@link isUntouched} for a snapshot of all values. */
export function isUnchanged(snapshot: Snapshot, object: object) {
  const { of, values, members } = snapshot;
  try {
    if (of === object && members && haveMembers(members)) return true;
    if (visitAll(object, values, false) !== values.length) return false;
    if (of === object && members === undefined) snapshot.members = membersOf(object);
    return true;
  } catch {
    return false;
  }
}

/** Whether two objects are the same in JSON, with their breakpoints and the order of their keys; false where a difference could go unseen. */
export function isExactly(one: object | undefined, other: object) {
  if (one === other) return true;
  const snapshot = one && fullSnapshotOf(one);
  return snapshot !== undefined && isUnchanged(snapshot, other);
}

/**
 * Lists an object and all in it, one after the other: each with the number of its members, their keys and values; an array with -1 less its length,
 * and its items. Null where something in it is no plain object, or there are too many values: what is ignored may be circular.
 */
function membersOf(object: object): unknown[] | null {
  const listed: unknown[] = [];
  const open = [object];
  for (let index = 0; index < open.length; index++) {
    const one = open[index] as Members;
    if (index > 0 && !Array.isArray(one) && !isPlain(Object.getPrototypeOf(one))) return null;
    const start = listed.length;
    listed.push(one, 0);
    if (Array.isArray(one)) for (const item of one) listed.push(item);
    else for (const key in one) listed.push(key, one[key]);
    listed[start + 1] = Array.isArray(one) ? -1 - one.length : (listed.length - start - 2) / 2;
    if (listed.length > 2 * MAX_VALUES || typeof one.toJSON === 'function') return null;
    const step = Array.isArray(one) ? 1 : 2;
    for (let at = start + 1 + step; at < listed.length; at += step) if (hasMembers(listed[at])) open.push(listed[at] as Members);
  }
  return fitted(listed);
}

/** Whether the objects in a list of {@link membersOf} have the members that it says. */
function haveMembers(listed: readonly unknown[]) {
  let at = 0;
  while (at < listed.length) {
    const object = listed[at] as Members;
    const count = listed[at + 1] as number;
    at += 2;
    if (count < 0) {
      if (object.length !== -1 - count) return false;
      for (let index = 0; index < -1 - count; index++) if (object[index] !== listed[at++]) return false;
      continue;
    }
    const end = at + 2 * count;
    for (const key in object) {
      if (at === end || listed[at] !== key || object[key] !== listed[at + 1]) return false;
      at += 2;
    }
    if (at !== end) return false;
  }
  return true;
}

/** Whether a value and all in it are frozen. Bytes, getters, prototypes of their own and a `toJSON` could still change. */
function isFixed(value: unknown): boolean {
  if (!hasMembers(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && prototype !== Array.prototype) return false;
  if (!Object.isFrozen(value) || typeof value.toJSON === 'function') return false;
  return Object.values(Object.getOwnPropertyDescriptors(value)).every((property) => 'value' in property && isFixed(property.value));
}

// Every step visits the whole history, so the same loops list and compare.

type Members = Record<string, unknown>;
/** What LangChain's messages say of themselves. */
type Typed = { getType?(): unknown; _getType?(): unknown };

/** {@link visitMembers} for all that is in an object, which is plain or a LangChain message. */
function visitAll(object: object, values: unknown[], isNew: boolean) {
  let next = 0;
  if (!isPlain(Object.getPrototypeOf(object))) {
    const own = object as Typed;
    const type = own.getType?.() ?? own._getType?.();
    if (isNew && (type === undefined || READ.some((key) => key in object && !Object.hasOwn(object, key)))) return OTHER;
    next = visitLeaf(type, values, visitLeaf(Object.getPrototypeOf(object), values, next, isNew), isNew);
    if (next === OTHER) return OTHER;
  }
  return visitMembers(object as Members, values, next, isNew, ALL);
}

const isPlain = (prototype: unknown) => prototype === Object.prototype || prototype === null;

/**
 * Visits the members of an object and all that is in them: adds them to `values`, or compares them with those from `next` on.
 *
 * @param next how many values were visited before
 * @param isNew whether `values` is to be filled
 * @param level where the members stand
 * @returns how many were visited then, or {@link OTHER}
 */
function visitMembers(object: Members, values: unknown[], next: number, isNew: boolean, level: number): number {
  if (isNew && level === ALL && Object.getOwnPropertyNames(object).length !== Object.keys(object).length) return OTHER;
  for (const key in object) {
    const value = object[key];
    if (value === undefined || typeof value === 'function') continue;
    // Whether a member is ignored need not be known where it is listed: it is equal then, or another one than before.
    if (isNew || values[next] !== key) {
      if (level < WRITTEN && isIgnored(key, value, object, level)) continue;
      if (!isNew) return OTHER;
      values.push(key);
    }
    next++;
    // Texts, which are most values, take no call of their own.
    if (typeof value === 'string') {
      if (isNew) values.push(value);
      else if (values[next] !== value) return OTHER;
      next++;
      continue;
    }
    // A text with a breakpoint becomes a block.
    const within = inside(level, key, object);
    const lone = level < WRITTEN && key === 'content' ? loneText(value, within) : undefined;
    if (lone !== undefined) next = visitLeaf(lone, values, next, isNew);
    else next = visit(value, values, next, isNew, within);
    if (next === OTHER) return OTHER;
  }
  return next;
}

/** {@link visitMembers} for a value. */
function visit(value: unknown, values: unknown[], next: number, isNew: boolean, level: number): number {
  if (!hasMembers(value)) return visitLeaf(value, values, next, isNew);
  if (isNew && level === ALL && values.length > MAX_VALUES) return OTHER;
  if (Array.isArray(value) && typeof value.toJSON !== 'function') {
    if (isNew) values.push(ARRAY);
    else if (values[next] !== ARRAY) return OTHER;
    next++;
    for (let index = 0; index < value.length && next !== OTHER; index++) {
      if (level >= WRITTEN || !isCachePoint(value[index])) next = visit(value[index], values, next, isNew, level);
    }
    return visitLeaf(END, values, next, isNew);
  }
  const prototype = Object.getPrototypeOf(value);
  // Hardly any object is an instance of another class.
  if (prototype !== Object.prototype) {
    if (level === ALL && prototype !== null) return OTHER;
    const bytes = bytesOf(value);
    if (bytes !== undefined) return visitBytes(bytes, values, next, isNew);
  }
  if (typeof value.toJSON === 'function') return visitLeaf(JSON.stringify(value), values, next, isNew);
  if (isNew) values.push(OBJECT);
  else if (values[next] !== OBJECT) return OTHER;
  next = visitMembers(value, values, next + 1, isNew, level);
  return next === OTHER ? OTHER : visitLeaf(END, values, next, isNew);
}

/** The bytes of a view or a buffer; undefined for anything else. */
export function bytesOf(value: unknown) {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? Buffer.from(value) : undefined;
}

function visitBytes(bytes: Buffer, values: unknown[], next: number, isNew: boolean) {
  const before = values[next];
  if (isNew) values.push(Buffer.from(bytes));
  else if (!Buffer.isBuffer(before) || !bytes.equals(before)) return OTHER;
  return next + 1;
}

function visitLeaf(value: unknown, values: unknown[], next: number, isNew: boolean) {
  if (next === OTHER) return OTHER;
  if (isNew) values.push(value);
  else if (!Object.is(values[next], value)) return OTHER;
  return next + 1;
}
