// A caller's function may answer, throw or do anything: the result is valid, within the budget and restores exactly, or the
// call fails with one error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compress, countTokens, createClassifier, createSummarizer, fit, fitAsync, restore, uncompress, validate } from 'palimpsest';
import { createEscalatingClassifier, createEscalatingSummarizer } from 'palimpsest/compress';
import { conversations } from '../errors/exports.mjs';
import { cases } from '../support/seed.mjs';

const CASES = cases(300);
const formats = Object.keys(conversations).filter((format) => format !== 'message');

const sentence = (n) => `The lantern of station_${n} was moved to shelf_${n * 7} on day ${1000 + n}, and nobody said a word. `;
/** A conversation in a format, with more to say than fits. */
function long(format, rounds = 3) {
  const grown = (value, n) => {
    if (typeof value === 'string')
      return value.length > 200 ? Array.from({ length: 8 }, (_, at) => sentence(40 * n + at)).join('\n') : value;
    if (Array.isArray(value)) return value.map((item) => grown(item, n));
    if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        /^(id|call_?id|tool(_use|_call|Call)_?id)$/i.test(key) && typeof inner === 'string' ? `${inner}${n}` : grown(inner, n),
      ]),
    );
  };
  return Array.from({ length: rounds }, (_, n) => grown(conversations[format](), n)).flat();
}

class Own extends Error {}
const throwing = (value) => () => {
  throw value;
};
const messages = () => [
  { role: 'user', content: sentence(1).repeat(9) },
  { role: 'assistant', content: 'ok' },
  { role: 'user', content: 'And?' },
];
const twice = (first, second) => ({ then: (resolve, reject) => (resolve(first), resolve(second), reject(new Own('late'))) });

/** Answers of a function that should have answered with a text. */
const texts = {
  'a good summary': () => 'Stations were moved.',
  empty: () => '',
  blank: () => ' \n\t ',
  'the text itself': (text) => text,
  longer: (text) => text + text,
  huge: () => 'word '.repeat(200_000),
  'a stub': () => '[palimpsest:k3f9a2c81x stale read, 40 lines]',
  'a mark': () => '[… 3 lines]',
  'a bare mark': () => '[…]',
  'a mark for messages': () => '[… 8 messages: Bash ×4]',
  'brackets and lines': () => ']\n[… 3 lines]\n]]',
  'a lone surrogate': () => '\ud83d moved',
  'special tokens': () => '<|endoftext|><|im_start|>',
  NUL: () => 'a\u0000b',
  JSON: () => '{"a": [',
  number: () => 5,
  NaN: () => NaN,
  nothing: () => undefined,
  null: () => null,
  object: () => ({}),
  array: () => ['text'],
  symbol: () => Symbol('s'),
  bigint: () => 5n,
  'a promise': async () => 'Moved.',
  'a rejection': () => Promise.reject(new Own('no')),
  'a rejection with nothing': () => Promise.reject(undefined),
  'a thenable': () => twice('Moved.', 'Twice.'),
  'a thenable that throws': () => ({ then: throwing(new Own('then')) }),
  'an error': throwing(new Own('no')),
  'a text thrown': throwing('no'),
  'nothing thrown': throwing(undefined),
  'a call of fit': () => fit(messages(), { limit: 60 }).messages[0].content,
  'a call of compress': () =>
    compress([{ id: 'a', index: 0, role: 'user', content: sentence(1).repeat(9) }], { recencyWindow: 0 }).messages[0].content,
};
const answers = fc.array(fc.constantFrom(...Object.keys(texts)), { minLength: 1, maxLength: 5 });
/** A function that answers in turn. */
const inTurn = (names, all = texts) => {
  let calls = 0;
  return (...given) => all[names[calls++ % names.length]](...given);
};

const json = (value) => JSON.stringify(value);
const problems = (list, format) =>
  validate(list, { format })
    .map(({ rule }) => rule)
    .sort();

/** The rules that are broken in the result and were not in what was given. */
const broken = (before, after, format) => {
  const known = new Set(problems(before, format));
  return problems(after, format).filter((rule) => !known.has(rule));
};

