// `compress` with a tokenizer: every number is about what is sent.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';

import fc from 'fast-check';

import { compress, countTokens, uncompress } from 'palimpsest';
import { CORPORA } from '../support/corpus.mjs';
import { cases } from '../support/seed.mjs';
import { ENCODINGS, expectedCount } from './support.mjs';

/** A second count of a request, by tiktoken and the rules of OpenAI's Cookbook; calls take 3 more, their name and id. */
function requestTokens(messages, tokenizer) {
  const count = (text) =>
    typeof text === 'string' ? (tokenizer === 'estimate' ? Math.ceil(text.length / 3.5) : expectedCount(text, tokenizer)) : 0;
  return messages.reduce((sum, { role, content, name, tool_calls: calls = [], tool_call_id: id }) => {
    const ofCalls = calls.map((call) => 3 + count(call.id) + count(call.function.name) + count(call.function.arguments));
    return ofCalls.reduce(
      (a, b) => a + b,
      sum + 3 + count(role) + count(content) + count(id) + (typeof name === 'string' ? 1 + count(name) : 0),
    );
  }, 3);
}

const prose =
  'The worker reads the queue and writes to the table. It was slow, and nobody knew why for a week or two. We looked at the logs again.';
const call = (id, text) => ({ id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path: text }) } });
const history = Array.from({ length: 40 }, (_, index) => {
  const base = { id: `m${index}`, index };
  switch (index % 4) {
    case 0:
      return { ...base, role: 'user', name: 'dana', content: `Question ${index}. ${prose.repeat(3)}` };
    case 1:
      return { ...base, role: 'assistant', content: '', tool_calls: [call(`call_${index}`, `src/file-${index}.ts`)] };
    case 2:
      return { ...base, role: 'tool', tool_call_id: `call_${index - 1}`, content: `灯台守は ${index}. ${prose.repeat(4)}` };
    default:
      return { ...base, role: 'assistant', content: `Answer ${index}. ${prose.repeat(5)}` };
  }
});

for (const tokenizer of [...ENCODINGS, 'estimate']) {
  describe(tokenizer, () => {
    test('the budget is met by what is sent, and tokenCount says what that is', () => {
      const whole = requestTokens(history, tokenizer);
      for (const share of [0.9, 0.6, 0.45, 0.1]) {
        const tokenBudget = Math.floor(share * whole);
        const { messages, fits, tokenCount, compression } = compress(history, { tokenizer, tokenBudget, forceConverge: share < 0.5 });
        assert.equal(tokenCount, requestTokens(messages, tokenizer));
        assert.equal(fits, tokenCount <= tokenBudget);
        assert.equal(compression.token_ratio, whole / tokenCount);
      }
    });

    test('a budget that is met to the token leaves the conversation alone, one less does not', () => {
      const whole = requestTokens(history, tokenizer);
      assert.equal(compress(history, { tokenizer, tokenBudget: whole }).messages, history);
      assert.notEqual(compress(history, { tokenizer, tokenBudget: whole - 1 }).messages, history);
      assert.equal(compress(history, { tokenizer, compressionThreshold: whole + 1 }).messages, history);
      assert.notEqual(compress(history, { tokenizer, compressionThreshold: whole }).messages, history);
    });

    test('observationThreshold is about the message', () => {
      const of = requestTokens([history[0]], tokenizer) - 3;
      const recent = (observationThreshold) =>
        compress(history.slice(0, 1), { tokenizer, observationThreshold }).compression.messages_compressed;
      assert.deepEqual([recent(of), recent(of - 1)], [0, 1]);
    });

    test('the same with a summarizer and a classifier, and on another thread', async () => {
      const long = Array.from({ length: 8 }, () => history)
        .flat()
        .map((message, index) => ({ ...message, id: `n${index}` }));
      const options = { tokenizer, tokenBudget: Math.floor(0.6 * requestTokens(long, tokenizer)) };
      const summarizer = (text) => text.slice(0, 90);
      const { messages, tokenCount } = await compress(long, {
        ...options,
        summarizer,
        classifier: () => ({ decision: 'compress', confidence: 1, reason: 'x' }),
      });
      assert.equal(tokenCount, requestTokens(messages, tokenizer));
      const failing = () => {
        throw new Error('no summary');
      };
      assert.deepEqual((await compress(long, { ...options, summarizer: failing })).tokenCount, compress(long, options).tokenCount);
    });
  });
}

test('a tokenizer says the same as a counter that counts the same', () => {
  // But for the three tokens of the request, which a counter of messages can't add.
  fc.assert(
    fc.property(
      fc.array(fc.nat(history.length - 1), { maxLength: 14 }),
      fc.nat(4000),
      fc.boolean(),
      fc.constantFrom(undefined, 60, 200),
      fc.nat(4),
      (indices, budget, forceConverge, observationThreshold, minRecencyWindow) => {
        const messages = indices.map((index, id) => ({ ...history[index], id: `m${id}` }));
        const options = { forceConverge, observationThreshold, minRecencyWindow, trace: true };
        const tokenizer = compress(messages, { ...options, tokenizer: 'o200k_base', tokenBudget: budget + 3 });
        const tokenCounter = (message) => requestTokens([message], 'o200k_base') - 3;
        const counter = compress(messages, { ...options, tokenCounter, tokenBudget: budget });
        assert.deepEqual(tokenizer.messages, counter.messages);
        assert.deepEqual(tokenizer.compression.decisions, counter.compression.decisions);
        assert.deepEqual(
          [tokenizer.fits, tokenizer.recencyWindow, tokenizer.tokenCount],
          [counter.fits, counter.recencyWindow, counter.tokenCount + 3],
        );
      },
    ),
    { numRuns: cases(100) },
  );
});

