// Wrong arguments of `fit`: one clear error that names the argument, and nothing half done.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { fit, fitAsync } from 'palimpsest';
import { closed, lines, Talk } from './talk.mjs';

const talk = () => closed(new Talk().user('Read it, please.').call('Read', { path: 'a.txt' }, lines(60)));

/** Asserts that `fit` throws without calling a callback or changing its input. */
function refuses(options, name, message, messages = talk().messages) {
  const before = JSON.stringify(messages);
  assert.throws(() => fit(messages, options), { name, message });
  assert.equal(JSON.stringify(messages), before);
}
const mustNotBeCalled = () => assert.fail('nothing is called before the arguments are known to be right');

test('the budget', () => {
  refuses(undefined, 'TypeError', 'fit(): options must be an object with limit, window or model, got undefined');
  refuses(null, 'TypeError', 'fit(): options must be an object with limit, window or model, got null');
  refuses([100], 'TypeError', 'fit(): options must be an object with limit, window or model, got array');
  refuses({}, 'TypeError', 'fit(): options must say how many tokens a request may take: give limit, window or model');
  refuses({ limit: '100' }, 'TypeError', 'fit(): options.limit must be a number of tokens, got string');
  refuses({ limit: 100n }, 'TypeError', 'fit(): options.limit must be a number of tokens, got bigint');
  refuses({ limit: NaN }, 'RangeError', 'fit(): options.limit must be a number of tokens from 0, got NaN');
  refuses({ limit: -1 }, 'RangeError', 'fit(): options.limit must be a number of tokens from 0, got -1');
});

test('each option by its name', () => {
  for (const [options, name, message] of [
    [{ tokenizer: 'gpt-4' }, 'TypeError', /^fit\(\): options\.tokenizer must be one of 'o200k_base', .*, got 'gpt-4'$/],
    [{ tokenCounter: 5 }, 'TypeError', /^fit\(\): options\.tokenCounter must be a function, got number$/],
    [{ tokenizer: 'estimate', tokenCounter: mustNotBeCalled }, 'TypeError', /options\.tokenizer and options\.tokenCounter/],
    [{ format: 'openai' }, 'TypeError', /^fit\(\): options\.format must be one of 'openai-chat', .*, got 'openai'$/],
    [{ tools: 5 }, 'TypeError', /options\.tools must be an array, or an object of tools by name, got number$/],
    [{ tools: [{ name: 'a', input_schema: {} }, 5] }, 'TypeError', /options\.tools\[1\] must be an object, got number$/],
    [{ thinking: 'drop' }, 'TypeError', /options\.thinking must be 'keep', 'strip' or 'leave', got 'drop'$/],
    [{ prune: 'yes' }, 'TypeError', /options\.prune must be a boolean or an object, got string$/],
    [{ prune: [] }, 'TypeError', /options\.prune must be a boolean or an object, got array$/],
    [{ prune: { edits: 'all' } }, 'TypeError', /options\.prune\.edits must be 'safe' or 'last', got 'all'$/],
    [{ prune: { mode: 'remove' } }, 'TypeError', /options\.prune\.mode is an option of prune\(\) alone: leave it out$/],
    [{ prune: { keep: { recent: 0.5 } } }, 'RangeError', /options\.prune\.keep\.recent must be a whole number/],
    [{ prune: { toolMap: { x: { kind: 'eat' } } } }, 'TypeError', /options\.prune\.toolMap\.x\.kind must be one of/],
    [{ query: 5 }, 'TypeError', /options\.query must be a string, an array of strings or false, got number$/],
    [{ query: true }, 'TypeError', /options\.query must be a string, an array of strings or false, got boolean$/],
    [{ query: {} }, 'TypeError', /options\.query must be a string, an array of strings or false, got object$/],
    [{ query: ['a', 5] }, 'TypeError', /options\.query\[1\] must be a string, got number$/],
    [{ keep: 6 }, 'TypeError', /options\.keep must be an object, got number$/],
    [{ keep: [] }, 'TypeError', /options\.keep must be an object, got array$/],
    [{ keep: { recent: '6' } }, 'TypeError', /options\.keep\.recent must be a number, got string$/],
    [{ keep: { recent: -1 } }, 'RangeError', /options\.keep\.recent must be a whole number from 0, or Infinity, got -1$/],
    [{ keep: { recent: NaN } }, 'RangeError', /options\.keep\.recent must be a whole number from 0, or Infinity, got NaN$/],
    [{ keep: { user: 'yes' } }, 'TypeError', /options\.keep\.user must be a boolean, got string$/],
    [{ keep: { tools: 'Read' } }, 'TypeError', /options\.keep\.tools must be an array of strings, got string$/],
    [{ keep: { tools: ['Read', null] } }, 'TypeError', /options\.keep\.tools\[1\] must be a string, got null$/],
    [{ keep: { arguments: 'yes' } }, 'TypeError', /options\.keep\.arguments must be a boolean, got string$/],
    [{ keep: { patterns: /a/ } }, 'TypeError', /options\.keep\.patterns must be an array of RegExps, got object$/],
    [{ keep: { patterns: [/a/, 'b'] } }, 'TypeError', /options\.keep\.patterns\[1\] must be a RegExp, got string$/],
    // A hole is no RegExp either.
    [
      { keep: { patterns: Object.assign(new Array(2), { 1: /a/ }) } },
      'TypeError',
      /options\.keep\.patterns\[0\] must be a RegExp, got undefined$/,
    ],
    [{ summarizer: mustNotBeCalled }, 'TypeError', /^fit\(\): options\.summarizer is not an option: it is an option of .*fitAsync/],
    [{ originals: 5 }, 'TypeError', /^fit\(\): options\.originals must be an object, got number$/],
    [{ originals: [] }, 'TypeError', /^fit\(\): options\.originals must be an object, got array$/],
    [{ originals: { a: 1 } }, 'TypeError', /^fit\(\): options\.originals\["a"\] is no original$/],
  ]) {
    refuses({ limit: 100, ...options }, name, message);
  }
});

