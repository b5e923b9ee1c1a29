// Intervals by bootstrap over runs: runs are drawn again with replacement, within their kind, and all strategies are measured on the same draws.
import { Random } from '../generate/random.mjs';

export const TIMES = 1000;
/** The middle so much of the draws. */
const LEVEL = 0.95;

/** @param {number[][]} groups positions of the runs of each kind; @returns for each draw, how often each run was drawn */
export function draws(groups, seed, times = TIMES) {
  const random = new Random(seed);
  const count = groups.flat().length;
  return Array.from({ length: times }, () => {
    const weights = new Uint16Array(count);
    for (const group of groups) for (let drawn = 0; drawn < group.length; drawn++) weights[random.pick(group)]++;
    return weights;
  });
}

/** A share, in %: what is there of what there is, over all runs. `pairs` has `[there, all]` by run. */
function share(pairs, weights) {
  let [there, all] = [0, 0];
  for (const [run, [one, of]] of pairs.entries()) {
    const weight = weights?.[run] ?? 1;
    there += weight * one;
    all += weight * of;
  }
  return all === 0 ? Number.NaN : (100 * there) / all;
}

function middle(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  return [at((1 - LEVEL) / 2), at((1 + LEVEL) / 2)];
}

/** @returns {{ value: number, low: number, high: number }} in % */
export function estimate(pairs, drawn) {
  const [low, high] = middle(drawn.map((weights) => share(pairs, weights)));
  return { value: share(pairs), low, high };
}

/** The same of how much more one has than another. */
export function difference(pairs, others, drawn) {
  const [low, high] = middle(drawn.map((weights) => share(pairs, weights) - share(others, weights)));
  return { value: share(pairs) - share(others), low, high };
}
