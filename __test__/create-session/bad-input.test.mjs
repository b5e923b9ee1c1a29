// Wrong arguments: one error names them. A session that got a broken history continues as if it had not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { working } from './working.mjs';

const right = { limit: 4000, format: 'openai-chat', now: () => 0 };

/** Values that each option refuses, by the kind of the error. */
const wrong = {
  limit: { TypeError: ['4000', true, [], {}, 10n, () => 1], RangeError: [-1, NaN] },
  format: { TypeError: ['chat', 7, {}] },
  tokenizer: { TypeError: ['gpt', 7] },
  tokenCounter: { TypeError: ['x', 7, {}] },
  tools: { TypeError: ['x', 7] },
  preset: { TypeError: ['lazy', 7, {}] },
  low: { TypeError: ['0.5', {}, true], RangeError: [0, 1, -0.5, 1.5, NaN] },
  coldLow: { TypeError: ['0.5', {}, true], RangeError: [0, 1, -0.5, 1.5, NaN] },
  cache: { TypeError: ['redis', 7, true, []] },
  cacheControl: { TypeError: ['yes', 1, {}] },
  thinking: { TypeError: ['drop', 7] },
  keep: { TypeError: ['user', 7, []] },
  query: { TypeError: [7, {}, [7]] },
  prune: { TypeError: ['yes', 7] },
  summarizer: { TypeError: ['x', 7, {}] },
  concurrency: { TypeError: ['4'], RangeError: [0, -1, 1.5, NaN] },
  now: { TypeError: [0, 'x', {}] },
};

const kinds = { TypeError, RangeError };
const show = (value) =>
  typeof value === 'bigint' ? `${value}n` : typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'function');
const assertNamed = (call, kind, name) =>
  assert.throws(call, (error) => {
    assert.ok(error instanceof kinds[kind], error.stack);
    assert.match(error.message, new RegExp(`^(createSession\\(\\): )?${name.replace(/[.[\]]/g, '\\$&')}(?![\\w])`));
    return true;
  });

for (const [name, refused] of Object.entries(wrong)) {
  test(`options.${name}`, () => {
    for (const [kind, values] of Object.entries(refused)) {
      for (const value of values) {
        assertNamed(() => createSession({ ...right, [name]: value }), kind, `options.${name}`);
      }
    }
    if (name === 'limit') return;
    for (const value of [undefined, null]) createSession({ ...right, [name]: value });
  });
}

test('options.cache as prices', () => {
  const cache = { write: 1.25, read: 0.1, ttl: 300_000, minimum: 1024 };
  createSession({ ...right, cache });
  createSession({ ...right, cache: { read: 0, ttl: 0 } });
  for (const [name, values] of Object.entries({
    write: ['1', {}, -1, NaN],
    read: ['1', undefined, null, -1, NaN],
    ttl: ['1', undefined, null, -1, NaN],
    minimum: ['1', {}, -1, NaN],
  })) {
    for (const value of values)
      assertNamed(
        () => createSession({ ...right, cache: { ...cache, [name]: value } }),
        typeof value === 'number' ? 'RangeError' : 'TypeError',
        `options.cache.${name}`,
      );
  }
});

test('`keep` is checked as in `fit`', () => {
  assertNamed(() => createSession({ ...right, keep: { recent: -1 } }), 'RangeError', 'options.keep.recent');
  assertNamed(() => createSession({ ...right, keep: { tools: 'Read' } }), 'TypeError', 'options.keep.tools');
  assertNamed(() => createSession({ ...right, keep: { patterns: ['x'] } }), 'TypeError', 'options.keep.patterns[0]');
  assertNamed(() => createSession({ ...right, prune: { edits: 'never' } }), 'TypeError', 'options.prune.edits');
});

