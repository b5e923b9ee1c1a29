// Whose messages these are: found out, or an error that says what was found where.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { HumanMessage } from '@langchain/core/messages';

const { formatOf, PROVIDERS } = createRequire(import.meta.url)('../../unbundled/providers/index.js');

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
      { role: 'assistant', content: 'x', reasoning_content: 'why' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'why' }] },
          { type: 'text', text: 'x' },
        ],
      },
      { role: 'assistant', content: 'x', reasoning_details: [{ type: 'reasoning.text', text: 'why', signature: 'c2ln' }] },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'x' }],
        thinking_blocks: [{ type: 'thinking', thinking: 'why', signature: 'c2ln' }],
      },
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
      { type: 'shell_call', call_id: 'a', action: { commands: [] } },
      { type: 'web_search_call', id: 'ws', status: 'completed' },
      { type: 'message', role: 'developer', content: 'x' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x', annotations: [] }] },
      { role: 'user', content: [{ type: 'input_image', image_url: 'https://example.org/a.png' }] },
      { role: 'user', content: [{ type: 'input_file', file_id: 'f' }] },
    ],
    'openai-agents': [
      { type: 'function_call', callId: 'a', name: 'f', arguments: '{}' },
      { type: 'function_call_result', callId: 'a', name: 'f', status: 'completed', output: 'x' },
      { type: 'hosted_tool_call', name: 'web_search_call' },
      { type: 'reasoning', content: [] },
      { type: 'reasoning', content: [], rawContent: [{ type: 'reasoning_text', text: 'x' }] },
      { type: 'shell_call', callId: 'a', action: { commands: [] } },
      { type: 'computer_call_result', callId: 'a', output: { type: 'computer_screenshot', data: image } },
      { type: 'compaction', encrypted_content: 'x', providerData: {} },
      { type: 'unknown', providerData: { type: 'item_reference', id: 'r' } },
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'x', providerData: {} }] },
      { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'x' }], providerData: {} },
      { role: 'user', content: [{ type: 'input_image', image: `data:image/png;base64,${image}` }] },
      { role: 'user', content: [{ type: 'input_file', file: { id: 'f' } }] },
      { role: 'user', content: [{ type: 'audio', audio: image }] },
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
    mastra: [
      { id: 'a', role: 'user', createdAt: new Date(0), content: { format: 2, parts: [{ type: 'text', text: 'x' }], content: 'x' } },
      { id: 'a', role: 'signal', content: { format: 2, parts: [] } },
    ],
    'ag-ui': [
      { id: 'a', role: 'assistant', content: '', toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { id: 'a', role: 'tool', toolCallId: 'c', content: 'x' },
      { id: 'a', role: 'reasoning', content: 'why' },
      { id: 'a', role: 'activity', activityType: 'progress', content: { done: 1 } },
      ...['image', 'audio', 'video', 'document'].flatMap((type) =>
        ['data', 'url', 'file'].map((kind) => ({
          id: 'a',
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type, source: { type: kind, value: image, mimeType: 'a/b' } },
          ],
        })),
      ),
      { id: 'a', role: 'user', content: [{ type: 'binary', mimeType: 'image/png', data: image }] },
    ],
    message: [
      { id: 'a', index: 0, role: 'user', content: 'x' },
      { id: 'a', index: 0, content: undefined },
    ],
  };
  assert.deepEqual(Object.keys(own).sort(), PROVIDERS.map(({ name }) => name).sort());
  for (const [name, messages] of Object.entries(own)) {
    for (const message of messages) assert.equal(formatOf([message]).name, name, JSON.stringify(message));
  }
});

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
