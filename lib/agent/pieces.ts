import { PIECE, PIECE_COLUMN } from '../generated/layout.js';
import type { EditedPieces } from '../../binding';

/** A piece of an edited text: a range of the original, or what stands in the place of what is gone. */
export interface EditedPiece {
  text: string;
  /** The range of the original. */
  range?: [number, number];
  /** Whether a key has to stand in front of it. */
  isMarker: boolean;
}

/**
 * Reads the pieces of edits, one after the other: each call of what it returns has the next `count` of them.
 */
export function readPieces({ rows, marks }: EditedPieces): (count: number, original: string) => EditedPiece[] {
  let at = 0;
  let marked = 0;
  const next = (original: string): EditedPiece => {
    const from = rows[at + PIECE_COLUMN.START];
    const to = rows[at + PIECE_COLUMN.END];
    at += PIECE_COLUMN.COUNT;
    if (from >= 0) return { text: original.slice(from, to), range: [from, to], isMarker: false };
    const text = marks.slice(marked, to);
    marked = to;
    return { text, isMarker: from === PIECE.MARKER };
  };
  return (count, original) => Array.from({ length: count }, () => next(original));
}
