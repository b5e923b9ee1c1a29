import { CUT_COLUMN, RUN_COLUMN } from '../generated/layout.js';
import native from '../native.js';
import { canonicalTexts } from '../equality/canonical.js';
import { joined, PRINT, printAt } from '../equality/fingerprint.js';
import { keyAt } from './marker.js';
import type { Node } from './structure.js';
import type { Surface } from '../equality/breakpoints.js';
import type { GatheredRound } from '../../binding';
import type { Originals } from '../../index.js';

/** Where a stub was written, and what stood there; see originals.ts. */
export type Place = { in: string; up: number; written: string; value?: Node };
export type Stub = { hash: number; of: string; left: string; surface?: Surface; places: Place[]; redacted?: true };
export type Cut = {
  round: string;
  step: number;
  order?: number | undefined;
  length: number;
  hash: number;
  at: number;
  before: string | null;
  after: string | null;
  now: string[];
  of: string;
  was: Node[];
  prints?: string | undefined;
  stale?: number[];
  surface?: Surface;
  redacted?: true;
  places?: never;
};

/** The rounds as the engine reads them, for which a message is the same with stubs and without. */
export function nativeRounds(rounds: readonly Round[], stubs: ReadonlyMap<string, Stub>) {
  const pairs: string[] = [];
  for (const { left, of } of stubs.values()) if (left?.length === PRINT && of.length === PRINT) pairs.push(left, of);
  return new native.Rounds(rounds.map(gatherRound), joined(pairs));
}

/** Gathers a round. Indices beyond the engine's numbers, which are in no history, are clamped. */
function gatherRound({ prints, cuts }: Round): GatheredRound {
  const columns = new Uint32Array(CUT_COLUMN.COUNT * cuts.length);
  cuts.forEach(({ entry }, index) => {
    const row = CUT_COLUMN.COUNT * index;
    columns[row + CUT_COLUMN.AT] = clamped(entry.at);
    columns[row + CUT_COLUMN.LEFT] = entry.now.length;
    columns[row + CUT_COLUMN.TAKEN] = Math.floor((entry.of ?? '').length / PRINT);
    columns[row + CUT_COLUMN.IS_CONSISTENT] = Number(prints !== undefined && belongs(entry, prints));
  });
  return {
    ...(prints === undefined ? {} : { left: prints }),
    cuts: columns,
    of: cuts.map(({ entry: { of = '' } }) => of.slice(0, of.length - (of.length % PRINT))).join(''),
  };
}

const clamped = (index: number) => Math.min(index, 0xffffffff);

/** Returns whether an entry agrees with the fingerprints of its round about the messages at and around its place. */
function belongs({ at, before, after, now }: Cut, prints: string) {
  const isThere = (print: unknown, index: number) => (printAt(prints, index) ?? null) === print;
  return isThere(before, at - 1) && isThere(after, at + now.length) && now.every((print, index) => isThere(print, at + index));
}

/** The cuts of a round of edits. */
export interface Round {
  id: string;
  /** its place among those that were merged */
  order: number | undefined;
  /** its place among all rounds */
  number: number;
  /** the number of messages that it left */
  length: number;
  /** the fingerprints of the messages that it left */
  prints: string | undefined;
  /** the position of its last cut */
  step: number;
  cuts: { key: string; entry: Cut }[];
}

/**
 * Returns the stubs in originals, and the rounds of all else, first to last by what `mergeOriginals` wrote, otherwise by the order of the keys;
 * `inOrder` is false if a store has sorted the keys, and nothing was written.
 */
export function roundsOf(originals: Originals): { rounds: Round[]; stubs: Map<string, Stub>; inOrder: boolean } {
  const found = new Map<string, Round>();
  const stubs = new Map<string, Stub>();
  let inOrder = true;
  let last: Round | undefined;
  for (const key of Object.keys(originals)) {
    const entry = originals[key] as Stub | Cut;
    if (entry.places) {
      stubs.set(key, entry);
      continue;
    }
    let round = found.get(entry.round);
    if (!round) {
      const { round: id, order, length } = entry;
      round = { id, order, number: found.size, length, prints: undefined, cuts: [], step: 0 };
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
    rounds.sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
    rounds.forEach((round, index) => (round.number = index));
    inOrder = true;
  }
  return { rounds, stubs, inOrder: inOrder || rounds.length < 2 };
}

/**
 * The keys that a round gives to its cuts; none if the fingerprints of what it left are not known.
 *
 * @param prints those of the messages that the round left
 */
export function cutKeys(prints: string | undefined, cuts: readonly { at: number; now: unknown[]; of: string }[]): string[] {
  const length = Math.floor((prints ?? '').length / PRINT);
  if (prints?.length !== PRINT * length || cuts.some(({ at, now }) => at + now.length > length)) return [];
  const taken = cuts.map(({ of }) => of).join('');
  const numbers = Uint32Array.from({ length: length + taken.length / PRINT }, (_, index) => index);
  const runs = cuts.map(({ at, now, of }) => ({ at, end: at + now.length, count: of.length / PRINT }));
  const keys = roundKeys(prints + taken, [], { length, left: numbers.subarray(0, length), taken: numbers.subarray(length) }, runs);
  return cuts.map((_, index) => keyAt(keys.cuts, index));
}

/**
 * Asks the engine for the fingerprints and keys of a round, whose messages are numbered.
 *
 * @param known the fingerprints of the first messages
 * @param fresh the others
 * @param numbers of the messages that the round left, which are `length`; none if it has no runs; and of those that the runs took out
 * @param runs where the messages that it left for others stand, and how many these are
 */
export function roundKeys(
  known: string,
  fresh: readonly unknown[],
  numbers: { length: number; left: Uint32Array; taken: Uint32Array },
  runs: readonly { at: number; end: number; count: number }[],
) {
  const columns = new Uint32Array(RUN_COLUMN.COUNT * runs.length);
  runs.forEach(({ at, end, count }, index) => {
    const row = RUN_COLUMN.COUNT * index;
    columns[row + RUN_COLUMN.START] = at;
    columns[row + RUN_COLUMN.END] = end;
    columns[row + RUN_COLUMN.TAKEN] = count;
  });
  return native.roundKeys({ known, ...canonicalTexts(fresh, true), ...numbers, runs: columns });
}

/** Selects originals, and keeps the fingerprints of their rounds with them. */
export function withKeys(originals: Originals, keys: Iterable<string>) {
  const printsOf = new Map<unknown, unknown>();
  for (const key of Object.keys(originals))
    if (originals[key].prints !== undefined) printsOf.set(originals[key].round, originals[key].prints);
  const kept: Originals = {};
  for (const key of keys) {
    if (!Object.hasOwn(originals, key)) continue;
    const { round } = originals[key];
    // The first of each round holds the fingerprints.
    kept[key] = (printsOf.has(round) ? { ...originals[key], prints: printsOf.get(round) } : originals[key]) as Cut;
    printsOf.delete(round);
  }
  return kept;
}
