/**
 * Work that is written once and can run in one go, or with pauses in which the event loop turns. It is a generator that yields
 *
 * - `undefined` wherever it may pause: at least once a millisecond, and never with its data in an inconsistent state;
 * - `{ now, later }` for work of the engine: `now()` runs it here, `later()` on another thread, as a promise of the same.
 */
export type Steps<T> = Generator<undefined | { now: () => unknown; later: () => Promise<unknown> }, T, any>;

/**
 * How the steps that run now are run. Loops ask it before they yield `undefined`, because a generator that is left and entered again for each of
 * many messages takes longer than reading a short one.
 */
export const pace = {
  /** with pauses */
  mayPause: false,
  /** the time of the next pause, as `performance.now()` says */
  end: 0,
  /** whether that has come */
  get isDue() {
    return this.mayPause && performance.now() >= this.end;
  },
};

/** Runs all steps before it returns. */
export function inOneGo<T>(steps: Steps<T>): T {
  const { mayPause } = pace;
  pace.mayPause = false;
  try {
    let step = steps.next();
    while (!step.done) step = step.value === undefined ? steps.next() : resumed(steps, step.value.now);
    return step.value;
  } finally {
    pace.mayPause = mayPause;
  }
}

/** Passes the outcome of `work` to the generator, and returns its next step. */
export function resumed<T>(steps: Steps<T>, work: () => unknown) {
  let result: unknown;
  try {
    result = work();
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(result);
}
