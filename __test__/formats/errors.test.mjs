// A message that can't be read is named by its path, in every format.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { AIMessage } from '@langchain/core/messages';

const { formatOf } = createRequire(import.meta.url)('../../unbundled/providers/index.js');

const CASES = [
  ['openai-chat', { role: 'user', content: 7 }, 'content must be a string or an array of parts, got number'],
  ['openai-chat', { role: 'user', content: ['x'] }, 'content[0] must be an object, got string'],
  ['openai-chat', { role: 'user', content: [{ type: 'text' }] }, 'content[0].text must be a string, got undefined'],
  ['openai-chat', { role: 'assistant', tool_calls: {} }, 'tool_calls must be an array, got object'],
  [
    'openai-chat',
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: {} } }] },
    'tool_calls[0].function.arguments must be a string, got object',
  ],
  ['openai-responses', { type: 'reasoning', id: 'rs', summary: 'text' }, 'summary must be an array, got string'],
  ['openai-responses', { type: 'function_call', call_id: 'a', name: 'f' }, 'arguments must be a string, got undefined'],
  ['openai-responses', { type: 'function_call_output', output: 'x' }, 'call_id must be a string, got undefined'],
  ['openai-responses', { role: 'user', content: [{ type: 'input_text', text: null }] }, 'content[0].text must be a string, got null'],
  ['openai-agents', { type: 'reasoning', content: 'text' }, 'content must be an array, got string'],
  ['openai-agents', { type: 'function_call', callId: 'a', name: 'f' }, 'arguments must be a string, got undefined'],
  ['openai-agents', { type: 'function_call_result', output: 'x' }, 'callId must be a string, got undefined'],
  ['openai-agents', { type: 'function_call_result', callId: 'a', output: { type: 'text' } }, 'output.text must be a string, got undefined'],
  ['openai-agents', { type: 'function_call_result', callId: 'a', output: null }, 'output must be an array, got null'],
  [
    'anthropic',
    { role: 'user', content: null },
    'content must be a string or an array of blocks, got null; the messages look like openai-chat',
  ],
  [
    'anthropic',
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'x' },
        { type: 'tool_use', id: 'a', name: 'f', input: '{}' },
      ],
    },
    'content[1].input must be an object, got string',
  ],
  [
    'anthropic',
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 1 }] }] },
    'content[0].content[0].text must be a string, got number',
  ],
  [
    'ai-sdk-model',
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', output: 'x' }] },
    'content[0].output must be an object, got string',
  ],
  [
    'ai-sdk-model',
    { role: 'assistant', content: [{ type: 'tool-call', toolName: 'f', input: {} }] },
    'content[0].toolCallId must be a string, got undefined',
  ],
  ['ag-ui', { role: 'reasoning' }, 'content must be a string, got undefined'],
  ['ag-ui', { role: 'assistant', toolCalls: [{ id: 'a', type: 'function' }] }, 'toolCalls[0].function must be an object, got undefined'],
  ['ag-ui', { role: 'tool', toolCallId: 'a', content: 'x', error: 1 }, 'error must be a string, got number'],
  [
    'openai-chat',
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] },
    'content[0].thinking must be an array, got string; the messages look like anthropic',
  ],
  ['mastra', { role: 'user', content: { format: 2, parts: [null] } }, 'content.parts[0] must be an object, got null'],
  ['mastra', { role: 'user', content: { format: 2, parts: [{ type: 'text' }] } }, 'content.parts[0].text must be a string, got undefined'],
  ['mastra', { role: 'user', content: 'Hi.' }, 'content must be an object, got string; the messages look like openai-chat'],
  ['ai-sdk-ui', { id: 'a', role: 'user', parts: [null] }, 'parts[0] must be an object, got null'],
  [
    'ai-sdk-ui',
    { id: 'a', role: 'assistant', parts: [{ type: 'tool-f', state: 'input-available' }] },
    'parts[0].toolCallId must be a string, got undefined',
  ],
  [
    'gemini',
    { role: 'model', parts: [{ functionCall: { name: 'f', args: [] } }] },
    'parts[0].functionCall.args must be an object, got array',
  ],
  [
    'gemini',
    { role: 'user', parts: [{ functionResponse: { name: 'f', response: 'x' } }] },
    'parts[0].functionResponse.response must be an object, got string',
  ],
  [
    'langchain',
    new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'f', args: 'x' }] }),
    'tool_calls[0].args must be an object, got string',
  ],
  ['message', { id: 'a', index: 1, role: 'assistant', tool_calls: ['x'] }, 'tool_calls[0] must be an object, got string'],
];

test('the error names the path and the value there', () => {
  for (const [name, message, complaint] of CASES) {
    const separator = complaint.startsWith('[') ? '' : '.';
    const format = formatOf([], name);
    assert.throws(
      () => format.read([message]),
      { name: 'TypeError', message: `messages[0]${separator}${complaint}` },
      `${name}: ${complaint}`,
    );
  }
});

test('an invalid message is named by its index', () => {
  for (const name of new Set(CASES.map(([format]) => format))) {
    assert.throws(() => formatOf([], name).read([null]), { name: 'TypeError', message: 'messages[0] must be an object, got null' });
  }
});

test('an edit that would break a message is refused, without partial changes', () => {
  const messages = [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'x', signature: 's' },
        { type: 'tool_use', id: 'a', name: 'f', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  ];
  const format = formatOf(messages);
  const [thinking, call] = format.read(messages);
  assert.throws(
    () => format.write(messages, [{ part: thinking, text: 'y' }]),
    /^Error: messages\[0\]\.content\[0\] may not be edited: reasoning$/,
  );
  for (const text of ['', 'text', '[]', 'null', '"x"']) {
    assert.throws(() => format.write(messages, [{ part: call, text }]), {
      name: 'TypeError',
      message: 'new arguments for messages[0].content[1].input must be a JSON object',
    });
  }
});
