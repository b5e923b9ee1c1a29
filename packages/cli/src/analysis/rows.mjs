// @ts-check
// Rows of a table that has room for a number of them.

/** Name of the row of all others. */
export const OTHERS = '…';

/**
 * Returns the first rows and, where there are more than `most`, one for all others.
 *
 * @template R
 * @param {R[]} all
 * @param {number} most
 * @param {(others: R[]) => R} sumOf the row of all others
 */
export const withOthers = (all, most, sumOf) => (all.length <= most ? all : [...all.slice(0, most - 1), sumOf(all.slice(most - 1))]);
