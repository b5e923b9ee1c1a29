// `model`: the tokenizer and the window of a model, by its name.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { countTokens, createSession, fit } from '../unbundled/index.js';
import { cases } from './support/seed.mjs';
import { someText } from './support/transcripts.mjs';
import fc from 'fast-check';

const require = createRequire(import.meta.url);
const { modelOf } = require('../unbundled/model-of.js');
const { MODELS, findModel } = require('../unbundled/models.js');
const page = readFileSync(new URL('../docs/reference/models.md', import.meta.url), 'utf8');

test('the table in docs/reference/models.md is that of the code', () => {
  const number = (cell) => (cell === '–' ? undefined : Number(cell.replaceAll(',', '')));
  const told = [...page.matchAll(/^\| (`.*`) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| `(\w+)` \| (\d+) % \|$/gm)].map(
    ([, names, window, input, output, tokenizer, margin]) => [
      names.replaceAll(/[`,]/g, ''),
      ...[window, input, output].map(number),
      tokenizer,
      Number(margin),
    ],
  );
  assert.deepEqual(
    told,
    MODELS.map(([names, { window, input, output, tokenizer, margin }]) => [
      names,
      window,
      input,
      output,
      tokenizer,
      Math.round(100 * margin),
    ]),
  );
  assert.ok(page.includes(require('gpt-tokenizer/package.json').version), 'the version of the source');
});

describe("OpenAI's models are as gpt-tokenizer has them", () => {
  // The package has a file for each name of the provider, with the model's data.
  const folder = join(dirname(require.resolve('gpt-tokenizer/package.json')), 'src/model');
  const said = (text, key) => Number(text.match(new RegExp(`${key}:(\\d+)`))?.[1]) || undefined;
  const known = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const name = file.replace(/\.ts$/, '');
    if (!/"(chat_completions|responses)"/.test(text)) return [];
    const [, encoding] = text.match(/Source template: src\/encoding\/(\w+)/);
    return [
      {
        name,
        encoding,
        window: said(text, 'context_window'),
        output: said(text, 'max_output_tokens'),
        input: said(text, 'max_input_tokens'),
      },
    ];
  });

  test('every name of a chat model is known, or none', () => {
    const seen = new Set();
    for (const { name, encoding, window, output, input } of known) {
      const model = findModel(name);
      if (model === undefined) continue;
      seen.add(model);
      assert.equal(model.provider, 'openai', name);
      assert.equal(model.margin, 0, name);
      // Harmony is o200k_base with other special tokens.
      assert.equal(model.tokenizer, encoding.replace('harmony', 'base'), name);
      // Single snapshots differ from their model: they may have had less room for an answer, never another window.
      assert.equal(model.window, window, name);
      if (model.output !== undefined) assert.ok(model.output >= output, name);
      if (input !== undefined && input < window) assert.equal(model.input, input, name);
    }
    const ours = MODELS.filter(([, { provider, margin }]) => provider === 'openai' && margin === 0);
    assert.equal(seen.size, ours.length, 'every row of the table is one of these');
  });

  test('the names that agents use are known', () => {
    for (const name of ['gpt-5.6-sol', 'gpt-5.5', 'gpt-5.4-mini', 'gpt-5', 'gpt-4.1', 'gpt-4o', 'o3', 'gpt-4', 'gpt-3.5-turbo'])
      assert.ok(findModel(name), name);
  });
});

describe('names', () => {
  const same = {
    'gpt-5.5': ['gpt-5-5', 'GPT-5.5', 'gpt-5.5-2026-04-23', 'openai/gpt-5.5', 'openai:gpt-5.5', 'openrouter/openai/gpt-5.5:online'],
    'gpt-4o-mini': ['gpt-4o-mini-2024-07-18', 'ft:gpt-4o-mini-2024-07-18:my-org:name:id'],
    'gpt-4': ['gpt-4-0613'],
    'gpt-4-turbo': ['gpt-4-turbo-preview', 'gpt-4-1106-preview', 'gpt-4-turbo-2024-04-09'],
    'gpt-5-chat': ['gpt-5-chat-latest'],
    'gpt-oss-120b': ['openai.gpt-oss-120b-1:0', 'openai/gpt-oss-120b'],
    'claude-sonnet-5-5': ['claude-sonnet-5-5-20261001', 'claude-sonnet-5.5', 'anthropic/claude-sonnet-5.5', 'anthropic:claude-sonnet-5-5'],
    'claude-opus-5': [
      'us.anthropic.claude-opus-5-v1:0',
      'global.anthropic.claude-opus-5',
      'claude-opus-5@20260801',
      'claude-opus-5-latest',
    ],
    'claude-haiku-4-5': [
      'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-haiku-4-5-20251001-v1:0',
      'publishers/anthropic/models/claude-haiku-4-5@20251001',
    ],
    'claude-opus-4': ['claude-opus-4-0', 'claude-opus-4-20250514'],
    'claude-3-5-sonnet': ['claude-3-5-sonnet-latest', 'anthropic/claude-3.5-sonnet', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
    'gemini-2.5-flash': ['models/gemini-2.5-flash', 'gemini-2.5-flash-preview-09-2025', 'google/gemini-2.5-flash'],
    'gemini-2.0-flash': ['gemini-2.0-flash-001'],
    'deepseek-v4-pro': ['deepseek/deepseek-v4-pro:free'],
  };
  for (const [name, others] of Object.entries(same)) {
    for (const other of others) {
      test(`${other} is ${name}`, () => {
        assert.ok(findModel(name));
        assert.equal(findModel(other), findModel(name));
      });
    }
  }

  const unknown = [
    '',
    'gpt',
    'gpt-7',
    'gpt-5.5-nonsense',
    'claude',
    'claude-opus-4-9',
    'claude-opus-6',
    'my-gpt-4',
    'gpt-4o-realtime-preview',
    '-',
    '/',
    ':',
  ];
  for (const name of unknown) test(`'${name}' is unknown`, () => assert.equal(findModel(name), undefined));

  test('a gateway has another API than the provider', () => {
    const providerOf = (model) => modelOf({ model }, 'options')?.provider;
    assert.equal(providerOf('anthropic/claude-opus-5'), undefined);
    assert.equal(providerOf('openrouter/google/gemini-2.5-flash'), undefined);
    for (const name of [
      'claude-opus-5',
      'us.anthropic.claude-opus-5',
      'publishers/anthropic/models/claude-opus-5',
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-5',
    ])
      assert.equal(providerOf(name), 'anthropic', name);
    assert.equal(providerOf('models/gemini-2.5-flash'), 'gemini');
    assert.equal(providerOf('gpt-5.5'), 'openai');
  });

  test('no two models have one name', () => {
    const names = MODELS.flatMap(([list]) => list.split(' '));
    assert.deepEqual([...new Set(names.map((name) => name.replaceAll('.', '-')))].length, names.length);
    for (const [list, model] of MODELS) for (const name of list.split(' ')) assert.equal(findModel(name), model, name);
  });

  test('any text is a name, in little time', () => {
    fc.assert(
      fc.property(fc.oneof(someText, fc.string()), (text) => void findModel(text)),
      { numRuns: cases(300) },
    );
    for (const piece of ['-2024', '-v1', 'a.', ':', '/', '-latest']) findModel(`gpt-5.5${piece.repeat(100_000)}`);
  });
});

const messages = [{ role: 'user', content: 'Which window?' }];

describe('what a model gives', () => {
  test('the tokenizer', () => {
    const text = 'A text of which the two vocabularies make different tokens: fähig, 灯台.';
    const count = (options) => countTokens(text, options);
    assert.notEqual(count({ tokenizer: 'cl100k_base' }), count({ tokenizer: 'o200k_base' }));
    assert.equal(count({ model: 'gpt-4' }), count({ tokenizer: 'cl100k_base' }));
    assert.equal(count({ model: 'gpt-5.5' }), count({ tokenizer: 'o200k_base' }));
    assert.equal(count({ model: 'gpt-4', tokenizer: 'estimate' }), count({ tokenizer: 'estimate' }));
    const talk = [{ role: 'user', content: text }];
    const before = (options) => fit(talk, { limit: 1000, ...options }).tokens.before;
    assert.equal(before({ model: 'gpt-4' }), countTokens(talk, { tokenizer: 'cl100k_base' }));
    const after = (options) => createSession({ limit: 1000, ...options }).next(talk).tokens.after;
    assert.equal(after({ model: 'gpt-4' }), countTokens(talk, { tokenizer: 'cl100k_base' }));
  });

  test('the window, less the answer, and never more than a request may have', () => {
    const budget = (options) => fit(messages, options).tokens.limit;
    assert.equal(budget({ window: 10_000 }), 10_000);
    assert.equal(budget({ window: 10_000, maxOutputTokens: 1_000 }), 9_000);
    assert.equal(budget({ model: 'gpt-4o' }), 128_000 - 16_384);
    assert.equal(budget({ model: 'gpt-4o', maxOutputTokens: 1_000 }), 127_000);
    assert.equal(budget({ model: 'gpt-5', maxOutputTokens: 1_000 }), 272_000);
    assert.equal(budget({ model: 'gpt-5', window: 300_000, maxOutputTokens: 1_000 }), 299_000);
    assert.equal(budget({ model: 'gpt-5', limit: 500 }), 500);
    assert.equal(budget({ model: 'claude-sonnet-5-5', limit: 500 }), 500);
    const limit = (options) => createSession(options).next(messages).tokens.limit;
    assert.equal(limit({ window: 10_000, maxOutputTokens: 1_000 }), 9_000);
    assert.equal(limit({ model: 'gpt-4o', maxOutputTokens: 1_000 }), 127_000);
    assert.equal(limit({ model: 'gpt-4o', limit: 5_000 }), 5_000);
  });

  test('a session takes a part of the window only, where the tokenizer is not public', () => {
    const limit = (model) => createSession({ model, window: 100_000 }).next(messages).tokens.limit;
    assert.equal(limit('gpt-5.5'), 100_000);
    assert.equal(limit('grok-4.6'), 80_000);
  });
});

describe('wrong sizes and names', () => {
  const verbs = {
    fit: [(options) => fit(messages, options), 'fit(): options', 'limit'],
    createSession: [(options) => createSession(options), 'createSession(): options', 'limit'],
  };
  for (const [verb, [call, at, direct]] of Object.entries(verbs)) {
    const wrong = [
      [{}, 'TypeError', `${at} must say how many tokens a request may take: give ${direct}, window or model`],
      [
        { [direct]: null, window: undefined, model: null },
        'TypeError',
        `${at} must say how many tokens a request may take: give ${direct}, window or model`,
      ],
      [{ [direct]: 5, window: 10 }, 'TypeError', `${at}.${direct} and ${at}.window both say what a request may take: give one of them`],
      [
        { [direct]: 5, maxOutputTokens: 2 },
        'TypeError',
        `${at}.maxOutputTokens is taken from a window, and ${at}.${direct} is given, of which nothing is taken: leave maxOutputTokens out, or give window in the place of ${direct}`,
      ],
      [{ window: 0 }, 'RangeError', `${at}.window must be a number of tokens above 0, got 0`],
      [{ window: Infinity }, 'RangeError', `${at}.window must be a number of tokens above 0, got Infinity`],
      [{ window: '10' }, 'TypeError', `${at}.window must be a number, got string`],
      [{ window: 10, maxOutputTokens: 10 }, 'RangeError', `${at}.maxOutputTokens must be less than ${at}.window (10), got 10`],
      [{ window: 10, maxOutputTokens: -1 }, 'RangeError', `${at}.maxOutputTokens must be a number of tokens from 0, got -1`],
      [{ model: 'gpt-4', maxOutputTokens: 8_192 }, 'RangeError', `${at}.maxOutputTokens must be less than the window (8192), got 8192`],
      [
        { model: 'gpt-7' },
        'TypeError',
        `${at}.model must be a model that palimpsest knows (https://github.com/palimpsest-dev/palimpsest/blob/main/docs/reference/models.md), got 'gpt-7': give tokenizer and ${direct} or window in its place`,
      ],
      [
        { model: 'gpt-7', [direct]: 500 },
        'TypeError',
        `${at}.model must be a model that palimpsest knows (https://github.com/palimpsest-dev/palimpsest/blob/main/docs/reference/models.md), got 'gpt-7': give tokenizer and ${direct} or window in its place`,
      ],
      [
        { model: 'claude-sonnet-5-5' },
        'TypeError',
        `${at}.model is 'claude-sonnet-5-5', whose window is not known: give ${at}.window or ${at}.${direct}`,
      ],
      [{ model: { modelId: 'gpt-5.5' } }, 'TypeError', `${at}.model must be a model's name, got object`],
      [{ model: 5, [direct]: 500 }, 'TypeError', `${at}.model must be a model's name, got number`],
    ];
    for (const [options, name, message] of wrong) {
      test(`${verb}(${JSON.stringify(options)})`, () => assert.throws(() => call(options), { name, message }));
    }
  }

  test('countTokens', () => {
    const message =
      "countTokens(): options.model must be a model that palimpsest knows (https://github.com/palimpsest-dev/palimpsest/blob/main/docs/reference/models.md), got 'gpt-7': give tokenizer in its place";
    assert.throws(() => countTokens('a', { model: 'gpt-7' }), new TypeError(message));
    assert.throws(() => countTokens('a', { model: 7 }), new TypeError("countTokens(): options.model must be a model's name, got number"));
    assert.throws(
      () => countTokens('a', { model: `gpt${'x'.repeat(5000)}` }),
      ({ message }) => message.length < 300,
    );
  });
});
