// Whatever the messages hold: `validate` answers, in time proportional to their size, in order, and touches nothing. Only a
// wrong argument is an error.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { EXCHANGES, UNANSWERED } from '../../benches/growth/validate.mjs';
import palimpsest from '../../unbundled/index.js';
import { PROVIDERS } from '../providers/index.mjs';
import { breakIt, changes } from '../support/broken.mjs';
import { cases, someOf } from '../support/seed.mjs';
import { dialogue, sayIn } from '../support/transcripts.mjs';

const require = createRequire(import.meta.url);
const { validate } = palimpsest;
const { rules } = require('../../unbundled/providers/shared/rules.js');
const formats = Object.keys(PROVIDERS);

/** The index path of `messages[1].content[2].text`, if every step but the last leads to something that is there. */
function place(path, messages) {
  const keys = [...path.matchAll(/\[(\d+)\]|\.(\w+)/g)].map(([, index, key]) => key ?? Number(index));
  assert.equal(`messages${keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')}`, path);
  keys.slice(0, -1).reduce((value, key) => {
    assert.ok(value[key] !== null && typeof value[key] === 'object', `${path} leads nowhere`);
    return value[key];
  }, messages);
  return keys.filter((key) => typeof key === 'number');
}

function assertWellFormed(problems, messages, format) {
  const places = problems.map((problem) => {
    assert.deepEqual(Object.keys(problem), ['rule', 'path', 'message']);
    assert.ok(rules[problem.rule]?.formats.includes(format), `${problem.rule} is no rule of ${format}`);
    assert.ok(problem.message.length < 500);
    return place(problem.path, messages);
  });
  for (const [i, one] of places.entries()) {
    const before = places[i - 1] ?? [];
    const level = before.findIndex((index, at) => index !== one[at]);
    assert.ok(level < 0 || before[level] < one[level], `${problems[i - 1]?.path} stands before ${problems[i].path}`);
  }
}

// Keys and values of the formats, so that what is generated gets past the first checks.
const key = fc.constantFrom(
  'role',
  'type',
  'content',
  'parts',
  'text',
  'id',
  'tool_calls',
  'tool_call_id',
  'call_id',
  'function',
  'functionCall',
  'functionResponse',
  'toolCallId',
  'state',
  'input',
  'output',
  'summary',
  'lc',
  'kwargs',
  '__proto__',
  'constructor',
);
const leaf = fc.oneof(
  fc.constantFrom(
    'user',
    'assistant',
    'model',
    'tool',
    'system',
    'text',
    'tool_use',
    'tool_result',
    'tool-call',
    'tool-read',
    'dynamic-tool',
    'reasoning',
    'function',
    'constructor',
    '__proto__',
    'toString',
    '\ud800',
    'a',
  ),
  fc.anything({ withNullPrototype: true, withSparseArray: true, withBigInt: true, withMap: true }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

for (const format of formats) {
  test(`${format}: answers whatever the messages are`, () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), (messages) => {
        assertWellFormed(validate(messages, { format }), messages, format);
      }),
      { numRuns: cases(1500) },
    );
  });

  test(`${format}: has an answer to the messages of every other format`, () => {
    for (const { valid } of Object.values(PROVIDERS)) assertWellFormed(validate(valid(), { format }), valid(), format);
  });
}

for (const format of formats.filter((name) => name !== 'langchain')) {
  test(`${format}: names places that exist, in order, always the same, and changes nothing`, () => {
    fc.assert(
      fc.property(dialogue, changes, (spoken, all) => {
        const messages = breakIt(sayIn(format, spoken), all);
        const before = structuredClone(messages);
        const problems = validate(messages, { format });
        assertWellFormed(problems, messages, format);
        assert.deepEqual(messages, before);
        assert.deepEqual(validate(Object.freeze(messages), { format }), problems);
      }),
      { numRuns: cases(500) },
    );
  });
}

const deep = (depth) => {
  let one = {};
  for (let i = 0; i < depth; i++) one = { type: 'tool_result', content: [one], cache_control: {} };
  return one;
};

test('deep nesting and long values are no danger', () => {
  for (const format of formats) {
    validate([{ role: 'user', type: 'message', content: [deep(50_000)], parts: [deep(50_000)] }], { format });
    const json = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    validate(
      [
        {
          role: 'assistant',
          tool_calls: [{ id: 'x'.repeat(1e6), type: 'function', function: { name: 'x'.repeat(1e6), arguments: json } }],
        },
      ],
      { format },
    ).forEach(({ message }) => assert.ok(message.length < 500));
    // An object that can't be turned into a string.
    validate(
      [{ role: { toString: 1 }, type: { toString: 1 }, lc: 1, id: [{ toString: 1 }], kwargs: {}, content: [{ type: { toString: 1 } }] }],
      { format },
    );
  }
});

for (const [format, make] of someOf(Object.entries(EXCHANGES))) {
  test(`${format}: all of 2,000 parallel calls are looked at`, () => {
    const messages = make(Array.from({ length: 2_000 }, (_, i) => `c${i}`));
    assert.ok(validate(messages, { format }).length >= UNANSWERED);
  });
}

test('wrong arguments are TypeErrors that name them', () => {
  for (const messages of [undefined, null, {}, 'messages', 7, { length: 1 }]) {
    assert.throws(() => validate(messages, { format: 'openai-chat' }), { name: 'TypeError', message: /messages must be an array/ });
  }
  for (const options of [7, 'openai-chat', true, []]) {
    assert.throws(() => validate([], options), { name: 'TypeError', message: /options must be an object/ });
  }
  for (const format of ['openai', 'constructor', '', 7, {}]) {
    assert.throws(() => validate([], { format }), { name: 'TypeError', message: /options\.format must be one of 'openai-chat', .*'auto'/ });
  }
});

test('without a format it finds out', () => {
  const messages = [{ role: 'model', parts: [{ text: 'x' }] }];
  for (const options of [undefined, null, {}, { format: null }, { format: 'auto' }]) {
    assert.deepEqual(
      validate(messages, options).map(({ rule }) => rule),
      ['first-message'],
    );
  }
  assert.throws(() => validate([{ role: 'model' }, { type: 'function_call' }]), { name: 'TypeError', message: /messages\[\d\]/ });
});
