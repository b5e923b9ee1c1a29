import { write } from '../providers/shared/write.js';
import { surfaceOf } from '../equality/breakpoints.js';
import { HASH, joined, memoryOf, messagePrints, PRINT, printAt } from '../equality/fingerprint.js';
import { inOneGo, pace } from '../steps.js';
import { keyAt } from './marker.js';
import { roundKeys } from './rounds.js';
import { outlining } from './structure.js';
import type { Steps } from '../steps.js';
import type { Edit, FormatModule, Written } from '../types.js';
import type { RoundKeys } from '../../binding';
import type { Cut, Stub } from './rounds.js';
import type { MemoryOf } from '../equality/fingerprint.js';
import type { Memory } from '../equality/memory.js';

/**
 * Entries that `restore` needs, by key; plain JSON as far as the messages are.
 *
 * A key is made of all that its entry says, so whatever is taken out in another round, the same key means the same entry (merge.ts). `hash`
 * says which fingerprints an entry holds. A stub's key stands in its marker, so it is found wherever it is, and whenever it was written:
 *
 *     { hash, of, left, surface, places: [{ in, up, written, value }] }
 *
 * `value` describes what stood in a place (a node of structure.ts; without it there was nothing), `written` is the fingerprint of
 * what stands there now, `up` levels above the text with the marker and in a place of the kind `in`. `of` is the fingerprint of the
 * message as it was, `left` that of the message with all stubs that were written with this one. Messages that were removed or rewritten
 * without a stub are found by the messages there and around them:
 *
 *     { round, step, order, length, hash, at, before, after, now, of, was }
 *
 * `round` is one call of {@link rounding}, `step` the position in it, and `length` the number of messages that it left. Where originals were merged,
 * `order` is the place of the round among all (merge.ts): an object's keys have an order too, until a store sorts them.
 * The `now.length` messages from `at` on, whose fingerprints are `now`, between those of the fingerprints `before` and
 * `after` (null: the start or the end), stand for the messages that `was` describes, and whose fingerprints are `of`. In a round with
 * such entries, the first holds the fingerprints of all messages that the round left (`prints`): one that reads like another
 * one is told from it by those around it. `stale`, where it is there, has the indices of the messages in `was` whose signed
 * thinking was made behind something else than the messages that stood before them. `surface`, where there is one, is that of the
 * message which was left (breakpoints.ts), also of a stub.
 */
export type Originals = Record<string, Stub | Cut>;

/** Writes texts without markers and keeps the originals: `restore` finds them by the fingerprints of their messages. */
export function applyTexts(messages: readonly object[], format: FormatModule, edits: Edit[]): { messages: object[]; originals: Originals } {
  const written = write(format, messages, edits);
  return { messages: written.messages, originals: originalsOf(messages, written) };
}

/**
 * Returns the originals of edits without markers, in steps: the messages that are left are known by their fingerprints.
 *
 * @param written what `write` made of them
 * @param stale messages whose signed thinking was made after other messages
 * @param known as `memoryOf`, where the caller has just asked it
 */
export function* takingOriginals(
  messages: readonly object[],
  written: Written,
  stale?: ReadonlySet<object>,
  known?: MemoryOf,
): Steps<Originals> {
  return yield* rounding([], messages, written, stale, known);
}

/** The same, in one go. */
export const originalsOf = (messages: readonly object[], written: Written) => inOneGo(takingOriginals(messages, written));

/** Returns the entries of a round: those of its stubs, and one for each run of removed or changed messages; in steps. */
export function* rounding(
  stubs: [key: string, entry: Omit<Stub, 'hash'>][],
  before: readonly object[],
  written: Written,
  stale: ReadonlySet<object> = new Set(),
  known: MemoryOf = memoryOf,
): Steps<Originals> {
  const runs = runsOf(before, written);
  if (stubs.length + runs.length === 0) return {};
  if (pace.mayPause && runs.length > 0) for (const messages of [written.messages, before]) yield* printing(messages, known);
  const keys = yield* keysOfRound(runs, written.messages, known);
  // Members are set one by one: `Object.fromEntries` makes a hidden class for each of the first 128.
  const originals: Originals = {};
  for (const [key, entry] of stubs) originals[key] = Object.assign({ hash: HASH }, entry);
  let step = 0;
  let taken = 0;
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    const key = keyAt(keys.cuts, index);
    const of = keys.taken.slice(PRINT * taken, PRINT * (taken + run.count));
    taken += run.count;
    if (key === '') continue;
    const entry = yield* cutting(run, { step, of }, written.messages, keys, stale);
    if (step === 0) entry.prints = keys.left;
    originals[key] = entry;
    step++;
  }
  return originals;
}

