import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  coerceMessageLikeToMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import fc from 'fast-check';
import { validate } from '../../unbundled/index.js';
import { cases } from '../support/seed.mjs';
import { brokenOf, describeProvider, edited } from './describe-provider.mjs';
import { langchain } from './langchain.mjs';

describeProvider(langchain);

// ---- `validate` against LangChain's coercion

const rulesOf = (messages) => validate(messages, { format: 'langchain' }).map(({ rule }) => rule);

/** Whether LangChain makes messages of these. It reads a null or a number as if it were an object, and fails. */
function coerces(messages) {
  try {
    messages.forEach((message) => coerceMessageLikeToMessage(message));
    return true;
  } catch {
    return false;
  }
}

const call = (id) => ({ id, name: 'read', args: { path: id }, type: 'tool_call' });

test('instances of every class are read, and stay as they are', () => {
  const messages = [
    new SystemMessage('Be brief.'),
    new HumanMessage({ content: [{ type: 'text', text: 'What is in a, b and c?' }] }),
    new AIMessage({ content: '', tool_calls: [call('a'), call('b')] }),
    new ToolMessage({ content: 'A', tool_call_id: 'a' }),
    new ToolMessage({ content: '', tool_call_id: 'b', status: 'error' }),
    new AIMessageChunk({ content: '', tool_call_chunks: [{ id: 'c', name: 'read', args: '{"path":"c"}', index: 0 }] }),
    new ToolMessage('C', 'c'),
    new FunctionMessage({ name: 'old', content: 'x' }),
    new ChatMessage('Hello.', 'critic'),
  ];
  const before = JSON.stringify(messages);
  assert.deepEqual(validate(messages, { format: 'langchain' }), []);
  assert.equal(JSON.stringify(messages), before);
  assert.deepEqual(validate(JSON.parse(before).slice(0, 7), { format: 'langchain' }), []); // serialised
  assert.deepEqual(rulesOf(messages.toSpliced(3, 1)), ['tool-call-without-result']);
  assert.deepEqual(rulesOf(messages.toSpliced(2, 1)), ['tool-result-without-call', 'tool-result-without-call']);
  assert.deepEqual(rulesOf(messages.slice(0, 6)), ['tool-call-at-end']);
  assert.deepEqual(rulesOf([...messages, new RemoveMessage({ id: '1' })]), ['unknown-role']); // for a state, not for a model
});

test('the examples: LangChain makes messages of what is valid, and of no message none', () => {
  assert.ok(coerces(langchain.valid()));
  for (const [what, edit] of Object.entries(langchain.accepted)) assert.ok(coerces(edited(langchain, edit)), what);
  for (const [rule, place, edit] of brokenOf(langchain))
    if (['message-shape', 'unknown-role'].includes(rule)) assert.ok(!coerces(edited(langchain, edit)), `${rule} at ${place}`);
});

const role = fc.constantFrom(
  'human',
  'user',
  'ai',
  'assistant',
  'system',
  'developer',
  'tool',
  'function',
  'generic',
  'remove',
  'model',
  'constructor',
  '',
);
const content = fc.constantFrom('Hello.', '', [{ type: 'text', text: 'x' }]);
const like = fc.oneof(
  fc.string(),
  fc.tuple(role, content),
  fc.record({ role, content }),
  fc.record({ type: role, content }),
  fc.record({ role: fc.constant('tool'), content, tool_call_id: fc.constant('a') }),
  fc.constantFrom('Human', 'AI', 'System', 'Tool', 'Function', 'HumanMessageChunk', 'Remove', 'Other').map((name) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', /Chunk/.test(name) ? name : `${name}Message`],
    kwargs: { content: 'x', tool_call_id: 'a' },
  })),
  fc.constantFrom(null, undefined, 7, true, {}, [], { content: 'x' }, { lc: 1, id: 'HumanMessage', kwargs: {} }),
);

test('generated messages: LangChain makes messages of them exactly where the shape and the role are no problem', () => {
  const seen = { refused: 0, accepted: 0 };
  // A tool message without an id is no message to LangChain either; it asks only whether there is such a key.
  const ofCoercion = new Set(['message-shape', 'unknown-role', 'tool-result-shape']);
  fc.assert(
    fc.property(like, (one) => {
      const problems = rulesOf([one]).filter((rule) => ofCoercion.has(rule));
      const ok = coerces([one]);
      seen[ok ? 'accepted' : 'refused']++;
      assert.equal(problems.length === 0, ok, JSON.stringify(problems));
    }),
    { numRuns: cases(2000) },
  );
  assert.ok(seen.refused > cases(200) && seen.accepted > cases(200), JSON.stringify(seen));
});
