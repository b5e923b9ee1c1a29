// @ts-check
'use strict';

/**
 * Work that is written once and can run in one go, or with pauses in which the event loop turns. It is a generator that yields
 *
 * - `undefined` wherever it may pause: at least once a millisecond, and never with its data in an inconsistent state;
 * - `{ now, later }` for work of the engine: `now()` runs it here, `later()` on another thread, as a promise of the same.
 *
 * @template T
 * @typedef {Generator<undefined | { now: () => unknown, later: () => Promise<unknown> }, T, any>} Steps
 */

/** Maximum time, in ms, for which the event loop is blocked, plus the last step and any garbage collection. */
const MAX_HOLD = 1;

/**
 * Whether the steps that run now are run with pauses. Loops ask it before they yield `undefined`, because a generator that is left and entered
 * again for each of many messages takes longer than reading a short one.
 */
const pace = { mayPause: false };

/**
 * Runs all steps before it returns.
 *
 * @template T
 * @param {Steps<T>} steps
 * @returns {T}
 */
function inOneGo(steps) {
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
function resumed(steps, work) {
  let result;
  try {
    result = work();
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(result);
}

/**
 * Runs the steps with pauses. The first pause comes right after the first step, so that a caller who starts many at once is not blocked.
 *
 * @template T
 * @param {Steps<T>} steps
 * @returns {Promise<T>}
 */
async function withPauses(steps) {
  let step = paced(steps, nothing);
  let end = 0;
  while (!step.done) {
    let answer = nothing;
    if (step.value !== undefined) {
      answer = await answered(step.value.later);
      end = 0;
    }
    if (performance.now() >= end) {
      await turn();
      end = performance.now() + MAX_HOLD;
    }
    step = paced(steps, answer);
  }
  return step.value;
}

const nothing = () => undefined;

/** As {@link resumed}, for steps that may pause. */
function paced(steps, work) {
  const { mayPause } = pace;
  pace.mayPause = true;
  try {
    return resumed(steps, work);
  } finally {
    pace.mayPause = mayPause;
  }
}

/** Returns the outcome of `later`, as a function that returns or throws it. */
async function answered(later) {
  try {
    const value = await later();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

let last = Promise.resolve();

/** Waits for a turn of the event loop that no other caller gets: of all that are waiting, one continues in each turn. */
function turn() {
  last = last.then(() => new Promise((resolve) => void setImmediate(resolve)));
  return last;
}

module.exports = { inOneGo, pace, withPauses };
