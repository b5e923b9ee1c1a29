// The cache is that of the model, where the options name one: its prices, its lifetime, its minimum. A cache that is named counts first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';

const MINUTE = 60_000;
const words = 'the pump of block seven ran hot again and again '.repeat(400);

/** What a miss costs for each token, and whether a pause is longer than the cache lives. */
function seen(options, pause = 0) {
  let now = 0;
  const session = createSession({ limit: 900_000, now: () => now, warn: false, ...options });
  const history = [{ role: 'user', content: words }];
  session.next(history);
  session.observe({ prompt_tokens: 4000, prompt_tokens_details: { cached_tokens: 10 } });
  history.push({ role: 'assistant', content: 'It did.' }, { role: 'user', content: 'Why?' });
  now += pause;
  session.next(history);
  const [miss] = session.observe({ prompt_tokens: 4010, prompt_tokens_details: { cached_tokens: 0 } }).missed;
  return { cause: miss.cause, price: Number((miss.cost / miss.tokens).toFixed(6)) };
}

for (const [model, write, read, lives] of [
  ['claude-opus-5-5', 1.25, 0.05, 5],
  ['claude-fable-5-1', 1.25, 0.025, 5],
  ['us.anthropic.claude-sonnet-5-v1:0', 1.25, 0.1, 5],
  ['gpt-5.6', 1.25, 0.1, 30],
  ['gpt-6-astra', 1.25, 0.1, 30],
  ['openai/gpt-6-sol', 1.25, 0.1, 30],
  ['gpt-5.5', 1, 0.1, 10],
  ['gpt-4.1-2025-04-14', 1, 0.25, 10],
  ['gpt-4o', 1, 0.5, 10],
  ['grok-4.6', 1, 0.25, 5],
]) {
  test(`${model}: writes at ${write}, reads at ${read}, lives ${lives} minutes, in a format of any provider`, () => {
    for (const format of ['openai-chat', 'ai-sdk-model']) {
      const options = { model, format };
      assert.deepEqual(seen(options, lives * MINUTE), { cause: 'unknown', price: write - read });
      assert.deepEqual(seen(options, lives * MINUTE + 1), { cause: 'idle', price: write - read });
    }
  });
}

test('a cache that is named counts before that of the model', () => {
  for (const [cache, price, lives] of [
    ['anthropic-1h', 1.9, 60],
    ['openai', 0.9, 10],
    [{ read: 0.4, write: 3, ttl: 7 * MINUTE }, 2.6, 7],
  ]) {
    const options = { model: 'claude-opus-5-5', format: 'openai-chat', cache };
    assert.deepEqual(seen(options, lives * MINUTE), { cause: 'unknown', price });
    assert.deepEqual(seen(options, lives * MINUTE + 1), { cause: 'idle', price });
  }
});
