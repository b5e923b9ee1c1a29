import type { Foreign } from '../types.js';

// Snapshots of messages, by which a message that was counted is known to be unchanged. Texts are compared as strings: those that are still
// the same string cost nothing, any other costs a comparison of its characters at most.

/** Maximum number of values in a snapshot; more than nearly all messages hold. */
const MAX_VALUES = 10_000;
/** Maximum nesting. */
const MAX_LEVELS = 64;
/** What stands in a snapshot at the start of an array and of a plain object, and at the end of an object. */
const [ARRAY, OBJECT, END] = [{}, {}, {}];

/** Members that a format reads of an instance of a class. A getter of its class may change its mind, so that they have to be its own. */
const READ = ['content', 'tool_calls', 'tool_call_id', 'additional_kwargs', 'name', 'role'];

/** Returns whether nothing is inherited but methods of `Object`. */
function isPlain(value: Foreign) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns the type of a LangChain message, whose class is no plain object; undefined for any other. */
function typeOf(message: Foreign) {
  if (typeof message.getType === 'function') return message.getType();
  return typeof message._getType === 'function' ? message._getType() : undefined;
}

/**
 * Lists all values in a message with their keys, in order.
 *
 * @returns `units`: the UTF-16 code units of its texts; undefined where a change could
 * go unseen (bytes, functions, instances of classes) or there are too many values
 */
export function snapshotOf(message: object): { values: unknown[]; units: number } | undefined {
  const snapshot = { values: [], units: 0 };
  try {
    return isWhole(snapshot, message) ? snapshot : undefined;
  } catch {
    // A getter threw; the reader of the format names its place.
    return undefined;
  }
}

function isWhole(snapshot: Foreign, message: Foreign) {
  if (isPlain(message)) {
    snapshot.values.push(OBJECT);
    return areListed(snapshot, message, MAX_LEVELS);
  }
  const type = typeOf(message);
  if (type === undefined || READ.some((key) => key in message && !Object.hasOwn(message, key))) return false;
  snapshot.values.push(Object.getPrototypeOf(message), type);
  return areListed(snapshot, message, MAX_LEVELS);
}

/** Lists the members of an object. Texts, which are most of them, take no call of their own. */
function areListed(snapshot: Foreign, object: Foreign, levels: number) {
  const { values } = snapshot;
  const keys = Object.getOwnPropertyNames(object);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    const value = object[key];
    values.push(key);
    if (typeof value === 'string') {
      values.push(value);
      snapshot.units += value.length;
    } else if (!isListed(snapshot, value, levels - 1)) return false;
    if (values.length > MAX_VALUES) return false;
  }
  values.push(END);
  return true;
}

function isListed(snapshot: Foreign, value: Foreign, levels: number) {
  const { values } = snapshot;
  if (values.length > MAX_VALUES) return false;
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'string') snapshot.units += value.length;
    else if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return false;
    values.push(value);
    return true;
  }
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    values.push(ARRAY, value.length);
    for (let index = 0; index < value.length; index++) if (!isListed(snapshot, value[index], levels - 1)) return false;
    return true;
  }
  if (!isPlain(value)) return false;
  values.push(OBJECT);
  return areListed(snapshot, value, levels);
}

/** Returns whether a message is what its snapshot lists. Ends with the snapshot, even for a message that has become circular. */
export function isUnchanged(values: readonly unknown[], message: object) {
  const listed = { values, next: 0 };
  try {
    if (isPlain(message)) return take(listed) === OBJECT && areNext(listed, message);
    const isOfClass = take(listed) === Object.getPrototypeOf(message) && take(listed) === typeOf(message);
    return isOfClass && areNext(listed, message);
  } catch {
    // A getter threw, as above.
    return false;
  }
}

const take = (listed: Foreign) => listed.values[listed.next++];

function isNext(listed: Foreign, value: Foreign) {
  const expected = take(listed);
  if (value === null || typeof value !== 'object') return value === expected;
  if (Array.isArray(value)) {
    if (expected !== ARRAY || take(listed) !== value.length) return false;
    for (let index = 0; index < value.length; index++) if (!isNext(listed, value[index])) return false;
    return true;
  }
  return expected === OBJECT && isPlain(value) && areNext(listed, value);
}

function areNext(listed: Foreign, object: Foreign) {
  const { values } = listed;
  const keys = Object.getOwnPropertyNames(object);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (values[listed.next++] !== key) return false;
    const value = object[key];
    // Texts, which are most of them, take no call of their own.
    if (typeof value === 'string' ? values[listed.next++] !== value : !isNext(listed, value)) return false;
  }
  return values[listed.next++] === END;
}
