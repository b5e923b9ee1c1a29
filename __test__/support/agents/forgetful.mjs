// A model whose answers depend on what it was sent: in some steps it does something else after a cut, in some by chance.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Number of steps of its run. */
export const STEPS = 24;
/** Steps in which it does something else after a cut. */
export const isForgetful = (step) => step % 3 === 0;
/** Steps in which it does something else the first time that it gets a whole request. */
export const isNoisy = (step) => step % 7 === 1;

const pathOf = (step) => `src/step-${step}.ts`;

/** The step that a request asks for, and whether nothing of it was cut: marks begin alike, which the note on them quotes. */
function seenIn(request) {
  const json = JSON.stringify(request.messages ?? request.input ?? request.contents).replace(/\[…[^"]* lines\]`/g, '');
  const steps = [...json.matchAll(/src\/step-(\d+)\.ts/g)].map(([, step]) => Number(step));
  return { step: steps.length === 0 ? 0 : Math.max(...steps) + 1, isWhole: !json.includes('[… ') };
}

/**
 * Its script.
 *
 * @param {() => Promise<void>} before what a request that was cut waits for
 */
export function forgetful(before) {
  const asked = new Set();
  return async ({ request }) => {
    const { step, isWhole } = seenIn(request);
    if (!isWhole) await before();
    if (step === STEPS) return { text: 'Done.' };
    const isOther = isWhole ? isNoisy(step) && !asked.has(step) : isForgetful(step);
    if (isWhole) asked.add(step);
    const path = pathOf(step);
    return {
      text: `Step ${step}.`,
      calls: [isOther ? { name: 'search', input: { pattern: `step ${step}`, path } } : { name: 'read', input: { path } }],
    };
  };
}

/** Waits until something is true. */
export async function until(isTrue) {
  for (let round = 0; !isTrue(); round++) {
    assert.ok(round < 4000, 'it came to no end');
    await sleep(5);
  }
}

/** Ends of the interval of 95 %: the shares that make what was found just likely enough, each by bisection of the score test. */
function interval(count, of) {
  const isLikely = (share) => (count / of - share) ** 2 <= (1.959963984540054 ** 2 * share * (1 - share)) / of;
  const end = (likely, unlikely) => {
    for (let round = 0; round < 60; round++) {
      const middle = (likely + unlikely) / 2;
      if (isLikely(middle)) likely = middle;
      else unlikely = middle;
    }
    return likely;
  };
  const middle = (count + 1) / (of + 2);
  return [end(middle, 0), end(middle, 1)];
}

/**
 * Checks that a report says what the model did.
 *
 * @param {import('palimpsest').ShadowReport} report
 * @param {object[]} received records of the provider
 */
export function checkReport({ requests, compared, failed, changed, noise, kinds, tokens }, received) {
  const all = received.map(({ body, tokens: input, output }) => ({ ...seenIn(body), tokens: input + output }));
  const steps = all.filter(({ isWhole }) => !isWhole).map(({ step }) => step);
  const shadows = all.filter(({ step, isWhole }) => isWhole && steps.includes(step));
  assert.ok(steps.length > STEPS / 2);
  // Each step that was cut was asked for once cut, and twice whole.
  assert.equal(shadows.length, 2 * steps.length);
  assert.deepEqual([requests, compared, failed], [steps.length, steps.length, 0]);
  const noisy = steps.filter((step) => step < STEPS && isNoisy(step));
  const other = steps.filter((step) => step < STEPS && isForgetful(step) !== isNoisy(step));
  assert.ok(other.length > 0 && noisy.length > 0);
  assert.deepEqual([changed.count, noise.count], [other.length, noisy.length]);
  assert.deepEqual(kinds, { tool: other.length, argument: 0, edit: 0, answer: 0 });
  for (const { count, of, share, low, high } of [changed, noise]) {
    assert.deepEqual([of, share], [steps.length, count / of]);
    for (const [index, end] of interval(count, of).entries()) assert.ok(Math.abs([low, high][index] - end) < 1e-9, `${count} of ${of}`);
  }
  assert.equal(
    tokens,
    shadows.reduce((sum, one) => sum + one.tokens, 0),
  );
}
