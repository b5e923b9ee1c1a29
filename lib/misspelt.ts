// Names that were meant by misspelt ones.

/** Longer names are no misspelt ones. */
export const LONGEST = 40;

/** A name without what differs by taste: `keep.recent`, `keepRecent` and `keep_recent` are the same. */
export const plain = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/**
 * Returns the name that is written most like the searched one; undefined if none is written much like it.
 *
 * @param searched plain
 * @param names each with a plain form of it
 */
export function misspelt(searched: string, names: readonly (readonly [form: string, name: string])[]) {
  const distances = names.map(([form]) => distance(searched, form));
  const least = Math.min(...distances);
  return least <= Math.min(3, Math.floor(searched.length / 3)) ? names[distances.indexOf(least)][1] : undefined;
}

/** The number of letters to add, drop, change or swap with the next one (optimal string alignment). */
function distance(a: string, b: string) {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = last[column - 1] + Number(a[row - 1] !== b[column - 1]);
      current[column] = Math.min(change, last[column] + 1, current[column - 1] + 1);
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwapped) current[column] = Math.min(current[column], before[column - 2] + 1);
    }
    [before, last] = [last, current];
  }
  return last[b.length];
}
