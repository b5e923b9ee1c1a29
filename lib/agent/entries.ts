import { hasMembers, isIndex, isObject } from '../checks.js';
import { whatIs } from '../given.js';
import { checkNested } from '../providers/shared/json.js';
import { MAX_LEVELS } from '../providers/shared/nest.js';
import { memorise, recall } from '../equality/memory.js';
import { isBreakpoint } from '../equality/ignored.js';
import { HASH } from '../equality/fingerprint.js';
import type { Memory } from '../equality/memory.js';
import type { Path } from '../types.js';

/** Maximum nesting of an entry: a description of a message has three levels for each of the message's, and a few around it. */
const MAX_ENTRY_LEVELS = 3 * MAX_LEVELS + 10;

/** Levels up to which the nodes of an entry are checked in one pass, and the number of values up to which they are. */
const [SOUND_LEVELS, SOUND_VALUES] = [24, 50_000];

/** Whether a value is what it should be. */
type Check = (value: unknown) => boolean;
/** The number of values that may still be looked at. */
type Room = { values: number };

const isString = (value: unknown) => typeof value === 'string';
const isListOf = (isItem: Check) => (value: unknown) => {
  if (!Array.isArray(value)) return false;
  // `every` doesn't see holes.
  for (let index = 0; index < value.length; index++) if (!isItem(value[index])) return false;
  return true;
};
const isOptional = (isValue: Check) => (value: unknown) => value === undefined || isValue(value);
const isPrintOrNull = (value: unknown) => value === null || isString(value);

/** A node of structure.ts. */
function isNode(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return true;
  if (!isObject(node)) return false;
  if (node.ref !== undefined) return isPath(node.ref);
  if (node.array !== undefined) return isListOf(isNode)(node.array);
  if (node.object === undefined) return true;
  const isMember = (member: unknown) => Array.isArray(member) && isString(member[0]) && isNode(member[1]);
  return isListOf(isMember)(node.object) && isOptional(isPath)(node.like);
}

const isPath: Check = isListOf((step) => isString(step) || isIndex(step));

/** An item of a surface (breakpoints.ts): a content, or a breakpoint and its value. No other member of a message may change. */
function isSurfaceItem(item: unknown) {
  if (!Array.isArray(item) || !isPath(item[0])) return false;
  const name = (item[0] as Path).at(-1);
  return item.length === 1 ? name === 'content' : isBreakpoint(String(name), item[1]);
}

/** What the members of an entry are. */
const isHash = (hash: unknown) => hash === HASH;
const CUT = Object.entries({
  round: isString,
  step: isIndex,
  order: isOptional(isIndex),
  length: isIndex,
  hash: isHash,
  at: isIndex,
  before: isPrintOrNull,
  after: isPrintOrNull,
  now: isListOf(isString),
  // Of messages, which are objects.
  was: isListOf((node: unknown) => isObject(node) && isNode(node)),
  of: isString,
  prints: isOptional(isString),
  stale: isOptional(isListOf(isIndex)),
  surface: isOptional(isListOf(isSurfaceItem)),
});
/** Those of a cut whose `was` is known to be sound. */
const FLAT = CUT.filter(([field]) => field !== 'was');
const STUB = Object.entries({
  hash: isHash,
  of: isString,
  left: isString,
  surface: isOptional(isListOf(isSurfaceItem)),
  places: isListOf(isObject),
});
const PLACE = Object.entries({
  up: isIndex,
  written: isString,
  in: isString,
});

/**
 * @param originals looked at field by field
 * @param messagesName what errors call it
 * @returns what is known of the messages, where something is
 * @throws {TypeError} `messages` is no array of objects, or `originals` no object of entries that originals.ts makes
 */
