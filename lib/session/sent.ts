import { obligationsReport } from '../fit/obligations.js';
import { writing } from '../providers/shared/write.js';
import { added, NOTHING } from '../limits/load.js';
import type { Load } from '../limits/load.js';
import { markersOf } from '../equality/breakpoints.js';
import { isSame } from '../equality/fingerprint.js';
import { pace } from '../steps.js';
import type { FitChoice, FitMet } from '../../binding';
import type { SessionSettings } from '../../index.js';
import type { Edit, Format, Part, Written } from '../types.js';
import type { Steps } from '../steps.js';
import type { Counter } from './counter.js';
import type { Fitting, Made } from '../fit/fitting.js';
import type { History, LoadOf } from './history.js';

/** An edit of a part, without a reference to a message, so that it outlives the messages. */
export interface KeptEdit {
  /** the part's place among those of the history */
  part: number;
  /** marks, ranges of its text, and passages of other parts that replace the part; undefined if it is removed */
  pieces: (string | [number, number] | Recalled)[] | undefined;
}

/** A range of the text of another part, recalled behind the user's words. */
export type Recalled = { part: number; start: number; end: number };

/** A message that is sent for messages `first` to `last` of the history. */
export interface Item {
  first: number;
  last: number;
  /** a copy with edits; undefined if the history's own message is sent */
  message: object | undefined;
  tokens: number;
  /** signed thinking was taken out of it */
  isStripped: boolean;
  /** the caller's breakpoints in the copied messages */
  markers: string;
  /** nothing is left of its messages but a mark, which is there for the message behind it */
  isMark?: true;
}

/** Number of the last covered messages that are checked for moved breakpoints in every step; callers move those most. */
const LATEST = 4;

/** The messages sent for the first `covered` messages of a history. Later messages are sent unchanged. */
export class Sent {
  covered: number;
  items: Item[];
  edits: KeptEdit[];
  epoch: number;
  /** Whether it is the choice of an epoch that cut the user's last words. */
  cutsLastWords: boolean;
  /** What became of rules, task and state in that epoch. */
  met: FitMet | undefined;
  /** The tokens of the items. */
  tokens: number;
  /** What the items hold of what is limited beside tokens, once it was asked for. */
  #load: Load | undefined;

