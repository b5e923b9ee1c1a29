import { isIgnored } from '../providers/shared/compaction.js';
import { markersOf } from '../equality/breakpoints.js';
import { isSame, messagePrints } from '../equality/fingerprint.js';
import { isAsListed, isUntouched, snapshotOf } from '../equality/snapshot.js';
import { added, NOTHING } from '../limits/load.js';
import { pace } from '../steps.js';
import type { Snapshot } from '../equality/snapshot.js';
import type { Figures } from '../limits/figures.js';
import type { Load, Weight } from '../limits/load.js';
import type { Saved } from '../fit/shortening.js';
import type { Asked } from './faults.js';
import type { Steps } from '../steps.js';
import type { Compaction } from '../types.js';

/** A message of the caller's history, with its tokens and properties. */
export interface Entry {
  /** what is sent of it while it is whole: the first object that said this, with these breakpoints */
  message: object;
  /** what stood in `message`: another list once the message was read again, because it was changed in place */
  snapshot: Snapshot;
  /** the object in the latest history */
  given: object;
  /** what stood in `given` */
  givenSnapshot: Snapshot;
  tokens: number;
  /** `tool` where it holds results */
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** the kinds of content in it that the format doesn't know */
  unknown: readonly string[];
  /** its tokens are not known for sure */
  isGuessed: boolean;
  /** it holds signed thinking */
  isSigned: boolean;
  /** that thinking, until it was compared with what was seen before */
  thoughts: readonly unknown[];
  /** makes what is sent of what is given, where results in it are written in fewer tokens */
  shorten: ((message: object) => object) | undefined;
  /** the tokens that this saves, and those by kind */
  less: number;
  saved: Saved;
  /** nothing in it is written shorter: it was sent as it is before the session saw it */
  isWhole: boolean;
  /** its thinking was signed behind something else than what is sent before it now */
  isStale: boolean;
  /** `message` has the ids and breakpoints of what is given, as both are listed in their snapshots */
  isSentAsListed: boolean;
  /** its fingerprint, once it was asked for */
  print: string | undefined;
  /** it holds a compaction by the provider */
  compacts: Compaction | undefined;
  /** long results in it, and what they answer */
  results: Asked[] | undefined;
}

/** A message that another object stands for now; `isReplaced`: another one is sent. */
export interface Other {
  index: number;
  entry: Entry;
  isReplaced: boolean;
}

/** Returns what a message holds of what is limited beside tokens. */
export type LoadOf = (message: object, weight: Weight) => Load;

/** Number of messages compared in one step. */
const PER_STEP = 16;

const NO_MESSAGES = { of: 0, load: NOTHING };

/** The messages of a history, in order. */
export class History {
  entries: Entry[] = [];
  /** Index of the newest message that holds a compaction by the provider; -1 if none does. */
  compaction = -1;
  /** Index of the first message whose tokens are not known for sure; -1 if all are. */
  guessed = -1;
  /** Prefix sums of the tokens, of which messages that the provider ignores have none; and of those that shorter results save. */
  #sums = [0];
  #less = [0];
  /** The load of the first `of` messages, by weight. It is computed when somebody asks. */
  #loads: Record<Weight, { of: number; load: Load }> = { bound: NO_MESSAGES, exact: NO_MESSAGES };

  get length() {
    return this.entries.length;
  }

  /** The tokens of the messages from `start` to before `end`. */
  tokens(start = 0, end = this.length) {
    return this.#sums[end] - this.#sums[start];
  }

  /** The tokens of the same messages as they are in the caller's history. */
  whole(start = 0, end = this.length) {
    return this.tokens(start, end) + this.#less[end] - this.#less[start];
  }

