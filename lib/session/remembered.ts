import { RecallIndex } from '../recall/recall-index.js';
import { isRecall } from './recall-tool.js';
import type { Snapshot } from '../equality/snapshot.js';
import type { Format, Part, Tokenizer } from '../types.js';
import type { Steps } from '../steps.js';
import type { History } from './history.js';

/** The parts of a session's history, and an index of their texts. Both grow with it. */
export class Remembered {
  parts: Part[] = [];
  /** The messages that were read, by their snapshots, and the number of parts up to the end of each. */
  #snapshots = [] as Snapshot[];
  #ends = [] as number[];
  /** The last call of each id so far, by the number of its part: many servers use ids again in each turn. */
  #calls: Map<string, number> = new Map();
  #index = new RecallIndex();

  /** Reads the messages of a history that were not read before, in steps. */
  *read(history: History, format: Format): Steps<void> {
    const messages = history.messages();
    const snapshots = history.entries.map(({ snapshot }) => snapshot);
    this.#truncate(this.#sharedWith(messages, snapshots, format));
    const known = this.#snapshots;
    const start = known.length;
    // Some results are told from others by their place behind the calls.
    const from = this.#turnOf(start);
    const read = (yield* format.reading(messages.slice(from))) as Part[];
    // Another call may have read them meanwhile.
    if (this.#snapshots !== known) return yield* this.read(history, format);
    this.#snapshots = snapshots;
    const first = from === 0 ? 0 : this.#ends[from - 1];
    for (const part of read) {
      part.message += from;
      if (part.message < start) continue;
      // From now on it counts from the first part of the history.
      if (part.call !== undefined) part.call = part.call < 0 ? this.#lastCall(part) : part.call + first;
      this.#ends[part.message] = this.parts.push(part);
      this.#learn(part, this.parts.length - 1);
    }
  }

  /** The first message of the calls whose results may go on at message `start`. */
  #turnOf(start: number) {
    const has = (message: number, kind: string) => message >= 0 && this.partsOf(message, message).some((part) => part.kind === kind);
    let from = start;
    while (has(from - 1, 'result') && !has(from - 1, 'call')) from--;
    while (has(from - 1, 'call')) from--;
    return from;
  }

  #lastCall({ callId }: Part) {
    return (callId === undefined ? undefined : this.#calls.get(callId)) ?? -1;
  }

  #learn({ kind, callId }: Part, number: number) {
    if (kind === 'call' && callId !== undefined) this.#calls.set(callId, number);
  }

  /**
   * Returns the passages that match a query best, of what a request does not contain.
   *
   * @param sent parts of the request
   * @param options `before`: the message up to which is searched, all
   * by default. A message that asks does not answer itself, and its words are no clue because it says them.
   */
  search(
    query: string,
    sent: readonly Part[],
    { before = this.#snapshots.length, ...options }: { limit: number; tokenizer: Tokenizer; isPlain?: boolean; before?: number },
  ) {
    this.#indexTo(before);
    this.#index.setSent(sent);
    return this.#index.search(query, options);
  }

  /** Makes the index that of the first `count` messages. */
  #indexTo(count: number) {
    if (this.#index.messages > count) this.#index.truncate(count);
    const parts = this.partsOf(this.#index.messages, count - 1);
    this.#index.append(parts.map((part) => (this.#isOwn(part) ? { ...part, text: '' } : part)));
  }

  /** How much a query asks for, in the messages that were searched last. */
  weightOf(query: string) {
    return this.#index.weightOf(query);
  }

  /** The parts of messages `from` to `to`. */
  partsOf(from: number, to: number) {
    const last = Math.min(to, this.#ends.length - 1);
    return from > last ? [] : this.parts.slice(from === 0 ? 0 : this.#ends[from - 1], this.#ends[last]);
  }

  /** Name of the tool that a part calls or answers. */
  toolOf({ name, call = -1 }: Part) {
    return name ?? this.parts[call]?.name;
  }

  /** What was recalled stands where it came from. */
  #isOwn(part: Part) {
    return part.kind !== 'text' && isRecall(this.toolOf(part));
  }

  /**
   * Number of messages at the start that were read already. A message that was changed in place has another snapshot.
   *
   * @param snapshots theirs
   */
  #sharedWith(messages: object[], snapshots: Snapshot[], format: Format) {
    const known = this.#snapshots;
    let count = 0;
    while (count < known.length && (known[count] === snapshots[count] || this.#isSame(count, messages[count], format))) count++;
    return count;
  }

  /** Returns whether a message has the texts and calls of the one that was read in its place. */
  #isSame(index: number, message: object, format: Format) {
    if (message === undefined) return false;
    const known = this.partsOf(index, index);
    const parts = format.read([message]);
    const areSame = (one: Part, other: Part) => (['kind', 'text', 'name', 'callId'] as const).every((key) => one[key] === other[key]);
    return parts.length === known.length && parts.every((part, place) => areSame(part, known[place]));
  }

  #truncate(count: number) {
    if (count === this.#snapshots.length) return;
    this.#snapshots = this.#snapshots.slice(0, count);
    this.#ends.length = count;
    this.parts.length = this.#ends.at(-1) ?? 0;
    this.#calls.clear();
    this.parts.forEach((part, number) => this.#learn(part, number));
    this.#index.truncate(count);
  }
}