  /**
   * @param edits those that make the items, by their parts
   * @param epoch number of items that the last epoch made
   */
  constructor(covered: number = 0, items: Item[] = [], edits: KeptEdit[] = [], epoch: number = items.length) {
    this.covered = covered;
    this.items = items;
    this.edits = edits;
    this.epoch = epoch;
    this.cutsLastWords = false;
    this.met = undefined;
    this.tokens = items.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** Takes what became of rules, task and state from an epoch's choice. */
  choosing(choice: FitChoice | undefined): Sent {
    return Object.assign(this, { cutsLastWords: choice?.cutsLastWords === true, met: choice?.met });
  }

  /** The number of obligations for all of which the epoch that chose it had no room. */
  get lostDuties() {
    return obligationsReport(this.met).lost?.length ?? 0;
  }

  /** The number of lines of rules for which the epoch that chose it had no room. */
  get lostRules() {
    const lost = obligationsReport(this.met).lost?.filter(({ kind }) => kind === 'rules' || kind === 'said') ?? [];
    return lost.reduce((sum, { lines }) => sum + lines, 0);
  }

  /**
   * Makes it of the result of fitting a whole history, in steps.
   *
   * @param made `edits` with their `pieces`
   */
  static *making(history: History, fitting: Fitting, { written, edits, choice }: Made): Steps<Sent> {
    // Thinking may be removed twice: by itself and with its message.
    const byPart = new Map(edits.map(({ part, pieces }) => [part, pieces]));
    const kept: KeptEdit[] = [];
    for (let part = 0; part < fitting.parts.length; part++) {
      if (pace.isDue) yield;
      const one = fitting.parts[part];
      if (byPart.has(one)) kept.push({ part, pieces: byPart.get(one) });
    }
    const items = yield* itemsOf(history, written, edits, (message) => fitting.tokensOf(message));
    return new Sent(history.length, items, kept).choosing(choice);
  }

  /**
   * Writes messages again from kept edits, in steps.
   *
   * @param epoch number of items that the last epoch made; default all
   */
  static *writing(history: History, covered: number, edits: KeptEdit[], counter: Counter, epoch?: number): Steps<Sent> {
    if (edits.length === 0)
      return new Sent(
        covered,
        history.entries.slice(0, covered).map(({ tokens }, index) => itemOf(index, tokens)),
      );
    const { made, written, isCopy } = yield* edited(history, covered, edits, counter.format);
    const copies = written.messages.filter(isCopy);
    const tokens = yield* counter.counting(copies);
    const known = new Map(copies.map((copy, index) => [copy, tokens[index]]));
    const items = yield* itemsOf(history, written, made, (message) => known.get(message) as number);
    return new Sent(covered, items, edits, epoch === undefined ? items.length : Math.min(epoch, items.length));
  }

  /** The copies that edits make of a history, by the first message that each stands for; in steps. */
  static *copying(history: History, covered: number, edits: readonly KeptEdit[], format: Format): Steps<Map<number, object>> {
    if (edits.length === 0) return new Map();
    const { written, isCopy } = yield* edited(history, covered, edits, format);
    return new Map(written.messages.flatMap((message, index) => (isCopy(message, index) ? [[written.sources[index].first, message]] : [])));
  }

  /**
   * What is sent once the provider has compacted the history: what its newest compaction stands for is left out, and all else follows as it is.
   *
   * @param isStripping whether stale thinking goes
   */
  static *compacted(history: History, counter: Counter, keep: SessionSettings<object>['keep'], isStripping: boolean): Steps<Sent> {
    const parts = yield* counter.format.reading(history.messages());
    const { compactedBy } = require('../fit/compacted.js') as typeof import('../fit/compacted.js');
    const gone = compactedBy(parts, counter.format.name, keep)?.gone;
    const isStale = ({ signed, message }: Part) => isStripping && signed && history.entries[message].isStale;
    const edits = parts.flatMap((one, part) => (gone?.has(one) || isStale(one) ? [{ part, pieces: undefined }] : []));
    return yield* Sent.writing(history, history.length, edits, counter);
  }

  /**
   * Appends recalled passages or other words to a text of the last message, in steps, or to an earlier one of the user's. All else is sent as it was.
   *
   * @param part number of the part with the text
   * @param parts those of the history
   */
  *adding(history: History, part: number, addition: (string | Recalled)[], counter: Counter, parts: Part[]): Steps<Sent> {
    const known = this.edits.find((edit) => edit.part === part);
    const edit: KeptEdit = { part, pieces: [...(known?.pieces ?? [[0, parts[part].text.length]]), ...addition] };
    const edits = [...this.edits.filter((other) => other !== known), edit].sort((a, b) => a.part - b.part);
    const items = this.items.slice();
    for (let index = this.covered; index < history.length; index++) items.push(itemOf(index, history.entries[index].tokens));
    const last = items.length - 1;
    const { message, first } = items[last];
    if (message !== undefined || parts[part].message !== first)
      return yield* Sent.writing(history, history.length, edits, counter, this.epoch);
    const entry = history.entries[first];
    const own = { ...editOf(parts, part, edit.pieces), part: { ...parts[part], message: 0 } };
    const [copy] = (yield* writing(counter.format, [entry.message], [own])).messages;
    const [tokens] = yield* counter.counting([copy]);
    items[last] = { first, last: first, message: copy, tokens, isStripped: false, markers: markersIn(history, first, first) };
    return new Sent(history.length, items, edits, this.epoch);
  }

  /**
   * Returns whether copied messages have to be written again: the caller moved their breakpoints, or another object is sent in their place.
   *
   * @param others the messages that are other objects than before
   */
  isOutdated(history: History, others: { index: number; isReplaced: boolean }[]) {
    const replaced = others.filter(({ isReplaced }) => isReplaced).map(({ index }) => index);
    // Usually the last breakpoint moves.
    const isLookedAt = ({ last, markers }: Item) => markers !== '' || others.length > 0 || last >= this.covered - LATEST;
    // Both are in the order of the history.
    let next = 0;
    return this.items.some((item) => {
      while (replaced[next] < item.first) next++;
      if (item.message === undefined) return false;
      return replaced[next] <= item.last || (isLookedAt(item) && item.markers !== markersIn(history, item.first, item.last));
    });
  }

  /** Number of messages that are covered whatever follows: up to the last unedited one after which nothing was removed. */
  get certain() {
    return this.#endOf(({ message }) => message === undefined);
  }

  /** What is sent for a history of what is limited beside tokens; `loadOf` gives that of a message. */
  load(history: History, loadOf: LoadOf) {
    if (this.edits.length === 0) return history.load(loadOf, 'exact');
    this.#load ??= this.items.reduce(
      (sum, { first, message }) => added(sum, loadOf(message ?? history.entries[first].message, 'exact')),
      NOTHING,
    );
    return added(this.#load, history.load(loadOf, 'exact', this.covered));
  }

  /** The messages that are sent for a history. */
  messages({ entries }: History) {
    const list = this.items.map(({ first, message }) => message ?? entries[first].message);
    for (let index = this.covered; index < entries.length; index++) list.push(entries[index].message);
    return list;
  }

  /**
   * Returns the messages to send for a history that differs from message `start` on, in steps: those sent before, then every
   * message as it is, without stale thinking.
   *
   * @param history the new one
   * @param isStripping whether stale thinking goes
   * @param most how much of what was sent before is known at most
   */
  *reopening(history: History, start: number, counter: Counter, isStripping: boolean, most: number = start): Steps<Sent> {
    const parts = yield* counter.format.reading(history.messages());
    const end = this.#boundary(Math.min(start, most), parts);
    const kept = this.edits.filter(({ part }) => parts[part]?.message < end);
    // Cuts between the two places are undone, and thinking after them was signed after the cuts.
    const isStale = (message: number) => history.entries[message].isStale || (end < start && message > end);
    const stale: KeptEdit[] = [];
    parts.forEach(({ signed, message }, part) => {
      if (isStripping && signed && message >= end && isStale(message)) stale.push({ part, pieces: undefined });
    });
    // Messages that were sent before stay the same objects.
    const items = this.items.filter(({ last }) => last < end);
    if (stale.length === 0) return new Sent(Math.min(end, this.covered), items, kept, Math.min(this.epoch, items.length));
    const written = yield* Sent.writing(history, history.length, [...kept, ...stale], counter);
    return new Sent(
      history.length,
      written.items.map((item, index) => items[index] ?? item),
      written.edits,
    );
  }

  /**
   * Returns the latest place up to `start` where the sent messages can be split: no removal on one side has its mark on the
   * other, and no removed call has its result after it.
   */
  #boundary(start: number, parts: readonly Part[]) {
    let end = this.#whole(start);
    const gone = new Set(this.edits.filter(({ pieces }) => pieces === undefined).map(({ part }) => part));
    for (let index = parts.length - 1; index >= 0; index--) {
      const { message, call } = parts[index];
      if (call === undefined) continue;
      if (message >= end && gone.has(call) && parts[call].message < end) end = this.#whole(parts[call].message);
    }
    return end;
  }

