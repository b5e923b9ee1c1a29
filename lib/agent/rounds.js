'use strict';

/** The length of a fingerprint. */
const PRINT = 11;

/** Many fingerprints as one text. */
const joined = (prints) => prints.join('');

/** The fingerprints in a text that {@link joined} made. */
const printsIn = (text) =>
  Array.from({ length: Math.floor(text.length / PRINT) }, (_, index) => text.slice(PRINT * index, PRINT * (index + 1)));

/**
 * The rounds in originals, first to last: in the order of the keys, unless what stored them sorted the keys.
 *
 * @returns {{ rounds: { length: number, isSampled: boolean, prints?: string[], stubs: Map<string, object>,
 *   cuts: { key: string, entry: object }[] }[], inOrder: boolean }} `prints`: fingerprints of the messages that the round left
 */
function roundsOf(originals) {
  const rounds = new Map();
  let inOrder = true;
  let last;
  for (const key of Object.keys(originals)) {
    const entry = originals[key];
    let round = rounds.get(entry.round);
    if (!round) {
      round = { length: entry.length, isSampled: entry.hash === undefined, prints: undefined, stubs: new Map(), cuts: [], step: 0 };
      rounds.set(entry.round, round);
    } else if (last !== round) inOrder = false;
    if (entry.step < round.step) inOrder = false;
    round.step = entry.step;
    last = round;
    if (typeof entry.prints === 'string') round.prints = printsIn(entry.prints);
    if (entry.places) round.stubs.set(key, entry);
    else round.cuts.push({ key, entry });
  }
  for (const { cuts } of rounds.values()) cuts.sort((a, b) => a.entry.step - b.entry.step);
  return { rounds: [...rounds.values()], inOrder };
}

/** Some of the originals, with what is known of their rounds. */
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

module.exports = { joined, printsIn, roundsOf, withKeys };
