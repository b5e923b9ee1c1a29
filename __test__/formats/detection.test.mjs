// Whose messages these are: found out, or an error that says what was found where.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { countTokens, createSession, fit, prune } from '../../unbundled/index.js';
import { PROVIDERS } from '../providers/index.mjs';
import { CORPORA } from '../support/corpus.mjs';

const require = createRequire(import.meta.url);
const { hintsOf } = require('../../unbundled/providers/hints.js');
const { formatOf } = require('../../unbundled/providers/index.js');

const user = { role: 'user', content: 'hi' };
const image = 'aGk=';

test('a message of one format decides for ambiguous ones, wherever it is', () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
  assert.equal(formatOf([user, { role: 'assistant', content: 'x' }, user, call]).name, 'anthropic');
  assert.equal(formatOf([user, { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }]).name, 'openai-responses');
});

test('items of the Responses API are never taken for those of the Agents SDK, nor the other way round', () => {
  const message = { type: 'message', role: 'user', content: 'x' };
  const responses = [
    message,
    { type: 'compaction', encrypted_content: 'x' },
    { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
  ];
  const agents = [
    message,
    { type: 'compaction', encrypted_content: 'x' },
    { type: 'function_call', callId: 'a', name: 'f', arguments: '{}' },
  ];
  assert.equal(formatOf(responses).name, 'openai-responses');
  assert.equal(formatOf(agents).name, 'openai-agents');
  assert.throws(() => formatOf([...responses, agents[2]]), /^TypeError: messages\[3\] is openai-agents, but .* openai-responses: /);
  assert.throws(() => formatOf([...agents, responses[2]]), /^TypeError: messages\[3\] is openai-responses, but .* openai-agents: /);
  // What both write reads the same.
  for (const shared of [[message], [message, { role: 'assistant', content: [{ type: 'output_text', text: 'y' }] }], agents.slice(0, 2)]) {
    assert.equal(formatOf(shared).name, 'openai-responses');
    assert.deepEqual(formatOf(shared, 'openai-agents').read(shared), formatOf(shared).read(shared));
  }
});

test('plain texts, which read the same in several formats, are treated as OpenAI chat', () => {
  for (const messages of [[user], [user, { role: 'assistant', content: [{ type: 'text', text: 'x' }] }], []]) {
    assert.equal(formatOf(messages).name, 'openai-chat');
    for (const name of ['openai-chat', 'anthropic', 'ai-sdk-model']) {
      assert.deepEqual(formatOf(messages, name).read(messages), formatOf(messages).read(messages));
    }
  }
});

test('messages of two formats are an error that names them', () => {
  const both = { role: 'user', content: [{ type: 'image', image, source: { type: 'url', url: 'https://example.org' } }] };
  assert.throws(() => formatOf([user, both]), {
    name: 'TypeError',
    message: 'messages fit anthropic (messages[1]) and ai-sdk-model (messages[1]): say which with options.format',
  });
  assert.equal(formatOf([user, both], 'anthropic').name, 'anthropic');
});

test('messages of no format are an error that names the place and the value', () => {
  assert.throws(() => formatOf([user, { who: 'me', said: 'hi' }]), {
    name: 'TypeError',
    message: 'messages[1] is of no known format: { who: string, said: string }. Define a type of your own with defineFormat()',
  });
  const chat = { role: 'tool', tool_call_id: 'a', content: 'x' };
  const claude = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] };
  assert.throws(() => formatOf([user, chat, claude]), {
    name: 'TypeError',
    message: /^messages\[2\] is anthropic, but the messages before it are openai-chat: /,
  });
  for (const [wrong, found] of [
    [null, 'null'],
    ['text', 'string'],
    [[], 'array: give all messages in one flat array'],
    [undefined, 'undefined'],
  ]) {
    assert.throws(() => formatOf([user, wrong]), { name: 'TypeError', message: `messages[1] must be an object, got ${found}` });
  }
  assert.throws(() => formatOf('text'), { name: 'TypeError', message: 'messages must be an array, got string' });
});

