// Compares two builds of the package: every workload is measured with both, in turns, each in a process of its own. In one process the second build would
// take up to a fifth longer than the first.
//
//   npm run bench -- --against DIR                 this build against the one in DIR (a checkout, built), or against a commit, which is built here
//   npm run bench -- --against DIR --only PATTERN  only workloads whose name matches
import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, median, quantile } from './measure.mjs';
import { root } from './package.mjs';

/** Maximum ratio by which a workload may be slower. */
const LIMIT = 1.05;
/** Maximum number of times that a workload beyond the limit gets more samples: other processes may have slowed it for a while. */
const RETRIES = 8;
const TIMING = { seconds: 2, atLeast: 7 };

/** The value for the samples of a time: other processes disturbed the fastest quarter least. */
const undisturbed = (samples) => quantile(samples, 0.25);

/** The values of both builds, their ratio, and the middle half of the ratios of samples taken in the same round. */
function judged([before, now], pick) {
  const [old, own] = [pick(before), pick(now)];
  const ratios = now.map((value, round) => value / before[round]);
  return { before: old, now: own, ratio: own / old, low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

const child = fileURLToPath(new URL('child/samples.mjs', import.meta.url));

/** A process that samples a workload with the build in a folder. */
async function sampling(folder, workload) {
  const process = fork(child, [resolve(folder), workload], { execArgv: ['--expose-gc'] });
  let [settle, fail] = [];
  process.on('message', (message) => settle(message));
  process.on('exit', (code) => fail?.(new Error(`${workload}: the process that measures ${folder} ended with ${code}`)));
  const answer = () => new Promise((resolve, reject) => ([settle, fail] = [resolve, reject]));
  const sample = () => {
    process.send('sample');
    return answer();
  };
  await answer();
  return { sample, end: () => process.kill() };
}

/** Samples of both builds, each from a process that is new: V8 optimizes the same code otherwise in one out of several. */
async function sampled(workload, folders, timing) {
  const processes = [];
  try {
    for (const folder of folders) processes.push(await sampling(folder, workload));
    return await interleaved(
      processes.map(({ sample }) => sample),
      timing,
    );
  } finally {
    for (const { end } of processes) end();
  }
}

async function compare({ workload, runs, pick = undisturbed }, folders, limit) {
  const timing = runs === undefined ? TIMING : { seconds: 0, atLeast: runs };
  const samples = [[], []];
  let found;
  for (let tries = 0; tries <= RETRIES; tries++) {
    for (const [index, list] of (await sampled(workload, folders, timing)).entries()) samples[index].push(...list);
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
  const pattern = new RegExp(only);
  const isAsked = (name) => names?.includes(name) ?? pattern.test(name);
  const found = [];
  console.log(`${'workload'.padEnd(62)} ${'before'.padStart(9)} ${'now'.padStart(9)} unit  now : before  middle half`);
  for (const workload of rows.flatMap(({ workloads }) => workloads)) {
    if (!isAsked(workload.workload)) continue;
    const limit = limitOf(workload.workload);
    const { before, now, ratio, low, high } = await compare(workload, [folder, root], limit);
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
