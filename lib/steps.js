// @ts-check
'use strict';

/**
 * Work that is written once and done in one of two ways: in one go, or with pauses in which the event loop turns. It is a
 * generator that yields
 *
 * - `undefined` wherever it may pause: at least once a millisecond, and never while what it works on is half done;
 * - `{ now, later }` for what the engine does: `now()` here, `later()` on another thread, as a promise of the same.
 *
 * @template T
 * @typedef {Generator<undefined | { now: () => unknown, later: () => Promise<unknown> }, T, any>} Steps
 */

/** So long (ms) the event loop is held at a time, but for a single step. A garbage collection may come on top. */
const MAX_HOLD = 1;

/**
 * Does it all before it returns.
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

/** The step behind one for which `work` is done. */
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
 * Does it with pauses, one before all but the first step: the caller, who may start many at once, is not held up.
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

/** What `later` comes to, as a function that returns or throws it. */
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

/** The next turn of the event loop that is nobody else's: however many are waiting, one goes on in each. */
function turn() {
  last = last.then(() => new Promise((resolve) => void setImmediate(resolve)));
  return last;
}

module.exports = { inOneGo, withPauses };