// ---- What stands beside messages tells their format where they can't

const beside = (format) => [
  ...(PROVIDERS[format].tools ?? []).flatMap((tools) => [{ tools }, { tools, system: 'Be kind.' }]),
  ...(PROVIDERS[format].instructions ?? []).map((system) => ({ system })),
];

/** Asserts that every prefix has the format, whatever stands beside it. */
function assertStable(format, messages) {
  for (const request of beside(format)) {
    const hints = hintsOf(request);
    for (let length = messages.length; length > 0; length--) {
      const found = formatOf(messages.slice(0, length), 'auto', hints).name;
      assert.equal(found, format, `${length} of ${messages.length}, ${JSON.stringify(request)}`);
    }
  }
}

for (const { corpus, native, skip } of CORPORA)
  test(corpus, { skip }, () => {
    for (const { format, messages } of native()) assertStable(format, messages.slice(0, 40));
  });

test('texts alone: the tools decide, the system prompt, and otherwise OpenAI', () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  for (const format of ['openai-chat', 'openai-responses', 'openai-agents', 'anthropic', 'ai-sdk-model']) {
    for (const request of beside(format)) assert.equal(formatOf(messages, 'auto', hintsOf(request)).name, format, JSON.stringify(request));
  }
  for (const request of [{}, { tools: [] }, { tools: [null, 1, 'x', {}] }, { tools: 'x', system: [null, 'x', {}] }, { system: 'x' }]) {
    assert.equal(formatOf(messages, 'auto', hintsOf(request)).name, 'openai-chat');
  }
});

test("what doesn't fit the messages is not taken", () => {
  const messages = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  assert.equal(formatOf(messages, 'auto', hintsOf({ tools: PROVIDERS.anthropic.tools[0] })).name, 'gemini');
});

test('what begins with instructions is not Anthropic’s, whose API refuses it, whatever the tools are: requests begin with a user then', () => {
  const turns = Array.from({ length: 6 }, (_, turn) => [
    { role: 'user', content: `Why does it fail, ${turn}?` },
    { role: 'assistant', content: [{ type: 'text', text: `The queue is full. ${'It drops what comes. '.repeat(40)}` }] },
  ]);
  const history = [{ role: 'system', content: 'You are a coding agent.' }, ...turns.flat(), user];
  const tools = PROVIDERS.anthropic.tools[0];
  assert.equal(formatOf(history, 'auto', hintsOf({ tools })).name, 'openai-chat');
  for (const limit of [1, 20, 100, 300]) {
    const { messages, report } = createSession({ limit, tools, warn: false }).next(history);
    assert.equal(report.format, 'openai-chat');
    assert.deepEqual(
      messages.slice(0, 2).map(({ role }) => role),
      ['system', 'user'],
    );
  }
  assert.equal(formatOf(history, 'anthropic').name, 'anthropic');
});

test('a first turn is counted as all of its conversation, and results say the format', () => {
  const [first] = [{ role: 'user', content: 'Hello' }];
  const request = { tools: PROVIDERS.anthropic.tools[0], system: [{ type: 'text', text: 'Be kind.' }] };
  assert.equal(countTokens([first], request), countTokens([first], { ...request, format: 'anthropic' }));
  assert.equal(fit([first], { ...request, limit: 1000 }).format, 'anthropic');
  assert.equal(fit([first], { ...request, limit: 1 }).format, 'anthropic');
  assert.equal(createSession({ ...request, limit: 1000 }).next([first]).report.format, 'anthropic');
  assert.equal(fit([first], { limit: 1000 }).format, 'openai-chat');
  assert.equal(prune([first]).format, 'openai-chat');
  assert.equal(prune([first], { format: 'anthropic' }).format, 'anthropic');
});