/**
 * Asks the engine once for the fingerprints and keys of a round, in steps, and remembers the fingerprints.
 *
 * @param after the messages that the round left
 */
function* keysOfRound(runs: readonly Run[], after: readonly object[], known: MemoryOf): Steps<RoundKeys> {
  const messages = runs.length === 0 ? [] : after.slice();
  const left = messages.length;
  for (const { originals } of runs) for (const message of originals) messages.push(message);
  const prints: string[] = [];
  const fresh: object[] = [];
  const memories: (Memory | undefined)[] = [];
  // Those whose fingerprints are known are numbered from 0 on, the others from -1 down until it is known how many there are.
  const numbers: number[] = [];
  for (const message of messages) {
    if (pace.isDue) yield;
    const memory = known(message);
    if (memory?.print !== undefined) numbers.push(prints.push(memory.print) - 1);
    else {
      memories.push(memory);
      numbers.push(-fresh.push(message));
    }
  }
  const numbered = Uint32Array.from(numbers, (number) => (number < 0 ? prints.length - 1 - number : number));
  const keys = roundKeys(
    joined(prints),
    fresh,
    { length: after.length, left: numbered.subarray(0, left), taken: numbered.subarray(left) },
    runs,
  );
  memories.forEach((memory, index) => {
    if (memory !== undefined) memory.print = printAt(keys.prints, index);
  });
  return keys;
}

/** Number of messages whose fingerprints are computed in one step. */
const PER_STEP = 16;

/** Computes the fingerprints of messages that can be remembered, in steps, so that the engine is not asked for those of all at once. */
function* printing(messages: readonly object[], known: MemoryOf): Steps<void> {
  for (let start = 0; start < messages.length; start += PER_STEP) {
    if (pace.isDue) yield;
    const fresh = messages.slice(start, start + PER_STEP).flatMap((message) => {
      const memory = known(message);
      return memory === undefined || memory.print !== undefined ? [] : [{ message, memory }];
    });
    messagePrints(fresh.map(({ message }) => message)).forEach((print, index) => (fresh[index].memory.print = print));
  }
}

/** The runs of messages that were removed or replaced; those from `at` to `end` of what is left replace them. */
type Run = { originals: object[]; count: number; at: number; end: number };
function runsOf(before: readonly object[], { messages: after, sources }: Written): Run[] {
  const runs: Run[] = [];
  const cut = (from: number, end: number, at: number, count: number) =>
    from < end && runs.push({ originals: before.slice(from, end), count: end - from, at, end: at + count });
  let from = 0;
  after.forEach((message: object, at) => {
    const { first, last } = sources[at];
    cut(from, first, at, 0);
    if (first < last || message !== before[first]) cut(first, last + 1, at, 1);
    from = last + 1;
  });
  cut(from, before.length, after.length, 0);
  return runs;
}

/** Returns the entry of a run, in steps; `of` are the fingerprints of its messages. */
function* cutting(
  { originals, at, end }: Run,
  { step, of }: { step: number; of: string },
  left: readonly object[],
  { round, left: prints }: RoundKeys,
  stale: ReadonlySet<object>,
): Steps<Cut> {
  const now = left.slice(at, end);
  const entry: Cut = {
    round,
    step,
    length: left.length,
    hash: HASH,
    at,
    before: printAt(prints, at - 1) ?? null,
    after: printAt(prints, end) ?? null,
    now: now.map((_, place) => printAt(prints, at + place) as string),
    of,
    was: yield* outlining(originals, now),
  };
  const places = stale.size === 0 ? [] : originals.flatMap((message, place) => (stale.has(message) ? [place] : []));
  if (places.length > 0) entry.stale = places;
  const surface = now.length > 0 ? surfaceOf(now[0]) : [];
  if (surface.length > 0) entry.surface = surface;
  return entry;
}
