// Properties of every conversation and all options, tested on generated ones.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';

import fc from 'fast-check';

import { compress, uncompress } from 'palimpsest';

import {
  CodeAdapter,
  MarkdownAdapter,
  StructuredOutputAdapter,
  XmlAdapter,
  YamlAdapter,
  createMockTokenClassifier,
} from 'palimpsest/compress';
import { cases, IS_WHOLE } from './support/seed.mjs';

// ---- Conversations ------------------------------------------------------------------------------------------------

const KEY = 'sk-abcdefghij0123456789abcdef';
const prose = fc
  .array(
    fc.constantFrom(
      'The lighthouse keeper repaired the lantern before dusk and wrote it into the ledger.',
      'Sure, that sounds fine.',
      'However, the TokenStream must never rewind while readToken runs.',
      'It took 30 seconds and 5 retries on npm 10.2.1!',
      'See src/app.ts or https://example.org/a?b=c for more.',
      'Nothing happened',
      'Therefore we waited?',
      'Grüße aus Zürich.',
      'Actually, the lighthouse keeper repaired the lantern after dusk.',
      'Scratch that, we waited for the TokenStream to rewind.',
      '灯台守は夕暮れ前にランタンを直した。',
      'Emoji 😀😀 are two units each.',
      'Hans met Greta in New York.',
      'Actually, could you fix the lamp_post?',
      'Done, and the TokenStream is updated.',
      'Great, thank you!',
    ),
    { minLength: 1, maxLength: 14 },
  )
  .chain((sentences) => fc.constantFrom(' ', '\n', '\n\n', '\r\n', ' \u2028').map((gap) => sentences.join(gap)));
const code = fc.constantFrom('```js\nconst a = 1;\n```', '```\nplain\n', '`inline`', '    indented();\n    more();');
const lines = fc
  .array(fc.constantFrom('PASS a.test', 'FAIL b.test', 'src/main.rs:10:4: unused', 'key: value', ' - item', '', 'total 3'), {
    maxLength: 20,
  })
  .map((all) => all.join('\n'));
/** Lines that programs print over and over. */
const printed = fc
  .tuple(fc.constantFrom('├── node_modules/a', '  ✓ adds up', 'npm warn deprecated', '[3/9] Compile'), fc.integer({ min: 3, max: 12 }))
  .map(([line, count]) => Array(count).fill(line).join('\n'));
