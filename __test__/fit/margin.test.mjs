// The margin that a budget leaves free if counts are not the provider's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';

import { countTokens, createSession, fit } from 'palimpsest';
import { cases } from '../support/seed.mjs';
import { dialogue, FORMATS, sayIn } from '../support/transcripts.mjs';

const EXACT = ['openai-chat', 'openai-responses', 'openai-agents', 'message'];
const hello = [{ role: 'user', content: 'Hello' }];
/** Returns the tokens that stay free of a window of 10,000. */
const freeOf = (options) => fit(hello, { window: 10_000, format: 'anthropic', ...options }).tokens.margin;

test('exact says whether counts are the provider’s, as in sessions', () => {
  const talk = { system: null, turns: [{ who: 'user', text: 'Hello', more: [] }] };
  for (const format of FORMATS) {
    for (const options of [{}, { tokenizer: 'cl100k_base' }, { tokenizer: 'estimate' }, { tokenCounter: () => 7 }]) {
      const expected = options.tokenCounter !== undefined || (EXACT.includes(format) && options.tokenizer !== 'estimate');
      const messages = sayIn(format, talk);
      const { exact, tokens } = fit(messages, { format, window: 10_000, ...options });
      assert.equal(exact, expected, `${format} ${JSON.stringify(options)}`);
      assert.equal('margin' in tokens, !expected);
      assert.equal(createSession({ format, limit: 10_000, ...options }).next(messages).report.exact, expected);
    }
  }
});

test('a model whose tokenizer is not public is not exact, whatever the format, and has its own margin', () => {
  const of = (model) => fit(hello, { limit: 10_000, format: 'openai-chat', model });
  assert.deepEqual([of('gpt-5.5').exact, of('gpt-5.5').tokens.margin], [true, undefined]);
  assert.deepEqual([of('grok-4.5').exact, of('grok-4.5').tokens.margin], [false, 2000]);
  assert.equal(freeOf({ model: 'claude-opus-5' }), 4000);
  assert.equal(freeOf({ model: 'claude-haiku-4-5' }), 2000);
  assert.equal(fit(hello, { limit: 10_000, format: 'openai-chat', model: 'gpt-5.5', tokenizer: 'estimate' }).tokens.margin, 2000);
});

test('the default is a share by the format; the caller’s own comes first, and 0 turns it off', () => {
  assert.equal(freeOf({}), 4000);
  assert.equal(freeOf({ format: 'ai-sdk-model' }), 2000);
  assert.equal(freeOf({ margin: 0.1 }), 1000);
  assert.equal(freeOf({ margin: 0 }), undefined);
  assert.equal(freeOf({ format: 'openai-chat', margin: 0.25 }), 2500);
  // A caller's budget is in counted tokens, unless a model or a calibration relates them to the provider's.
  assert.equal(freeOf({ window: undefined, limit: 10_000 }), undefined);
  assert.equal(freeOf({ window: undefined, limit: 10_000, model: 'claude-opus-5' }), 4000);
  assert.equal(freeOf({ window: undefined, limit: 10_000, calibration: { counted: 1000, actual: 1250 } }), 2400);
});

test('a calibration replaces the default, and never allows more than the budget', () => {
  const calibrated = (actual, more) => freeOf({ calibration: { counted: 1000, actual }, ...more });
  // A budget of 10,000 at 1.25 tokens per counted token is 8,000, less a twentieth.
  assert.equal(calibrated(1250), 2400);
  assert.equal(calibrated(1250, { margin: 0 }), 2000);
  assert.equal(calibrated(1250, { format: 'openai-chat' }), 2000);
  assert.equal(calibrated(500), undefined);
  // What was counted too much may be what goes, so the default applies.
  for (const actual of [1, 250]) assert.equal(calibrated(actual), 4000);
  // No tokenizer differs that much: something isn't counted, and what it takes stays free as well.
  assert.equal(calibrated(4000), 4000 + 3000);
  assert.equal(calibrated(1e9), 10_000);
});

