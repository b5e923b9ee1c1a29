// Several rounds: what was cut before comes back with a larger budget, and nothing is ever lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fit, fitAsync, restore } from 'palimpsest';
import { closed, lines, sentence, Talk } from './talk.mjs';

function work() {
  const talk = new Talk().user('Read them all.');
  for (let n = 0; n < 12; n++)
    talk
      .call(
        'Read',
        { path: `src/f${n}.ts` },
        lines(20, (line) => sentence(20 * n + line)),
      )
      .assistant(`Number ${n}: ${sentence(500 + n)}`);
  return closed(talk);
}
const { messages, tokens: total } = work();
const viaJson = (value) => JSON.parse(JSON.stringify(value));

test('a later round with a larger budget brings back what an earlier one cut', () => {
  const first = fit(messages, { limit: total / 8 });
  const second = fit(first.messages, { limit: total / 2, originals: first.originals });
  assert.ok(second.tokens.after > 0.97 * (total / 2), JSON.stringify(second.tokens));
  assert.equal(second.tokens.before, total);
  assert.deepEqual(restore(second.messages, second.originals).messages, messages);
  const third = fit(second.messages, { limit: total, originals: second.originals });
  assert.deepEqual(third.messages, messages);
  assert.deepEqual(third.originals, {});
});

test('a round chooses from the full history: the previous round makes no difference', () => {
  const first = fit(messages, { limit: total / 3 });
  for (const share of [1 / 6, 1 / 3, 2 / 3]) {
    const straight = fit(messages, { limit: total * share });
    for (const { messages: given, originals } of [first, viaJson(first)]) {
      const again = fit(given, { limit: total * share, originals });
      assert.deepEqual(again.messages, straight.messages);
      assert.deepEqual(again.originals, straight.originals);
      assert.deepEqual(again.tokens, straight.tokens);
    }
  }
});

test('without the originals a round chooses from what is left; both together restore all', () => {
  const first = fit(messages, { limit: total / 2 });
  const second = fit(first.messages, { limit: total / 4 });
  assert.equal(second.tokens.before, first.tokens.after);
  assert.deepEqual(restore(second.messages, { ...first.originals, ...second.originals }).messages, messages);
});

test('originals without a place are carried over', () => {
  const first = fit(messages, { limit: total / 4 });
  // Everything but the first two messages was dropped by somebody else.
  const left = [...first.messages.slice(0, 2), { role: 'user', content: lines(50) }, { role: 'assistant', content: 'Yes.' }];
  const { missing } = restore(left, first.originals);
  assert.ok(missing.length > 0);
  const second = fit(left, { limit: 400, originals: first.originals });
  // The first of them holds what is known of the round.
  const entry = ({ prints, ...rest }) => rest;
  for (const key of missing) assert.deepEqual(entry(second.originals[key]), entry(first.originals[key]));
  assert.deepEqual(
    restore([...first.messages, ...left.slice(2)], second.originals).missing,
    Object.keys(second.originals).filter((key) => !missing.includes(key)),
    'and they come back where their messages do',
  );
  assert.ok(Object.keys(second.originals).length > missing.length, 'beside those of this round');
});

test('originals and messages are only read', () => {
  const first = fit(messages, { limit: total / 4 });
  const freeze = (value) => {
    if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
    Object.freeze(value);
    Object.values(value).forEach(freeze);
    return value;
  };
  freeze(first);
  const { originals } = fit(first.messages, { limit: total / 5, originals: first.originals });
  assert.deepEqual(restore(fit(messages, { limit: total / 5 }).messages, originals).messages, messages);
});

test('with a summarizer, too', async () => {
  const summarizer = () => 'Moved.';
  const first = await fitAsync(messages, { limit: total / 6, summarizer });
  const second = await fitAsync(first.messages, { limit: total / 3, originals: first.originals, summarizer });
  assert.equal(second.tokens.before, total);
  assert.deepEqual(restore(second.messages, second.originals).messages, messages);
});
