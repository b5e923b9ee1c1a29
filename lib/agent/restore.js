// @ts-check
'use strict';

const { isObject } = require('../formats/reader.js');
const { checkRestorable } = require('./entries.js');
const { Fingerprints } = require('./fingerprint.js');
const { Neighbours } = require('./neighbours.js');
const { joined, nativeRounds, roundsOf } = require('./rounds.js');
const { rebuild } = require('./structure.js');
const { markedKeys, restoreStubs } = require('./stubs.js');

/** Maximum number of rounds that are considered as the last one. In an unedited history the first candidate is it. */
const MAX_TRIES = 32;
/** The engine's place of a cut whose messages are in the history again. */
const UNDONE = -2;

/**
 * Restores the originals exactly in the result of `prune` or `fit`, also when messages were appended since, when both went
 * through JSON, and after several rounds with `{ ...first, ...second }`.
 *
 * Finds a stub by its marker, wherever its message is now, and leaves a text alone that only quotes a marker. Puts messages that
 * went without a stub back between their neighbours. Names in `missing` the keys of all that can't be restored with certainty:
 * markers without an original or in a changed text, and originals whose place is unknown.
 *
 * @param {object[]} messages never changed
 * @param {import('./originals.js').Originals} originals
 * @returns {{ messages: object[], missing: string[], restored: number }} `restored`: how many originals were put back
 * @throws {TypeError} `messages` is not an array of objects, or `originals` is no object of entries
 */
function restore(messages, originals) {
  checkRestorable(messages, originals, 'restore(): messages', 'restore(): originals');
  const { messages: restored, missing, restored: count } = putBack(messages, originals);
  return { messages: restored, missing, restored: count };
}

/**
 * {@link restore} for checked arguments. `stale` are the restored messages whose signed thinking was made after other messages
 * than those before them now.
 *
 * @returns {{ messages: object[], missing: string[], restored: number, stale: Set<object> }}
 */
function putBack(messages, originals) {
  const { rounds, inOrder } = roundsOf(originals);
  const state = {
    found: new Set(),
    missing: new Set(),
    stale: new Set(),
    fingerprints: new Fingerprints(),
    keysOf: perMessage(markedKeys),
    native: rounds.some(({ prints }) => prints !== undefined) || !inOrder ? nativeRounds(rounds) : undefined,
  };
  let current = messages.slice();
  while (rounds.length > 0) {
    const [round] = rounds.splice((inOrder ? lastOf : latest)(rounds, current, state), 1);
    const { messages: whole, certain } = undoCuts(round, current, state);
    current = undoStubs(round, whole, certain, state);
  }
  const { found, missing, stale } = state;
  for (const message of current) {
    for (const key of state.keysOf(message)) if (!found.has(key)) missing.add(key);
  }
  return { messages: current, missing: [...missing], restored: found.size, stale };
}

/** Memoises a function of messages: most messages stay the same from round to round. */
function perMessage(compute) {
  const known = new Map();
  return (message) => {
    let value = known.get(message);
    if (value === undefined) {
      value = compute(message);
      known.set(message, value);
    }
    return value;
  };
}

/** The fingerprints of messages as the engine reads them. */
const printsOf = (messages, { fingerprints }) => joined(fingerprints.of(messages));

const numbersOf = (rounds) => Uint32Array.from(rounds, ({ number }) => number);

/**
 * Returns the index of the last round, of rounds in order. A round whose result begins the history precedes those of another branch.
 */
function lastOf(rounds, messages, state) {
  const last = rounds.length - 1;
  // Fingerprints take time.
  if (last === 0 || rounds[last].prints === undefined) return last;
  const tried = rounds.slice(-1 - MAX_TRIES);
  return rounds.length - tried.length + state.native.lastInOrder(numbersOf(tried), printsOf(messages, state));
}

/**
 * Returns the index of the last round, of rounds whose order the keys don't show. That is, in this order: a round that is undone
 * already, which can't be seen any more once an earlier one is undone too; the longest round whose result begins the history; the
 * longest of which all cuts and stubs are found, or the one of which most are. Stubs that a later round cut away are not found yet.
 */
function latest(rounds, messages, state) {
  const longest = [...rounds.keys()].sort((a, b) => rounds[b].length - rounds[a].length || b - a).slice(0, MAX_TRIES);
  const certain = state.native.lastOutOfOrder(numbersOf(longest.map((index) => rounds[index])), printsOf(messages, state));
  if (certain >= 0) return longest[certain];
  const keys = new Set(messages.flatMap((message) => state.keysOf(message)));
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
    const originals = rebuild(entry.was, present);
    if (!originals.every(isObject)) {
      // A reference leads nowhere.
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
 * Finds the places of a round's cuts.
 *
 * @param {Map<number, object>} [certain] gets the messages that are where the round left them
 * @returns {{ key: string, entry: any, at: number, isUndone?: boolean }[]} `at`: the place of the message that the
 *   cut left, or the place before which it left none; -1 if that is not certain, or if it `isUndone`
 */
function placesOf(round, messages, state, certain = new Map()) {
  if (round.prints === undefined) {
    // Without the fingerprints around them, nobody can say where the cuts stand.
    if (!round.isSampled) return round.cuts.map(({ key, entry }) => ({ key, entry, at: -1 }));
    const neighbours = new Neighbours(messages);
    return round.cuts.map(({ key, entry }) => ({ key, entry, at: neighbours.find(entry) }));
  }
  const { cuts, left } = state.native.places(round.number, printsOf(messages, state));
  left.forEach((place, index) => {
    if (place >= 0) certain.set(index, messages[place]);
  });
  return round.cuts.map(({ key, entry }, index) => ({ key, entry, at: Math.max(cuts[index], -1), isUndone: cuts[index] === UNDONE }));
}

/**
 * Undoes the stubs of a round. If several messages hold a stub, the one in its certain place is meant; without such a place the
 * stub is missing.
 */
function undoStubs({ stubs, isSampled }, messages, certain, { found, missing, fingerprints, keysOf }) {
  if (stubs.size === 0) return messages;
  const holders = new Map(); // key → the messages that hold its stub
  const candidates = messages.map((message) => {
    const here = keysOf(message).filter((key) => stubs.has(key));
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
    if (all.length === 1 || isSampled) return all[0] === message;
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
  if (lost.length > 0 && !isSampled) {
    // A message that equals its original was restored before.
    const present = new Set(fingerprints.of(messages));
    for (const [key, { of }] of lost) if (!present.has(of)) missing.add(key);
  }
  return restored;
}

module.exports = { restore, putBack };
