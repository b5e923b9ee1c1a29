// What each request was made of: enough to write it again from the caller's history, and no text of that but marks.

import { isObject } from '../checks.js';
import { fingerprintsOf, messagePrints } from '../equality/fingerprint.js';
import { areMarks, editsIn, isSameEdit, marked, marksIn, numberOf, numbersOf } from './edits.js';
import { pack, unpack } from './packed.js';
import type { Mark, Marks, Run } from './edits.js';
import type { History } from './history.js';
import type { Reason } from './ledger.js';
import type { Sent } from './sent.js';

/** A request. */
export interface Made {
  /** messages of its history */
  length: number;
  /** the first one of a choice */
  isNew: boolean;
  /** why it began an epoch; `off`: it went out as it came */
  reason: Reason | 'off' | undefined;
  /** messages at its start that the last request had as well; undefined where the session sets no breakpoints */
  reused: number | undefined;
  /** print of its history, once it was asked for: until then that is a part of the session's */
  print: string | undefined;
}

/** What requests in a row have in common. */
export interface Choice {
  /** name of the format */
  format: string;
  /** messages that the edits cover, and that the last epoch made of them; undefined: all */
  covered: number;
  epoch: number | undefined;
  /** print of the messages that the edits make */
  print: string;
}

/** How a choice differs from the one after it. */
export interface Difference extends Choice {
  /** the parts with other edits: their edits, and which have none */
  edits: Run[];
  bare: Run[];
  /** the messages from `from` on of which nothing is written shorter, in ranges: the start of each, and its length */
  from: number;
  whole: number[];
}

/** The last choice. */
interface Current extends Choice {
  edits: readonly Run[];
  /** what a saved state has of its messages: how many, and the ranges of those of which nothing is written shorter */
  saved: { length: number; whole: readonly number[] } | undefined;
}

const REASONS = ['limit', 'turn', 'early', 'cold', 'off'] as const;
/** Characters of a print: 36 bits, of what is no secret and no attack. */
const PRINT = 6;
/** In place of a print of what has none. */
const NO_PRINT = '!'.repeat(PRINT);
/** Messages whose prints are hashed to one. */
const BLOCK = 64;
/** Maximum size of a saved log in bytes: a share of the history, and so many beside. */
const SHARE = 0.02;
const BESIDE = 4000;
/** Share of that which stays, where it is too much: the rest has room for what comes. */
const STAYS = 0.9;
/** Bytes of a request. */
const REQUEST = PRINT + 4;

/** How each choice differs from the one after it, as texts, and the marks that they name. */
interface Differences {
  texts: readonly string[];
  marks: readonly Mark[];
  /** bytes of both, at most */
  size: number;
}

const NONE: Differences = { texts: [], marks: [], size: 0 };

/** Bytes of a text in UTF-8, at most: marks have an ellipsis. */
const bytesOf = (text: string) => text.length + 2 * (text.match(/[^\x20-\x7e]/g)?.length ?? 0);

const differencesOf = (texts: readonly string[], marks: readonly Mark[]): Differences => ({
  texts,
  marks,
  size: [...texts, ...marks].reduce<number>((sum, one) => sum + bytesOf(JSON.stringify(one)) + 1, 0),
});

const added = ({ length, reason, reused }: Omit<Made, 'isNew' | 'print'>, isNew: boolean): Made => ({
  length,
  isNew,
  reason,
  reused,
  print: undefined,
});

/** A log of requests: the newest ones. It is immutable. */
export class RequestLog {
  /** The requests from `#first` to before `#end`. Logs that go on with each other share the list. */
  readonly #list: Made[];
  readonly #first: number;
  readonly #end: number;
  readonly #current: Current | undefined;
  readonly #differences: Differences;

  constructor(list: Made[] = [], current?: Current, differences: Differences = NONE, first: number = 0, end: number = list.length) {
    this.#list = list;
    this.#first = first;
    this.#end = end;
    this.#current = current;
    this.#differences = differences;
  }

  /** The requests, the oldest one first. */
  get made(): readonly Made[] {
    return this.#list.slice(this.#first, this.#end);
  }

  get length() {
    return this.#end - this.#first;
  }

  get current() {
    return this.#current;
  }

