// The deliberate differences from the package that this one replaces (D1–D11 of the contract): the fault of each is gone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { describe } from 'node:test';

import * as palimpsest from 'palimpsest/compress';
import { DIFFERENCES } from './support/differences.mjs';
import { decode, run } from './vectors/vector-runner.mjs';

const { compress, uncompress } = palimpsest;

const PROSE =
  'The lighthouse keeper repaired the lantern before dusk and wrote a careful entry in the harbour ledger. ' +
  'Nothing else of interest happened on the island that evening. A ferry passed by slowly in the distance, ' +
  'carrying crates of fruit to the mainland market stalls. ';
const OTHER =
  'Gardeners in the valley plant beans along the southern wall because the stones hold warmth through cold nights. ' +
  'They water in the morning. Neighbours trade seeds over the fence and argue happily about the weather until lunch.';

const vectors = new Map(
  readFileSync(new URL('./vectors/vectors-core.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((vector) => [vector.name, vector]),
);

/** Messages with these contents and ids, all of one role unless they have their own. */
const conversation = (...parts) =>
  parts.map((part, index) => ({ id: `m${index}`, index, role: 'user', content: part, ...(part.content && part) }));

/** Compresses, stores the result as JSON, reads it again, and uncompresses. */
function roundTrip(messages, options) {
  const result = compress(messages, options);
  assert.deepEqual(uncompress(result.messages, result.verbatim).messages, messages);
  const stored = JSON.parse(JSON.stringify(result));
  assert.deepEqual(uncompress(stored.messages, stored.verbatim).messages, JSON.parse(JSON.stringify(messages)));
  return result;
}

describe('D1: a tool result is never merged with another message', () => {
  const result = (id, content) => ({ role: 'tool', tool_call_id: id, content });
  const messages = conversation(result('call_1', PROSE), result('call_2', OTHER), result('call_3', PROSE + OTHER));

  test('every call keeps its answer', () => {
    const { messages: output, compression } = roundTrip(messages, { recencyWindow: 0 });
    assert.deepEqual(
      output.map((message) => message.tool_call_id),
      ['call_1', 'call_2', 'call_3'],
    );
    assert.ok(compression.messages_compressed > 0);
  });

  test('it does not join a group before it', () => {
    const mixed = conversation(PROSE, { ...result('call_1', OTHER), role: 'user' }, PROSE + PROSE);
    const { messages: output } = roundTrip(mixed, { recencyWindow: 0, dedup: false });
    assert.equal(output.filter((message) => message.tool_call_id === 'call_1').length, 1);
    assert.equal(output.length, 3);
  });

  test('without the key they merge, as in the contract', () => {
    const plain = messages.map(({ tool_call_id: _, ...message }) => message);
    assert.equal(compress(plain, { recencyWindow: 0 }).messages.length, 1);
  });
});

// D2, originals with the same id, and D3, own properties alone: properties.test.mjs and uncompress.test.mjs, for any ids.

test('D2: an id that an earlier summary stands for is not used again', () => {
  const first = compress(conversation(PROSE, OTHER), { recencyWindow: 0 });
  const summary = first.messages[0];
  const long = { ...summary, content: `${summary.content} ${'and more of it '.repeat(60)}` };
  const second = compress([long, { id: 'm1', index: 1, role: 'user', content: PROSE }], {
    recencyWindow: 0,
    tokenBudget: 1,
    forceConverge: true,
  });
  const merged = { ...second.verbatim, ...first.verbatim };
  assert.equal(Object.keys(merged).length, Object.keys(first.verbatim).length + Object.keys(second.verbatim).length);
  assert.deepEqual(uncompress(second.messages, second.verbatim).messages[0], long);
});

describe('D4: forced truncation touches only what it truncates', () => {
  const withoutEmptyMetadata = ({ metadata, ...message }) =>
    metadata && Object.keys(metadata).length > 0 ? { ...message, metadata } : message;
  const names = [
    'force-converge',
    'force-converge-largest-first-stops',
    'force-converge-truncates-tool-calls',
    'force-converge-respects-recency',
    'force-converge-already-compressed',
    'force-converge-emoji-cut',
  ];
  for (const name of names) {
    test(`${name}: the vector's messages without the empty metadata`, () => {
      const { args: encoded, result: expected } = vectors.get(name);
      const args = decode(encoded, []);
      const actual = compress(...args);
      assert.deepEqual(actual.messages, expected.messages.map(withoutEmptyMetadata));
      assert.deepEqual(Object.values(actual.verbatim), Object.values(expected.verbatim).map(withoutEmptyMetadata));
      const kept = ['fits', 'tokenCount', 'recencyWindow'];
      assert.deepEqual(
        kept.map((key) => actual[key]),
        kept.map((key) => expected[key]),
      );
      assert.deepEqual(actual.compression.decisions, expected.compression.decisions);
      checkStatistics(args[0], actual);
    });
  }

  test('untouched messages are the same objects', async () => {
    const { args } = vectors.get('identity-force-converge');
    const { outputIsInputRef } = await run(palimpsest, 'compress.identity', args);
    assert.deepEqual(outputIsInputRef, [0, -1, 2]);
    assert.deepEqual(await run(palimpsest, 'roundtrip', vectors.get('roundtrip-force-converge-adds-metadata').args.slice()), {
      ...vectors.get('roundtrip-force-converge-adds-metadata').result,
      restoredEqual: true,
      sameRefs: true,
    });
  });

  for (const length of [512, 513, 530, 536, 537, 540, 600]) {
    test(`a text of ${length} code units is never lengthened`, () => {
      const messages = conversation(`SELECT ${'w'.repeat(length - 7)}`, 'end');
      const result = roundTrip(messages, { tokenBudget: 1, forceConverge: true });
      assert.ok(result.messages[0].content.length <= length);
      // The mark around the remaining 512 units has 25 of its own.
      assert.equal(result.messages[0] === messages[0], length <= 512 + 25);
      checkStatistics(messages, result);
    });
  }

  test('a truncated message that stands for others is restored unchanged', () => {
    const summary = compress(conversation(PROSE, OTHER), { recencyWindow: 0 }).messages[0];
    const long = { ...summary, content: summary.content + 'x'.repeat(600) };
    roundTrip([long, ...conversation('end')], { tokenBudget: 1, forceConverge: true });
  });

  function checkStatistics(input, { messages, compression, tokenCount }) {
    const sum = (list, of) => list.reduce((total, message) => total + of(message), 0);
    const length = ({ content }) => content.length;
    const tokens = ({ content }) => Math.ceil(content.length / 3.5);
    const acted = compression.messages_compressed + (compression.messages_deduped ?? 0) > 0;
    assert.equal(compression.ratio, acted ? sum(input, length) / sum(messages, length) : 1);
    assert.equal(compression.token_ratio, acted ? sum(input, tokens) / sum(messages, tokens) : 1);
    assert.equal(compression.messages_preserved, messages.filter((message) => input.includes(message)).length);
    assert.equal(compression.messages_compressed + compression.messages_preserved, input.length);
    assert.equal(tokenCount, sum(messages, tokens));
  }
});

describe('D5: each text is summarised once, several at a time', () => {
  const messages = Array.from({ length: 24 }, (_, index) => ({
    id: `m${index}`,
    index,
    role: index % 2 ? 'user' : 'assistant',
    content: `Part ${index} of the story. ${PROSE}`,
  }));

  test('with a budget, too', async () => {
    const calls = [];
    const summarizer = async (text) => {
      calls.push(text);
      return text.slice(0, 60);
    };
    const { fits } = await compress(messages, { summarizer, tokenBudget: 1 });
    assert.equal(fits, false);
    assert.equal(calls.length, messages.length);
    assert.equal(new Set(calls).size, calls.length);
  });

  for (const [concurrency, expected] of [
    [undefined, 4],
    [1, 1],
    [7, 7],
    [Infinity, 24],
  ]) {
    test(`concurrency ${concurrency}`, async () => {
      let open = 0;
      let most = 0;
      const starts = [];
      const summarizer = async (text) => {
        starts.push(Number(/Part (\d+)/.exec(text)[1]));
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 2));
        open--;
        return text.slice(0, 50);
      };
      const { messages: output } = await compress(messages, { summarizer, concurrency, recencyWindow: 0 });
      assert.equal(most, expected);
      assert.deepEqual(
        starts,
        messages.map((_, index) => index),
        'started in order',
      );
      assert.ok(output.every(({ content }, index) => content.startsWith(`[summary: Part ${index} `)));
    });
  }
});

