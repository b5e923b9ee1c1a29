// The state of a session that rests: what can't be had again from its messages, in few bytes.

import { isExactly, isUntouched, snapshotOf } from '../equality/snapshot.js';
import { apart, joined, messagePrints } from '../equality/fingerprint.js';
import { pace } from '../steps.js';
import { entryOf } from './counter.js';
import { editsIn, editsOf, marksIn, numbersOf } from './edits.js';
import { notingResults } from './faults.js';
import { History, shortened } from './history.js';
import { Layered } from './layered.js';
import { RequestLog } from './log.js';
import { pack, unpack } from './packed.js';
import { itemOf, Sent } from './sent.js';
import { START } from './state.js';
import type { Steps } from '../steps.js';
import type { Counter } from './counter.js';
import type { Asked } from './faults.js';
import type { Marks } from './edits.js';
import type { Entry } from './history.js';
import type { Item, KeptEdit } from './sent.js';
import type { Ready, State } from './state.js';

/** What is left of the messages of a state, beside the caller's own. */
export interface Folded {
  /** the messages of the latest history */
  given: readonly object[];
  /** what is sent for a message, by its place, and for an item, by its number, where it would be written in another way */
  messages: ReadonlyMap<number, object>;
  copies: ReadonlyMap<number, object>;
  /** what the results in a message answer, by its place, where they would be read in another way */
  results: ReadonlyMap<number, Asked[] | undefined>;
  /** the messages of the last request, where they are not the first ones of those that are sent */
  last: readonly object[] | undefined;
  /** {@link Rest} as JSON in UTF-8 */
  rest: Uint8Array;
}

type Rest = ReturnType<typeof restOf>;

/** Number of messages whose prints are computed in one step. */
const PER_STEP = 16;

const ROLES: Entry['role'][] = ['system', 'user', 'assistant', 'tool'];

/** The properties of an entry that are bits, and their values. Below them is its role, from 1; a message without content has none. */
const BITS = { isGuessed: 8, isSigned: 16, isWhole: 32, isStale: 64 } as const;
const NAMES = Object.keys(BITS) as (keyof typeof BITS)[];

const flagsOf = (entry: Entry) => NAMES.reduce((sum, name) => (entry[name] ? sum + BITS[name] : sum), ROLES.indexOf(entry.role) + 1);

/** An item as it is kept: its messages, tokens, flags and breakpoints; a number stands for so many messages in a row that are sent as they are. */
type KeptItem = number | [first: number, last: number, tokens: number, flags: number, markers: string];
const [COPY, STRIPPED, MARK] = [1, 2, 4];

function itemsKept({ items }: Sent, entries: readonly Entry[]) {
  const kept: KeptItem[] = [];
  let next = 0;
  for (const { first, last, message, tokens, isStripped, markers, isMark } of items) {
    const isPlain = first === next && last === first && message === undefined && tokens === entries[first].tokens && !isStripped;
    const before = kept.at(-1);
    if (!isPlain || markers !== '')
      kept.push([first, last, tokens, (message ? COPY : 0) + (isStripped ? STRIPPED : 0) + (isMark ? MARK : 0), markers]);
    else if (typeof before === 'number') kept[kept.length - 1] = before + 1;
    else kept.push(1);
    next = last + 1;
  }
  return kept;
}

/** @param copyOf returns the copy that stands for the messages from `first` on, with its number among the items */
function itemsOf(kept: readonly KeptItem[], entries: readonly Entry[], copyOf: (first: number, number: number) => object | undefined) {
  const items: Item[] = [];
  let next = 0;
  for (const one of kept) {
    if (typeof one === 'number') {
      for (const end = next + one; next < end; next++) items.push(itemOf(next, entries[next].tokens));
      continue;
    }
    const [first, last, tokens, flags, markers] = one;
    const message = flags & COPY ? copyOf(first, items.length) : undefined;
    if (flags & COPY && message === undefined) throw new Error(`the copy of message ${first} is gone`);
    items.push({ first, last, message, tokens, isStripped: (flags & STRIPPED) > 0, markers, ...(flags & MARK ? { isMark: true } : {}) });
    next = last + 1;
  }
  return items;
}

