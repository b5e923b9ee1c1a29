// Whose messages these are: found out, or an error that says what was found where.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { HumanMessage } from '@langchain/core/messages';

const { formatOf, FORMATS } = createRequire(import.meta.url)('../../lib/formats/index.js');

const user = { role: 'user', content: 'hi' };
const image = 'aGk=';

test('a single message that only one format has decides', () => {
  const own = {
    'openai-chat': [
      { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'x' },
      { role: 'developer', content: 'x' },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
        ],
      },
      { role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] },
    ],
    'openai-responses': [
      { type: 'message', role: 'user', content: 'x' },
      { role: 'user', content: [{ type: 'input_text', text: 'x' }] },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'x' },
      { type: 'reasoning', id: 'r', summary: [] },
      { type: 'item_reference', id: 'r' },
      { type: 'compaction', encrypted_content: 'x' },
      { type: 'local_shell_call', call_id: 'a' },
    ],
    anthropic: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }] },
      { role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] },
      { role: 'assistant', content: [{ type: 'web_fetch_tool_result', tool_use_id: 'a', content: {} }] },
      {
        id: 'msg',
        type: 'message',
        role: 'assistant',
        stop_reason: 'tool_use',
        content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }],
      },
    ],
    'ai-sdk-model': [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: 'x' } }] },
      { role: 'user', content: [{ type: 'image', image }] },
      { role: 'user', content: [{ type: 'file', data: image, mediaType: 'image/png' }] },
    ],
    'ai-sdk-ui': [
      { id: 'a', role: 'user', parts: [{ type: 'text', text: 'x' }] },
      { id: 'a', role: 'assistant', content: '', toolInvocations: [] },
      { id: 'a', role: 'assistant', parts: [] },
    ],
    gemini: [
      { role: 'user', parts: [{ text: 'x' }] },
      { parts: [{ text: 'x' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
      { role: 'function', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ],
    langchain: [new HumanMessage('x'), { _getType: () => 'human', content: 'x' }],
    message: [
      { id: 'a', index: 0, role: 'user', content: 'x' },
      { id: 'a', index: 0, content: undefined },
    ],
  };
  assert.deepEqual(Object.keys(own).sort(), FORMATS.map(({ name }) => name).sort());
  for (const [name, messages] of Object.entries(own)) {
    for (const message of messages) assert.equal(formatOf([message]).name, name, JSON.stringify(message));
  }
});

test('a message of one format decides for ambiguous ones, wherever it is', () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
  assert.equal(formatOf([user, { role: 'assistant', content: 'x' }, user, call]).name, 'anthropic');
  assert.equal(formatOf([user, { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }]).name, 'openai-responses');
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
    message: 'messages[1] is of no known format: { who: string, said: string }',
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