// D6, a summary that stays behind the originals that were found: uncompress.test.mjs.
// D7, time that grows with the text, is measured by the benchmark: benches/growth/.

test('messages just below the threshold of near duplicates stay', () => {
  const same = Array.from({ length: 18 }, (_, line) => `line ${line} of a report that is always the same`).join('\n');
  // 18 of the 22 different lines of any two are the same: 0.82.
  const messages = Array.from({ length: 500 }, (_, index) => ({
    id: `m${index}`,
    index,
    content: `${same}\nstarted at ${1e6 + index}\nended at ${2e6 + index}`,
  }));
  assert.equal(compress(messages, { fuzzyDedup: true }).compression.messages_fuzzy_deduped, undefined);
});

test('D8: everything that the documentation names is exported', () => {
  assert.deepEqual(palimpsest.classifyMessage('SELECT a FROM b WHERE c'), {
    decision: 'T0',
    confidence: 0.75,
    reasons: ['sql_content'],
  });
  const messages = conversation(PROSE, PROSE, 'short');
  assert.deepEqual([...palimpsest.analyzeDuplicates(messages)], [[0, { duplicateOfIndex: 1, contentLength: PROSE.length }]]);
  assert.equal(palimpsest.analyzeFuzzyDuplicates(messages).size, 0);
});