export function checkRestorable(messages: unknown, originals: unknown, messagesName: string, originalsName: string): Map<object, Memory> {
  if (!Array.isArray(messages)) throw new TypeError(`${messagesName} must be an array, got ${whatIs(messages, 'messages')}`);
  const known = new Map<object, Memory>();
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index];
    const at = () => `${messagesName}[${index}]`;
    if (!isObject(message)) throw new TypeError(`${at()} must be an object, got ${whatIs(message, 'message')}`);
    let memory = recall(message);
    if (memory === undefined) {
      // A message that is remembered was checked before.
      checkNested(message, at);
      // Its fingerprint and its marks will be asked for, and again with the next request.
      memory = memorise(message);
    }
    if (memory !== undefined) known.set(message, memory);
  }
  checkOriginals(originals, originalsName);
  return known;
}

/**
 * @param originals looked at field by field
 * @param name what errors call it
 * @throws {TypeError} `originals` is no object of entries that originals.ts makes
 */
export function checkOriginals(originals: unknown, name: string) {
  const given = whatIs(originals, 'originals');
  if (given !== 'object') throw new TypeError(`${name} must be an object, got ${given}`);
  const entries = originals as Record<string, unknown>;
  for (const key of Object.keys(entries)) checkEntry(entries[key], () => `${name}[${JSON.stringify(key)}]`);
}

function checkEntry(entry: unknown, place: () => string) {
  if (!isObject(entry) || (entry.places === undefined && entry.was === undefined)) throw new TypeError(`${place()} is no original`);
  const isCut = entry.places === undefined;
  const isSound = isCut && isSoundCut(entry);
  if (!isSound) checkNested(entry, place, MAX_ENTRY_LEVELS);
  checkFields(entry, isSound ? FLAT : isCut ? CUT : STUB, place);
  if (isCut) return;
  (entry.places as Record<string, unknown>[]).forEach((one, index) => {
    checkFields(one, PLACE, () => `${place()}.places[${index}]`);
    if (!isNode(one.value)) throw spoilt(`${place()}.places[${index}].value`);
  });
}

/**
 * Returns whether an entry of a cut is neither circular nor nested too deeply, and `was` is what originals.ts makes, as nearly all are: one pass
 * tells. False says nothing.
 */
function isSoundCut(entry: Record<string, unknown>) {
  const room = { values: SOUND_VALUES };
  let isRead = false;
  try {
    for (const key in entry) {
      if (key === 'was') isRead = true;
      if (!(key === 'was' ? areSound(entry.was, isSoundMessage, SOUND_LEVELS, room) : isFlat(entry[key]))) return false;
    }
  } catch {
    return false;
  }
  return isRead;
}

const isScalar = (value: unknown) => !hasMembers(value);

const isFlat = (value: unknown) => isScalar(value) || (Array.isArray(value) && value.every(isScalar));

function areSound(list: unknown, isSound: (item: unknown, levels: number, room: Room) => boolean, levels: number, room: Room): boolean {
  if (!Array.isArray(list)) return false;
  room.values -= list.length;
  if (room.values < 0) return false;
  // `every` doesn't see holes.
  for (let index = 0; index < list.length; index++) if (!isSound(list[index], levels, room)) return false;
  return true;
}

function isSoundNode(node: unknown, levels: number, room: Room): boolean {
  if (!hasMembers(node)) return true;
  let kind: string | undefined;
  for (const key in node) {
    if (kind !== undefined) return false;
    kind = key;
  }
  if (levels === 0) return false;
  if (kind === 'object') return areSound(node.object, isSoundMember, levels - 1, room);
  if (kind === 'array') return areSound(node.array, isSoundNode, levels - 1, room);
  return kind === 'ref' && isPath(node.ref);
}

const isSoundMessage = (node: unknown, levels: number, room: Room) => isObject(node) && isSoundNode(node, levels, room);

const isSoundMember = (member: unknown, levels: number, room: Room) =>
  Array.isArray(member) && member.length === 2 && isString(member[0]) && isSoundNode(member[1], levels, room);

function checkFields(object: Record<string, unknown>, fields: readonly [string, Check][], place: () => string) {
  for (let index = 0; index < fields.length; index++) {
    const [field, isValue] = fields[index];
    if (!isValue(object[field])) throw spoilt(`${place()}.${field}`);
  }
}

const spoilt = (name: string) => new TypeError(`${name} is not what was stored, or was stored by a newer version`);
