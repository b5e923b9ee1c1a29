// `compress` on the messages of a provider: in the same type out, valid, restored exactly.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CORPORA } from '../support/corpus.mjs';
import { compress, countTokens, restore, uncompress, validate } from '../../unbundled/index.js';
import { working } from '../prune/working.mjs';
import { breakIt, changes } from '../support/broken.mjs';
import { objectionTo } from '../support/providers/formats.mjs';
import { withProviders } from '../support/providers/server.mjs';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';

const { formatOf } = createRequire(import.meta.url)('../../unbundled/providers/index.js');

const viaJson = (value) => JSON.parse(JSON.stringify(value));
/** LangChain's instances are no JSON. */
const stored = (format) => (format === 'langchain' ? (value) => value : viaJson);
const rulesOf = (messages, format) => new Set(validate(messages, { format }).map(({ rule }) => rule));
const read = (messages, format) => formatOf(messages, format).read(messages);

const prose =
  'The worker reads the queue and writes to the table. It was slow, and nobody knew why for a week or two. We looked at the logs again. ';

/** The same, but people talk, and tools answer, at length. */
const talking = fc.tuple(working, fc.integer({ min: 0, max: 9 })).map(([spoken, seed]) => {
  let count = 0;
  const long = (text) =>
    text === null || (count++ + seed) % 3 === 0 ? text : `${text} ${count % 4 === 0 ? '' : count}. ${prose.repeat(1 + (count % 4))}`;
  const turns = spoken.turns.map((turn) => {
    if (turn.who === 'user') return { ...turn, text: long(turn.text) };
    const calls = turn.calls.map((call) =>
      typeof call.result.blocks === 'string' && !call.result.json
        ? { ...call, result: { ...call.result, blocks: long(call.result.blocks) } }
        : call,
    );
    return { ...turn, text: long(turn.text), calls };
  });
  return { ...spoken, turns };
});

