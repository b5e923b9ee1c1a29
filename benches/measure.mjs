/** Every sample lasts at least this long (ms), so that the clock's resolution and a single interrupt do not matter. */
const SAMPLE = 1;

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** How many times `task` has to run to fill a sample. Running it here also lets the JIT compiler see it first. */
function repetitions(task) {
  for (let count = 1; ; count *= 2) {
    const start = performance.now();
    for (let run = 0; run < count; run++) task();
    if (performance.now() - start >= SAMPLE) return count;
  }
}

/**
 * The median time (ms) of each task. Samples are taken in turns: what else the machine does then weighs on all of them
 * alike, and their ratios hold where the times themselves are noise. Every other round runs backwards, so that nothing
 * with a rhythm of its own always meets the same task.
 */
export function medians(tasks, { seconds = 1, atLeast = 5 } = {}) {
  globalThis.gc?.();
  const counts = tasks.map(repetitions);
  const samples = tasks.map(() => []);
  const end = performance.now() + 1_000 * seconds;
  for (let round = 0; round < atLeast || performance.now() < end; round++) {
    for (let turn = 0; turn < tasks.length; turn++) {
      const index = round % 2 === 0 ? turn : tasks.length - 1 - turn;
      const start = performance.now();
      for (let run = 0; run < counts[index]; run++) tasks[index]();
      samples[index].push((performance.now() - start) / counts[index]);
    }
  }
  return samples.map(median);
}

/** The UTF-8 bytes of all contents. */
export const contentBytes = (messages) => messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);

/** A task beside `JSON.stringify` of the same messages, as the columns of a row. */
export function besideStringify(messages, task, options) {
  const [stringify, ms] = medians([() => JSON.stringify(messages), task], options);
  const bytes = contentBytes(messages);
  return { bytes, stringify, value: ms, unit: 'ms', ratio: ms / stringify, of: 'S', throughput: bytes / 1_000 / ms };
}