/** What of a state follows neither from its messages nor from what stays. */
function restOf({ history, sent, log, seen, results, last }: Ready) {
  const { entries } = history;
  const marks: Marks = new Map();
  const edits = pack(numbersOf(sent.edits, marks));
  const { format, covered, epoch, saved } = log.current ?? {};
  const known = lastResultsIn(entries);
  return {
    prints: joined(history.prints()),
    tokens: entries.map(({ tokens }) => tokens),
    flags: entries.map(flagsOf),
    unknown: entries.flatMap(({ unknown }, index) => (unknown.length > 0 ? [{ index, unknown }] : [])),
    shorter: entries.flatMap(({ shorten, less, saved: kinds }, index) => (shorten === undefined ? [] : [{ index, less, saved: kinds }])),
    // It is known by the object that nothing was cut.
    isStart: sent === START.sent,
    covered: sent.covered,
    epoch: sent.epoch,
    edits,
    marks: marksIn(marks),
    items: itemsKept(sent, entries),
    last: last.messages.length,
    seen: joined(seen.keys()),
    results: [...new Set([...results.keys(), ...known.keys()])]
      .filter((key) => results.get(key) !== known.get(key))
      .map((key) => ({ key, place: results.get(key) })),
    log: log.length === 0 ? undefined : { current: { format, covered, epoch, saved }, ...log.toJSON(history, (mark) => mark) },
  };
}

/** The message with the last result of each key, of those that entries have. */
function lastResultsIn(entries: readonly Entry[]) {
  const places = new Map<string, number>();
  entries.forEach(({ results = [] }, place) => {
    for (const { key } of results) places.set(key, place);
  });
  return places;
}

/**
 * Returns a state without what can be had again from its messages, in steps: all that would be written in another way than it was stays.
 *
 * @returns undefined where a message was changed in place since it was read
 */
export function* folding(state: Ready): Steps<State | undefined> {
  const { history, sent, counter, last, log } = state;
  const { entries } = history;
  for (const [index, { given, givenSnapshot, message, snapshot }] of entries.entries()) {
    if (pace.isDue) yield;
    if (!isUntouched(givenSnapshot, given) || !isUntouched(snapshot, message)) return undefined;
    if ((index + 1) % PER_STEP === 0) history.prints(index + 1 - PER_STEP, index + 1);
  }
  const rest = restOf(state);
  const given = entries.map((entry) => entry.given);
  const again = yield* entriesAgain(given, rest, counter, new Map());
  const messages = new Map<number, object>();
  for (const [index, { message }] of entries.entries()) {
    if (pace.isDue) yield;
    if (!isExactly(again[index].message, message)) messages.set(index, message);
  }
  const copies = new Map<number, object>();
  const written = yield* Sent.copying(history, sent.covered, sent.edits, counter.format);
  for (const [number, { first, message }] of sent.items.entries()) {
    if (pace.isDue) yield;
    if (message !== undefined && !isExactly(written.get(first), message)) copies.set(number, message);
  }
  const read = entries.map((): Pick<Entry, 'results'> => ({ results: undefined }));
  yield* notingResults(read, yield* counter.format.reading(history.messages()));
  const results = new Map<number, Asked[] | undefined>();
  for (const [index, entry] of entries.entries()) if (!areSame(read[index].results, entry.results)) results.set(index, entry.results);
  const list = sent.messages(history);
  const isSent = last.messages.every((message, index) => message === list[index]);
  const folded = {
    ...{ given, messages, copies, results, last: isSent ? undefined : last.messages },
    rest: Buffer.from(JSON.stringify(rest)),
  };
  const { history: none, sent: nothing, seen, results: noResults, log: noLog } = START;
  return log.current?.edits === sent.edits
    ? { ...state, history: none, sent: nothing, seen, results: noResults, log: noLog, last: { ...last, messages: [] }, folded }
    : undefined;
}

const areSame = (some: readonly Asked[] = [], others: readonly Asked[] = []) =>
  some.length === others.length && some.every(({ key, text }, index) => key === others[index].key && text === others[index].text);