  /**
   * Returns the log with one more request.
   *
   * @param before the history of the last one
   * @param start how many messages both have
   */
  add(
    request: Omit<Made, 'isNew' | 'print'>,
    { format, sent, history, before, start }: { format: string; sent: Sent; history: History; before: History; start: number },
  ): RequestLog {
    const { covered, edits } = sent;
    const epoch = sent.epoch === sent.items.length ? undefined : sent.epoch;
    const last = this.length === 0 ? undefined : this.#list[this.#end - 1];
    const current = this.#current;
    const most = BESIDE + SHARE * 4 * history.tokens();
    const isSame =
      current !== undefined &&
      current.edits === edits &&
      current.covered === covered &&
      current.epoch === epoch &&
      current.format === format &&
      start >= (last?.length ?? 0) &&
      (last?.reason === 'off') === (request.reason === 'off');
    if (isSame) return this.#with(added(request, false), current, this.#differences).#within(most);
    if (start < before.length) this.#fill(before, start);
    const next: Current = { format, covered, epoch, print: copiesPrint(sent), edits, saved: undefined };
    const made = added(request, true);
    if (current === undefined) return new RequestLog([made], next);
    const marks: Marks = marksOf(this.#differences.marks);
    const difference = this.#difference(current, { ...next, history }, { before, start, end: last?.length ?? 0 });
    const texts = [...this.#differences.texts, written(difference, marks)];
    return this.#with(made, next, differencesOf(texts, marksIn(marks))).#within(most);
  }

  /** The log with one more request. Where another log has gone on with this one, it gets a list of its own. */
  #with(made: Made, current: Current, differences: Differences): RequestLog {
    const isLast = this.#end === this.#list.length;
    const list = isLast ? this.#list : this.#list.slice(this.#first, this.#end);
    list.push(made);
    return new RequestLog(list, current, differences, isLast ? this.#first : 0);
  }

  #difference(
    current: Current,
    next: Current & { history: History },
    { before, start, end }: { before: History; start: number; end: number },
  ): Difference {
    const { format, covered, epoch, print, saved } = current;
    const wasWhole = saved === undefined ? wholeIn(before) : spread(saved.whole, Math.min(saved.length, end));
    const isWhole = wholeIn(next.history);
    let from = Math.min(start, end);
    for (let index = 0; index < from; index++) if (wasWhole[index] !== isWhole[index]) from = index;
    return {
      format: format === next.format ? '' : format,
      covered,
      epoch,
      print,
      ...differing(current.edits, next.edits),
      from,
      whole: rangesFrom(wasWhole, from),
    };
  }

  /** Drops the oldest requests where the log is larger than a number of bytes. */
  #within(most: number): RequestLog {
    if (this.#size <= most) return this;
    const { texts, marks } = this.#differences;
    const all = texts.map((text) => read(text, marks));
    let best = this.#newest([], STAYS * most);
    let [low, high] = [all.lastIndexOf(undefined) + 1, all.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const log = this.#newest(all.slice(middle) as Difference[], STAYS * most);
      if (log.#size <= STAYS * most) [best, high] = [log, middle];
      else low = middle + 1;
    }
    return best;
  }

  /** The log of the last choices, so many before the last one; of that one's requests at most as many as have room in `most` bytes. */
  #newest(kept: readonly Difference[], most: number): RequestLog {
    const marks: Marks = new Map();
    const texts = kept.map((difference) => written(difference, marks));
    const { made } = this;
    let at = made.length;
    for (let left = kept.length + 1; left > 0 && at > 0; ) if (made[--at].isNew) left--;
    const first = kept.length > 0 ? at : Math.max(at, made.length - Math.floor(most / REQUEST));
    return new RequestLog(made.slice(first), this.#current, differencesOf(texts, marksIn(marks)));
  }

  get #size() {
    return this.#differences.size + REQUEST * this.length;
  }

  /** Computes the prints that are missing of requests with more than `start` messages, of a history that begins with theirs. */
  #fill(history: History, start = -1) {
    const missing = this.made.filter(({ print, length }) => print === undefined && length > start);
    if (missing.length === 0) return;
    let prints: string[];
    try {
      prints = history.prints();
    } catch {
      // One is circular.
      prints = [];
    }
    const lengths = missing.map(({ length }) => (length <= prints.length ? length : -1));
    historyPrints(prints, lengths).forEach((print, index) => (missing[index].print = print));
  }

  /** The prints of the requests' histories, where `history` is the session's. */
  prints(history: History) {
    this.#fill(history);
    return this.made.map(({ print }) => print);
  }

  /** How the choices differ from the last one on, newest first; undefined where the log is damaged. */
  differences(): Difference[] | undefined {
    const { texts, marks } = this.#differences;
    const all = texts.map((text) => read(text, marks)).reverse();
    return all.includes(undefined) ? undefined : (all as Difference[]);
  }

