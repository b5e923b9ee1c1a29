// How often `fit` calls the engine: the exports of the engine are replaced by ones that count, before anything else is loaded.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { FORMATS, dialogue, sayIn } from '../support/transcripts.mjs';

const require = createRequire(import.meta.url);
const path = require.resolve('../../lib/native.js');
const calls = [];

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
    apply: (target, self, given) => (calls.push(name), Reflect.apply(target, self, given)),
    construct: (target, given) => (calls.push(`new ${name}`), Reflect.construct(target, given)),
  });
}

const engine = require(path);
require.cache[path].exports = Object.fromEntries(Object.entries(engine).map(([name, value]) => [name, counted(name, value)]));
const { countTokens, fit } = require('../../index.js');

/** The calls of the engine that `act` makes, and what it returns. */
function callsOf(act) {
  calls.length = 0;
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

test('the calls of the engine are counted', () => {
  const { calls } = callsOf(() => countTokens('a text'));
  assert.deepEqual(calls, ['countTexts']);
});

test('a fit that finds that all fits is one call', () => {
  fc.assert(
    fc.property(conversation, options, fc.boolean(), ({ spoken, format }, given, isTight) => {
      const messages = sayIn(format, spoken);
      const total = countTokens(messages, { format, tokenizer: given.tokenizer, system: given.system });
      const budget = isTight ? total : 2 * total;
      const { result, calls } = callsOf(() => fit(messages, { ...given, budget, format }));
      assert.ok(result.fits);
      assert.deepEqual(calls, ['fitTranscript']);
    }),
    { numRuns: 200 },
  );
});

test('any other fit is two calls at most, and its tokens are what is counted', () => {
  const seen = { met: 0, missed: 0, cut: 0 };
  fc.assert(
    fc.property(conversation, options, fc.double({ min: 0, max: 1, noNaN: true }), ({ spoken, format }, given, share) => {
      const messages = sayIn(format, spoken);
      const counting = { format, tokenizer: given.tokenizer, system: given.system };
      const budget = Math.floor(countTokens(messages, counting) * share);
      const { result, calls } = callsOf(() => fit(messages, { ...given, budget, format }));
      assert.deepEqual(calls, ['fitTranscript', 'roundKeys'].slice(0, Math.max(calls.length, 1)));
      assert.equal(result.tokens.after, countTokens(result.messages, counting));
      assert.equal(result.fits, result.tokens.after <= budget);
      seen[result.fits ? 'met' : 'missed']++;
      seen.cut += Number(result.report.messages.cut > 0);
    }),
    { numRuns: 400 },
  );
  assert.ok(seen.met > 20 && seen.missed > 20 && seen.cut > 20, JSON.stringify(seen));
});

test('a counter of the caller, and originals of an earlier fit, take more calls', () => {
  const messages = [
    { role: 'user', content: 'Say it. '.repeat(400) },
    { role: 'assistant', content: 'So I say it. '.repeat(400) },
    { role: 'user', content: 'Thanks.' },
  ];
  const first = fit(messages, { budget: 700 });
  const again = callsOf(() => fit(first.messages, { budget: 500, originals: first.originals }));
  assert.ok(again.calls.includes('fitTranscript') && again.calls.length <= 8, again.calls.join());
  const own = callsOf(() => fit(messages, { budget: 5000, tokenCounter: ({ content }) => content.length }));
  assert.ok(own.calls.length <= 10, own.calls.join());
  assert.equal(own.calls.at(-1), 'Fitter.close');
});
