// Compares two builds of the package: every workload is measured with both, in turns, in the same process.
//
//   npm run bench -- --against DIR                 this build against the one in DIR (a checkout, built), or against a commit, which is built here
//   npm run bench -- --against DIR --only PATTERN  only workloads whose name matches
import { interleaved, median, quantile } from './measure.mjs';
import { readPackage, root } from './package.mjs';

/** Maximum ratio by which a workload may be slower. */
const LIMIT = 1.05;
/** Maximum number of times that a workload beyond the limit gets more samples: other processes may have slowed it for a while. */
const RETRIES = 3;
const TIMING = { seconds: 1, atLeast: 7 };

/** The value for the samples of a time: other processes disturbed the fastest quarter least. */
const undisturbed = (samples) => quantile(samples, 0.25);

/** The values of both builds, their ratio, and the middle half of the ratios of samples taken in the same round. */
function judged([before, now], pick) {
  const [old, own] = [pick(before), pick(now)];
  const ratios = now.map((value, round) => value / before[round]);
  return { before: old, now: own, ratio: own / old, low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

async function compare({ input, sampler, runs, pick = undisturbed }, packages, limit) {
  const given = input?.();
  const samplers = await Promise.all(packages.map((build) => sampler(build, given)));
  const timing = runs === undefined ? TIMING : { seconds: 0, atLeast: runs };
  const samples = [[], []];
  let found;
  for (let tries = 0; tries <= RETRIES; tries++) {
    const more = await interleaved(samplers, timing);
    for (const [index, list] of more.entries()) samples[index].push(...list);
    found = judged(samples, pick);
    if (found.ratio <= limit) break;
  }
  return found;
}

const digits = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3));

/**
 * Prints a row for each workload, and returns its ratio and whether that is beyond its limit.
 *
 * @param {object} [options]
 * @param {string} [options.only] a pattern of names
 * @param {string[]} [options.names] in place of it
 * @param {(workload: string) => number} [options.limitOf]
 */
export async function compareWith(folder, rows, { only = '', names, limitOf = () => LIMIT } = {}) {
  const packages = [await readPackage(folder), await readPackage(root)];
  const pattern = new RegExp(only);
  const isAsked = (name) => names?.includes(name) ?? pattern.test(name);
  const found = [];
  console.log(`${'workload'.padEnd(62)} ${'before'.padStart(9)} ${'now'.padStart(9)} unit  now : before  middle half`);
  for (const workload of rows.flatMap(({ workloads }) => workloads)) {
    if (!isAsked(workload.workload)) continue;
    const limit = limitOf(workload.workload);
    const { before, now, ratio, low, high } = await compare(workload, packages, limit);
    const isSlower = ratio > limit;
    found.push({ workload: workload.workload, ratio, isSlower });
    const times = [before, now].map((value) => digits(value).padStart(9)).join(' ');
    const spread = `${low.toFixed(2)}–${high.toFixed(2)}`;
    console.log(
      `${workload.workload.padEnd(62)} ${times} ${workload.unit.padEnd(4)}  ${ratio.toFixed(3).padStart(12)}  ${spread}${isSlower ? '  SLOWER' : ''}`,
    );
  }
  const slower = found.filter(({ isSlower }) => isSlower);
  console.log(
    `\n${found.length} workloads, ratio ${median(found.map(({ ratio }) => ratio)).toFixed(3)} in the middle; ${slower.length} beyond the limit.`,
  );
  return found;
}
