// @ts-check
'use strict';

const { isObject } = require('../formats/reader.js');
const { checkRestorable } = require('./entries.js');
const { Fingerprints, fingerprintsOf, HASH, joined, memoryOf, messagePrints } = require('./fingerprint.js');
const { lostIn, namesOf } = require('./missing.js');
const { Neighbours } = require('./neighbours.js');
const { isSameSurface, relaid } = require('./relaid.js');
const { nativeRounds, roundsOf } = require('./rounds.js');
const { rebuild } = require('./structure.js');
const { marksIn } = require('./stubs.js');
const { surfaceOf } = require('./surface.js');
const { restoreStubs } = require('./unstub.js');

/** Maximum number of rounds that are considered as the last one. In an unedited history the first candidate is it. */
const MAX_TRIES = 32;
/** Maximum number of times that a message got stubs, as far as it is followed. */
const MAX_STUBS = 100;
/** The engine's place of a cut whose messages are in the history again. */
const UNDONE = -2;

/**
 * Restores the originals exactly in the result of `prune` or `fit`, also when messages were appended since, when both went
 * through JSON, and after several rounds with `mergeOriginals(first, second)`.
 *
 * Finds a stub by its marker, wherever its message is now, and leaves a text alone that only quotes a marker. Puts messages that
 * went without a stub back between their neighbours. Names in `missing` all that can't be restored with certainty: by their keys
 * markers without an original or in a changed text, and originals whose place is unknown; by their places messages with other marks.
 *
 * @param {object[]} messages never changed
 * @param {import('./originals.js').Originals} originals
 * @returns {{ messages: object[], missing: string[], restored: number, redacted?: string[] }} `restored`: how many originals were put back;
 *   `redacted`: the keys of those that were stored without their secrets
 * @throws {TypeError} `messages` is not an array of objects, or `originals` is no object of entries
 */
function restore(messages, originals) {
  const known = checkRestorable(messages, originals, 'restore(): messages', 'restore(): originals');
  const back = putBack(messages, originals, known);
  const redacted = redactedIn(originals, back.found);
  return { messages: back.messages, missing: namesOf(back), restored: back.found.size, ...(redacted.length > 0 && { redacted }) };
}

/** Returns the keys of originals that are not what stood there, because secrets were taken out. */
const redactedIn = (originals, keys) => [...keys].filter((key) => Object.hasOwn(originals, key) && originals[key].redacted === true);

/**
 * {@link restore} for checked arguments, of whose messages `known` holds what is remembered. `stale` are the restored messages whose signed
 * thinking was made after other messages than those before them now.
 *
 * @param {readonly object[]} messages
 * @param {import('./originals.js').Originals} originals
 * @param {ReturnType<typeof checkRestorable>} known
 * @returns {{ messages: object[], missing: string[], marked: number[], isMarked: boolean, found: Set<string>, stale: Set<object> }}
 *   `marked`: the indices of restored messages that hold marks, none of which has a key; `isMarked`: one of these is none that others write
 *   too; `found`: the keys of what was put back
 */
function putBack(messages, originals, known) {
  const { rounds, stubs, inOrder } = roundsOf(originals);
  const marks = new Marks(known);
  const state = {
    found: new Set(),
    missing: new Set(),
    stale: new Set(),
    fingerprints: fingerprintsByVersion(known),
    marksOf: (message) => marks.of(message),
    stubs,
    // What stubs are looked for in: all messages that any round left or was given, and of these the ones that were taken out.
    seen: messages.slice(),
    brought: new Set(),
    native: rounds.some(({ prints }) => prints !== undefined) || !inOrder ? nativeRounds(rounds, stubs) : undefined,
  };
  let current = messages.slice();
  while (rounds.length > 0) {
    const [round] = rounds.splice((inOrder ? lastOf : latest)(rounds, current, state), 1);
    current = undoCuts(round, current, state);
  }
  current = undoStubs(current, state);
  const left = lostIn(current, { ...state, marksOf: (message) => marks.lastOf(message) });
  return { messages: current, ...left, found: state.found, stale: state.stale };
}

/** The marks of messages: most messages stay the same from round to round. */
class Marks {
  #memories;
  #found = new Map();

  /** @param {ReturnType<typeof checkRestorable>} memories */
  constructor(memories) {
    this.#memories = memories;
  }