  /** Computes what {@link load} of all messages says, in steps. */
  *weighing({ figures, loadOf }: { figures: Figures | undefined; loadOf: LoadOf }): Steps<void> {
    if (figures === undefined) return;
    for (const weight of ['bound', 'exact'] as const) {
      let { of, load } = this.#loads[weight];
      for (; of < this.length; of++) {
        if (pace.isDue) yield;
        load = added(load, loadOf(this.entries[of].message, weight));
      }
      this.#loads[weight] = { of, load };
      if (load.bytes <= (figures.bytes ?? Infinity)) return;
    }
  }

  /** What the messages from `start` on hold of what is limited beside tokens, their bytes by `weight`; `loadOf` gives that of one. */
  load(loadOf: LoadOf, weight: Weight, start = 0) {
    const sumOf = (from: number, before: Load) =>
      this.entries.slice(from).reduce((sum, { message }) => added(sum, loadOf(message, weight)), before);
    if (start > 0) return sumOf(start, NOTHING);
    const { of, load } = this.#loads[weight];
    this.#loads[weight] = { of: this.length, load: sumOf(of, load) };
    return this.#loads[weight].load;
  }

  /**
   * What shorter results save that were whole, or not there, in another history.
   *
   * @param start how many messages both have
   * @param isAnew whether those may be written shorter now
   */
  savedSince(before: History, start: number, isAnew: boolean) {
    const all: Saved[] = [];
    for (let index = isAnew ? 0 : start; index < this.entries.length; index++) {
      const { shorten, saved } = this.entries[index];
      if (shorten !== undefined && (index >= start || before.entries[index].shorten === undefined)) all.push(saved);
    }
    return all;
  }

  /** Number of instructions that it begins with. */
  get lead() {
    const end = this.entries.findIndex(({ role }) => role !== 'system');
    return end < 0 ? this.length : end;
  }

  /** Index of the first message that the model has not answered yet. */
  get unanswered() {
    return this.entries.findLastIndex(({ role }) => role === 'assistant') + 1;
  }

  messages(end = this.length) {
    return this.entries.slice(0, end).map(({ message }) => message);
  }

  /** The messages as they are in the caller's history. */
  originals() {
    return this.entries.map(originalOf);
  }

  /** The messages whose calls may be answered at `start`. */
  roundBefore(start: number) {
    let from = start;
    while (this.entries[from - 1]?.role === 'tool') from--;
    while (this.entries[from - 1]?.role === 'assistant') from--;
    return this.entries.slice(from, start).map(originalOf);
  }

  /**
   * Counts the messages at the start of `given` that equal these, in steps, and lists those that are other objects now.
   *
   * @returns `others`: what
   * is known of them then; `isReplaced`: another object is sent
   */
  *sharing(given: readonly object[]): Steps<{ count: number; others: Other[] }> {
    const most = Math.min(this.length, given.length);
    const others: Other[] = [];
    let count = 0;
    for (; count < most; count++) {
      if (count % PER_STEP === 0 && pace.isDue) yield;
      const entry = known(this.entries[count], given[count]);
      if (entry === undefined) break;
      if (entry !== this.entries[count]) others.push({ index: count, entry, isReplaced: entry.message !== this.entries[count].message });
    }
    return { count, others };
  }

