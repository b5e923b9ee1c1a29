import { inOneGo } from '../steps.js';
import { isObject } from '../checks.js';
import { checkRestorable } from './entries.js';
import { Fingerprints, joined, memoryOf } from '../equality/fingerprint.js';
import { lostIn, namesOf } from './missing.js';
import { isSameSurface, isShifted, relaid } from './relaid.js';
import { nativeRounds, roundsOf } from './rounds.js';
import { rebuild } from './structure.js';
import { marksIn } from './stubs.js';
import { surfaceOf } from '../equality/breakpoints.js';
import { restoreStubs } from './unstub.js';

import type { Cut, Round, Stub } from './rounds.js';
import type { Originals, RestoreResult } from '../../index.js';

/** Maximum number of rounds that are considered as the last one. In an unedited history the first candidate is it. */
const MAX_TRIES = 32;
/** Maximum number of times that a message got stubs, as far as it is followed. */
const MAX_STUBS = 100;
/** The engine's place of a cut whose messages are in the history again. */
const UNDONE = -2;

/** What is known while rounds are undone, one after the other. */
interface State {
  /** the keys of what was put back, and of what could not be */
  found: Set<string>;
  missing: Set<string>;
  stale: Set<object>;
  fingerprints: Fingerprints;
  marksOf(message: object): ReturnType<typeof marksIn>;
  stubs: ReadonlyMap<string, Stub>;
  seen: object[];
  brought: Set<object>;
  native: ReturnType<typeof nativeRounds> | undefined;
}

/** Where the message stands that a cut left, or before which it left none; -1 if that is not certain, or if it `isUndone`. */
interface Spot {
  key: string;
  entry: Cut;
  at: number;
  isUndone?: boolean;
}

/** The rounds in the engine, which has them where their fingerprints are known or their order is not. */
const nativeOf = ({ native }: State) => native as NonNullable<State['native']>;

/** See `index.d.ts`. */
export function restore(messages: object[], originals: Originals): RestoreResult<object> {
  const known = checkRestorable(messages, originals, 'restore(): messages', 'restore(): originals');
  const back = putBack(messages, originals, known);
  const redacted = redactedIn(originals, back.found);
  return { messages: back.messages, missing: namesOf(back), restored: back.found.size, ...(redacted.length > 0 && { redacted }) };
}

/** Returns the keys of originals that are not what stood there, because secrets were taken out. */
export const redactedIn = (originals: Originals, keys: Iterable<string>) =>
  [...keys].filter((key) => Object.hasOwn(originals, key) && originals[key].redacted === true);

/**
 * {@link restore} for checked arguments, of whose messages `known` holds what is remembered. `stale` are the restored messages whose signed
 * thinking was made after other messages than those before them now.
 *
 * @returns `marked`: the indices of restored messages that hold marks, none of which has a key; `isMarked`: one of these is none that others write
 * too; `found`: the keys of what was put back
 */
export function putBack(
  messages: readonly object[],
  originals: Originals,
  known: ReturnType<typeof checkRestorable>,
): { messages: object[]; missing: string[]; marked: number[]; isMarked: boolean; found: Set<string>; stale: Set<object> } {
  const { rounds, stubs, inOrder } = roundsOf(originals);
  const marks = new Marks(known);
  const memoryIn = (message: { toJSON?: unknown }) =>
    typeof message.toJSON === 'function' ? undefined : (known.get(message) ?? memoryOf(message));
  const state: State = {
    found: new Set<string>(),
    missing: new Set<string>(),
    stale: new Set<object>(),
    fingerprints: new Fingerprints(memoryIn),
    marksOf: (message) => marks.of(message),
    stubs,
    // What stubs are looked for in: all messages that any round left or was given, and of these the ones that were taken out.
    seen: messages.slice(),
    brought: new Set<object>(),
    native: rounds.some(({ prints }) => prints !== undefined) || !inOrder ? nativeRounds(rounds, stubs) : undefined,
  };
  let current = messages.slice();
  while (rounds.length > 0) {
    const [round] = rounds.splice((inOrder ? lastOf : latest)(rounds, current, state), 1);
    current = undoCuts(round, current, state);
  }
  current = undoStubs(current, state);
  const left = inOneGo(lostIn(current, { ...state, marksOf: (message) => marks.lastOf(message) }));
  return { messages: current, ...left, found: state.found, stale: state.stale };
}

/** The marks of messages: most messages stay the same from round to round. */
class Marks {
  #memories;
  #found = new Map<object, ReturnType<typeof marksIn>>();

  constructor(memories: ReturnType<typeof checkRestorable>) {
    this.#memories = memories;
  }

