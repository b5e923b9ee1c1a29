import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertToModelMessages, generateText, jsonSchema, modelMessageSchema, safeValidateUIMessages, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import fc from 'fast-check';
import { validate } from '../../unbundled/index.js';
import { cases } from '../support/seed.mjs';
import { aiSdkModel } from './ai-sdk-model.mjs';
import { aiSdkUi } from './ai-sdk-ui.mjs';
import { brokenOf, describeProvider, edited } from './describe-provider.mjs';

describeProvider(aiSdkModel);
describeProvider(aiSdkUi);

// ---- Against the AI SDK itself: its schemas, `convertToModelMessages`, and the checks of `generateText`, with a model that answers anything

const numRuns = cases(400);

const model = new MockLanguageModelV4({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'ok' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    warnings: [],
  }),
});
const tools = { read: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'A' }) };

/** The error with which the SDK refuses to send model messages, or null. From version 7 on, its schema is for the caller to apply. */
async function refusal(messages) {
  const checked = modelMessageSchema.array().safeParse(messages);
  if (!checked.success) return checked.error;
  try {
    await generateText({ model, messages, tools, allowSystemInMessages: true, maxRetries: 0 });
    return null;
  } catch (error) {
    return error;
  }
}

/** The same for UI messages, which an application checks, converts and sends. */
async function uiRefusal(messages) {
  const checked = await safeValidateUIMessages({ messages: structuredClone(messages) });
  return checked.success ? refusal(await convertToModelMessages(messages)) : checked.error;
}

/** What every provider refuses, but the SDK itself lets through to it. */
const beyond = new Set([
  'tool-result-without-call',
  'duplicate-tool-call',
  'duplicate-tool-result',
  'arguments-not-object',
  'server-result-without-call',
]);
const own = (problems) => problems.filter(({ rule }) => !beyond.has(rule));

test('the examples: the SDK refuses what is broken and takes what is accepted', async () => {
  for (const [provider, refuses] of [
    [aiSdkModel, refusal],
    [aiSdkUi, uiRefusal],
  ]) {
    assert.equal(await refuses(provider.valid()), null);
    for (const [rule, place, edit] of brokenOf(provider))
      if (!beyond.has(rule)) assert.notEqual(await refuses(edited(provider, edit)), null, `${rule} at ${place}`);
    for (const [what, edit] of Object.entries(provider.accepted)) {
      // Later versions refuse the names of version 4.
      if (!what.includes('version 4')) assert.equal(await refuses(edited(provider, edit)), null, what);
    }
  }
});

const id = fc.constantFrom('a', 'b', 'c');
const call = fc.record({
  type: fc.constant('tool-call'),
  toolCallId: id,
  toolName: fc.constant('read'),
  input: fc.constant({}),
  providerExecuted: fc.constantFrom(false, false, false, true),
});
const result = fc.record({
  type: fc.constant('tool-result'),
  toolCallId: id,
  toolName: fc.constant('read'),
  output: fc.constant({ type: 'text', value: 'A' }),
});
const text = fc.record({ type: fc.constant('text'), text: fc.constantFrom('Hello.', '') });
const wrong = fc.constantFrom(null, {}, 'x', { type: 'text' }, { type: 'reasoning', text: 'Hm.' }, { type: 'tool-call', toolCallId: 'a' });
const approval = fc.constantFrom(
  { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'a' },
  { type: 'tool-approval-response', approvalId: 'q', approved: true },
  { type: 'tool-approval-response', approvalId: 'r', approved: false },
);
const parts = (...some) =>
  fc.array(fc.oneof({ arbitrary: fc.oneof(...some), weight: 12 }, { arbitrary: approval, weight: 2 }, { arbitrary: wrong, weight: 1 }), {
    maxLength: 3,
  });
const message = fc.oneof(
  fc.record({ role: fc.constant('user'), content: fc.oneof(fc.constant('Hello.'), parts(text)) }),
  fc.record({ role: fc.constant('assistant'), content: fc.oneof(fc.constant('Hello.'), parts(text, call, call, call)) }),
  fc.record({ role: fc.constant('tool'), content: parts(result, result, result) }),
  fc.record({ role: fc.constantFrom('system', 'data', 'user'), content: fc.constantFrom('Hello.', null, '') }),
);