  /** Returns the latest place up to `start` after which nothing was removed. */
  #whole(start: number) {
    if (start >= this.covered) return start;
    return this.#endOf(({ last }) => last < start);
  }

  /** Counts the messages up to the last item that `isEnd` accepts and after which nothing was removed. */
  #endOf(isEnd: (item: Item) => boolean) {
    const next = (index: number) => this.items[index + 1]?.first ?? this.covered;
    const index = this.items.findLastIndex((item, place) => isEnd(item) && !item.isMark && item.last + 1 === next(place));
    return index < 0 ? 0 : this.items[index].last + 1;
  }
}

/** Writes the first messages of a history with edits, in steps; `isCopy`: whether one is no message of the history. */
function* edited(history: History, covered: number, edits: readonly KeptEdit[], format: Format) {
  const messages = history.messages(covered);
  const parts: Part[] = yield* format.reading(messages);
  const made = edits.map(({ part, pieces }) => editOf(parts, part, pieces));
  const written: Written = yield* writing(format, messages, made);
  const isCopy = (message: object, index: number) => message !== messages[written.sources[index].first];
  return { made, written, isCopy };
}

/** An item for a message that is sent as it is. */
export const itemOf = (index: number, tokens: number): Item => ({
  first: index,
  last: index,
  message: undefined,
  tokens,
  isStripped: false,
  markers: '',
});

