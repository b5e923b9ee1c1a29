// The kinds of rows. A row has workloads, which can be measured with any build of the package, and is measured as a whole:
//
//   workloads    what `--against` compares between two builds: `input()` once, then `sampler(package, input)` for each build
//   measure      the results for one build, with the ratios that the targets are about
//
// A package is `{ folder, palimpsest }`: where it is, and what it exports.
import { contentBytes, interleaved, median, medians, sampler } from './measure.mjs';

/** @typedef {() => number | Promise<number>} Sampler */

/** The time of `JSON.stringify` on the same messages, of which most ratios are. */
export const STRINGIFY = { of: 'S', task: (_, messages) => () => JSON.stringify(messages) };

/**
 * A row that times a task beside another one.
 *
 * @param {object} row
 * @param {() => any} row.input
 * @param {(palimpsest: object, input: any, folder: string) => () => void} row.task
 * @param {{ of: string, task: (palimpsest: object, input: any, folder: string) => () => void }} [row.beside] what the ratio is of
 * @param {((input: any) => number) | null} [row.bytes] UTF-8 bytes that the task reads; null where there is no throughput
 * @param {(result: { value: number, base: number, throughput?: number }) => { ratio: number, of: string }} [row.judge] what the target is about, where
 *   it isn't the time beside that of the other task
 * @param {object} row.target an entry of `targets.mjs`
 */
export function timed({ number, workload, input, task, beside = STRINGIFY, bytes = contentBytes, judge, timing, target }) {
  return {
    workloads: [{ workload, unit: 'ms', input, sampler: ({ palimpsest, folder }, given) => sampler(task(palimpsest, given, folder)) }],
    async measure({ palimpsest, folder }) {
      const given = input();
      const [base, value] = await medians([beside.task(palimpsest, given, folder), task(palimpsest, given, folder)], timing);
      const size = bytes === null ? {} : { bytes: bytes(given), throughput: bytes(given) / 1_000 / value };
      const judged = judge?.({ value, base, throughput: size.throughput }) ?? { ratio: value / base, of: beside.of };
      return [{ number, workload, base, value, unit: 'ms', ...judged, ...size, ...target }];
    },
  };
}

/**
 * A row whose samples aren't the time of a synchronous call.
 *
 * @param {object} row
 * @param {(package: object) => Sampler | Promise<Sampler>} row.sampler
 * @param {(package: object) => Sampler | Promise<Sampler>} [row.beside] sampled in turns with it
 * @param {(result: { value: number, base?: number }) => { ratio: number, of: string }} row.judge
 * @param {number} row.runs how many samples are taken
 * @param {(samples: number[]) => number} [row.pick]
 * @param {() => boolean} [row.isPossible] whether this machine can measure it
 */
export function sampled({ number, workload, unit, sampler, beside, judge, runs, pick, isPossible = () => true, target }) {
  return {
    workloads: isPossible() ? [{ workload, unit, sampler, runs, pick }] : [],
    async measure(build) {
      if (!isPossible()) return [{ number, workload, unit, of: '', ...target }];
      const samplers = await Promise.all([sampler, beside].flatMap((make) => make?.(build) ?? []));
      const samples = await interleaved(samplers, { seconds: 0, atLeast: runs });
      const [value, base] = samples.map(pick ?? median);
      return [{ number, workload, base, value, unit, ...judge({ value, base }), ...target }];
    },
  };
}