test('generated model messages: a problem exactly where the SDK refuses them', async () => {
  const seen = { refused: 0, accepted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 5 }), async (messages) => {
      const error = await refusal(messages);
      const problems = own(validate(messages, { format: 'ai-sdk-model' }));
      seen[error === null ? 'accepted' : 'refused']++;
      if (error === null) assert.deepEqual(problems, []);
      else assert.ok(problems.length > 0, String(error));
      if (error?.name === 'AI_MissingToolResultsError') {
        assert.ok(
          problems.every(({ rule }) => rule.startsWith('tool-call-')),
          JSON.stringify(problems),
        );
      }
    }),
    { numRuns, includeErrorInReport: true },
  );
  assert.ok(seen.refused > numRuns / 10 && seen.accepted > numRuns / 20, JSON.stringify(seen));
});

const states = {
  'input-streaming': {},
  'input-available': {},
  'approval-requested': { approval: { id: 'q' } },
  'approval-responded': { approval: { id: 'q', approved: true } },
  'output-available': { output: 'A' },
  'output-error': { errorText: 'no' },
  'output-denied': { approval: { id: 'q', approved: false } },
};
const uiTool = fc
  .record({
    type: fc.constantFrom('tool-read', 'dynamic-tool'),
    toolCallId: id,
    state: fc.constantFrom(...Object.keys(states), 'output-available', 'output-available'),
  })
  .map((part) => ({ ...part, input: {}, ...states[part.state], ...(part.type === 'dynamic-tool' && { toolName: 'read' }) }));
const uiPart = fc.oneof(
  { arbitrary: uiTool, weight: 6 },
  {
    arbitrary: fc.constantFrom(
      { type: 'text', text: 'Hello.' },
      { type: 'reasoning', text: 'Hm.' },
      { type: 'step-start' },
      { type: 'source-url', sourceId: '1', url: 'x' },
    ),
    weight: 6,
  },
  { arbitrary: fc.constantFrom(null, {}, { type: 'text' }, { type: 'tool-read', toolCallId: 'a', state: 'result' }), weight: 1 },
);
const uiMessage = fc.oneof(
  fc.record({
    id: fc.constant('1'),
    role: fc.constantFrom('user', 'system'),
    parts: fc.constantFrom([{ type: 'text', text: 'Hello.' }], []),
  }),
  fc.record({ id: fc.constant('2'), role: fc.constant('assistant'), parts: fc.array(uiPart, { maxLength: 4 }) }),
  fc.record({
    id: fc.constantFrom('3', '3', undefined),
    role: fc.constantFrom('assistant', 'user', 'tool'),
    parts: fc.constantFrom([{ type: 'text', text: 'Hello.' }], null),
  }),
);

test('generated UI messages: a problem exactly where the SDK refuses them, and those of the model messages made of them', async () => {
  const seen = { refused: 0, accepted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(uiMessage, { maxLength: 4 }), async (messages) => {
      const error = await uiRefusal(messages);
      const problems = validate(messages, { format: 'ai-sdk-ui' });
      seen[error === null ? 'accepted' : 'refused']++;
      if (error !== null) assert.ok(problems.length > 0, String(error));
      else assert.deepEqual(own(problems), []);
      if (!(await safeValidateUIMessages({ messages: structuredClone(messages) })).success) return;
      // A part that is given twice is one problem, though it becomes a call and a result.
      const converted = validate(await convertToModelMessages(messages), { format: 'ai-sdk-model' }).filter(
        ({ rule }) => rule !== 'duplicate-tool-result',
      );
      assert.deepEqual(problems.map(({ rule }) => rule).sort(), converted.map(({ rule }) => rule).sort());
    }),
    { numRuns, includeErrorInReport: true },
  );
  assert.ok(seen.refused > numRuns / 10 && seen.accepted > numRuns / 20, JSON.stringify(seen));
});