  of(message) {
    let found = this.#found.get(message);
    if (found === undefined) {
      found = marksIn(message, this.#memories.get(message));
      this.#found.set(message, found);
    }
    return found;
  }

  /** The same for a message that is not asked about again: remembering its marks takes as long as finding them. */
  lastOf(message) {
    return this.#found.get(message) ?? marksIn(message, this.#memories.get(message));
  }
}

/** Fingerprints by version. Those of version 1 are computed where they are needed: sampled.js. */
function fingerprintsByVersion(known) {
  const exact = new Fingerprints(fingerprintsOf);
  const memoryIn = (message) => (typeof message.toJSON === 'function' ? undefined : (known.get(message) ?? memoryOf(message)));
  return [exact, exact, exact, new Fingerprints(messagePrints, memoryIn)];
}

/** The fingerprints of messages as the engine reads them, of the version of a round. */
const printsOf = (messages, { hash }, { fingerprints }) => joined(fingerprints[hash].of(messages));

const numbersOf = (rounds) => Uint32Array.from(rounds, ({ number }) => number);

/**
 * Returns the index of the last round, of rounds in order. A round whose result begins the history precedes those of another branch.
 */
function lastOf(rounds, messages, state) {
  const last = rounds.length - 1;
  // Fingerprints take time.
  if (last === 0 || rounds[last].prints === undefined) return last;
  const tried = rounds.slice(-1 - MAX_TRIES);
  return rounds.length - tried.length + state.native.lastInOrder(numbersOf(tried), printsOf(messages, rounds[last], state));
}

/**
 * Returns the index of the last round, of rounds whose order the keys don't show. That is, in this order: a round that is undone
 * already, which can't be seen any more once an earlier one is undone too; the longest round whose result begins the history; the
 * longest of which all cuts are found, or the one of which most are.
 */
function latest(rounds, messages, state) {
  // Those of a later version of the fingerprints were made later.
  const hash = Math.max(...rounds.map((round) => round.hash));
  const newest = [...rounds.keys()].filter((index) => rounds[index].hash === hash);
  const longest = newest.sort((a, b) => rounds[b].length - rounds[a].length || b - a).slice(0, MAX_TRIES);
  const certain = state.native.lastOutOfOrder(numbersOf(longest.map((index) => rounds[index])), printsOf(messages, { hash }, state));
  if (certain >= 0) return longest[certain];
  const share = (round) => placesOf(round, messages, state).places.filter(({ at }) => at >= 0).length / round.cuts.length;
  let [best, most] = [longest[0], -1];
  for (const index of longest) {
    const found = share(rounds[index]);
    if (found > most) [best, most] = [index, found];
    if (found === 1) break;
  }
  return best;
}

/** Undoes the cuts of a round. */
function undoCuts(round, messages, state) {
  const replaced = new Map(); // place → the cut whose message stands there
  const inserted = new Map(); // place → the cuts of which nothing stands in front of it
  const { places, unchanged } = placesOf(round, messages, state);
  for (const place of places) {
    const { key, entry, at } = place;
    if (at < 0) {
      if (!place.isUndone) state.missing.add(key);
    } else if (entry.now.length > 0) replaced.set(at, place);
    else if (inserted.has(at)) inserted.get(at).push(place);
    else inserted.set(at, [place]);
  }
  const result = [];
  const bring = ({ key, entry }, present) => {
    const originals = originalsIn(entry, present);
    if (!originals?.every(isObject)) {
      // A reference leads nowhere, or a breakpoint was moved that has no certain place in the original.
      state.missing.add(key);
      result.push(...present);
      return;
    }
    // Thinking was made after all messages that stood before it.
    const stale = entry.at > unchanged ? originals.keys() : (entry.stale ?? []);
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
function asLeft(message, { hash, now }, { stubs, fingerprints, found, marksOf }) {
  if (stubs.size === 0 || hash !== HASH) return message;
  const undone = new Set();
  for (let left = message; ; ) {
    const [print] = fingerprints[HASH].of([left]);
    if (print === now[0]) {
      for (const key of undone) found.add(key);
      return left;
    }
    // Stubs that were stored may lead in a circle.
    const later = marksOf(left).keys.filter((key) => stubs.get(key)?.left === print && !undone.has(key));
    if (later.length === 0) return message;
    for (const key of later) undone.add(key);
    left = restoreStubs(left, new Map(later.map((key) => [key, stubs.get(key)])), new Set());
  }
}

/**
 * Returns the originals of an entry; `present` holds the message that stands for them. The breakpoints that were set or moved in it
 * since are set in the original too; undefined if there is no certain place for them.
 */
function originalsIn({ was, hash, surface = [] }, present) {
  const now = hash > 2 && present.length > 0 ? surfaceOf(present[0]) : surface;
  if (isSameSurface(surface, now)) return rebuild(was, present);
  const left = relaid(present[0], present[0], now, surface);
  const originals = left && rebuild(was, [left]);
  if (originals?.length !== 1 || !isObject(originals[0])) return undefined;
  const original = relaid(originals[0], left, surface, now);
  return original && [original];
}

/**
 * Finds the places of a round's cuts.
 *
 * @returns {{ places: { key: string, entry: any, at: number, isUndone?: boolean }[], unchanged: number }} `at`: the place of the message that
 *   the cut left, or the place before which it left none; -1 if that is not certain, or if it `isUndone`. `unchanged`: how many messages from
 *   the start are as the round left them
 */
function placesOf(round, messages, state) {
  if (round.prints === undefined) {
    // Without the fingerprints around them, nobody can say where the cuts stand.
    if (round.hash > 1) return { places: round.cuts.map(({ key, entry }) => ({ key, entry, at: -1 })), unchanged: 0 };
    const neighbours = new Neighbours(messages);
    return { places: round.cuts.map(({ key, entry }) => ({ key, entry, at: neighbours.find(entry) })), unchanged: Infinity };
  }
  const found = state.native.places(round.number, printsOf(messages, round, state));
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
function undoStubs(messages, state) {
  const { stubs, found, missing } = state;
  if (stubs.size === 0) return messages;
  const current = messages.slice();
  const entriesOf = (keys) => new Map(keys.map((key) => [key, stubs.get(key)]));
  const shared = new Map(); // key that several messages hold → the only one of these that is as it was written, if there is one
  let open = current.map((message, index) => ({ index, isBack: state.brought.has(message), keys: new Set(), steps: 0 }));
  while (open.length > 0) {
    const holders = new Map(); // key → the given messages that hold its stub
    const candidates = open.flatMap((one) => {
      const message = current[one.index];
      const here = state.marksOf(message).keys.filter((key) => stubs.has(key));
      if (here.length === 0) return [];
      for (const key of here) one.keys.add(key);
      const own = new Set();
      const restored = restoreStubs(message, entriesOf(here), own);
      for (const key of one.isBack ? [] : own) {
        if (holders.has(key)) holders.get(key).push(message);
        else holders.set(key, [message]);
      }
      return own.size === 0 ? [] : [{ ...one, message, own, restored }];
    });
    for (const [key, list] of holders) if (list.length > 1 || shared.has(key)) shared.set(key, onlyOf(list, stubs.get(key), state));
    open = [];
    for (const { message, own, restored, ...one } of candidates) {
      const meant = [...own].filter((key) => one.isBack || !shared.has(key) || shared.get(key) === message);
      for (const key of own) (meant.includes(key) ? found : missing).add(key);
      if (meant.length === 0) continue;
      current[one.index] = meant.length === own.size ? restored : restoreStubs(message, entriesOf(meant), new Set());
      state.seen.push(current[one.index]);
      // Stubs that were stored may lead in a circle.
      if (one.steps < one.keys.size) open.push({ ...one, steps: one.steps + 1 });
    }
  }
  nameLost(state);
  return current;
}

/** Returns the only message of some that is as a stub left it; undefined if there is none, or if there are several. */
function onlyOf(messages, { left }, { fingerprints }) {
  const prints = fingerprints[HASH].of(messages);
  const at = prints.indexOf(left);
  return at >= 0 && prints.indexOf(left, at + 1) < 0 ? messages[at] : undefined;
}

/** Names the stubs that are nowhere. A message that equals its original was restored before. */
function nameLost({ stubs, found, missing, fingerprints, seen }) {
  const lost = [...stubs].filter(([key, { hash = 1 }]) => !found.has(key) && !missing.has(key) && hash > 1);
  if (lost.length === 0) return;
  const before = new Map([...stubs.values()].map(({ left, of }) => [left, of]));
  const whole = (print) => {
    for (let steps = 0; before.has(print) && steps < MAX_STUBS; steps++) print = before.get(print);
    return print;
  };
  const present = new Map();
  const presentOf = (hash) => {
    if (!present.has(hash)) present.set(hash, new Set(fingerprints[hash].of(seen).map(whole)));
    return present.get(hash);
  };
  for (const [key, { hash, of }] of lost) if (!presentOf(hash).has(whole(of))) missing.add(key);
}

module.exports = { putBack, restore, redactedIn };