describe('D9: the classifier sees only messages that its verdict can change', () => {
  const seenBy = async (messages, options) => {
    const seen = [];
    const classifier = (text) => {
      seen.push(messages.findIndex(({ content }) => content === text));
      return { decision: 'compress', confidence: 1, reason: 'none' };
    };
    const { compression } = await compress(messages, { classifier, ...options });
    assert.equal(compression.messages_llm_classified ?? 0, seen.length);
    return seen;
  };
  const split = `${PROSE}\n\`\`\`js\nlet a = 1;\n\`\`\`\n`;
  const messages = conversation(
    { content: PROSE, role: 'system' },
    PROSE + OTHER,
    'short',
    split,
    { content: OTHER + PROSE, tool_calls: [{ id: 'c' }] },
    `[summary: ${PROSE}]`,
    PROSE + PROSE,
    PROSE + PROSE,
    OTHER + OTHER,
    `${OTHER} and so on.`,
  );

  test('not roles, short, split, tool calls, summaries, duplicates or recent messages', async () => {
    assert.deepEqual(await seenBy(messages, { recencyWindow: 1 }), [1, 6, 8]);
  });

  test('with a budget all but the last minRecencyWindow', async () => {
    assert.deepEqual(await seenBy(messages, { recencyWindow: 4, tokenBudget: 1 }), [1, 6, 8, 9]);
    assert.deepEqual(await seenBy(messages, { recencyWindow: 4, tokenBudget: 1, minRecencyWindow: 2 }), [1, 6]);
  });
});

describe("D10: classifierMode 'full' is ignored without a classifier", () => {
  test('a hard reason keeps the text', () => {
    const { args, result } = vectors.get('full-mode-without-classifier-skips-t0');
    assert.notEqual(result.messages[0].content, args[0][0].content, 'the other package rewrites it');
    assert.equal(compress(...args).messages[0], args[0][0]);
  });

  for (const name of ['full-mode-without-classifier-skips-t0', 'structured-crlf-colon-end', 'structured-lf-colon-end-is-not']) {
    test(`${name}: with a classifier the vector holds`, async () => {
      const {
        args: [messages, options],
        result,
      } = vectors.get(name);
      const classifier = () => ({ decision: 'compress', confidence: 1, reason: 'none' });
      const actual = await compress(messages, { ...options, classifier });
      delete actual.compression.messages_llm_classified;
      assert.equal(JSON.stringify(actual), JSON.stringify(result));
    });
  }
});

test('D11: a reference longer than the text it would stand for is not made', () => {
  const id = 'i'.repeat(500);
  const messages = conversation(PROSE, 'and', { content: PROSE, id });
  const { messages: output, compression } = roundTrip(messages, { recencyWindow: 1, trace: true });
  assert.ok(output.every(({ content }, index) => content.length <= messages[index].content.length));
  assert.equal(output[0], messages[0]);
  assert.equal(compression.decisions[0].reason, 'duplicate_reverted');
  assert.equal(compression.messages_deduped, undefined);
});

test('docs/reference/differences.md numbers the differences from 1 on, each once', () => {
  assert.ok(DIFFERENCES.length > 12);
  assert.deepEqual(
    DIFFERENCES,
    DIFFERENCES.map((_, index) => `D${index + 1}`),
  );
});