  /**
   * The history with `others` in their places, and `fresh` in the place of everything from `start` on.
   *
   * @param format its name
   */
  with(others: readonly Other[], start: number, fresh: readonly Entry[], format: string): History {
    if (others.length === 0 && fresh.length === 0 && start === this.length) return this;
    const next = new History();
    next.entries = [...this.entries.slice(0, start), ...fresh];
    for (const { index, entry } of others) next.entries[index] = entry;
    const { bound, exact } = this.#loads;
    next.#loads = { bound: bound.of <= start ? bound : NO_MESSAGES, exact: exact.of <= start ? exact : NO_MESSAGES };
    const isFresh = this.compaction >= start || fresh.some(({ compacts }) => compacts !== undefined);
    next.compaction = isFresh ? next.entries.findLastIndex(({ compacts }) => compacts !== undefined) : this.compaction;
    const guessed = fresh.findIndex(({ isGuessed }) => isGuessed);
    next.guessed = this.guessed >= 0 && this.guessed < start ? this.guessed : guessed < 0 ? -1 : start + guessed;
    const ignored = next.entries[next.compaction]?.compacts === 'ignored' ? next.compaction : 0;
    next.#sums = isFresh ? [0] : this.#sums.slice(0, start + 1);
    next.#less = isFresh ? [0] : this.#less.slice(0, start + 1);
    for (let index = next.#sums.length - 1; index < next.length; index++) {
      const { tokens, less, role } = next.entries[index];
      const isRead = index >= ignored || !isIgnored(role, format);
      next.#sums.push((next.#sums.at(-1) as number) + (isRead ? tokens : 0));
      next.#less.push((next.#less.at(-1) as number) + (isRead ? less : 0));
    }
    return next;
  }

  /** The history with every message as the caller has it, for a request that goes out as it came: what was sent so once stays so. */
  asGiven(format: string): History {
    if (this.entries.every(({ message, given, isWhole }) => message === given && isWhole)) return this;
    const entries = this.entries.map((entry) => ({
      ...entry,
      message: entry.given,
      snapshot: entry.givenSnapshot,
      tokens: entry.tokens + entry.less,
      less: 0,
      saved: {},
      shorten: undefined,
      isWhole: true,
    }));
    return new History().with([], 0, entries, format);
  }

  /** The history with all thinking behind message `start` as stale: what is sent changes from there on. */
  staleBehind(start: number): History {
    const isFresh = ({ isStale }: Entry, index: number) => index > start && !isStale;
    if (!this.entries.some(isFresh)) return this;
    const next = new History();
    next.entries = this.entries.map((entry, index) => (isFresh(entry, index) ? { ...entry, isStale: true } : entry));
    next.compaction = this.compaction;
    next.guessed = this.guessed;
    next.#sums = this.#sums;
    next.#less = this.#less;
    next.#loads = { ...this.#loads };
    return next;
  }

  /** The messages from `start` on that were changed in place since they were read. */
  touched(start: number | undefined) {
    const changed = this.entries.slice(start).filter(({ snapshot, message }) => !isUntouched(snapshot, message));
    return new Set(changed.map(({ message }) => message));
  }

  /** A print of the first `count` messages behind the instructions, by which a conversation is known; undefined if there are fewer. */
  opening(count: number) {
    const first = this.entries.slice(this.lead, this.lead + count);
    try {
      return first.length < count ? undefined : printsOf(first).join('');
    } catch {
      // One is circular.
      return undefined;
    }
  }

  /** Index of the last message from `start` on that equals one of another history; -1 if none does. */
  lastIndexOf(entry: Entry, start: number) {
    try {
      const [print] = printsOf([entry]);
      return start + printsOf(this.entries.slice(start)).lastIndexOf(print);
    } catch {
      // One is circular.
      return -1;
    }
  }

  /** The fingerprint of a message; none of one that is circular. */
  print(index: number) {
    try {
      return printsOf([this.entries[index]])[0];
    } catch {
      return '';
    }
  }

  /** By which a turn is known: what the user said last, and how often the user spoke before. */
  get turn() {
    const places = this.entries.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
    return `${places.length} ${places.length === 0 ? '' : this.print(places.at(-1) as number)}`;
  }

  /** The fingerprints of all messages, or of those from `start` to before `end`. */
  prints(start = 0, end = this.length) {
    return printsOf(this.entries.slice(start, end));
  }
}

/** In place of a message that was changed since it was read: no message equals it. */
const CHANGED = 'changed in place';

/** The fingerprints of messages; each is computed once. */
function printsOf(entries: readonly Entry[]) {
  const fresh = entries.filter(({ print }) => print === undefined);
  const messages = fresh.map((entry) => {
    const message = originalOf(entry);
    return isUntouched(entry.shorten ? entry.givenSnapshot : entry.snapshot, message) ? message : CHANGED;
  });
  messagePrints(messages).forEach((print, index) => (fresh[index].print = print));
  return entries.map(({ print }) => print as string);
}

