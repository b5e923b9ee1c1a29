// @ts-check
'use strict';

const { isObject } = require('../formats/reader.js');
const { checkRestorable } = require('./entries.js');
const { Fingerprints, fingerprintsOf, joined, memoryOf, messagePrints } = require('./fingerprint.js');
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
/** The engine's place of a cut whose messages are in the history again. */
const UNDONE = -2;

/**
 * Restores the originals exactly in the result of `prune` or `fit`, also when messages were appended since, when both went
 * through JSON, and after several rounds with `{ ...first, ...second }`.
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
  const { rounds, inOrder } = roundsOf(originals);
  const marks = new Marks(known);
  const state = {
    found: new Set(),
    missing: new Set(),
    stale: new Set(),
    fingerprints: fingerprintsByVersion(known),
    marksOf: (message) => marks.of(message),
    native: rounds.some(({ prints }) => prints !== undefined) || !inOrder ? nativeRounds(rounds) : undefined,
  };
  let current = messages.slice();
  while (rounds.length > 0) {
    const [round] = rounds.splice((inOrder ? lastOf : latest)(rounds, current, state), 1);
    const { messages: whole, certain } = undoCuts(round, current, state);
    current = undoStubs(round, whole, certain, state);
  }
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
 * longest of which all cuts and stubs are found, or the one of which most are. Stubs that a later round cut away are not found yet.
 */
function latest(rounds, messages, state) {
  // Those of a later version of the fingerprints were made later.
  const hash = Math.max(...rounds.map((round) => round.hash));
  const newest = [...rounds.keys()].filter((index) => rounds[index].hash === hash);
  const longest = newest.sort((a, b) => rounds[b].length - rounds[a].length || b - a).slice(0, MAX_TRIES);
  const certain = state.native.lastOutOfOrder(numbersOf(longest.map((index) => rounds[index])), printsOf(messages, { hash }, state));
  if (certain >= 0) return longest[certain];
  const keys = new Set(messages.flatMap((message) => state.marksOf(message).keys));
  const share = (round) => {
    const cuts = round.cuts.length === 0 ? 0 : placesOf(round, messages, state).filter(({ at }) => at >= 0).length;
    const stubs = [...round.stubs.keys()].filter((key) => keys.has(key)).length;
    return (cuts + stubs) / (round.cuts.length + round.stubs.size);
  };
  let [best, most] = [longest[0], -1];
  for (const index of longest) {
    const found = share(rounds[index]);
    if (found > most) [best, most] = [index, found];
    if (found === 1) break;
  }
  return best;
}

/** Undoes the cuts of a round; `certain` maps indices in what the round left to messages that are certainly those. */
function undoCuts(round, messages, state) {
  const certain = new Map(); // index in what the round left → message
  if (round.cuts.length === 0) return { messages, certain };
  const replaced = new Map(); // place → the cut whose message stands there
  const inserted = new Map(); // place → the cuts of which nothing stands in front of it
  for (const place of placesOf(round, messages, state, certain)) {
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
    // A message that also holds a stub is as certain as the cut.
    if (present.length > 0 && originals.length === 1) certain.set(entry.at, originals[0]);
    for (const index of entry.stale ?? []) state.stale.add(originals[index]);
    result.push(...originals);
    state.found.add(key);
  };
  for (let index = 0; index <= messages.length; index++) {
    for (const place of inserted.get(index) ?? []) bring(place, []);
    if (replaced.has(index)) bring(replaced.get(index), [messages[index]]);
    else if (index < messages.length) result.push(messages[index]);
  }
  return { messages: result, certain };
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
 * @param {Map<number, object>} [certain] gets the messages that are where the round left them
 * @returns {{ key: string, entry: any, at: number, isUndone?: boolean }[]} `at`: the place of the message that the
 *   cut left, or the place before which it left none; -1 if that is not certain, or if it `isUndone`
 */
function placesOf(round, messages, state, certain = new Map()) {
  if (round.prints === undefined) {
    // Without the fingerprints around them, nobody can say where the cuts stand.
    if (round.hash > 1) return round.cuts.map(({ key, entry }) => ({ key, entry, at: -1 }));
    const neighbours = new Neighbours(messages);
    return round.cuts.map(({ key, entry }) => ({ key, entry, at: neighbours.find(entry) }));
  }
  const { cuts, left } = state.native.places(round.number, printsOf(messages, round, state));
  left.forEach((place, index) => {
    if (place >= 0) certain.set(index, messages[place]);
  });
  return round.cuts.map(({ key, entry }, index) => ({ key, entry, at: Math.max(cuts[index], -1), isUndone: cuts[index] === UNDONE }));
}

/**
 * Undoes the stubs of a round. If several messages hold a stub, the one in its certain place is meant; without such a place the
 * stub is missing.
 */
function undoStubs({ stubs, hash }, messages, certain, { found, missing, fingerprints, marksOf }) {
  if (stubs.size === 0) return messages;
  const holders = new Map(); // key → the messages that hold its stub
  const candidates = messages.map((message) => {
    const here = marksOf(message).keys.filter((key) => stubs.has(key));
    if (here.length === 0) return undefined;
    const keys = new Set();
    const restored = restoreStubs(message, stubs, keys);
    for (const key of keys) {
      if (holders.has(key)) holders.get(key).push(message);
      else holders.set(key, [message]);
    }
    return { restored, keys };
  });
  const isMeant = (key, message) => {
    const all = holders.get(key);
    // Entries of earlier versions have no place: a quote comes later than the stub.
    if (all.length === 1 || hash === 1) return all[0] === message;
    return certain.get(stubs.get(key).at) === message;
  };
  const restored = messages.map((message, index) => {
    const candidate = candidates[index];
    if (candidate === undefined || candidate.keys.size === 0) return message;
    const meant = [...candidate.keys].filter((key) => isMeant(key, message));
    for (const key of meant) found.add(key);
    if (meant.length === candidate.keys.size) return candidate.restored;
    return restoreStubs(message, new Map(meant.map((key) => [key, stubs.get(key)])), new Set());
  });
  const lost = [...stubs].filter(([key]) => !found.has(key));
  if (lost.length > 0 && hash > 1) {
    // A message that equals its original was restored before.
    const present = new Set(fingerprints[hash].of(messages));
    for (const [key, { of }] of lost) if (!present.has(of)) missing.add(key);
  }
  return restored;
}

module.exports = { putBack, restore, redactedIn };
