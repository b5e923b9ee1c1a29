/** Every sample lasts at least this long (ms), so that the clock's resolution and a single interrupt do not matter. */
const SAMPLE = 1;

/** The value below which a share of the values lies. */
export const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
export const median = (values) => quantile(values, 0.5);

/** Time (ms) for which a task runs before it is measured: the first thousands of calls of a short one run in code that V8 has not optimized. */
const WARM_UP = 300;

/** Warms a task up, and returns how often it has to run to fill a sample. */
function repetitions(task) {
  for (const end = performance.now() + WARM_UP; performance.now() < end; ) task();
  for (let count = 1; ; count *= 2) {
    const start = performance.now();
    for (let run = 0; run < count; run++) task();
    if (performance.now() - start >= SAMPLE) return count;
  }
}

/** Measures one run of a task (ms), as the mean of as many runs as fill a sample. */
export function sampler(task) {
  const count = repetitions(task);
  return () => {
    const start = performance.now();
    for (let run = 0; run < count; run++) task();
    return (performance.now() - start) / count;
  };
}

/**
 * Takes samples of several samplers in turns: whatever else the machine does weighs on all of them alike, and their ratios hold
 * where the times themselves are noise. Every other round runs backwards, so that nothing with a rhythm of its own always meets
 * the same sampler.
 *
 * @param {(() => number | Promise<number>)[]} samplers
 * @returns {Promise<number[][]>} the samples of each
 */
export async function interleaved(samplers, { seconds = 1, atLeast = 5 } = {}) {
  globalThis.gc?.();
  const samples = samplers.map(() => []);
  const end = performance.now() + 1_000 * seconds;
  for (let round = 0; round < atLeast || performance.now() < end; round++) {
    for (let turn = 0; turn < samplers.length; turn++) {
      const index = round % 2 === 0 ? turn : samplers.length - 1 - turn;
      samples[index].push(await samplers[index]());
    }
  }
  return samples;
}

/** The median time (ms) of each task. */
export const medians = async (tasks, options) => (await interleaved(tasks.map(sampler), options)).map(median);

/** The shortest time (ms) that can be measured. */
const MIN_TIME = 0.1;
/** Minimum number of rounds, and maximum for a growth that doesn't look linear. */
const [MIN_ROUNDS, MAX_ROUNDS] = [2, 8];
/** A growth that is taken for linear from four times the input: caches and the collector add a little to four. */
const LINEAR = 5;

/**
 * How many times the processor's time of `quarter` `whole` takes, both at their best: the clock on the wall would measure what else the
 * machine does.
 *
 * @param {() => unknown} quarter may give a promise
 * @param {() => unknown} whole the same on four times the input
 */
export async function growthOf(quarter, whole) {
  const best = [Infinity, Infinity];
  const growth = () => best[1] / Math.max(best[0], MIN_TIME);
  for (let round = 0; round < MIN_ROUNDS || (round < MAX_ROUNDS && growth() > LINEAR); round++) {
    for (const [index, task] of [quarter, whole].entries()) {
      // What was left behind before is none of its work: collecting it made the larger input seem 18 times as dear.
      globalThis.gc?.();
      const start = process.cpuUsage();
      await task();
      const { user, system } = process.cpuUsage(start);
      best[index] = Math.min(best[index], (user + system) / 1000);
    }
  }
  return { growth: growth(), ms: best[1] };
}

/** The UTF-8 bytes of all contents. */
export const contentBytes = (messages) => messages.reduce((sum, { content }) => sum + Buffer.byteLength(content ?? ''), 0);
