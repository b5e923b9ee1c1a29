// Counts how often `fit` calls the engine: counting functions replace the engine's exports before anything else is loaded.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { cases } from '../support/seed.mjs';
import { FORMATS, dialogue, sayIn } from '../support/transcripts.mjs';

const require = createRequire(import.meta.url);
const path = require.resolve('../../unbundled/native.js');
const calls = [];
/** Texts that were passed to the engine. */
let passed = 0;

function counted(name, value) {
  if (typeof value !== 'function') return value;
  for (const [method, { value: of }] of Object.entries(Object.getOwnPropertyDescriptors(value.prototype ?? {}))) {
    if (method === 'constructor' || typeof of !== 'function') continue;
    value.prototype[method] = function (...given) {
      calls.push(`${name}.${method}`);
      return of.apply(this, given);
    };
  }
  return new Proxy(value, {
    apply: (target, self, given) => {
      calls.push(name);
      passed += given[0]?.texts?.length ?? 0;
      return Reflect.apply(target, self, given);
    },
    construct: (target, given) => (calls.push(`new ${name}`), Reflect.construct(target, given)),
  });
}

const { default: engine } = require(path);
const counting = Object.fromEntries(Object.entries(engine).map(([name, value]) => [name, counted(name, value)]));
require.cache[path].exports = { default: counting };
const { countTokens, fit } = require('../../unbundled/index.js');

/** Runs `act`. Returns the calls of the engine that it made, and its result. */
function callsOf(act) {
  calls.length = 0;
  passed = 0;
  const result = act();
  return { result, calls: [...calls] };
}

const conversation = fc.record({ spoken: dialogue, format: fc.constantFrom(...FORMATS) });
const options = fc.record(
  {
    tokenizer: fc.constantFrom('o200k_base', 'cl100k_base', 'estimate'),
    thinking: fc.constantFrom('keep', 'strip', 'leave'),
    system: fc.constant('Be careful.'),
    keep: fc.constantFrom({ user: true }, { recent: 2 }, { patterns: [/\w+/] }),
  },
  { requiredKeys: [] },
);
/** Of the tokens of a conversation; in short ones only the largest shares can be met. */
const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.9, max: 1, noNaN: true }));

test('the calls of the engine are counted', () => {
  const { calls } = callsOf(() => countTokens('a text'));
  assert.deepEqual(calls, ['countTexts']);
});

test('a fit that finds that all fits is one call, which is that of countTokens unless the budget is tight', () => {
  const seen = { counted: 0, fitted: 0 };
  fc.assert(
    fc.property(conversation, options, fc.boolean(), ({ spoken, format }, given, isTight) => {
      const counting = { format, tokenizer: given.tokenizer, system: given.system };
      const counted = callsOf(() => countTokens(sayIn(format, spoken), counting));
      const budget = isTight ? counted.result : 20 * counted.result;
      const { result, calls } = callsOf(() => fit(sayIn(format, spoken), { ...given, margin: 0, limit: budget, format }));
      assert.ok(result.fits);
      assert.equal(result.tokens.after, counted.result);
      // Before a choice results are written shorter.
      const [call, ...others] = calls.slice(Number(calls[0] === 'shortenResults'));
      assert.deepEqual(others, []);
      const isCounted = call === counted.calls[0];
      if (!isTight && given.thinking !== 'keep' && given.thinking !== undefined) assert.ok(isCounted, calls.join());
      seen[isCounted ? 'counted' : 'fitted']++;
    }),
    { numRuns: cases(200) },
  );
  assert.ok(seen.counted > cases(40) && seen.fitted > cases(20), JSON.stringify(seen));
});

test('of messages that were counted no text is passed again, and a new one costs its own', () => {
  fc.assert(
    fc.property(conversation, fc.constantFrom('o200k_base', 'estimate'), ({ spoken, format }, tokenizer) => {
      const messages = sayIn(format, spoken);
      const [counting, fitting] = [
        { format, tokenizer },
        { format, tokenizer, thinking: 'strip', margin: 0, limit: 1e6 },
      ];
      const total = countTokens(messages, counting);
      for (const act of [() => countTokens(messages, counting), () => fit(messages, fitting).tokens.after]) {
        const { result, calls } = callsOf(act);
        assert.deepEqual({ result, calls, passed }, { result: total, calls: ['measureRequest'], passed: 0 });
      }
      const more = { ...messages[0], content: 'One more.' };
      if (format !== 'openai-chat') return;
      const { result } = callsOf(() => fit([...messages, more], fitting).tokens.after);
      assert.equal(passed, 2, 'its text and its role');
      assert.equal(result, total + countTokens([{ ...more }], counting) - countTokens([], counting));
    }),
    { numRuns: cases(200) },
  );
});

test('any other fit is two calls at most, and perhaps counts and shorter results before, and its tokens are what is counted', () => {
  const seen = { met: 0, missed: 0, cut: 0 };
  fc.assert(
    fc.property(conversation, options, share, ({ spoken, format }, given, share) => {
      const messages = sayIn(format, spoken);
      const counting = { format, tokenizer: given.tokenizer, system: given.system };
      const budget = Math.floor(countTokens(messages, counting) * share);
      const { result, calls } = callsOf(() => fit(messages, { ...given, margin: 0, limit: budget, format }));
      const chosen = calls.filter((name, index) => name !== 'measureRequest' && (name !== 'shortenResults' || index > 1));
      const names = new Set(['nameTools', 'guessRead']);
      const cutting = chosen.filter((name) => !names.has(name));
      assert.deepEqual(cutting, ['fitTranscript', 'roundKeys'].slice(0, cutting.length));
      if (chosen.length === 0) assert.ok(result.tokens.before <= budget);
      assert.equal(result.tokens.after, countTokens(result.messages, counting));
      assert.equal(result.fits, result.tokens.after <= budget);
      seen[result.fits ? 'met' : 'missed']++;
      seen.cut += Number(result.report.messages.cut > 0);
    }),
    { numRuns: cases(400) },
  );
  assert.ok(seen.met > cases(20) && seen.missed > cases(20) && seen.cut > cases(20), JSON.stringify(seen));
});

test('a counter of the caller, and originals of an earlier fit, take more calls', () => {
  const messages = [
    { role: 'user', content: 'Say it. '.repeat(400) },
    { role: 'assistant', content: 'So I say it. '.repeat(400) },
    { role: 'user', content: 'Thanks.' },
  ];
  const first = fit(messages, { limit: 700 });
  const again = callsOf(() => fit(first.messages, { limit: 500, originals: first.originals }));
  assert.ok(again.calls.includes('fitTranscript') && again.calls.length <= 8, again.calls.join());
  const own = callsOf(() => fit(messages, { limit: 5000, tokenCounter: ({ content }) => content.length }));
  assert.ok(own.calls.length <= 10, own.calls.join());
  assert.equal(own.calls.at(-1), 'Fitter.close');
});