  /**
   * Writes it as plain JSON, with marks as they may be stored.
   *
   * @param history the session's
   */
  toJSON(history: History, redact: (text: string) => string) {
    this.#fill(history);
    const { texts, marks } = this.#differences;
    const { made } = this;
    return {
      made: pack(madeNumbers(made)),
      prints: made.map(({ print }) => print).join(''),
      last: (this.#current as Current).print,
      ...(texts.length === 0 ? {} : { choices: texts, marks: marks.map((mark) => (typeof mark === 'string' ? redact(mark) : mark)) }),
    };
  }

  /**
   * Reads what {@link toJSON} wrote; undefined if it did not write this.
   *
   * @param current what the state says of the last choice
   */
  static from(json: unknown, current: Omit<Current, 'print'>): RequestLog | undefined {
    if (json === undefined) return new RequestLog();
    if (!isObject(json)) return undefined;
    const { made, prints, last, choices = [], marks = [] } = json;
    const isText = (text: unknown): text is string => typeof text === 'string';
    const numbers = isText(made) ? unpack(made) : undefined;
    if (numbers === undefined || !isText(prints) || !isText(last) || last.length !== PRINT || !areMarks(marks)) return undefined;
    if (!Array.isArray(choices) || !choices.every((text: unknown) => isText(text) && text.length >= PRINT)) return undefined;
    const list = madeOf(numbers, prints);
    if (list === undefined || list.slice(1).filter(({ isNew }) => isNew).length !== choices.length) return undefined;
    return new RequestLog(list, { ...current, print: last }, differencesOf(choices, marks));
  }
}

/** Requests as numbers: what each is, and how many messages more its history has than the last one, or fewer. */
function madeNumbers(made: readonly Made[]) {
  const numbers: number[] = [];
  let before = 0;
  for (const { length, isNew, reason, reused } of made) {
    const code = 1 + REASONS.indexOf(reason as (typeof REASONS)[number]);
    const more = length - before;
    numbers.push(4 * code + (isNew ? 2 : 0) + (reused === undefined ? 0 : 1), more < 0 ? -2 * more - 1 : 2 * more);
    if (reused !== undefined) numbers.push(reused);
    before = length;
  }
  return numbers;
}

function madeOf(numbers: readonly number[], prints: string): Made[] | undefined {
  const made: Made[] = [];
  let length = 0;
  for (let at = 0; at < numbers.length; ) {
    const kind = numbers[at++];
    const more = numbers[at++] ?? NaN;
    length += more % 2 === 1 ? -(more + 1) / 2 : more / 2;
    const reason = REASONS[Math.floor(kind / 4) - 1];
    const reused = kind % 2 === 1 ? (numbers[at++] ?? NaN) : undefined;
    if (!(length >= 0 && length < 2 ** 32) || Number.isNaN(reused) || kind >= 4 * (REASONS.length + 1)) return undefined;
    const print = prints.slice(PRINT * made.length, PRINT * (made.length + 1));
    made.push({ length, isNew: kind % 4 >= 2, reason, reused, print });
  }
  return prints.length === PRINT * made.length ? made : undefined;
}

const marksOf = (marks: readonly Mark[]): Marks => new Map(marks.map((mark, number) => [marked(mark), number]));

/** Writes a difference as its print, and numbers. */
function written({ format, covered, epoch, print, edits, bare, from, whole }: Difference, marks: Marks) {
  const name = format === '' ? 0 : 1 + numberOf(marks, format);
  const spans = gaps(bare.flatMap(({ part, count = 1 }) => [part, count]));
  const numbers = [name, covered, epoch === undefined ? 0 : epoch + 1, from, whole.length, ...gaps(whole), spans.length, ...spans];
  return print + pack([...numbers, ...numbersOf(edits, marks)]);
}

/** Reads what {@link written} wrote; undefined if it did not write this. */
function read(text: string, marks: readonly Mark[]): Difference | undefined {
  const numbers = unpack(text.slice(PRINT));
  if (numbers === undefined || numbers.length < 6) return undefined;
  const [name, covered, epoch, from, count] = numbers;
  const whole = starts(numbers.slice(5, 5 + count));
  const spans = starts(numbers.slice(6 + count, 6 + count + numbers[5 + count]));
  const edits = editsIn(numbers.slice(6 + count + numbers[5 + count]), marks);
  const format = name === 0 ? '' : marks[name - 1];
  if (edits === undefined || typeof format !== 'string' || spans.length % 2 === 1) return undefined;
  const bare = Array.from({ length: spans.length / 2 }, (_, index) => ({
    part: spans[2 * index],
    count: spans[2 * index + 1],
    pieces: undefined,
  }));
  return { format, covered, epoch: epoch === 0 ? undefined : epoch - 1, print: text.slice(0, PRINT), edits, bare, from, whole };
}

/** Ranges with the distance of each from the end of the last one, in place of its start. */
function gaps(ranges: readonly number[]) {
  let end = 0;
  return ranges.map((number, at) => {
    if (at % 2 === 1) {
      end += number;
      return number;
    }
    const gap = number - end;
    end = number;
    return gap;
  });
}

/** Ranges of which {@link gaps} are these. */
function starts(numbers: readonly number[]) {
  let end = 0;
  return numbers.map((number, at) => {
    end += number;
    return at % 2 === 1 ? number : end;
  });
}

/** Of each message of a history, whether nothing in it is written shorter. */
export const wholeIn = ({ entries }: History) => entries.map(({ isWhole }) => isWhole);

/** Whether each of `length` numbers is in ranges. */
export function spread(ranges: readonly number[], length: number, list: boolean[] = [], from = 0) {
  for (let index = from; index < length; index++) list[index] = false;
  for (let at = 0; at < ranges.length; at += 2) {
    const end = Math.min(length, ranges[at] + ranges[at + 1]);
    for (let index = ranges[at]; index < end; index++) list[index] = true;
  }
  return list;
}

/** The ranges of what is true from `from` on. */
function rangesFrom(list: readonly boolean[], from: number) {
  const ranges: number[] = [];
  for (let index = from; index < list.length; index++) {
    if (!list[index]) continue;
    if (index > from && list[index - 1]) ranges[ranges.length - 1]++;
    else ranges.push(index, 1);
  }
  return ranges;
}

/** The edits of one list where another one has others, and the parts that have one only in the other one. */
function differing(one: readonly Run[], other: readonly Run[]): { edits: Run[]; bare: Run[] } {
  const [edits, bare]: Run[][] = [[], []];
  const add = (list: Run[], part: number, count: number, pieces: Run['pieces']) => {
    if (count > 0) list.push({ part, count, pieces });
  };
  let at = 0;
  /** How many parts of the other one's edit are behind us. */
  let done = 0;
  /** Takes the other one's edits before a part. */
  const upTo = (part: number) => {
    for (; at < other.length && other[at].part + done < part; at++, done = 0) {
      const { part: first, count = 1 } = other[at];
      const end = Math.min(part, first + count);
      add(bare, first + done, end - first - done, undefined);
      done = end - first;
      if (done < count) return;
    }
  };
  for (const { part, count = 1, pieces } of one) {
    for (let next = part; next < part + count; ) {
      upTo(next);
      const { part: first = Infinity, count: parts = 1, pieces: others } = other[at] ?? {};
      if (first + done > next) {
        const end = Math.min(part + count, first + done);
        add(edits, next, end - next, pieces);
        next = end;
        continue;
      }
      const end = Math.min(part + count, first + parts);
      if (!isSameEdit(pieces, others)) add(edits, next, end - next, pieces);
      next = end;
      done = end - first;
      if (done === parts) [at, done] = [at + 1, 0];
    }
  }
  upTo(Infinity);
  return { edits, bare };
}

const short = (print: string) => print.slice(0, PRINT);

/** Prints of the first messages of a history, as many as each of `lengths`, of their prints. */
export function historyPrints(prints: readonly string[], lengths: readonly number[]) {
  const blocks = Array.from({ length: Math.floor(prints.length / BLOCK) }, (_, index) =>
    prints.slice(BLOCK * index, BLOCK * (index + 1)).join(''),
  );
  const hashes = fingerprintsOf(blocks);
  const textOf = (length: number) => {
    const whole = Math.floor(length / BLOCK);
    return [...hashes.slice(0, whole), '', ...prints.slice(BLOCK * whole, length)].join('');
  };
  const all = fingerprintsOf(lengths.map((length) => (length < 0 ? '' : textOf(length))));
  return all.map((print, index) => (lengths[index] < 0 ? NO_PRINT : short(print)));
}

/** A print of the copies in a request, as a provider reads them. */
export function copiesPrint({ items }: Sent) {
  const copies = items.flatMap(({ message }) => message ?? []);
  try {
    return short(fingerprintsOf([messagePrints(copies).join('')])[0]);
  } catch {
    // One is circular.
    return NO_PRINT;
  }
}