const options = fc.record(
  {
    recencyWindow: fc.constantFrom(0, 1, 4),
    fuzzyDedup: fc.boolean(),
    embedSummaryId: fc.boolean(),
    forceConverge: fc.boolean(),
    preserve: fc.constantFrom(undefined, [], ['system', 'user']),
    trace: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Everything that holds for a result, whatever is in it. */
async function assertKept(messages, frozen, format, { messages: out, verbatim }, isBroken = false) {
  assert.equal(JSON.stringify(messages), frozen, 'the input is as it was');
  assert.equal(out.length, messages.length);
  const before = rulesOf(messages, format);
  for (const rule of rulesOf(out, format)) assert.ok(before.has(rule), `${rule} is new`);
  if (!isBroken && (await objectionTo(format, messages)) === null) assert.equal(await objectionTo(format, out), null);
  const [were, are] = [messages, out].map((list) => read(list, format));
  assert.deepEqual(
    are.map(({ text: _, ...part }) => part),
    were.map(({ text: _, ...part }) => part),
    'every part is where it was',
  );
  const changed = new Set();
  are.forEach((part, index) => {
    const { message, kind, text, locked, signed } = were[index];
    if (part.text === text) return;
    assert.ok(part.text.length <= text.length, `${text.length} → ${part.text.length}`);
    assert.ok(kind === 'text' || kind === 'result');
    assert.equal(locked, undefined);
    assert.ok(!were.slice(index).some((later) => later.signed) && !signed, 'signed thinking stands behind it');
    changed.add(message);
  });
  out.forEach((message, index) => assert.equal(message === messages[index], !changed.has(index), 'what stays is the same object'));
  assert.equal(Object.keys(verbatim).length, changed.size);
  const store = stored(format);
  for (const [list, kept] of [
    [out, verbatim],
    [store(out), store(verbatim)],
  ]) {
    const back = uncompress(list, kept);
    assert.equal(JSON.stringify(back.messages), frozen);
    assert.deepEqual(back.messages, list === out ? messages : store(messages));
    assert.deepEqual([back.messages_expanded, back.messages_passthrough], [changed.size, out.length - changed.size]);
    assert.deepEqual(restore(list, kept).messages, back.messages);
  }
  return changed.size;
}

for (const format of someOf(FORMATS)) {
  describe(format, () => {
    test('valid stays valid, never longer, restored exactly, input untouched, deterministic', async () => {
      let changed = 0;
      await fc.assert(
        fc.asyncProperty(talking, options, async (spoken, how) => {
          const messages = sayIn(format, spoken);
          const frozen = JSON.stringify(messages);
          const result = compress(messages, { format, ...how });
          changed += await assertKept(messages, frozen, format, result);
          assert.deepEqual(compress(messages, { format, ...how }), result);
          const { messages: again } = compress(messages, { ...how, format: 'auto' });
          assert.deepEqual(again, result.messages);
        }),
        { numRuns: cases(120) },
      );
      if (IS_WHOLE) assert.ok(changed > 60, `${changed} messages were compressed`);
    });

    test('within a budget of exact tokens', async () => {
      let [fitted, changed] = [0, 0];
      await fc.assert(
        fc.asyncProperty(
          talking,
          options,
          fc.constantFrom('o200k_base', 'cl100k_base', 'estimate'),
          fc.integer({ min: 1, max: 11 }),
          async (spoken, how, tokenizer, tenths) => {
            const messages = sayIn(format, spoken);
            const frozen = JSON.stringify(messages);
            const whole = countTokens(messages, { format, tokenizer });
            const tokenBudget = Math.floor((whole * tenths) / 10);
            const result = compress(messages, { format, ...how, tokenizer, tokenBudget });
            changed += await assertKept(messages, frozen, format, result);
            assert.equal(result.tokenCount, countTokens(result.messages, { format, tokenizer }));
            assert.equal(result.fits, result.tokenCount <= tokenBudget);
            if (tenths >= 10) assert.equal(result.messages, messages, 'there was nothing to do');
            else if (result.compression.messages_compressed > 0) assert.equal(result.compression.token_ratio, whole / result.tokenCount);
            if (!how.forceConverge)
              result.messages
                .slice(messages.length - result.recencyWindow)
                .forEach((message, index, { length }) => assert.equal(message, messages.at(index - length)));
            if (result.fits && tenths < 10) fitted++;
          },
        ),
        { numRuns: cases(200) },
      );
      if (IS_WHOLE) assert.ok(fitted > 5 && changed > 40, `${fitted} fitted, ${changed} messages were compressed`);
    });

    test('with a summarizer and a classifier, as a promise', async () => {
      let changed = 0;
      await fc.assert(
        fc.asyncProperty(talking, fc.constantFrom(undefined, 300), async (spoken, tokenBudget) => {
          const messages = sayIn(format, spoken);
          const frozen = JSON.stringify(messages);
          const asked = [];
          const summarizer = (text) => `They talked, ${text.length} characters.`;
          const classifier = (text) =>
            asked.push(text) && { decision: text.length % 3 ? 'compress' : 'preserve', confidence: 1, reason: 'length' };
          const result = await compress(messages, { format, recencyWindow: 0, summarizer, classifier, tokenBudget, tokenizer: 'estimate' });
          changed += await assertKept(messages, frozen, format, result);
          const texts = new Set(read(messages, format).map(({ text }) => text));
          assert.ok(
            asked.every((text) => texts.has(text)),
            'whole texts are shown',
          );
        }),
        { numRuns: cases(40) },
      );
      if (IS_WHOLE) assert.ok(changed > 20, `${changed} messages were compressed`);
    });
  });
}

test('a provider that checks what stands before signed thinking accepts what it accepted before', () =>
  withProviders(async (_, preserved) => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(talking, options, async (spoken, how) => {
        const messages = preserved.issue(sayIn('anthropic', spoken));
        if ((await preserved.send(messages)) !== null) return;
        const { messages: out, verbatim } = compress(messages, { format: 'anthropic', ...how });
        if (Object.keys(verbatim).length > 0) accepted++;
        assert.equal(await preserved.send(out), null);
      }),
      { numRuns: cases(400), includeErrorInReport: true },
    );
    if (IS_WHOLE) assert.ok(accepted > 5, `only ${accepted} were accepted and compressed`);
  }));

test('broken messages get no worse: an error that names the place, or no new problem', async () => {
  const seen = { errors: 0, changed: 0 };
  for (const format of ['openai-chat', 'openai-responses', 'openai-agents', 'anthropic', 'gemini', 'ai-sdk-model', 'ai-sdk-ui']) {
    await fc.assert(
      fc.asyncProperty(talking, changes, options, async (spoken, broken, how) => {
        const messages = breakIt(sayIn(format, spoken), broken);
        const frozen = JSON.stringify(messages);
        let result;
        try {
          result = compress(messages, { format, ...how });
        } catch (error) {
          seen.errors++;
          assert.equal(error.constructor, TypeError);
          return assert.match(error.message, /^compress\(\): messages\[\d+\]/);
        }
        seen.changed += await assertKept(messages, frozen, format, result, true);
      }),
      { numRuns: cases(150) },
    );
  }
  if (IS_WHOLE) assert.ok(seen.errors > 20 && seen.changed > 100, JSON.stringify(seen));
});

