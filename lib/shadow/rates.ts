import type { ShadowRate } from '../../index.js';

/** Two-sided 95 % of the normal distribution. */
const Z = 1.959963984540054;

/** A share with Wilson's score interval of 95 % (Wilson 1927): it holds for few trials, and for shares of 0 and 1. */
export function rateOf(count: number, of: number): ShadowRate {
  if (of === 0) return { count, of, share: 0, low: 0, high: 1 };
  const share = count / of;
  const weight = 1 + Z ** 2 / of;
  const middle = (share + Z ** 2 / (2 * of)) / weight;
  const half = (Z / weight) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  return { count, of, share, low: count === 0 ? 0 : Math.max(0, middle - half), high: count === of ? 1 : Math.min(1, middle + half) };
}
