// Edits of a history's parts as short texts: numbers, and the marks that they name.

import type { KeptEdit, Recalled } from './sent.js';

export type Piece = NonNullable<KeptEdit['pieces']>[number];

/** A mark, or a recalled passage: its part, start and end. */
export type Mark = string | number[];

/** An edit, of `count` parts in a row where they are removed; one of them by default. */
export type Run = KeptEdit & { count?: number };

/** Marks and their numbers. */
export type Marks = Map<string | Recalled, number>;

/** The number of a mark, which gets one. A recalled passage that another object names is another one. */
export const numberOf = (marks: Marks, mark: string | Recalled) => {
  if (!marks.has(mark)) marks.set(mark, marks.size);
  return marks.get(mark) as number;
};

/**
 * Edits as numbers: how many parts each stands behind the last one; then 0 and how many more parts behind it go as well, where it goes,
 * otherwise one more than it has pieces, and of each piece an odd number for a mark, or an even one for a range: twice how far it
 * starts behind the last one, and its length. A recalled passage counts as a mark: its part, start and end.
 *
 * @param marks takes those that it lacks
 */
export function numbersOf(edits: readonly Run[], marks: Marks): number[] {
  const numbers: number[] = [];
  let next = 0;
  for (let index = 0; index < edits.length; index++) {
    const { part, pieces, count = 1 } = edits[index];
    numbers.push(part - next);
    next = part + count;
    if (pieces === undefined) {
      while (edits[index + 1]?.part === next && edits[index + 1].pieces === undefined) next += edits[++index].count ?? 1;
      numbers.push(0, next - part - 1);
      continue;
    }
    numbers.push(pieces.length + 1);
    let end = 0;
    for (const piece of pieces) {
      if (!Array.isArray(piece)) numbers.push(2 * numberOf(marks, piece) + 1);
      else {
        numbers.push(2 * (piece[0] - end), piece[1] - piece[0]);
        end = piece[1];
      }
    }
  }
  return numbers;
}

/** Marks as they are saved, in the order of their numbers. */
export const marksIn = (marks: Marks) =>
  Array.from(marks.keys(), (mark): Mark => (typeof mark === 'string' ? mark : [mark.part, mark.start, mark.end]));

/** Reads the edits that {@link numbersOf} wrote, with the number of parts of each; undefined if it did not write this. */
export function editsIn(numbers: readonly number[], marks: readonly Mark[]) {
  const edits: Required<Run>[] = [];
  let at = 0;
  const next = () => numbers[at++] ?? NaN;
  for (let part = 0; at < numbers.length; part++) {
    part += next();
    const count = next();
    if (count === 0) {
      const more = next();
      edits.push({ part, count: more + 1, pieces: undefined });
      part += more;
    } else {
      const pieces: (Piece | undefined)[] = [];
      let end = 0;
      for (let piece = 1; piece < count && at < numbers.length; piece++) {
        const number = next();
        const start = end + number / 2;
        if (number % 2 === 0) {
          end = start + next();
          pieces.push([start, end]);
        } else pieces.push(markOf(marks[(number - 1) / 2]));
      }
      edits.push({ part, count: 1, pieces: pieces as Piece[] });
      if (pieces.length !== count - 1 || pieces.includes(undefined) || Number.isNaN(end)) return undefined;
    }
    if (!Number.isSafeInteger(part)) return undefined;
  }
  return edits;
}

/** Returns an edit for each of the first `length` parts: a run may name any number of parts that are not there. */
export function editsOf(length: number, edits: readonly Required<Run>[]) {
  const own: KeptEdit[] = [];
  for (const { part, count, pieces } of edits)
    for (let at = part; at < Math.min(length, part + count); at++) own.push({ part: at, pieces });
  return own;
}

const markOf = (mark: Mark | undefined) => (mark === undefined ? undefined : marked(mark));

/** A saved mark as edits have it. */
export const marked = (mark: Mark) => (Array.isArray(mark) ? { part: mark[0], start: mark[1], end: mark[2] } : mark);

const isRecalled = (mark: unknown) =>
  Array.isArray(mark) && mark.length === 3 && mark.every((number) => Number.isInteger(number) && number >= 0);

/** Whether a value is marks as they are saved. */
export const areMarks = (marks: unknown): marks is Mark[] =>
  Array.isArray(marks) && marks.every((mark: unknown) => typeof mark === 'string' || isRecalled(mark));

/** Whether two edits write the same. */
export const isSameEdit = (one: KeptEdit['pieces'], other: KeptEdit['pieces']) =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    one.length === other.length &&
    one.every((piece, index) => isSamePiece(piece, other[index])));

function isSamePiece(one: Piece, other: Piece) {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  const [a, b] = [one, other].map((piece) => (Array.isArray(piece) ? [-1, ...piece] : [piece.part, piece.start, piece.end]));
  return a.every((number, index) => number === b[index]);
}
