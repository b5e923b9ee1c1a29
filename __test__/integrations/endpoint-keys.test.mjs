// Bodies with keys that their API doesn't have, at any level: an endpoint keeps its limit or answers 400.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, createSession, fit } from 'palimpsest';
import { createChatParser } from 'palimpsest/web';
import { cases, someOf } from '../support/seed.mjs';

const LIMIT = 3000;
/** What a body may take beside what its format counts, such as the names of keys. */
const AROUND = 1000;
const SECRET = 'zebra-crossing';
const big = Array.from({ length: 3000 }, (_, row) => `row ${row} was written by worker-${row % 7}`).join('\n');

const BODIES = {
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'Hi.' }] },
      { role: 'model', parts: [{ functionCall: { id: 'a', name: 'read', args: { path: 'x' } } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'read', response: { output: big } } }] },
      { role: 'model', parts: [{ text: big }] },
      { role: 'user', parts: [{ text: 'Go on.' }] },
    ],
  },
  'openai-responses': {
    input: [
      { role: 'user', content: 'Hi.' },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"x"}' },
      { type: 'function_call_output', call_id: 'a', output: big },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: big, annotations: [] }] },
      { role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
    ],
  },
  'openai-chat': {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: big },
      { role: 'assistant', content: big },
      { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
    ],
  },
  anthropic: {
    max_tokens: 100,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: big }] },
      { role: 'assistant', content: big },
      { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
    ],
  },
};

/** Keys of all these APIs and of none. */
const KEYS = [
  'type',
  'parts',
  'tool_calls',
  'role',
  'content',
  'id',
  'index',
  'name',
  'text',
  'call_id',
  'tool_call_id',
  'function_call',
  'output',
];
KEYS.push(
  'arguments',
  'input',
  'callId',
  'stop_reason',
  'toolInvocations',
  'providerData',
  'summary',
  'status',
  'refusal',
  'thought',
  'own',
  'toJSON',
);
const values = fc.oneof(
  fc.constantFrom(SECRET, '', 'user', 'message', 'function_call', null, true, 0, 7),
  fc.constant([]),
  fc.constant({}),
  fc.constant([{ type: 'text', text: SECRET }]),
  fc.constant([{ text: SECRET }]),
  fc.constant({ name: SECRET, arguments: '{}' }),
);
const additions = fc.array(fc.record({ at: fc.nat(), key: fc.constantFrom(...KEYS), value: values }), { minLength: 1, maxLength: 3 });

/** All objects of a value, the outermost first. */
function objectsIn(value) {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value, ...inner];
}

/** A copy of a body with further keys; those that it has stay. */
function added(body, keys) {
  const copy = structuredClone(body);
  const objects = objectsIn(copy);
  for (const { at, key, value } of keys) {
    const object = objects[at % objects.length];
    if (!Object.hasOwn(object, key)) object[key] = value;
  }
  return copy;
}

async function answerTo(body) {
  const parse = createChatParser({ limit: LIMIT, conversations: 0, onError: (error) => Promise.reject(error) });
  const headers = { 'content-type': 'application/json' };
  return parse(new Request('http://localhost/', { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function check(body) {
  const answer = await answerTo(body);
  if (answer instanceof Response) {
    assert.equal(answer.status, 400);
    const { error } = await answer.json();
    assert.ok(!error.message.includes(SECRET), 'an error names no content');
    assert.match(error.message, /^(?:messages|input|contents|system|tools|model|instructions|max|the body|a member|the conversation)/);
    return 'refused';
  }
  assert.notEqual(answer.step?.fits, false);
  const tokens = countTokens([{ role: 'user', content: JSON.stringify(answer.request) }]);
  assert.ok(tokens <= LIMIT + AROUND, `${tokens} tokens went out`);
  return 'sent';
}

for (const [format, body] of someOf(Object.entries(BODIES))) {
  test(`${format}: a body with further keys goes out within the limit, or is answered 400`, async (t) => {
    assert.equal(await check(body), 'sent');
    const outcomes = { sent: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(additions, async (keys) => {
        outcomes[await check(added(body, keys))]++;
      }),
      { numRuns: cases(100) },
    );
    t.diagnostic(JSON.stringify(outcomes));
  });
}

test('a session takes what fit takes with the same format', () => {
  for (const [format, body] of Object.entries(BODIES)) {
    const takes = (work) => {
      try {
        return work().fits;
      } catch (error) {
        return error.constructor;
      }
    };
    fc.assert(
      fc.property(additions, (keys) => {
        const messages = ['messages', 'input', 'contents'].map((key) => added(body, keys)[key]).find(Array.isArray);
        const fitted = takes(() => fit(messages, { format, limit: LIMIT }));
        assert.equal(
          takes(() => createSession({ format, limit: LIMIT, low: 0.9999 }).next(messages)),
          fitted,
        );
      }),
      { numRuns: cases(50) },
    );
  }
});
