import { pace, resumed } from './steps.js';
import { turn } from './turns.js';
import type { Steps } from './steps.js';

/** Maximum time, in ms, for which the event loop is blocked, plus the last step and any garbage collection. */
const MAX_HOLD = 1;

/**
 * Runs the steps with pauses. The first pause comes right after the first step, so that a caller who starts many at once is not blocked.
 */
export async function withPauses<T>(steps: Steps<T>): Promise<T> {
  let end = 0;
  let step = paced(steps, nothing, end);
  while (!step.done) {
    let answer: () => unknown = nothing;
    if (step.value !== undefined) {
      answer = await answered(step.value.later);
      end = 0;
    }
    if (performance.now() >= end) {
      await turn();
      end = performance.now() + MAX_HOLD;
    }
    step = paced(steps, answer, end);
  }
  return step.value;
}

const nothing = () => undefined;

/** As {@link resumed}, for steps that may pause from a time on. */
function paced<T>(steps: Steps<T>, work: () => unknown, from: number) {
  const { mayPause, end } = pace;
  pace.mayPause = true;
  pace.end = from;
  try {
    return resumed(steps, work);
  } finally {
    pace.mayPause = mayPause;
    pace.end = end;
  }
}

/** Returns the outcome of `later`, as a function that returns or throws it. */
async function answered(later: () => Promise<unknown>) {
  try {
    const value = await later();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
