// @ts-check
'use strict';

const { CUT_COLUMN, RUN_COLUMN } = require('../generated/layout.js');
const native = require('../native.js');
const { canonicalTexts } = require('./canonical.js');
const { joined, PRINT, printAt } = require('./fingerprint.js');
const { keyAt } = require('./marker.js');

/**
 * The rounds as the engine reads them, for which a message is the same with stubs and without.
 *
 * @param {readonly Round[]} rounds
 * @param {ReadonlyMap<string, any>} stubs
 */
function nativeRounds(rounds, stubs) {
  const pairs = [];
  for (const { left, of } of stubs.values()) if (left?.length === PRINT && of.length === PRINT) pairs.push(left, of);
  return new native.Rounds(rounds.map(gatherRound), joined(pairs));
}

/**
 * Gathers a round. Indices beyond the engine's numbers, which are in no history, are clamped.
 *
 * @param {Round} round
 */
function gatherRound({ prints, cuts }) {
  const columns = new Uint32Array(CUT_COLUMN.COUNT * cuts.length);
  cuts.forEach(({ entry }, index) => {
    const row = CUT_COLUMN.COUNT * index;
    columns[row + CUT_COLUMN.AT] = clamped(entry.at);
    columns[row + CUT_COLUMN.LEFT] = entry.now.length;
    columns[row + CUT_COLUMN.TAKEN] = Math.floor((entry.of ?? '').length / PRINT);
    columns[row + CUT_COLUMN.IS_CONSISTENT] = Number(prints !== undefined && belongs(entry, prints));
  });
  return {
    left: prints,
    cuts: columns,
    of: cuts.map(({ entry: { of = '' } }) => of.slice(0, of.length - (of.length % PRINT))).join(''),
  };
}

const clamped = (index) => Math.min(index, 0xffffffff);

/** Returns whether an entry agrees with the fingerprints of its round about the messages at and around its place. */
function belongs({ at, before, after, now }, prints) {
  const isThere = (print, index) => (printAt(prints, index) ?? null) === print;
  return isThere(before, at - 1) && isThere(after, at + now.length) && now.every((print, index) => isThere(print, at + index));
}

/**
 * The cuts of a round of edits.
 *
 * @typedef {object} Round
 * @property {string} id
 * @property {number | undefined} order its place among those that were merged
 * @property {number} number its place among all rounds
 * @property {number} length the number of messages that it left
 * @property {number} hash version of its fingerprints; 1 for those of sampled.js
 * @property {string} [prints] the fingerprints of the messages that it left
 * @property {{ key: string, entry: any }[]} cuts
 */

/**
 * Returns the stubs in originals, and the rounds of all else, first to last by what `mergeOriginals` wrote, otherwise by the order of the keys;
 * `inOrder` is false if a store has sorted the keys, and nothing was written.
 *
 * @returns {{ rounds: Round[], stubs: Map<string, any>, inOrder: boolean }}
 */
function roundsOf(originals) {
  const found = new Map();
  const stubs = new Map();
  let inOrder = true;
  let last;
  for (const key of Object.keys(originals)) {
    const entry = originals[key];
    if (entry.places) {
      stubs.set(key, entry);
      continue;
    }
    let round = found.get(entry.round);
    if (!round) {
      const { round: id, order, length, hash = 1 } = entry;
      round = { id, order, number: found.size, length, hash, prints: undefined, cuts: [], step: 0 };
      found.set(id, round);
    } else if (last !== round) inOrder = false;
    if (entry.step < round.step) inOrder = false;
    round.step = entry.step;
    last = round;
    if (typeof entry.prints === 'string') round.prints = entry.prints;
    round.cuts.push({ key, entry });
  }
  const rounds = [...found.values()];
  for (const { cuts } of rounds) cuts.sort((a, b) => a.entry.step - b.entry.step);
  // Objects that were merged apart and then spread into one have two first rounds.
  if (rounds.every(({ order }) => order !== undefined) && new Set(rounds.map(({ order }) => order)).size === rounds.length) {
    rounds.sort((a, b) => a.order - b.order);
    rounds.forEach((round, index) => (round.number = index));
    inOrder = true;
  }
  return { rounds, stubs, inOrder: inOrder || rounds.length < 2 };
}

/**
 * The keys that a round gives to its cuts; none if the fingerprints of what it left are not known.
 *
 * @param {string | undefined} prints those of the messages that the round left
 * @param {readonly { at: number, now: unknown[], of: string }[]} cuts
 * @returns {string[]}
 */
function cutKeys(prints, cuts) {
  const length = Math.floor((prints ?? '').length / PRINT);
  if (prints?.length !== PRINT * length || cuts.some(({ at, now }) => at + now.length > length)) return [];
  const columns = new Uint32Array(RUN_COLUMN.COUNT * cuts.length);
  let taken = 0;
  cuts.forEach(({ at, now, of }, index) => {
    const row = RUN_COLUMN.COUNT * index;
    columns[row + RUN_COLUMN.START] = at;
    columns[row + RUN_COLUMN.END] = at + now.length;
    columns[row + RUN_COLUMN.TAKEN] = of.length / PRINT;
    taken += of.length / PRINT;
  });
  const keys = native.roundKeys({
    known: prints + joined(cuts.map(({ of }) => of)),
    ...canonicalTexts([], true),
    length,
    left: Uint32Array.from({ length }, (_, index) => index),
    runs: columns,
    taken: Uint32Array.from({ length: taken }, (_, index) => length + index),
  });
  return cuts.map((_, index) => keyAt(keys.cuts, index));
}

/** Selects originals, and keeps the fingerprints of their rounds with them. */
function withKeys(originals, keys) {
  const printsOf = new Map();
  for (const key of Object.keys(originals))
    if (originals[key].prints !== undefined) printsOf.set(originals[key].round, originals[key].prints);
  const kept = {};
  for (const key of keys) {
    if (!Object.hasOwn(originals, key)) continue;
    const { round } = originals[key];
    // The first of each round holds the fingerprints.
    kept[key] = printsOf.has(round) ? { ...originals[key], prints: printsOf.get(round) } : originals[key];
    printsOf.delete(round);
  }
  return kept;
}

module.exports = { cutKeys, nativeRounds, roundsOf, withKeys };