for (const { corpus, native, skip } of CORPORA)
  test(corpus, { skip }, () =>
    withProviders(async (providers, preserved) => {
      let changed = 0;
      for (const { id, format, messages } of someOf(native())) {
        const frozen = JSON.stringify(messages);
        for (const how of [
          {},
          { recencyWindow: 0, fuzzyDedup: true },
          { tokenizer: 'o200k_base', tokenBudget: Math.floor(countTokens(messages, { format }) / 2), forceConverge: true },
        ]) {
          const result = compress(messages, { format, ...how });
          changed += await assertKept(messages, frozen, format, result);
          if (how.tokenizer) assert.equal(result.tokenCount, countTokens(result.messages, { format }), id);
          if (validate(messages, { format }).length === 0) assert.equal(await providers[format](result.messages), null, id);
        }
        if (format !== 'anthropic' || validate(messages, { format }).length > 0) continue;
        const issued = preserved.issue(messages);
        assert.equal(await preserved.send(compress(issued, { format, recencyWindow: 0 }).messages), null, id);
      }
      assert.ok(changed > 30, `${changed} messages were compressed`);
    }),
  );

// ---- As the drop-in does it ---------------------------------------------------------------------------------------

const call = (id) => ({ id, type: 'function', function: { name: 'run', arguments: '{"command":"npm test"}' } });
const log = Array.from({ length: 20 }, (_, line) => `test ${line} of the worker passed`).join('\n');
/** One text a message, and no two neighbours of one role, which the drop-in would merge. */
const alternating = Array.from({ length: 36 }, (_, index) => {
  switch (index % 6) {
    case 0:
      return { role: 'user', content: `Question ${index}. ${prose.repeat(1 + (index % 4))}` };
    case 1:
      return { role: 'assistant', content: index % 12 === 1 ? null : `I run it. ${prose.repeat(2)}`, tool_calls: [call(`call_${index}`)] };
    case 2:
      return { role: 'tool', tool_call_id: `call_${index - 1}`, content: index % 12 === 2 ? `${log}\nrun ${index}` : prose.repeat(4) };
    case 3:
      return { role: 'assistant', content: `\`\`\`js\nlet x = ${index};\n\`\`\`\n${prose.repeat(3)}` };
    case 4:
      return { role: 'user', content: 'SELECT id FROM jobs WHERE state = 1; '.repeat(6) };
    default:
      return { role: 'assistant', content: index % 12 === 5 ? 'ok' : `{"rows": [${index}, "${'x'.repeat(600)}"]}` };
  }
});
const dropIn = alternating.map((message, index) => ({ id: `message ${index + 1}`, index, ...message }));

test('texts, decisions and numbers are those of the drop-in', async () => {
  const found = new Set();
  const patterns = [{ re: /Question 6\./, label: 'six' }];
  const summarizer = async (text) => `They talked, ${text.length} characters.`;
  const classifier = async (text) => ({ decision: /12/.test(text) ? 'preserve' : 'compress', confidence: 1, reason: 'twelve' });
  for (const how of [
    {},
    { recencyWindow: 0 },
    { recencyWindow: 11 },
    { recencyWindow: Infinity },
    { recencyWindow: NaN },
    { recencyWindow: -1 },
    { dedup: false },
    { fuzzyDedup: true },
    { preserve: [] },
    { preserve: new Set(['user', 'tool']) },
    { preservePatterns: patterns },
    { embedSummaryId: true },
    { sourceVersion: 7 },
    { observationThreshold: 80, recencyWindow: 2 },
    { compressionThreshold: 1e6 },
    { tokenBudget: 900 },
    { tokenBudget: 900, minRecencyWindow: 5 },
    { tokenBudget: 500, forceConverge: true },
    { tokenBudget: 500, forceConverge: true, minRecencyWindow: 3 },
    { tokenBudget: 1e6 },
    { tokenBudget: 900, tokenCounter: ({ content }) => (content ?? '').length / 4 },
    { tokenizer: 'o200k_base', tokenBudget: 1500 },
    { summarizer },
    { classifier },
    { classifier, classifierMode: 'full', tokenBudget: 1200 },
  ]) {
    const expected = await compress(dropIn, { ...how, trace: true });
    const result = await compress(alternating, { ...how, trace: true, format: 'openai-chat' });
    const label = JSON.stringify(how);
    assert.deepEqual(
      result.messages,
      expected.messages.map(({ id: _, index: __, metadata: ___, ...message }) => message),
      label,
    );
    const { decisions, ...numbers } = result.compression;
    const { decisions: sameDecisions, ...sameNumbers } = expected.compression;
    assert.deepEqual(numbers, sameNumbers, label);
    assert.deepEqual(
      decisions?.map(({ messageId: _, ...rest }) => rest),
      sameDecisions?.map(({ messageId: _, ...rest }) => rest),
      label,
    );
    assert.deepEqual(
      [result.fits, result.tokenCount, result.recencyWindow],
      [expected.fits, expected.tokenCount, expected.recencyWindow],
      label,
    );
    decisions?.forEach(
      ({ action, reason, messageId, messageIndex }) =>
        found.add(action).add(reason) &&
        assert.equal(messageId, `messages[${messageIndex}]${alternating[messageIndex].content === null ? '' : '.content'}`),
    );
  }
  for (const one of [
    'deduped',
    'fuzzy_deduped',
    'code_split',
    'truncated',
    'compressed',
    'preserved',
    'tool_calls',
    'recency_window',
    'pattern:six',
    'llm_preserved:twelve',
  ])
    assert.ok(found.has(one), one);
});