  of(message: object) {
    let found = this.#found.get(message);
    if (found === undefined) {
      found = marksIn(message, this.#memories.get(message));
      this.#found.set(message, found);
    }
    return found;
  }

  /** The same for a message that is not asked about again: remembering its marks takes as long as finding them. */
  lastOf(message: object) {
    return this.#found.get(message) ?? marksIn(message, this.#memories.get(message));
  }
}

/** The fingerprints of messages as the engine reads them. */
const printsOf = (messages: readonly object[], { fingerprints }: State) => joined(fingerprints.of(messages));

const numbersOf = (rounds: readonly Round[]) => Uint32Array.from(rounds, ({ number }) => number);

/**
 * Returns the index of the last round, of rounds in order. A round whose result begins the history precedes those of another branch.
 */
function lastOf(rounds: readonly Round[], messages: readonly object[], state: State) {
  const last = rounds.length - 1;
  // Fingerprints take time.
  if (last === 0 || rounds[last].prints === undefined) return last;
  const tried = rounds.slice(-1 - MAX_TRIES);
  return rounds.length - tried.length + nativeOf(state).lastInOrder(numbersOf(tried), printsOf(messages, state));
}

/**
 * Returns the index of the last round, of rounds whose order the keys don't show. That is, in this order: a round that is undone
 * already, which can't be seen any more once an earlier one is undone too; the longest round whose result begins the history; the
 * longest of which all cuts are found, or the one of which most are.
 */
function latest(rounds: readonly Round[], messages: readonly object[], state: State) {
  const longest = [...rounds.keys()].sort((a, b) => rounds[b].length - rounds[a].length || b - a).slice(0, MAX_TRIES);
  const certain = nativeOf(state).lastOutOfOrder(numbersOf(longest.map((index) => rounds[index])), printsOf(messages, state));
  if (certain >= 0) return longest[certain];
  const share = (round: Round) => placesOf(round, messages, state).places.filter(({ at }) => at >= 0).length / round.cuts.length;
  let [best, most] = [longest[0], -1];
  for (const index of longest) {
    const found = share(rounds[index]);
    if (found > most) [best, most] = [index, found];
    if (found === 1) break;
  }
  return best;
}

/** Undoes the cuts of a round. */
function undoCuts(round: Round, messages: readonly object[], state: State) {
  const replaced = new Map<number, Spot>(); // place → the cut whose message stands there
  const inserted = new Map<number, Spot[]>(); // place → the cuts of which nothing stands in front of it
  const { places, unchanged } = placesOf(round, messages, state);
  for (const place of places) {
    const { key, entry, at } = place;
    if (at < 0) {
      if (!place.isUndone) state.missing.add(key);
    } else if (entry.now.length > 0) replaced.set(at, place);
    else if (inserted.has(at)) inserted.get(at)?.push(place);
    else inserted.set(at, [place]);
  }
  const result: object[] = [];
  const bring = ({ key, entry }: Spot, present: readonly object[]) => {
    const originals = originalsIn(entry, present);
    if (!originals.every(isObject)) {
      // A reference leads nowhere.
      state.missing.add(key);
      result.push(...present);
      return;
    }
    // Thinking was made after all messages that stood before it.
    const stale: Iterable<number> = entry.at > unchanged ? originals.keys() : (entry.stale ?? []);
    for (const index of stale) state.stale.add(originals[index]);
    result.push(...originals);
    if (state.stubs.size > 0) {
      state.seen.push(...present, ...originals);
      for (const original of originals) state.brought.add(original);
    }
    state.found.add(key);
  };
  for (let index = 0; index <= messages.length; index++) {
    for (const place of inserted.get(index) ?? []) bring(place, []);
    const place = replaced.get(index);
    if (place !== undefined) bring(place, [asLeft(messages[index], place.entry, state)]);
    else if (index < messages.length) result.push(messages[index]);
  }
  return result;
}

/** Returns a message as a round left it: later rounds may have written stubs into it. */
function asLeft(message: object, { now }: Cut, state: State) {
  const { stubs, fingerprints, found, marksOf } = state;
  if (stubs.size === 0) return message;
  const undone = new Set<string>();
  for (let left = message; ; ) {
    const [print] = fingerprints.of([left]);
    if (print === now[0]) {
      for (const key of undone) found.add(key);
      return left;
    }
    // Stubs that were stored may lead in a circle.
    const later = marksOf(left).keys.filter((key) => stubs.get(key)?.left === print && !undone.has(key));
    if (later.length === 0) return message;
    for (const key of later) undone.add(key);
    left = withoutStubs(left, later, new Set(), state);
  }
}

/**
 * Returns the originals of an entry; `present` holds the message that stands for them. The breakpoints that were set or moved in it
 * since are set in the originals too.
 */
function originalsIn({ was, surface = [] }: Cut, present: readonly object[]) {
  const now = present.length > 0 ? surfaceOf(present[0]) : surface;
  if (isSameSurface(surface, now)) return rebuild(was, present);
  if (isShifted(present[0], now, surface)) return [undefined];
  const left = relaid(present, present[0], now, surface);
  const originals = rebuild(was, left);
  return originals.every(isObject) ? relaid(originals, left[0], surface, now) : originals;
}

/**
 * Returns a message with what the stubs of some keys stand for; `own` gets the keys of those that stand there. Breakpoints that were set or
 * moved in it since stay.
 */
function withoutStubs(message: object, keys: readonly string[], own: Set<string>, { stubs, fingerprints }: State) {
  const entries = new Map(keys.map((key) => [key, stubs.get(key) as Stub]));
  const now = surfaceOf(message);
  const moved = [...entries.values()].filter(({ surface = [] }) => !isSameSurface(surface, now));
  const entry = moved.length > 0 && moved.find(({ left }) => left === fingerprints.of([message])[0]);
  if (!entry) return restoreStubs(message, entries, own);
  const { surface = [] } = entry;
  if (isShifted(message, now, surface)) return restoreStubs(message, entries, own);
  const [left] = relaid([message], message, now, surface);
  return relaid([restoreStubs(left, entries, own)], left, surface, now)[0];
}

/**
 * Finds the places of a round's cuts.
 *
 * @returns `unchanged`: how many messages from the start are as the round left them
 */
function placesOf(round: Round, messages: readonly object[], state: State): { places: Spot[]; unchanged: number } {
  if (round.prints === undefined) {
    // Without the fingerprints around them, nobody can say where the cuts stand.
    return { places: round.cuts.map(({ key, entry }) => ({ key, entry, at: -1 })), unchanged: 0 };
  }
  const found = nativeOf(state).places(round.number, printsOf(messages, state));
  const places = round.cuts.map(({ key, entry }, index) => ({
    key,
    entry,
    at: Math.max(found[index], -1),
    isUndone: found[index] === UNDONE,
  }));
  return { places, unchanged: found[round.cuts.length] };
}

/**
 * Puts back what stubs stand for, in steps: what stood there may hold earlier stubs. If several of the given messages hold a stub, the only one
 * that is as it was written is meant; if it can't be told, the stub is missing. A message that a cut brought back is as it was.
 */
function undoStubs(messages: object[], state: State) {
  const { stubs, found, missing } = state;
  if (stubs.size === 0) return messages;
  const current = messages.slice();
  const shared = new Map<string, object | undefined>(); // key that several messages hold → the only one of these that is as it was written, if there is one
  let open = current.map((message, index) => ({
    index,
    isBack: state.brought.has(message),
    keys: new Set<string>(),
    steps: 0,
  }));
  while (open.length > 0) {
    const holders = new Map<string, object[]>(); // key → the given messages that hold its stub
    const candidates = open.flatMap((one) => {
      const message = current[one.index];
      const here = state.marksOf(message).keys.filter((key) => stubs.has(key));
      if (here.length === 0) return [];
      for (const key of here) one.keys.add(key);
      const own = new Set<string>();
      const restored = withoutStubs(message, here, own, state);
      for (const key of one.isBack ? [] : own) {
        if (holders.has(key)) holders.get(key)?.push(message);
        else holders.set(key, [message]);
      }
      return own.size === 0 ? [] : [{ ...one, message, own, restored }];
    });
    for (const [key, list] of holders) if (list.length > 1 || shared.has(key)) shared.set(key, onlyOf(list, stubs.get(key) as Stub, state));
    open = [];
    for (const { message, own, restored, ...one } of candidates) {
      const meant = [...own].filter((key) => one.isBack || !shared.has(key) || shared.get(key) === message);
      for (const key of own) (meant.includes(key) ? found : missing).add(key);
      if (meant.length === 0) continue;
      current[one.index] = meant.length === own.size ? restored : withoutStubs(message, meant, new Set(), state);
      state.seen.push(current[one.index]);
      // Stubs that were stored may lead in a circle.
      if (one.steps < one.keys.size) open.push({ ...one, steps: one.steps + 1 });
    }
  }
  nameLost(state);
  return current;
}

/** Returns the only message of some that is as a stub left it; undefined if there is none, or if there are several. */
function onlyOf(messages: readonly object[], { left }: Stub, { fingerprints }: State) {
  const prints = fingerprints.of(messages);
  const at = prints.indexOf(left);
  return at >= 0 && prints.indexOf(left, at + 1) < 0 ? messages[at] : undefined;
}

/** Names the stubs that are nowhere. A message that equals its original was restored before. */
function nameLost({ stubs, found, missing, fingerprints, seen }: State) {
  const lost = [...stubs].filter(([key]) => !found.has(key) && !missing.has(key));
  if (lost.length === 0) return;
  const before = new Map([...stubs.values()].map(({ left, of }) => [left, of]));
  const whole = (print: string) => {
    for (let steps = 0; before.has(print) && steps < MAX_STUBS; steps++) print = before.get(print) as string;
    return print;
  };
  const present = new Set(fingerprints.of(seen).map(whole));
  for (const [key, { of }] of lost) if (!present.has(whole(of))) missing.add(key);
}