test('a limit, or a window', () => {
  assert.throws(() => createSession(), TypeError);
  for (const options of [null, 'x', 7, []]) assertNamed(() => createSession(options), 'TypeError', 'options');
  for (const options of [{}, { maxOutputTokens: 10 }, { limit: null, window: undefined }])
    assert.throws(
      () => createSession(options),
      (error) => error instanceof TypeError && /limit.*window/.test(error.message),
    );
  assert.throws(
    () => createSession({ limit: 1000, window: 2000 }),
    (error) => error instanceof TypeError && /limit.*window/.test(error.message),
  );
  assertNamed(() => createSession({ window: '9000' }), 'TypeError', 'options.window');
  assertNamed(() => createSession({ window: -1 }), 'RangeError', 'options.window');
  assertNamed(() => createSession({ window: NaN }), 'RangeError', 'options.window');
  assertNamed(() => createSession({ window: 9000, maxOutputTokens: 'x' }), 'TypeError', 'options.maxOutputTokens');
  assertNamed(() => createSession({ window: 9000, maxOutputTokens: -1 }), 'RangeError', 'options.maxOutputTokens');
  assertNamed(() => createSession({ window: 9000, maxOutputTokens: 9000 }), 'RangeError', 'options.maxOutputTokens');
  assert.throws(
    () => createSession({ limit: 9000, maxOutputTokens: 100 }),
    (error) => error instanceof TypeError && /maxOutputTokens/.test(error.message),
  );
  assertNamed(() => createSession({ ...right, tokenizer: 'o200k_base', tokenCounter: () => 1 }), 'TypeError', 'options.tokenizer');
});

test('the limit follows from the window', () => {
  const history = working('openai-chat', 1, 1);
  const limitOf = (options) => createSession({ format: 'openai-chat', ...options }).next(history).tokens.limit;
  assert.ok(limitOf({ window: 100_000 }) <= 100_000);
  assert.ok(limitOf({ window: 100_000 }) > 90_000);
  assert.equal(limitOf({ window: 100_000 }) - limitOf({ window: 100_000, maxOutputTokens: 8000 }), 8000);
  assert.equal(limitOf({ limit: 4000 }), 4000);
});

const broken = {
  'no array': [null, undefined, 'text', 7, {}],
  'a message that is none': [null, undefined, 7, 'text', []].map((message) => [...working('openai-chat', 1, 2), message]),
  'a broken message': [
    [...working('openai-chat', 1, 2), { role: 'user', content: 7 }],
    [...working('openai-chat', 1, 2), { role: 'assistant', content: null, tool_calls: [{ id: 'x', type: 'function', function: 7 }] }],
  ],
  'another format than before': [working('anthropic', 1, 2), working('gemini', 1, 2), working('openai-responses', 1, 2)],
};
for (const [name, histories] of Object.entries(broken)) {
  // A format that is named is read as `fit` reads it, whatever else its messages have.
  for (const format of name === 'another format than before' ? [undefined] : ['openai-chat', undefined]) {
    test(`${name} leaves the session as it was (format: ${format ?? 'found out'})`, () => {
      const [session, sound] = [createSession({ ...right, format }), createSession({ ...right, format })];
      const history = working('openai-chat', 1, 12);
      for (const until of [8, 16, 40, 48]) {
        assert.deepEqual(session.next(history.slice(0, until)), sound.next(history.slice(0, until)));
        const saved = JSON.stringify(session);
        for (const given of histories) {
          assert.throws(
            () => session.next(given),
            (error) => (error instanceof TypeError || error instanceof RangeError) && /messages|history/.test(error.message),
            show(given),
          );
          assert.equal(JSON.stringify(session), saved);
        }
      }
    });
  }
}

test('an empty history', () => {
  const session = createSession(right);
  const step = session.next([]);
  assert.deepEqual(step.messages, []);
  assert.ok(step.fits);
  const history = working('openai-chat', 1, 1);
  assert.deepEqual(session.next(history).messages, history);
});

test('invalid usage', () => {
  const session = createSession(right);
  session.next(working('openai-chat', 1, 1));
  for (const usage of [7, 'x', [], () => 1])
    assert.throws(
      () => session.observe(usage),
      (error) => error instanceof TypeError && /usage/.test(error.message),
      show(usage),
    );
  for (const usage of [{ prompt_tokens: -1 }, { prompt_tokens: NaN }, { prompt_tokens: '7' }, { input_tokens: {} }])
    assert.throws(
      () => session.observe(usage),
      (error) => (error instanceof TypeError || error instanceof RangeError) && /usage/.test(error.message),
      show(usage),
    );
});

test('a callback that throws leaves the session as it was', () => {
  let fails = false;
  const options = {
    ...right,
    tokenCounter: (message) => {
      if (fails) throw new Error('the caller’s own');
      return JSON.stringify(message).length;
    },
  };
  const [session, sound] = [createSession(options), createSession(options)];
  const history = working('openai-chat', 1, 4);
  for (const until of [4, 8, 12, 16]) {
    fails = true;
    assert.throws(() => session.next(history.slice(0, until)), /the caller’s own/);
    fails = false;
    assert.deepEqual(session.next(history.slice(0, until)), sound.next(history.slice(0, until)));
  }
});