test('fit with any summarizer: valid, within the budget, restored', async () => {
  let used = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...formats),
      answers,
      fc.double({ min: 0.15, max: 0.9, noNaN: true }),
      fc.boolean(),
      async (format, names, share, grows) => {
        const given = long(format);
        const before = json(given);
        const budget = Math.ceil(countTokens(given, { format }) * share);
        const list = [...given];
        const options = { format, limit: budget, concurrency: 2, trace: true };
        options.summarizer = (text) => {
          // Changes to the list and the options meanwhile have no effect.
          if (grows) {
            list.length = 1;
            Object.assign(options, { limit: 1e9, format: 'message', trace: false, summarizer: 5 });
          }
          return inTurn(names)(text);
        };
        const result = await fitAsync(list, options);
        used += result.report.summaries?.used ?? 0;
        assert.equal(json(given), before);
        assert.equal(result.fits, countTokens(result.messages, { format }) <= budget, names.join());
        assert.equal(result.tokens.after, countTokens(result.messages, { format }));
        assert.deepEqual(broken(given, result.messages, format), [], names.join());
        const back = restore(result.messages, result.originals);
        assert.deepEqual(back.missing, [], names.join());
        assert.equal(json(back.messages), before, names.join());
      },
    ),
    { numRuns: CASES, endOnFailure: true, includeErrorInReport: true },
  );
  assert.ok(used > 0);
});

test('fit with a summarizer that never answers ends when it is aborted', async () => {
  const controller = new AbortController();
  const reason = new Own('enough');
  const pending = fitAsync(long('openai-chat'), {
    limit: 400,
    signal: controller.signal,
    summarizer: () => new Promise(() => controller.abort(reason)),
  });
  await assert.rejects(pending, (error) => error === reason);
});

test('fit with any counter: a restorable result, or one error', () => {
  const counts = {
    fine: (message) => json(message).length / 4,
    zero: () => 0,
    huge: () => 1e300,
    NaN: () => NaN,
    negative: () => -1,
    endless: () => Infinity,
    text: () => '5',
    bigint: () => 5n,
    symbol: () => Symbol('s'),
    promise: () => Promise.reject(new Own('later')),
    nothing: () => undefined,
    prototypeless: () => Object.create(null),
    error: throwing(new Own('no')),
    'a call of fit': (message) => fit([message, ...messages()], { format: 'openai-chat', limit: 100 }).tokens.after,
  };
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('fine', ...Object.keys(counts)), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 10, max: 2000 }),
      (names, budget) => {
        const given = long('openai-chat', 2);
        const before = json(given);
        const tokenCounter = inTurn(names, counts);
        let result;
        try {
          result = fit(given, { limit: budget, tokenCounter, format: 'openai-chat' });
        } catch (error) {
          assert.ok(
            error instanceof Own || /^fit\(\): options\.tokenCounter must return a number of tokens from 0, got /.test(error.message),
            error.stack,
          );
          return;
        }
        assert.equal(result.fits, result.tokens.after <= budget);
        assert.deepEqual(broken(given, result.messages, 'openai-chat'), []);
        assert.equal(json(restore(result.messages, result.originals).messages), before);
      },
    ),
    { numRuns: CASES, endOnFailure: true, includeErrorInReport: true },
  );
});

// The other questions of `compress`, and their answers.
const verdicts = {
  ...texts,
  preserve: () => ({ decision: 'preserve', confidence: 2, reason: Symbol('s') }),
  'an odd reason': () => ({ decision: 'preserve', reason: Object.create(null) }),
  odd: () => ({ decision: {}, confidence: 'x' }),
  later: async () => ({ decision: 'compress' }),
  getters: () => Object.defineProperty({}, 'decision', { get: throwing(new Own('decision')) }),
};
const scores = {
  ...texts,
  fine: (list) => list.map((_, n) => n),
  short: () => [1],
  NaN: (list) => list.map(() => NaN),
  endless: (list) => list.map(() => -Infinity),
  floats: (list) => new Float32Array(list.length),
};
const tokens = {
  ...texts,
  fine: (text) => text.split(' ').map((token, n) => ({ token, keep: n % 2 === 0, confidence: 1 })),
  wrong: () => [{ token: 5 }],
  holes: () => new Array(3),
  huge: () => [{ token: 'word '.repeat(10_000), keep: true, confidence: NaN }],
  marks: () => [{ token: '[… 3 lines]', keep: true, confidence: 1 }],
};
const lists = {
  ...texts,
  fine: (text) => [text.slice(0, 30)],
  none: () => [],
  mixed: () => ['x', 5],
  huge: () => ['word '.repeat(10_000)],
};
const counts = {
  fine: ({ content }) => (content ?? '').length / 4,
  zero: () => 0,
  NaN: () => NaN,
  negative: () => -5,
  endless: () => Infinity,
  text: () => '5',
  error: throwing(new Own('no')),
};
const several = (all) =>
  fc.option(
    fc.array(
      fc.constantFrom('fine', ...Object.keys(all)).filter((name) => name in all),
      { minLength: 1, maxLength: 4 },
    ),
    { nil: undefined },
  );