const structured = fc.constantFrom('{"a": [1, 2, {"b": null}]}', '[ true, false ]', 'SELECT a FROM b WHERE c;', KEY);
/** Any sequence of UTF-16 code units, halves of surrogate pairs included. */
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }).map((all) => String.fromCharCode(...all));
const text = fc.oneof(
  { weight: 5, arbitrary: prose },
  { weight: 2, arbitrary: fc.array(fc.oneof(prose, code, lines, printed, structured), { maxLength: 4 }).map((all) => all.join('\n')) },
  { weight: 1, arbitrary: units },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', ' ', '\n', 'ab. ', '😀', '`', '$'), fc.integer({ min: 0, max: 3000 }))
      .map(([piece, count]) => piece.repeat(count)),
  },
  { weight: 1, arbitrary: fc.constantFrom('', 'ok', '[summary: of something]', '[truncated — 9 chars: x]') },
);
const content = fc.oneof(
  { weight: 12, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, 7, [{ type: 'text', text: 'part' }]) },
);
const id = fc.oneof(
  { weight: 6, arbitrary: fc.uuid() },
  { weight: 2, arbitrary: fc.constantFrom('a', 'b', 'a (2)', '__proto__', 'constructor', '', '0', '1', 'é'.repeat(300), '\ud800') },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, true) },
);
const message = fc.record(
  {
    id,
    index: fc.integer(),
    role: fc.constantFrom('user', 'assistant', 'tool', 'system', undefined),
    content,
    name: fc.string(),
    tool_calls: fc.constantFrom([], [{ id: 'c1' }]),
    tool_call_id: fc.constantFrom('c1', 'c2'),
    metadata: fc.constantFrom(null, {}, { tag: 1 }, { _cce_original: { ids: ['old'], summary_id: 'cce_sum_old', version: 0 } }),
    unknown: fc.object({ maxDepth: 1 }),
  },
  { requiredKeys: ['id', 'index'], noNullPrototype: true },
);
/** Questions and answers, requests and actions, and what is said about the same things. */
const sentence = fc.constantFrom(
  'Could you fix the lamp_post, please?',
  'Done, the TokenStream is updated.',
  'Actually, that was the other quay.',
  'Great, thank you so much!',
  'Which crane is the first one?',
  'The north crane, because readToken waits for it.',
  'No, use the south one.',
  'Sounds good to me.',
  'However, the crew must never wait 30 seconds.',
  'Nothing else of interest happened on the island that evening.',
  'The lighthouse floor needs a tray for the oil of the fogHorn.',
  `The key is ${KEY}.`,
);
const talk = fc
  .array(fc.tuple(fc.constantFrom('user', 'assistant'), fc.array(sentence, { minLength: 1, maxLength: 9 })), { maxLength: 14 })
  .map((list) => list.map(([role, sentences], index) => ({ id: `m${index}`, index, role, content: sentences.join(' ') })));
/** Some messages occur again, with an id of their own or the same one. */
const mixture = fc
  .array(message, { maxLength: 12 })
  .chain((messages) =>
    messages.length === 0
      ? fc.constant(messages)
      : fc
          .array(fc.tuple(fc.nat(messages.length - 1), fc.boolean()), { maxLength: 4 })
          .map((again) => [
            ...messages,
            ...again.map(([from, isSame], number) => (isSame ? { ...messages[from] } : { ...messages[from], id: `again${number}` })),
          ]),
  );

const firstLine = {
  name: 'first line',
  detect: (text) => text.length % 2 === 0,
  extractPreserved: (text) => text.split('\n').slice(0, 1),
  extractCompressible: (text) => text.split('\n').slice(1),
  reconstruct: (preserved, summary) => [...preserved, summary].join('\n'),
};
const ofTalk = fc.record({
  conversationFlow: fc.boolean(),
  semanticClustering: fc.boolean(),
  clusterThreshold: fc.constantFrom(-1, 0, 0.15, 0.4),
  coreference: fc.boolean(),
  discourseAware: fc.boolean(),
  recencyWindow: fc.constantFrom(0, 1, 3),
  trace: fc.constant(true),
});
const anyOptions = fc.record(
  {
    preserve: fc.constantFrom([], ['system'], new Set(['tool'])),
    recencyWindow: fc.constantFrom(0, 1, 2, 4, 1.5, -1, NaN, Infinity),
    dedup: fc.boolean(),
    fuzzyDedup: fc.boolean(),
    fuzzyThreshold: fc.constantFrom(0, 0.5, 0.85, 1),
    embedSummaryId: fc.boolean(),
    tokenBudget: fc.constantFrom(-1, 0, 20, 200, 1000),
    minRecencyWindow: fc.constantFrom(0, 1, 3, 100),
    forceConverge: fc.boolean(),
    observationThreshold: fc.constantFrom(0, 50, 200),
    sourceVersion: fc.nat(),
    trace: fc.boolean(),
    importanceScoring: fc.boolean(),
    importanceThreshold: fc.constantFrom(0, 0.3, 0.65, NaN),
    contradictionDetection: fc.boolean(),
    contradictionTopicThreshold: fc.constantFrom(0, 0.15, 0.9, NaN),
    relevanceThreshold: fc.constantFrom(0, 1, 5, 1000),
    compressionDepth: fc.constantFrom('gentle', 'moderate', 'aggressive', 'auto'),
    budgetStrategy: fc.constantFrom('binary-search', 'tiered'),
    entropyScorer: fc.constantFrom(
      undefined,
      (sentences) => sentences.map(({ length }) => -length),
      () => [1],
      () => 'none',
      () => {
        throw new Error('down');
      },
    ),
    entropyScorerMode: fc.constantFrom('augment', 'replace'),
    mlTokenClassifier: fc.constantFrom(
      undefined,
      createMockTokenClassifier([/[A-Z]/]),
      () => [],
      () => {
        throw new Error('down');
      },
    ),
    adapters: fc.subarray([
      CodeAdapter,
      XmlAdapter,
      YamlAdapter,
      MarkdownAdapter,
      StructuredOutputAdapter,
      firstLine,
      { ...firstLine, name: 'growing', detect: (text) => text.length % 2 === 1, reconstruct: (pieces) => pieces.join('').repeat(3) },
    ]),
    agentToolPrepass: fc.boolean(),
    conversationFlow: fc.boolean(),
    semanticClustering: fc.boolean(),
    clusterThreshold: fc.constantFrom(-1, 0, 0.15, 0.5, NaN),
    coreference: fc.boolean(),
    discourseAware: fc.boolean(),
    preservePatterns: fc.constantFrom([], [{ re: /lantern/, label: 'lamp' }]),
    tokenCounter: fc.constantFrom(undefined, (message) => JSON.stringify(message).length),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const conversation = fc.oneof(mixture, talk);
const options = fc.oneof({ weight: 3, arbitrary: anyOptions }, { weight: 2, arbitrary: ofTalk });

// ---- Checks -------------------------------------------------------------------------------------------------------

const lengthOf = (message) => (typeof message.content === 'string' ? message.content.length : 0);
const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);
const estimate = (message) => Math.ceil(lengthOf(message) / 3.5);

function freeze(value) {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

/** Returns whether a message of the result was written by this call, and is not one of the input. */
const isWritten = (message, input) => !input.includes(message);

function check(input, given, result) {
  const { messages, compression, verbatim } = result;

  const restored = uncompress(
    messages.filter((message) => isWritten(message, input)),
    verbatim,
  );
  assert.deepEqual(restored.missing_ids, []);
  const back = uncompress(messages, verbatim).messages;
  assert.equal(back.length, input.length);
  back.forEach((message, index) => assert.equal(message, input[index], `message ${index} is not the same object`));

  // Each written message stands for the next ones of the input, and is not longer than they are.
  let next = 0;
  for (const message of messages) {
    if (!isWritten(message, input)) {
      assert.equal(message, input[next++]);
      continue;
    }
    const { ids, summary_id: summaryId, version } = message.metadata._cce_original;
    assert.ok(ids.every((id) => Object.hasOwn(verbatim, String(id))));
    assert.match(summaryId, /^cce_sum_[0-9a-z]+$/);
    assert.equal(version, given.sourceVersion ?? 0);
    assert.ok(lengthOf(message) <= sum(input.slice(next, next + ids.length), lengthOf));
    next += ids.length;
  }
  assert.equal(next, input.length);

  const {
    messages_compressed: compressed,
    messages_preserved: preserved,
    messages_deduped: deduped = 0,
    messages_fuzzy_deduped: fuzzy = 0,
  } = compression;
  const { messages_contradicted: contradicted = 0 } = compression;
  assert.equal(compressed + preserved + deduped + fuzzy + contradicted, input.length);
  assert.equal(preserved, messages.filter((message) => !isWritten(message, input)).length);
  const [before, after] = [sum(input, lengthOf), sum(messages, lengthOf)];
  const { messages_tool_prepass_trimmed: trimmed = 0 } = compression;
  assert.equal(compression.ratio, compressed + deduped + trimmed > 0 && after > 0 ? before / after : 1);
  if (result.tokenCount !== undefined) {
    const hasTwins = new Set(input.map(({ id }) => String(id))).size < input.length;
    const count = given.tokenCounter ?? estimate;
    // A counter that reads metadata gets the plain ids, before equal ones got keys of their own.
    if (!(hasTwins && given.tokenCounter)) assert.equal(result.tokenCount, sum(messages, count));
    assert.equal(result.fits, result.tokenCount <= given.tokenBudget);
  }
  if (compression.decisions && messages !== input) checkDecisions(input, messages, compression);
}

/** Asserts that each decision names the message that replaced its message. */
function checkDecisions(input, messages, { decisions }) {
  assert.equal(decisions.length, input.length);
  const shares = messages.flatMap((message) => {
    const count = isWritten(message, input) ? message.metadata._cce_original.ids.length : 1;
    return Array(count).fill({ message, share: Math.round(lengthOf(message) / count) });
  });
  decisions.forEach(({ messageIndex, action, inputChars, outputChars }, index) => {
    const { message, share } = shares[index];
    assert.equal(messageIndex, index);
    assert.equal(inputChars, lengthOf(input[index]));
    assert.equal(action === 'preserved', !isWritten(message, input));
    // A joined message counts as a whole for the first of the messages that it replaces.
    if (action !== 'truncated' && !/^\[truncated/.test(message.content)) assert.equal(outputChars, share);
  });
}

const joined = ({ compression }) =>
  (compression.decisions ?? []).map(({ reason }) => reason).filter((reason) => /^(flow|cluster)/.test(reason));
const runs = { numRuns: cases(8000) };

// ---- Properties ---------------------------------------------------------------------------------------------------

describe('for every conversation and all options', () => {
  test('everything is restored, nothing grows, the numbers add up, and the input is unchanged', () => {
    let written = 0;
    const reasons = new Set();
    fc.assert(
      fc.property(conversation, options, (input, given) => {
        freeze(input);
        const result = compress(input, given);
        check(input, given, result);
        written += Object.keys(result.verbatim).length;
        for (const { reason } of result.compression.decisions ?? []) reasons.add(reason.split(':')[0]);
        if (result.compression.messages_tool_prepass_trimmed > 0) reasons.add('trimmed');
        if (result.messages.some(({ content }) => content?.includes?.('[context: '))) reasons.add('context');
      }),
      runs,
    );
    assert.ok(written > cases(1000), 'the conversations give too little to compress');
    const rare = ['importance', 'correction', 'contradicted', 'relevance_dropped', 'tightened', 'omitted', 'force_converge', 'adapter'];
    rare.push('trimmed', 'flow', 'cluster', 'context', 'adapter_reverted');
    if (IS_WHOLE)
      assert.deepEqual(
        rare.filter((reason) => !reasons.has(reason)),
        [],
        'never seen',
      );
  });

  test('a key is never cut', () => {
    const whole = { dedup: false, fuzzyDedup: false, contradictionDetection: false, forceConverge: false, observationThreshold: undefined };
    fc.assert(
      fc.property(talk, options, (input, given) => {
        const { messages } = compress(input, { ...given, ...whole });
        for (const one of input) if (one.content?.includes?.(KEY)) assert.ok(messages.includes(one));
      }),
      { numRuns: cases(2000) },
    );
  });

  test('the same input gives the same output', () => {
    fc.assert(
      fc.property(conversation, options, (input, given) => {
        assert.deepEqual(compress(input, given), compress(structuredClone(input), given));
      }),
      { numRuns: cases(300) },
    );
  });

  test('a stored result is restored too', () => {
    fc.assert(
      fc.property(conversation, options, (input, given) => {
        const { messages, verbatim } = JSON.parse(JSON.stringify(compress(input, given)));
        assert.deepEqual(uncompress(messages, verbatim).messages, JSON.parse(JSON.stringify(input)));
      }),
      { numRuns: cases(500) },
    );
  });

  test('with callbacks: a summarizer that always fails changes nothing, and one that answers loses nothing', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, options, fc.constantFrom(1, 3, Infinity), async (input, given, concurrency) => {
        freeze(input);
        const failing = () => Promise.reject(new Error('down'));
        // With a summarizer, clauses are not looked for. And where nothing is asked, `auto` gives a depth up as soon as its smallest
        // window does not fit; now and then a larger one would, and with a summarizer all are tried.
        const same = { ...given, discourseAware: false };
        const failed = await compress(input, { ...same, summarizer: failing, concurrency });
        if (given.compressionDepth !== 'auto') assert.deepEqual(failed, compress(input, same));
        const asked = [];
        const summarizer = async (text) => (asked.push(text), text.slice(0, text.length >> 1));
        const answered = await compress(input, { ...same, summarizer, concurrency });
        check(input, given, answered);
        assert.equal(new Set(asked).size, asked.length, 'a text is submitted once');
        // A budget may lead to another window.
        if (given.tokenBudget === undefined) assert.deepEqual(joined(answered), joined(compress(input, same)), 'joins ask for nothing');
        const classifier = (text) => ({ decision: text.length % 2 ? 'preserve' : 'compress', confidence: 1, reason: 'odd' });
        check(input, given, await compress(input, { ...given, summarizer, classifier, concurrency }));
      }),
      { numRuns: cases(300) },
    );
  });

  test('a result may be compressed repeatedly, and is restored step by step', () => {
    fc.assert(
      fc.property(conversation, options, options, (input, first, second) => {
        const one = compress(input, first);
        const two = compress(one.messages, second);
        assert.ok(sum(two.messages, lengthOf) <= sum(one.messages, lengthOf));
        const back = uncompress(two.messages, two.verbatim).messages;
        assert.deepEqual(back, one.messages);
        assert.deepEqual(uncompress(back, one.verbatim).messages, input);
      }),
      { numRuns: cases(500) },
    );
  });
});

test('only documented errors are thrown, whatever the input', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (input, given) => {
      try {
        compress(input, given);
      } catch (error) {
        assert.ok(error instanceof TypeError || error instanceof RangeError, error.stack);
        assert.match(error.message, /^(compress\(\): |options\.)/, error.stack);
      }
    }),
    runs,
  );
});