test('with the factor of the provider the result is within the budget by the provider’s count', () => {
  const messages = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `Step ${index}: ${`the worker-${index} wrote ${index * 7} rows to table_${index}. `.repeat(12)}`,
  }));
  const actualOf = (list) => Math.ceil(1.4 * countTokens(list, { format: 'anthropic' }));
  const calibration = { counted: countTokens(messages, { format: 'anthropic' }), actual: actualOf(messages) };
  const budget = Math.floor(calibration.actual / 2);
  const { messages: fitted, fits, tokens } = fit(messages, { format: 'anthropic', limit: budget, calibration });
  assert.ok(fits);
  assert.ok(actualOf(fitted) <= budget && actualOf(fitted) > 0.85 * budget, `${actualOf(fitted)} of ${budget}`);
  assert.equal(tokens.after, countTokens(fitted, { format: 'anthropic' }));
});

test('whatever the margin: the result is within what it leaves, and the minimum is the smallest budget that leaves as much', () => {
  const calibration = fc.option(fc.record({ counted: fc.integer({ min: 50, max: 150 }), actual: fc.integer({ min: 50, max: 150 }) }), {
    nil: undefined,
  });
  const margin = fc.option(fc.double({ min: 0, max: 0.9, noNaN: true }), { nil: undefined });
  const seen = { met: 0, missed: 0 };
  fc.assert(
    fc.property(
      dialogue,
      fc.constantFrom(...FORMATS),
      fc.integer({ min: 0, max: 300 }),
      margin,
      calibration,
      (spoken, format, percent, own, pair) => {
        const messages = sayIn(format, spoken);
        const options = { format, margin: own, calibration: pair, thinking: 'strip' };
        const budget = Math.floor((countTokens(messages, { format }) * percent) / 100);
        const { tokens, fits, messages: fitted } = fit(messages, { ...options, limit: budget });
        assert.equal(tokens.limit, budget);
        assert.equal(tokens.after, countTokens(fitted, { format }));
        assert.equal(fits, tokens.after <= budget - (tokens.margin ?? 0));
        assert.equal('minimum' in tokens, !fits);
        if ('margin' in tokens) assert.ok(tokens.margin > 0 && tokens.margin <= budget);
        seen[fits ? 'met' : 'missed']++;
        if (fits) return;
        assert.ok(fit(messages, { ...options, limit: tokens.minimum }).fits);
        const less = fit(messages, { ...options, limit: tokens.minimum - 1 }).tokens;
        assert.ok(less.limit - (less.margin ?? 0) < tokens.after, 'a smaller one leaves less than that');
      },
    ),
    { numRuns: cases(300) },
  );
  assert.ok(seen.met > cases(50) && seen.missed > cases(50), JSON.stringify(seen));
});

test('huge counts of a counter end', () => {
  const { tokens } = fit(hello, { limit: 10, margin: 0.3, tokenCounter: () => 1e300 });
  assert.ok(tokens.minimum >= 1e300);
});

test('the summary line tells the margin', () => {
  assert.match(String(fit(hello, { window: 10_000, format: 'anthropic' }).report), /of 10,000 .*4,000 left free as a margin/);
  assert.doesNotMatch(String(fit(hello, { limit: 10_000, format: 'openai-chat' }).report), /margin/);
});

test('bad values are named', () => {
  for (const [options, error] of [
    [{ margin: '0.1' }, new TypeError('fit(): options.margin must be a number, got string')],
    [{ margin: 1 }, new RangeError('fit(): options.margin must be a share from 0 and below 1, got 1')],
    [{ margin: -0.1 }, new RangeError('fit(): options.margin must be a share from 0 and below 1, got -0.1')],
    [{ margin: NaN }, new RangeError('fit(): options.margin must be a share from 0 and below 1, got NaN')],
    [{ calibration: 1.2 }, new TypeError('fit(): options.calibration must be an object, got number')],
    [{ calibration: { counted: 5 } }, new TypeError('fit(): options.calibration.actual must be a number, got undefined')],
    [
      { calibration: { counted: 0, actual: 5 } },
      new RangeError('fit(): options.calibration.counted must be a number of tokens above 0, got 0'),
    ],
  ]) {
    assert.throws(() => fit(hello, { limit: 100, ...options }), error);
  }
});