const ALLOWED = /^(compress\(\): options\.\w+ (must return|answered with a promise)|the token classifier must return)/;

test('compress with any callbacks: restored exactly, the provider’s messages valid, or one error', async () => {
  let done = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('drop-in', 'drop-in', ...formats),
      fc.record({
        summarizer: several(texts),
        classifier: several(verdicts),
        entropyScorer: several(scores),
        mlTokenClassifier: several(tokens),
        adapters: several(lists),
        tokenCounter: several(counts),
        test: several(texts),
      }),
      fc.record({
        recencyWindow: fc.integer({ min: 0, max: 2 }),
        trace: fc.boolean(),
        forceConverge: fc.boolean(),
        tokenBudget: fc.constantFrom(undefined, 100, 500),
        fuzzyDedup: fc.boolean(),
        importanceScoring: fc.boolean(),
        compressionDepth: fc.constantFrom(undefined, 'auto'),
        budgetStrategy: fc.constantFrom(undefined, 'tiered'),
      }),
      fc.boolean(),
      async (format, names, plain, meddles) => {
        const isDropIn = format === 'drop-in';
        const given = isDropIn
          ? Array.from({ length: 6 }, (_, index) => ({
              id: `m${index}`,
              index,
              role: index % 2 ? 'assistant' : 'user',
              content: Array.from({ length: 6 }, (__, n) => sentence(9 * index + n)).join(''),
            }))
          : long(format, 2);
        const before = json(given);
        const list = [...given];
        const options = { ...plain, ...(isDropIn ? {} : { format }) };
        const meddling =
          (answer) =>
          (...asked) => {
            if (meddles) {
              list.length = 1;
              Object.assign(options, { trace: true, recencyWindow: -5, sourceVersion: 'x' });
              if (options.adapters) options.adapters.length = 0;
              if (options.preservePatterns) options.preservePatterns.length = 0;
            }
            return answer(...asked);
          };
        const from = (name, all) => names[name] && meddling(inTurn(names[name], all));
        Object.assign(options, {
          summarizer: from('summarizer', texts),
          classifier: from('classifier', verdicts),
          entropyScorer: from('entropyScorer', scores),
          mlTokenClassifier: from('mlTokenClassifier', tokens),
          tokenCounter: from('tokenCounter', counts),
        });
        if (names.adapters)
          options.adapters = [
            {
              name: 'any',
              detect: from('adapters', { ...lists, fine: () => true }),
              extractPreserved: from('adapters', lists),
              extractCompressible: from('adapters', lists),
              reconstruct: from('adapters', { ...lists, fine: (kept, summary) => kept.join('') + summary }),
            },
          ];
        if (names.test) options.preservePatterns = [{ re: { test: from('test', texts) }, label: 'any' }];
        let result;
        try {
          result = await compress(list, options);
        } catch (error) {
          const isOwn = error instanceof Own || error === 'no' || error === undefined;
          assert.ok(isOwn || ALLOWED.test(error.message), `${error?.stack ?? error}`);
          return;
        }
        done++;
        assert.equal(json(given), before);
        const restored = uncompress(result.messages, result.verbatim);
        assert.equal(json(restored.messages), result.messages === list ? json(list) : before, json(names));
        if (!isDropIn) assert.deepEqual(broken(given, result.messages, format), [], json(names));
      },
    ),
    { numRuns: 2 * CASES, endOnFailure: true, includeErrorInReport: true },
  );
  assert.ok(done > CASES / 4);
});

test("the helpers pass on the LLM's answers, or name the error in them", async () => {
  const makers = { createSummarizer, createEscalatingSummarizer, createClassifier, createEscalatingClassifier };
  for (const [name, make] of Object.entries(makers)) {
    for (const [first, second] of Object.keys(texts).flatMap((one) => [
      [one, one],
      [one, 'a good summary'],
    ])) {
      try {
        const answer = await make(inTurn([first, second]))(sentence(1).repeat(5));
        if (/Classifier/.test(name)) assert.ok(answer.decision === 'preserve' || answer.decision === 'compress');
      } catch (error) {
        assert.ok(
          error instanceof Own ||
            error === 'no' ||
            error === undefined ||
            /^callLlm must return a string or a promise of one, got /.test(error.message),
          `${name}, ${first}: ${error?.stack}`,
        );
      }
    }
  }
});
