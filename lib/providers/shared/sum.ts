import { isCount } from '../../checks.js';

/** The sum of counts, of which some may be absent; NaN where one is no count. */
export const sum = (...counts: unknown[]) =>
  counts.reduce<number>((total, count) => total + (count == null ? 0 : isCount(count) ? count : NaN), 0);
