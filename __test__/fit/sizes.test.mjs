// Small, large and odd conversations stay within the budget and come back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, fit, restore, validate } from 'palimpsest';
import { holding, KINDS, talkOf } from '../../benches/growth/fit.mjs';
import { closed, lines, resultOf, Talk } from './talk.mjs';

test('an empty history', () => {
  for (const format of ['openai-chat', 'anthropic', 'message']) {
    const total = countTokens([], { format });
    for (const budget of [0, 1, 1000, Infinity]) {
      const { messages, originals, fits, tokens } = fit([], { limit: budget, margin: 0, format });
      assert.deepEqual({ messages, originals, fits }, { messages: [], originals: {}, fits: total <= budget });
      assert.deepEqual([tokens.before, tokens.after], [total, total]);
    }
  }
});

const work = () =>
  closed(new Talk().user('Look at it.').call('Read', { path: 'a.txt' }, lines(200)).call('Read', { path: 'b.txt' }, lines(50)));

test('a budget above the total changes nothing', () => {
  const { messages, tokens: total } = work();
  for (const budget of [total, total + 0.5, 2 * total, Number.MAX_VALUE, Infinity]) {
    const { messages: fitted, originals, fits } = fit(messages, { limit: budget });
    assert.ok(fits);
    assert.deepEqual(originals, {});
    assert.notEqual(fitted, messages, "the array is the caller's");
    assert.equal(fitted.length, messages.length);
    fitted.forEach((message, index) => assert.equal(message, messages[index]));
  }
});

test('budgets of nothing, of one, of a fraction', () => {
  const { messages } = work();
  let smallest;
  for (const budget of [0, 1, 0.5]) {
    const { messages: fitted, fits, tokens } = fit(messages, { limit: budget });
    assert.ok(!fits);
    assert.equal(tokens.minimum, countTokens(fitted));
    assert.deepEqual(validate(fitted), []);
    smallest ??= tokens.minimum;
    assert.equal(tokens.minimum, smallest);
  }
  // The minimum fits, and nothing smaller does.
  assert.ok(fit(messages, { limit: smallest }).fits);
  assert.ok(!fit(messages, { limit: smallest - 0.5 }).fits);
  const { fits, tokens } = fit(messages, { limit: 700.7 });
  assert.ok(fits && tokens.after <= 700.7);
});

/** Fits a result into a quarter of all tokens. */
function quartered(text) {
  const { messages, tokens: total } = holding(text);
  const budget = Math.floor(total / 4);
  const { messages: fitted, originals, tokens } = fit(messages, { limit: budget });
  assert.ok(tokens.after <= budget, `${tokens.after} of ${budget}`);
  assert.deepEqual(restore(fitted, originals).messages, messages);
  return { used: tokens.after / budget, fitted };
}

for (const [name, make] of Object.entries(KINDS)) test(`1 MB: ${name}`, () => void quartered(make(1 << 20)));

for (const name of ['sentences', 'one letter', 'base64', 'code', 'an array', 'nested arrays', 'nested objects', 'line ends']) {
  test(`5 MB: ${name}`, () => {
    const { used, fitted } = quartered(KINDS[name](5e6));
    // A value that is nested to the end can't be shortened: it is removed as a whole.
    if (!name.startsWith('nested')) assert.ok(used > 0.97, `${used} of the budget`);
    if (name === 'an array') assert.ok(JSON.parse(resultOf(fitted)).length > 1000);
  });
}

test('texts of the user or the model may be large, too', () => {
  for (const how of ['user', 'assistant']) {
    const { messages, tokens: total } = closed(new Talk().user('Look at it.')[how](lines(12_000)));
    const { messages: fitted, originals, tokens } = fit(messages, { limit: total / 4 });
    assert.ok(tokens.after <= total / 4 && tokens.after > 0.97 * (total / 4), `${tokens.after} of ${total / 4}`);
    assert.deepEqual(restore(fitted, originals).messages, messages);
  }
});

test('20,000 messages', () => {
  const { messages, tokens: total } = talkOf(20_000);
  const { messages: fitted, originals, tokens } = fit(messages, { limit: total / 4 });
  assert.ok(tokens.after <= total / 4 && tokens.after > 0.97 * (total / 4), `${tokens.after} of ${total / 4}`);
  assert.deepEqual(validate(fitted), []);
  assert.deepEqual(restore(fitted, originals).messages, messages);
});
