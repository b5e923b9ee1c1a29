// Shadow requests: how often a cut changes what the model does next, against providers whose answers depend on what they were sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProvider } from '../../../__test__/support/agents/index.mjs';
import { clientsOf, loops } from '../../../__test__/support/agents/loops.mjs';
import { startProxy } from '../src/proxy/index.mjs';

const FORMATS = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'];
const STEPS = 24;

const pathOf = (step) => `src/step-${step}.ts`;

/** The step that a request asks for, and whether nothing of it was cut: marks begin alike. */
function seenIn(request) {
  const json = JSON.stringify(request);
  const steps = [...json.matchAll(/src\/step-(\d+)\.ts/g)].map(([, step]) => Number(step));
  return { step: steps.length === 0 ? 0 : Math.max(...steps) + 1, isWhole: !json.includes('[… ') };
}

/** Ends of the interval within which 95 % of all shares lie that make what was found likely: each by bisection of the score test. */
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
 * A model that does the next step. In some of them it does something else after a cut; in some, the first time that it gets a whole request.
 *
 * @param {{ isForgetful: (step: number) => boolean, isNoisy: (step: number) => boolean, before: () => Promise<void> }} how `before`: what a
 *   request that was cut waits for
 */
function model({ isForgetful, isNoisy, before }) {
  const asked = new Set();
  return async ({ request }) => {
    const { step, isWhole } = seenIn(request);
    if (!isWhole) await before();
    if (step === STEPS) return { text: 'Done.' };
    const isOther = isWhole ? isNoisy(step) && !asked.has(step) : isForgetful(step);
    if (isWhole) asked.add(step);
    return { text: `Step ${step}.`, calls: [{ name: isOther ? 'search' : 'read', input: callOf(step, isOther) }] };
  };
}

const callOf = (step, isOther) => (isOther ? { pattern: `step ${step}`, path: pathOf(step) } : { path: pathOf(step) });

async function until(isTrue) {
  for (let round = 0; !isTrue(); round++) {
    assert.ok(round < 2000, 'it came to no end');
    await sleep(5);
  }
}

for (const format of FORMATS) {
  for (const stream of [false, true]) {
    test(`${format}, ${stream ? 'streamed' : 'whole'}: the share of changed actions is found, beside the noise of the model`, async () => {
      let proxy;
      const before = () => until(() => proxy.shadow.compared + proxy.shadow.failed + 1 >= proxy.shadow.requests);
      const [isForgetful, isNoisy] = [(step) => step % 3 === 0, (step) => step % 7 === 1];
      const provider = await startProvider(model({ isForgetful, isNoisy, before }), { window: 200_000 });
      proxy = await startProxy({
        limit: 3000,
        port: 0,
        upstream: provider.url,
        shadow: 1,
        shadowTokens: 10_000_000,
        onWarning: assert.fail,
      });
      try {
        await loops[format](clientsOf(proxy), { stream });
        await before();
        await until(() => proxy.shadow.compared + proxy.shadow.failed === proxy.shadow.requests);
        // What the model did is known: each step that was cut was asked for once cut, and twice whole.
        const requests = provider.requests.map(({ body, tokens, output }) => ({ ...seenIn(body), tokens, output }));
        const steps = requests.filter(({ isWhole }) => !isWhole).map(({ step }) => step);
        const shadows = requests.filter(({ step, isWhole }) => isWhole && steps.includes(step));
        assert.ok(steps.length > STEPS / 2);
        assert.equal(shadows.length, 2 * steps.length);
        const { compared, failed, changed, noise, kinds, tokens } = proxy.shadow;
        assert.deepEqual([compared, failed], [steps.length, 0]);
        const noisy = steps.filter((step) => step < STEPS && isNoisy(step));
        const other = steps.filter((step) => step < STEPS && isForgetful(step) !== isNoisy(step));
        assert.deepEqual([changed.count, noise.count], [other.length, noisy.length]);
        assert.ok(other.length > 0 && noisy.length > 0);
        assert.deepEqual(kinds, { tool: other.length, argument: 0, edit: 0, answer: 0 });
        for (const { count, of, low, high } of [changed, noise]) {
          const ends = interval(count, of);
          for (const [index, end] of [low, high].entries()) assert.ok(Math.abs(end - ends[index]) < 1e-9, `${count} of ${of}`);
        }
        assert.equal(
          tokens,
          shadows.reduce((sum, one) => sum + one.tokens + one.output, 0),
        );
      } finally {
        await proxy.close(0);
        await provider.close();
      }
    });
  }
}