test('null and undefined for format are the drop-in, whatever the messages look like', () => {
  for (const format of [null, undefined]) {
    assert.deepEqual(compress(dropIn, { format }), compress(dropIn));
    assert.throws(() => compress(alternating, { format }), {
      name: 'TypeError',
      message:
        'compress(): messages[0] is missing required field "id"\n' +
        "For messages of a provider, which have no ids, pass options.format: 'auto'.",
    });
  }
});

// ---- Several texts in a message -----------------------------------------------------------------------------------

const blocks = (...texts) => texts.map((text) => ({ type: 'text', text }));
const long = (topic) => `We talked about the ${topic}. ${prose.repeat(3)}`;
const several = [
  { role: 'user', content: blocks(long('roof'), long('door')) },
  { role: 'assistant', content: long('wall') },
  { role: 'user', content: blocks(long('yard'), 'Yes.', long('roof')) },
];

test('windows count messages, and a window of a budget those that are whole in it', () => {
  const changed = (recencyWindow) =>
    compress(several, { format: 'anthropic', recencyWindow, dedup: false }).messages.map((message, index) => message !== several[index]);
  assert.deepEqual([0, 1, 2, 3].map(changed), [
    [true, true, true],
    [true, true, false],
    [true, false, false],
    [false, false, false],
  ]);
  const how = { format: 'anthropic', tokenizer: 'o200k_base', dedup: false };
  const whole = countTokens(several, { format: 'anthropic' });
  // One token less than there are: the first text alone has to go, and two messages are whole in the window.
  const result = compress(several, { ...how, tokenBudget: whole - 1 });
  assert.deepEqual(result.messages.slice(1), several.slice(1));
  assert.deepEqual(
    result.messages[0].content.map(({ text }) => text.startsWith('[summary')),
    [true, false],
  );
  assert.equal(result.recencyWindow, 2);
  assert.equal(compress(several, { ...how, tokenBudget: 1, minRecencyWindow: 1 }).messages[2], several[2]);
  assert.equal(compress(several, { ...how, tokenBudget: whole }).recencyWindow, 3);
});

test('a reference says where its text stands, and decisions name paths', () => {
  const { messages, compression } = compress(several, { format: 'anthropic', recencyWindow: 1, trace: true });
  assert.match(messages[0].content[0].text, /^\[cce:dup of message 3, text 3 — \d+ chars\]$/);
  assert.deepEqual(
    compression.decisions.map(({ messageIndex, messageId }) => [messageIndex, messageId]),
    [
      [0, 'messages[0].content[0].text'],
      [0, 'messages[0].content[1].text'],
      [1, 'messages[1].content'],
      [2, 'messages[2].content[0].text'],
      [2, 'messages[2].content[1].text'],
      [2, 'messages[2].content[2].text'],
    ],
  );
});

