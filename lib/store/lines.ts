// Originals as lines of text, such that those of a conversation that has grown have the same lines again. What was taken out comes first: a
// line for each message, whatever else was taken out with it. Where it belongs changes with every round, and follows behind an empty line in
// short rows:
//
//     { round, step, order, length, hash, prints }   a round begins: what its entries have in common
//     [skip, left, taken, rest, key]          a cut of `taken` messages; the `left` ones that stand for them begin `skip` behind the last entry
//     count                                   so many other entries, as stubs are
//     { again }                               the row before, so many times more

import { PRINT, printAt } from '../equality/fingerprint.js';
import { cutKeys } from '../agent/rounds.js';
import { isIndex, isObject } from '../checks.js';
import { redactEntry } from './redacted.js';
import type { Cut } from '../agent/rounds.js';
import type { Node } from '../agent/structure.js';

export function written(originals: object, redact: ((text: string) => string) | undefined): string {
  const bodies: string[] = [];
  const rows: unknown[] = [];
  let round = new Round({});
  for (const [key, given] of Object.entries(originals as Record<string, unknown>)) {
    const entry = redact ? redactEntry(given, redact) : given;
    if (!isPlaced(entry)) {
      bodies.push(JSON.stringify([key, entry]));
      rows.push(typeof rows.at(-1) === 'number' ? (rows.pop() as number) + 1 : 1);
      continue;
    }
    if (!round.isContinuedBy(entry)) {
      round.nameRows();
      const { step, order, length, hash, prints } = entry;
      round = new Round({ round: entry.round, step, order, length, hash, prints });
      rows.push(round.head);
    }
    for (const [index, node] of entry.was.entries()) bodies.push(JSON.stringify([printAt(entry.of, index), node]));
    rows.push(round.rowOf(key, entry));
  }
  round.nameRows();
  return [...bodies, '', ...counted(rows.map((row) => JSON.stringify(row)))].join('\n');
}

/** Counts rows that repeat the one before. */
function counted(rows: string[]) {
  const lines: string[] = [];
  for (let start = 0, end = 0; start < rows.length; start = end) {
    while (rows[end] === rows[start]) end++;
    lines.push(rows[start]);
    if (end - start > 1) lines.push(JSON.stringify({ again: end - start - 1 }));
  }
  return lines;
}

/** The rows that {@link counted} was given. Each that is repeated stands for a body. */
function rowsOf(lines: string[], bodies: number) {
  const rows: (Row | Head | number)[] = [];
  let repeated = 0;
  for (const line of lines) {
    const row: { again?: unknown } = JSON.parse(line);
    if (row.again === undefined) {
      rows.push(row as Row | Head | number);
      continue;
    }
    repeated += row.again as number;
    if (!isIndex(row.again) || repeated > bodies) throw new Error('a row is repeated more often than there are entries');
    const last = rows.at(-1) as Row;
    for (let count = 0; count < row.again; count++) rows.push(last);
  }
  return rows;
}

/** Reads what {@link written} wrote. */
export function read(text: string) {
  try {
    return entriesIn(text);
  } catch (cause) {
    throw new Error('loadOriginals(): what the store has is not what was saved, or was saved by a newer version', { cause });
  }
}

function entriesIn(text: string) {
  const lines = text.split('\n');
  const end = lines.indexOf('');
  let next = 0;
  const body = (): Body => JSON.parse(lines[next++]);
  const entries: Body[] = [];
  let round = new Round({});
  for (const row of rowsOf(lines.slice(end + 1), end)) {
    if (typeof row === 'number') for (let index = 0; index < row; index++) entries.push(body());
    else if (!Array.isArray(row)) {
      round.nameEntries();
      round = new Round(row);
    } else entries.push(round.entryOf(row, Array.from({ length: row[2] }, body)));
  }
  round.nameEntries();
  const originals: Record<string, unknown> = {};
  for (const [key, value] of entries)
    Object.defineProperty(originals, key, { value, enumerable: true, configurable: true, writable: true });
  return originals;
}

/** A key or a fingerprint, and what has it. */
type Body = [name: string, value: unknown];
/** What the entries of a round have in common. */
type Head = Partial<Pick<Cut, 'round' | 'step' | 'order' | 'length' | 'hash' | 'prints'>>;
type Placed = Pick<Cut, keyof Head | 'at' | 'of' | 'was' | 'before' | 'after'> & { now: (string | null)[] };
/** What of a cut does not follow from its round. */
type Rest = Omit<Placed, keyof Head | 'at'>;
type Row = [skip: number, left: number, taken: number, others?: Partial<Rest>, key?: string];

