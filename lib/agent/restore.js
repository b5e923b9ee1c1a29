'use strict';

const { isObject } = require('../formats/reader.js');
const { checkRestorable } = require('./entries.js');
const { Fingerprints } = require('./fingerprint.js');
const { Neighbours } = require('./neighbours.js');
const { joined, nativeRounds, roundsOf } = require('./rounds.js');
const { rebuild } = require('./structure.js');
const { markedKeys, restoreStubs } = require('./stubs.js');

/** How many rounds are looked at for the last one. In a history that nobody edited, the first is it. */
const MAX_TRIES = 32;
/** The place that the engine gives a cut whose messages stand in the history again. */
const UNDONE = -2;

/**
 * Puts back what was taken out: exact for what came out of `prune` or `fit` with the `originals` of it, also when messages
 * were appended since, when both went through JSON, and after several rounds with `{ ...first, ...second }`.
 *
 * A stub is found by its marker, wherever its message stands now; a text that only quotes a marker is left alone. What was
 * taken out without a stub is put back between the messages it stood between. What can't be put back for certain is named in
 * `missing`: markers whose original is not there or whose text was changed, and originals whose place can't be told any more.
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
 * {@link restore} of arguments that were checked. `stale` are the messages among those put back whose signed thinking was made
 * behind something else than what stands before them now.
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

/** A function of messages that is asked once for each: most stay the same from round to round. */
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
 * Which round was the last, where they are in order: one whose messages stand there as it left them comes before those of another
 * branch, which left something else in their place.
 */
function lastOf(rounds, messages, state) {
  const last = rounds.length - 1;
  // To know messages by their fingerprints takes time.
  if (last === 0 || rounds[last].prints === undefined) return last;
  const tried = rounds.slice(-1 - MAX_TRIES);
  return rounds.length - tried.length + state.native.lastInOrder(numbersOf(tried), printsOf(messages, state));
}

/**
 * Which round was the last, where the order of the keys doesn't say it: one that is undone already, because nobody can tell that any
 * more once an earlier one is undone too; else the longest whose messages stand there as it left them; else the longest of
 * which all cuts and stubs are found, or the one of which most are. A stub that a later round cut away is nowhere to be found yet.
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

/** The messages with the cuts of a round undone, and those of them of which it is certain what the round left there. */
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
      // What it refers to isn't there.
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
 * Where the cuts of a round stand.
 *
 * @param {Map<number, object>} [certain] gets the messages that are where the round left them
 * @returns {{ key: string, entry: object, at: number, isUndone?: boolean }[]} `at`: the place of what the cut left, or the place in
 *   front of which it left nothing; -1 where that is not certain, or where it `isUndone`
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
 * The messages with the stubs of a round undone. Where several messages hold a stub, one that is certain is meant; where none
 * is, it can't be told which.
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
    // Earlier versions know no more than that a quote comes later.
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
    // A message that is as it was has been restored before.
    const present = new Set(fingerprints.of(messages));
    for (const [key, { of }] of lost) if (!present.has(of)) missing.add(key);
  }
  return restored;
}

module.exports = { restore, putBack };