/** What a message says in the caller's history. */
export const originalOf = ({ message, given, shorten }: Entry) => (shorten ? given : message);

/** Has the results of an entry's message written shorter. */
export function shortened(entry: Entry, shorten: NonNullable<Entry['shorten']>) {
  const message = shorten(entry.given);
  return Object.assign(entry, { shorten, message, snapshot: snapshotOf(message) });
}

/** {@link known} for an entry of which less is sent: what it said is only in what was given. */
function knownShorter(entry: Entry, shorten: NonNullable<Entry['shorten']>, message: object) {
  const { given, givenSnapshot } = entry;
  const isEqual = () => message !== given && isUntouched(givenSnapshot, given) && isSame(given, message);
  if (!isUntouched(givenSnapshot, message) && !isEqual()) return undefined;
  const next = message === given ? entry : { ...entry, given: message, givenSnapshot: snapshotOf(message), isSentAsListed: false };
  return isSentAs(next, message) ? next : shortened({ ...next, isSentAsListed: false }, shorten);
}

/** Returns the entry of an equal message, with its new object if there is one; undefined if the message differs. */
function known(entry: Entry, message: object) {
  if (areAsListed(entry, message)) return entry;
  if (entry.shorten) return knownShorter(entry, entry.shorten, message);
  // Usually it is the same object again, which is compared below.
  const whole = message === entry.message && message === entry.given ? entry : wholeOf(entry);
  if (whole === undefined) return undefined;
  if (message === whole.given && isUntouched(whole.givenSnapshot, message))
    return isSentAs(whole, message) ? whole : { ...whole, message, snapshot: whole.givenSnapshot };
  if (message === whole.message)
    return isUntouched(whole.snapshot, message) ? { ...whole, given: message, givenSnapshot: whole.snapshot } : undefined;
  // Hardly any copy has its keys in another order.
  if (!isUntouched(whole.snapshot, message) && !isSame(whole.message, message)) return undefined;
  const snapshot = snapshotOf(message);
  const next = { ...whole, given: message, givenSnapshot: snapshot, isSentAsListed: false };
  return isSentAs(next, message) ? next : Object.assign(next, { message, snapshot });
}

/**
 * Whether what is sent for an entry stands for an equal message, which is given now. The caller's current breakpoints are sent, and ids: lists of messages
 * are merged by those. Both objects may have been changed in place.
 */
function isSentAs(entry: Entry, message: object) {
  if (entry.message === message) return true;
  if (idOf(entry.message) !== idOf(message) || markersOf(entry.message) !== markersOf(message)) return false;
  entry.isSentAsListed =
    isAsListed(entry.givenSnapshot, message) && isUntouched(entry.snapshot, entry.message) && isAsListed(entry.snapshot, entry.message);
  return true;
}

/** Whether nothing has changed since {@link isSentAs}, which takes longer, found that an entry is sent for a message. */
const areAsListed = (entry: Entry, message: object) =>
  entry.isSentAsListed && isAsListed(entry.givenSnapshot, message) && isAsListed(entry.snapshot, entry.message);

/** The id of a message; in LangChain's JSON it stands further inside. */
const idOf = ({ id, kwargs }: { id?: unknown; kwargs?: { id?: unknown } }) => kwargs?.id ?? id;

/** Returns the entry with a message that says what it said: its owner may have changed it in place. Undefined if nothing says that any more. */
function wholeOf(entry: Entry) {
  if (isUntouched(entry.snapshot, entry.message)) return entry;
  if (entry.message === entry.given || !isUntouched(entry.givenSnapshot, entry.given)) return undefined;
  return { ...entry, message: entry.given, snapshot: entry.givenSnapshot };
}