/** Whether an entry is a cut with a place. */
function isPlaced(entry: unknown): entry is Placed {
  if (!isObject(entry)) return false;
  const { round, step, length, at, of, prints, was, now, before, after } = entry;
  if (typeof round !== 'string' || typeof of !== 'string' || !(prints === undefined || typeof prints === 'string')) return false;
  if (![step, length, at].every(isIndex)) return false;
  if (!Array.isArray(was) || was.length === 0 || !Array.isArray(now)) return false;
  return of.length === PRINT * was.length && ![before, after].includes(undefined);
}

/** The entries of a round, in their order. What follows from the round is not written. */
class Round {
  head: Head;
  step: number;
  /** Index in what the round left, behind the last entry. */
  #end = 0;
  #isFirst = true;
  /** The cuts, each with what gets its key. */
  #cuts: { key: string; entry: Placed; to: unknown[] }[] = [];

  constructor(head: Head) {
    this.head = head;
    this.step = head.step as number;
  }

  isContinuedBy({ round, step, order, length, hash, prints }: Placed) {
    const { head } = this;
    const isSame = round === head.round && order === head.order && length === head.length && hash === head.hash;
    return isSame && step === this.step && prints === undefined;
  }

  /**
   * What of an entry does not follow from the round.
   *
   * @param left number of messages that it left
   */
  shortened({ round, step, order, length, hash, prints, at, ...rest }: Placed, left: number) {
    const skip = at - this.#end;
    this.#follow(at + left);
    return { skip, rest };
  }

  /** The entry that {@link shortened} was given. */
  completed(skip: number, left: number, rest: Rest): Placed {
    const { round, order, length, hash, prints } = this.head;
    const at = this.#end + skip;
    const own = { round, step: this.step, ...(order === undefined ? {} : { order }), length, ...(hash === undefined ? {} : { hash }), at };
    const entry = { ...own, ...rest, ...(this.#isFirst && prints !== undefined ? { prints } : {}) } as Placed;
    this.#follow(at + left);
    return entry;
  }

  rowOf(key: string, entry: Placed) {
    const left = entry.now.length;
    const { skip, rest } = this.shortened(entry, left);
    const { of, was, before, after, now, ...others } = rest;
    const around = this.#around(entry.at, left);
    const isKnown =
      before === around.before &&
      after === around.after &&
      left === around.now.length &&
      now.every((print, index) => print === around.now[index]);
    const row = [skip, left, was.length, isKnown ? others : { before, after, now, ...others }];
    this.#cuts.push({ key, entry, to: row });
    return row;
  }

  /** The entry that {@link rowOf} was given, with its key. */
  entryOf([skip, left, , others, key]: Row, bodies: Body[]) {
    const { before, after, now, ...rest } = { ...this.#around(this.#end + skip, left), ...others };
    const of = bodies.map(([print]) => print).join('');
    const entry = this.completed(skip, left, { before, after, now, of, was: bodies.map(([, node]) => node as Node), ...rest });
    const to = [key as string, entry] as Body;
    this.#cuts.push({ key: key as string, entry, to });
    return to;
  }

  /** Adds the keys of cuts to their rows where they don't follow from the round. */
  nameRows() {
    const keys = this.#keys();
    this.#cuts.forEach(({ key, to }, index) => {
      if (keys[index] !== key) to.push(key);
      else if (Object.keys(to[3] as object).length === 0) to.pop();
    });
  }

  /** Completes the keys of the entries. */
  nameEntries() {
    const keys = this.#keys();
    this.#cuts.forEach(({ to }, index) => (to[0] ??= keys[index]));
  }

  #keys() {
    return cutKeys(
      this.head.prints,
      this.#cuts.map(({ entry }) => entry),
    );
  }

  #around(at: number, count: number) {
    const { prints = '' } = this.head;
    const printOf = (index: number) => printAt(prints, index) ?? null;
    // What is read may name any count.
    const length = Math.min(count, Math.max(0, prints.length / PRINT - Math.max(0, at)));
    return { before: printOf(at - 1), after: printOf(at + count), now: Array.from({ length }, (_, index) => printOf(at + index)) };
  }

  #follow(end: number) {
    this.#end = end;
    this.#isFirst = false;
    this.step++;
  }
}
