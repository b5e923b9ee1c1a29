// @ts-check
'use strict';

/**
 * Work that is written once and run in one of two ways: at once, or with pauses for the event loop. It is a generator that yields
 *
 * - `undefined` where it may pause: at least once a millisecond, and never in the middle of a change;
 * - `{ now, later }` for work of the engine: `now()` does it here, `later()` on another thread, as a promise of the same.
 *
 * @template T
 * @typedef {Generator<undefined | { now: () => unknown, later: () => Promise<unknown> }, T, any>} Steps
 */

/** Maximum time in ms for which the event loop is held, unless a single step or a garbage collection takes longer. */
const MAX_HOLD = 1;

/**
 * Does all steps before it returns.
 *
 * @template T
 * @param {Steps<T>} steps
 * @returns {T}
 */
function inOneGo(steps) {
  let step = steps.next();
  while (!step.done) step = step.value === undefined ? steps.next() : resumed(steps, step.value.now);
  return step.value;
}

/** Does `work`, and resumes with its result or its error. */
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
 * Does the steps with pauses, one before each step but the first, so that a caller who starts many is not held up.
 *
 * @template T
 * @param {Steps<T>} steps
 * @returns {Promise<T>}
 */
async function withPauses(steps) {
  let step = steps.next();
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
    step = resumed(steps, answer);
  }
  return step.value;
}

const nothing = () => undefined;

/** The outcome of `later`, as a function that returns or throws it. */
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

/** The next free turn of the event loop: of all that wait, one continues in each turn. */
function turn() {
  last = last.then(() => new Promise((resolve) => void setImmediate(resolve)));
  return last;
}

module.exports = { inOneGo, withPauses };