test('a counter gets each text with its role and its message', () => {
  const seen = [];
  compress(several, { format: 'anthropic', recencyWindow: 3, tokenCounter: (message) => seen.push(message) });
  assert.deepEqual(seen.slice(0, 3), [
    { id: 'message 1, text 1', index: 0, role: 'user', content: several[0].content[0].text },
    { id: 'message 1, text 2', index: 0, role: 'user', content: several[0].content[1].text },
    { id: 'message 2', index: 1, role: 'assistant', content: several[1].content },
  ]);
});

test('data that is no text stays: its shape is the tool’s', () => {
  const output = { type: 'json', value: { rows: Array.from({ length: 40 }, (_, row) => ({ row, text: prose })) } };
  const talk = ['a', 'b'].flatMap((id) => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'query', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'query', output }] },
  ]);
  const { messages, compression } = compress(talk, { format: 'ai-sdk-model', recencyWindow: 0 });
  messages.forEach((message, index) => assert.equal(message, talk[index]));
  assert.equal(compression.messages_preserved, 4);
});

test('an empty conversation', () => {
  const { messages, verbatim, compression } = compress([], { format: 'gemini' });
  assert.deepEqual([messages, verbatim, compression.messages_preserved], [[], {}, 0]);
  assert.deepEqual(uncompress([], {}).messages, []);
});

test('a wrong value is named at once', () => {
  const summarizer = (text) => text;
  for (const more of [{}, { summarizer }]) {
    const refuses = (messages, how, message) =>
      assert.throws(() => compress(messages, { ...how, ...more }), { name: 'TypeError', message });
    refuses(several, { format: 'claude' }, /^compress\(\): options\.format must be one of 'openai-chat', .*'auto', got 'claude'$/);
    refuses(several, { format: '' }, /^compress\(\): options\.format must be one of .*, got ''$/);
    refuses(several, { format: 3 }, /^compress\(\): options\.format must be one of .*, got 3$/);
    refuses('text', { format: 'anthropic' }, 'compress(): messages must be an array, got string');
    refuses([null], { format: 'auto' }, 'compress(): messages[0] must be an object, got null');
    refuses([{ role: 'user', content: 3 }], { format: 'anthropic' }, /^compress\(\): messages\[0\]\.content must be /);
    refuses(several, { format: 'anthropic', recencyWindow: '4' }, 'compress(): options.recencyWindow must be a number, got string');
    refuses(several, { format: 'anthropic', tokenizer: 'o200k_base', tokenCounter: () => 1 }, /both count tokens/);
  }
  assert.throws(() => compress(several, { format: 'anthropic', tokenBudget: 9, tokenCounter: () => 'x' }), {
    name: 'TypeError',
    message: 'compress(): options.tokenCounter must return a number, got string',
  });
});

test('summaries that are all the same are told apart by what stands around them, and what was cut off is named', async () => {
  const talk = ['roof', 'door', 'wall', 'yard', 'tree', 'shed'].flatMap((topic) => [
    { role: 'user', content: `${topic}?` },
    { role: 'assistant', content: long(topic) },
  ]);
  const { messages, verbatim } = await compress(talk, { format: 'anthropic', recencyWindow: 0, summarizer: () => 'They talked.' });
  assert.equal(new Set(messages.map(({ content }) => content)).size, 7);
  const so = { role: 'user', content: 'So?' };
  for (let gone = 0; gone < 12; gone++) {
    const { messages: back, missing_ids: missing } = uncompress([...messages.slice(gone), so], verbatim);
    // A summary whose question is gone may be that of any question that is gone: it stays, and is named.
    const isOpen = gone % 2 === 1 && gone > 1;
    assert.deepEqual(back, [...(isOpen ? [messages[gone], ...talk.slice(gone + 1)] : talk.slice(gone)), so]);
    assert.equal(missing.length, Math.floor(gone / 2) + isOpen, `${gone} gone`);
  }
});

test("what is left of an answer that the model is to continue doesn't end in blanks", () => {
  for (const behind of [prose.repeat(3), `\`\`\`\n${prose}`, '2026-11-03 12:10:07 WARN quota took 3 ms\n'.repeat(30) + prose]) {
    const text = `${prose.repeat(6)}\n\n\`\`\`text\n${behind}`.trimEnd();
    for (const content of [text, blocks(text)]) {
      const messages = [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content },
      ];
      const { messages: out, verbatim } = compress(messages, { format: 'anthropic', recencyWindow: 0 });
      assert.notDeepEqual(out, messages);
      assert.deepEqual(validate(out, { format: 'anthropic' }), []);
      assert.deepEqual(uncompress(out, verbatim).messages, messages);
    }
  }
});