/** Entries of messages that were read before, in steps; `kept`: what is sent for some of them. */
function* entriesAgain(
  given: readonly object[],
  { tokens, flags, unknown, shorter }: Rest,
  counter: Counter,
  kept: ReadonlyMap<number, object>,
): Steps<Entry[]> {
  const { format } = counter;
  const entries: Entry[] = [];
  for (let index = 0; index < given.length; index++) {
    if (pace.isDue) yield;
    const entry = entryOf(given[index], tokens[index], false, format.to);
    entry.role = ROLES[(flags[index] % 8) - 1];
    for (const name of NAMES) entry[name] = (flags[index] & BITS[name]) > 0;
    entries.push(entry);
  }
  for (const { index, unknown: kinds } of unknown) entries[index].unknown = kinds;
  if (shorter.length > 0) {
    const places = new Set(shorter.map(({ index }) => index));
    const parts = yield* format.reading(given);
    const again = yield* counter.shortening(given, parts, [], (index) => !places.has(index), true);
    for (const { index, less, saved } of shorter) {
      if (pace.isDue) yield;
      const own = again.shorter.get(index);
      if (own === undefined) throw new Error(`message ${index} is no more written shorter`);
      shortened(Object.assign(entries[index], { less, saved }), own.shorten);
    }
  }
  for (const [index, message] of kept) Object.assign(entries[index], { message, snapshot: snapshotOf(message) });
  return entries;
}

/** Stands in the snapshot of a message that was changed in place while the session rested: no message equals it. */
const LOST = [{}];

/**
 * Returns the state that {@link folding} was given, in steps. Where a message was changed since so that it can't be read, nothing is known of any.
 */
export function* unfolding(state: State, folded: Folded): Steps<State> {
  try {
    return yield* unfolded(state as Ready, folded);
  } catch {
    return { ...state, folded: undefined, cutOff: 0 };
  }
}

function* unfolded(state: Ready, folded: Folded): Steps<State> {
  const { counter } = state;
  const { given } = folded;
  const rest: Rest = JSON.parse(Buffer.from(folded.rest).toString());
  const prints = apart(rest.prints);
  const lost: number[] = [];
  for (let start = 0; start < given.length; start += PER_STEP) {
    if (pace.isDue) yield;
    const now = printsOf(given.slice(start, start + PER_STEP));
    now.forEach((print, index) => print !== prints[start + index] && lost.push(start + index));
  }
  // An object that the caller changed since says no more what was sent; what is written shorter is none of the caller's.
  const own = new Set(rest.shorter.map(({ index }) => index));
  const kept = [...folded.messages].filter(([index, message]) => own.has(index) || printsOf([message])[0] === prints[index]);
  const entries = yield* entriesAgain(given, rest, counter, new Map(kept));
  entries.forEach((entry, index) => (entry.print = prints[index]));
  for (const index of lost) {
    const entry = entries[index];
    entry.givenSnapshot = { of: entry.given, isFinal: false, values: LOST, members: null };
    if (entry.message === entry.given) entry.snapshot = entry.givenSnapshot;
  }
  const history = new History().with([], 0, entries, counter.format.name);
  yield* notingResults(entries, yield* counter.format.reading(history.messages()));
  for (const [index, results] of folded.results) entries[index].results = results;
  const edits = editsOf(Infinity, editsIn(unpack(rest.edits) as number[], rest.marks) ?? []);
  const written = yield* Sent.copying(history, rest.covered, edits, counter.format);
  const items = itemsOf(rest.items, entries, (first, number) => folded.copies.get(number) ?? written.get(first));
  const sent = rest.isStart ? START.sent : new Sent(rest.covered, items, edits, rest.epoch);
  const results = new Map(lastResultsIn(entries));
  for (const { key, place } of rest.results) {
    if (place === undefined) results.delete(key);
    else results.set(key, place);
  }
  return {
    ...state,
    history,
    sent,
    last: { ...state.last, messages: folded.last?.slice() ?? sent.messages(history).slice(0, rest.last) },
    seen: new Layered(new Map(apart(rest.seen).map((print) => [print, true]))),
    log: logIn(rest, sent.edits),
    results: new Layered(results),
    folded: undefined,
  };
}

function logIn({ log }: Rest, edits: readonly KeptEdit[]) {
  if (log === undefined) return new RequestLog();
  const { current, ...json } = log;
  return RequestLog.from(json, { ...current, edits } as Parameters<typeof RequestLog.from>[1]) as RequestLog;
}

/** The prints of messages; none of one that is circular. */
function printsOf(messages: readonly object[]): (string | undefined)[] {
  try {
    return messagePrints(messages);
  } catch {
    return messages.length === 1 ? [undefined] : messages.flatMap((message) => printsOf([message]));
  }
}
