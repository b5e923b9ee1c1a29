// Recognises arguments in the wrong place, and says what to pass instead. Runs only after an error was found.

import { describe, isObject } from './checks.js';

/** What is looked at in an argument. */
type Given = Record<PropertyKey, unknown>;
export type Known = { is: (value: Given) => boolean; what: string; instead: string };
export type Argument = keyof typeof LISTS;

const isThenable = (value: Given) => typeof value.then === 'function';
const hasAll = (value: Given, ...names: string[]) => names.every((name) => isObject(value[name]) || Array.isArray(value[name]));
const isMessage = (value: Given) =>
  typeof value.role === 'string' ||
  typeof value.getType === 'function' ||
  typeof value._getType === 'function' ||
  Array.isArray(value.parts);
const isIterable = (value: Given) =>
  typeof value === 'object' && typeof value[Symbol.iterator] === 'function' && !ArrayBuffer.isView(value);
const isOriginals = (value: Given) => isObject(value) && some(value, (entry) => 'round' in entry && 'step' in entry);
const isListOfOthers = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((one: unknown) => isObject(one) && !isMessage(one));
const isVerbatim = (value: Given) => isObject(value) && some(value, (entry) => 'id' in entry && !('round' in entry));

/** Whether an object has members, and its first one is an object like this. */
function some(value: Given, isLike: (entry: Given) => boolean) {
  for (const key in value) {
    const entry = value[key];
    return Object.hasOwn(value, key) && isObject(entry) && isLike(entry);
  }
  return false;
}

const COMPRESSED = { is: (value: Given) => hasAll(value, 'messages', 'compression', 'verbatim'), what: 'a result of compress' };
/** Results with originals. */
const TAKEN = [
  { is: (value: Given) => hasAll(value, 'messages', 'originals', 'tokens'), what: 'a result of fit' },
  { is: (value: Given) => hasAll(value, 'messages', 'originals'), what: 'a result of prune' },
];
/** Results of the package's functions. */
const RESULTS = [
  COMPRESSED,
  ...TAKEN,
  { is: (value: Given) => hasAll(value, 'messages', 'report', 'tokens'), what: 'a step of a session' },
  { is: (value: Given) => hasAll(value, 'messages', 'missing'), what: 'a result of restore' },
  { is: (value: Given) => hasAll(value, 'messages', 'missing_ids'), what: 'a result of uncompress' },
];

const PROMISE: Known = { is: isThenable, what: 'promise', instead: 'await it' };
const STRING = {
  is: (value: unknown) => typeof value === 'string' && /^\s*[[{]/.test(value),
  what: 'string',
  instead: 'parse it with JSON.parse',
};

const FOR_MESSAGES: Known[] = [
  PROMISE,
  STRING,
  ...RESULTS.map((known) => ({ ...known, instead: 'pass its messages' })),
  ...['messages', 'input', 'contents'].map((name) => ({
    is: (value: Given) => Array.isArray(value[name]),
    what: 'a request',
    instead: `pass its ${name}, or call fitRequest`,
  })),
  { is: (value) => Array.isArray(value.choices), what: 'an answer', instead: 'append its message to the array' },
  { is: isMessage, what: 'a message', instead: 'put it into an array' },
  { is: isOriginals, what: 'originals', instead: 'pass the messages, too' },
  { is: isVerbatim, what: 'a verbatim', instead: 'pass the messages, too' },
  { is: isIterable, what: 'an iterable', instead: 'spread it into an array' },
];

const FOR_MESSAGE: Known[] = [
  PROMISE,
  STRING,
  { is: Array.isArray, what: 'array', instead: 'give all messages in one flat array' },
  ...RESULTS.map((known) => ({ ...known, instead: 'pass its messages, not it' })),
];

const FOR_ORIGINALS: Known[] = [
  PROMISE,
  STRING,
  { ...COMPRESSED, instead: 'pass its verbatim' },
  ...TAKEN.map((known) => ({ ...known, instead: 'pass its originals' })),
  { is: isVerbatim, what: 'the verbatim of messages with ids', instead: 'call uncompress' },
  { is: isListOfOthers, what: 'array', instead: 'spread it in mergeOriginals(...list)' },
  { is: (value) => typeof value.entries === 'function' && !Array.isArray(value), what: 'a Map', instead: 'pass an object' },
];

/** What may stand in the place of each argument. */
const LISTS = {
  messages: FOR_MESSAGES,
  message: FOR_MESSAGE,
  originals: FOR_ORIGINALS,
  store: [PROMISE, ...FOR_ORIGINALS.filter(({ instead }) => instead.startsWith('pass its'))],
};

/**
 * Describes a wrong argument: with advice if it is recognised (`promise: await it`), otherwise by its kind.
 *
 * @param argument what was expected
 */
export function whatIs(value: unknown, argument: Argument): string {
  const known = knownAs(value, argument);
  return known === undefined ? describe(value) : `${known.what}: ${known.instead}`;
}

/** A second line for errors whose first line is part of the drop-in's interface; empty if nothing is known about the value. */
export const note = (value: unknown, argument: Argument) =>
  knownAs(value, argument) === undefined ? '' : `\nGot ${whatIs(value, argument)}.`;

function knownAs(value: unknown, argument: Argument): Known | undefined {
  if (value === null || value === undefined) return undefined;
  try {
    return LISTS[argument].find(({ is }) => is(value as Given));
  } catch {
    // A getter or a Proxy of the caller.
    return undefined;
  }
}

/**
 * Checks a list of messages.
 *
 * @param at the function and the name of the argument, for the error
 */
export function checkMessages(at: string, value: unknown): asserts value is readonly object[] {
  if (!Array.isArray(value)) throw new TypeError(`${at} must be an array of messages, got ${whatIs(value, 'messages')}`);
}