test('without a tokenizer nothing is different', () => {
  for (const tokenizer of [undefined, null]) {
    const options = { tokenBudget: 2000, forceConverge: true };
    assert.deepEqual(compress(history, { ...options, tokenizer }), compress(history, options));
  }
});

test('a tokenizer changes what is counted, and nothing else', () => {
  const {
    compression: { token_ratio: exact, ...others },
    ...result
  } = compress(history, { tokenizer: 'o200k_base' });
  const {
    compression: { token_ratio: estimated, ...othersBefore },
    ...resultBefore
  } = compress(history);
  assert.deepEqual([result, others], [resultBefore, othersBefore]);
  assert.notEqual(exact, estimated);
  assert.deepEqual(uncompress(result.messages, result.verbatim).messages, history);
});

test('both a tokenizer and a counter are refused, and so is an unknown one', () => {
  const both = new TypeError('compress(): options.tokenizer and options.tokenCounter both count tokens: give one of them');
  assert.throws(() => compress([], { tokenizer: 'o200k_base', tokenCounter: () => 1 }), both);
  assert.throws(() => compress([], { tokenizer: 'estimate', tokenCounter: () => 1, summarizer: () => '' }), both);
  for (const tokenizer of ['', 'gpt-4o', 7, true, {}, ['o200k_base'], Symbol('o200k_base')]) {
    assert.throws(() => compress([], { tokenizer }), {
      name: 'TypeError',
      message: /^compress\(\): options\.tokenizer must be one of 'o200k_base', 'cl100k_base', 'estimate', got /,
    });
  }
});

test('odd messages are counted as far as they go', () => {
  const cyclic = { id: 'cyclic' };
  cyclic.content = cyclic;
  const odd = [
    { id: 'a' },
    { id: 'b', content: null, role: null },
    { id: 'c', content: 7 },
    { id: 'd', content: [null, 'text', { type: 'text', text: 'part' }, { type: 'image_url' }, 5] },
    {
      id: 'e',
      tool_calls: [
        null,
        {},
        { function: null },
        { id: 3, function: { name: 'f', arguments: {} } },
        { id: 'x', custom: { name: 'c', input: 'free form' } },
      ],
      name: 9,
      tool_call_id: 9,
    },
    cyclic,
    Object.assign(Object.create(null), { id: 'f', content: '\ud800', role: '__proto__' }),
    { id: '__proto__', content: prose.repeat(4), role: 'user' },
  ];
  for (const tokenizer of [...ENCODINGS, 'estimate']) {
    const { tokenCount, messages } = compress(odd, { tokenizer, tokenBudget: 100 });
    assert.ok(tokenCount > 0 && Number.isInteger(tokenCount));
    assert.equal(messages.length, odd.length);
  }
  assert.deepEqual(
    [compress([], { tokenizer: 'o200k_base', tokenBudget: 3 }).tokenCount, compress([], { tokenizer: 'o200k_base', tokenBudget: 2 }).fits],
    [3, false],
  );
});

for (const { corpus, plain, skip } of CORPORA)
  test(`the counted messages of ${corpus}`, { skip }, () => {
    for (const { messages: original } of plain().slice(0, 30)) {
      const tokenBudget = Math.floor(requestTokens(original, 'o200k_base') / 2);
      const { messages, tokenCount } = compress(original, { tokenizer: 'o200k_base', tokenBudget });
      assert.equal(tokenCount, requestTokens(messages, 'o200k_base'));
    }
  });

describe('countTokens', () => {
  test('a string', () => {
    assert.equal(countTokens('hello world'), 2);
    assert.equal(countTokens('hello world', null), 2);
    assert.equal(countTokens('hello world', { tokenizer: null, format: null, tools: null }), 2);
    assert.equal(countTokens('hello world', { tokenizer: 'estimate' }), 4); // 11 / 3.5, rounded up
    assert.equal(countTokens('', { tokenizer: 'estimate' }), 0);
  });
  test('refused values', () => {
    for (const input of [undefined, null, 7, {}, true, () => 1])
      assert.throws(() => countTokens(input), {
        name: 'TypeError',
        message: /^countTokens\(\): input must be a string or an array of messages, got /,
      });
    for (const options of ['o200k_base', 7, true])
      assert.throws(() => countTokens('a', options), { name: 'TypeError', message: /^countTokens\(\): options must be an object, got / });
    assert.throws(() => countTokens('a', { tokenizer: 'p50k_base' }), {
      name: 'TypeError',
      message: "countTokens(): options.tokenizer must be one of 'o200k_base', 'cl100k_base', 'estimate', got 'p50k_base'",
    });
    assert.throws(
      () => countTokens([], { tools: 'bash' }),
      new TypeError('countTokens(): options.tools must be an array, or an object of tools by name, got string'),
    );
    assert.throws(() => countTokens('a', { tools: [] }), new TypeError('countTokens(): options.tools needs messages, got string'));
  });
});