function* itemsOf(
  history: History,
  { messages, sources }: Written,
  edits: readonly Edit[],
  tokensOf: (message: object) => number,
): Steps<Item[]> {
  const { entries } = history;
  const stripped = new Set(edits.filter(({ part }) => part.signed).map(({ part }) => part.message));
  const items: Item[] = [];
  for (let index = 0; index < messages.length; index++) {
    if (pace.isDue) yield;
    const { first, last, isMark } = sources[index];
    const entry = entries[first];
    if (messages[index] === entry.message) {
      items.push(itemOf(first, entry.tokens));
      continue;
    }
    let isStripped = false;
    for (let at = first; at <= last; at++) isStripped ||= stripped.has(at);
    items.push({
      first,
      last,
      message: messages[index],
      tokens: tokensOf(messages[index]),
      isStripped,
      markers: markersIn(history, first, last),
      ...(isMark && { isMark }),
    });
  }
  return items;
}

/** The caller's breakpoints in messages `first` to `last`. */
function markersIn({ entries }: History, first: number, last: number) {
  let found = '';
  for (let index = first; index <= last; index++) found += markersOf(entries[index].message);
  return found;
}

/** Converts a kept edit to one that `write` takes. */
export function editOf(parts: Part[], part: number, pieces: KeptEdit['pieces']): Edit {
  if (pieces === undefined) return { part: parts[part], remove: true };
  const textOf = (piece: string | [number, number] | Recalled) => {
    if (typeof piece === 'string') return piece;
    if (Array.isArray(piece)) return parts[part].text.slice(piece[0], piece[1]);
    return parts[piece.part].text.slice(piece.start, piece.end);
  };
  return { part: parts[part], text: pieces.map(textOf).join('') };
}

/**
 * Compares a request with the last one from the start; `next` is the message of the history where they differ.
 *
 * @param before `request`: tokens that belong to no message; `touched`: messages of the history that
 * were changed in place since `last`, which holds the same objects
 */
export function reusedOf(
  last: object[],
  messages: object[],
  sent: Sent,
  { entries }: History,
  { request, touched }: { request: number; touched: Set<object> },
) {
  const most = Math.min(messages.length, last.length);
  let [count, next] = [0, 0];
  let tokens = last.length === 0 ? 0 : request;
  for (; count < most && (last[count] === messages[count] || isSame(last[count], messages[count])); count++) {
    const item = sent.items[count];
    const index = item?.last ?? sent.covered + count - sent.items.length;
    if (touched.size > 0 && entries.slice(item?.first ?? index, index + 1).some(({ message }) => touched.has(message))) break;
    tokens += item?.tokens ?? entries[index].tokens;
    next = index + 1;
  }
  return { messages: count, tokens, next };
}