test('null and undefined mean the default', () => {
  const { messages } = talk();
  const plain = fit(messages, { limit: 300 });
  for (const none of [null, undefined]) {
    const names = ['tokenizer', 'tokenCounter', 'format', 'tools', 'keep', 'prune', 'thinking', 'originals', 'trace'];
    const options = Object.fromEntries(names.map((name) => [name, none]));
    assert.deepEqual(fit(messages, { limit: 300, ...options }), plain);
    assert.deepEqual(
      fit(messages, { limit: 300, keep: { recent: none, user: none, tools: none, arguments: none, patterns: none } }),
      plain,
    );
  }
});

test('a RegExp of another realm is accepted', () => {
  const { messages } = talk();
  const patterns = [runInNewContext('/station_31\\b/')];
  const { messages: fitted } = fit(messages, { limit: 300, keep: { patterns } });
  assert.match(JSON.stringify(fitted), /station_31\b/);
});

test('invalid messages are named by their path', () => {
  refuses({ limit: 1 }, 'TypeError', 'fit(): messages must be an array, got string', 'hello');
  refuses({ limit: 1 }, 'TypeError', 'fit(): messages must be an array, got null', null);
  refuses({ limit: 1 }, 'TypeError', 'fit(): messages[1] must be an object, got number', [{ role: 'user', content: 'a' }, 5]);
  refuses({ limit: 1 }, 'TypeError', /^fit\(\): messages\[0\] is of no known format/, [{ speaker: 'me' }]);
  const wrong = [{ role: 'user', content: [{ type: 'text', text: 5 }] }];
  refuses({ limit: 1, format: 'openai-chat' }, 'TypeError', 'fit(): messages[0].content[0].text must be a string, got number', wrong);
});

test('a counter that returns nonsense or throws', () => {
  for (const count of [NaN, -1, Infinity, '12', null, undefined, 12n, {}, Promise.resolve(1)]) {
    refuses(
      { limit: 100, tokenCounter: () => count },
      'TypeError',
      /^fit\(\): options\.tokenCounter must return a number of tokens from 0, got /,
    );
  }
  const own = new RangeError('mine');
  assert.throws(
    () =>
      fit(talk().messages, {
        limit: 100,
        tokenCounter: () => {
          throw own;
        },
      }),
    (error) => error === own,
  );
  // A late throw, for a message that `fit` wrote, has the same effect: the caller gets the error only.
  const given = new Set(talk().messages.map((message) => JSON.stringify(message)));
  const late = (message) => (given.has(JSON.stringify(message)) ? 100 : NaN);
  refuses({ limit: 300, tokenCounter: late }, 'TypeError', /^fit\(\): options\.tokenCounter must return/);
});

test('what is wrong with the arguments of fitAsync rejects its promise, by its own name', async () => {
  const { messages } = talk();
  for (const [options, name, message, given = messages] of [
    [{ limit: -1 }, 'RangeError', 'fitAsync(): options.limit must be a number of tokens from 0, got -1'],
    [{ limit: 100, summarizer: 'gpt' }, 'TypeError', 'fitAsync(): options.summarizer must be a function, got string'],
    [{ limit: 100, concurrency: 0 }, 'RangeError', 'fitAsync(): options.concurrency must be a positive integer or Infinity, got 0'],
    [{ limit: 100, signal: {} }, 'TypeError', 'fitAsync(): options.signal must be an AbortSignal, got object'],
    [{ limit: 100, abortSignal: {} }, 'TypeError', 'fitAsync(): options.abortSignal is not an option: did you mean options.signal?'],
    [{ limit: 100, tools: 'bash' }, 'TypeError', /^fitAsync\(\): options\.tools must be/],
    [{ limit: 100, summarizer: mustNotBeCalled }, 'TypeError', 'fitAsync(): messages[0] must be an object, got null', [null]],
  ])
    await assert.rejects(fitAsync(given, options), { name, message });
});

test('fitAsync without a summarizer does as fit, and nothing once it is aborted', async () => {
  const { messages } = talk();
  for (const limit of [1, 100, 300, 1e6]) {
    const { report, ...result } = await fitAsync(messages, { limit });
    const { report: expected, ...plain } = fit(messages, { limit });
    assert.deepEqual(result, plain);
    assert.equal(String(report), String(expected));
  }
  const reason = new Error('enough');
  await assert.rejects(fitAsync(messages, { limit: 100, signal: AbortSignal.abort(reason) }), reason);
});
