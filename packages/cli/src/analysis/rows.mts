// Rows of a table that has room for a number of them.

/** Name of the row of all others. */
export const OTHERS = '…';

/**
 * Returns the first rows and, where there are more than `most`, one for all others.
 *
 * @param sumOf the row of all others
 */
export const withOthers = <R,>(all: R[], most: number, sumOf: (others: R[]) => R) =>
  all.length <= most ? all : [...all.slice(0, most - 1), sumOf(all.slice(most - 1))];
