// The peculiarities of each format, by the providers' documentation: one conversation per rule, written by hand.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';

import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';

const require = createRequire(import.meta.url);
const { countTokens, fit, restore } = require('../../unbundled/index.js');
const { formatOf } = require('../../unbundled/providers/index.js');

/** A part as a short list: kind, role, path, text, and what else it has. */
const brief = ({ message, path, role, kind, text, ...rest }) => [kind, role, [message, ...path].join('.'), text, rest];
const read = (name, messages) => formatOf(messages, name).read(messages).map(brief);
/** Edits found by a part's place. */
function edit(name, messages, edits) {
  const format = formatOf(messages, name);
  const parts = new Map(format.read(messages).map((part) => [[part.message, ...part.path].join('.'), part]));
  return format.write(
    messages,
    Object.entries(edits).map(([place, text]) => {
      assert.ok(parts.has(place), place);
      return text === null ? { part: parts.get(place), remove: true } : { part: parts.get(place), text };
    }),
  );
}

describe('openai-chat', () => {
  const messages = [
    { role: 'developer', content: [{ type: 'text', text: 'rules' }], timestamp: '2026-01-02T03:04:05Z' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'no' },
        { type: 'refusal', refusal: 'never' },
      ],
      refusal: null,
      created_at: 1700000000,
    },
    { role: 'assistant', content: null, refusal: 'not that', audio: { id: 'audio_1' } },
    { role: 'assistant', content: '', function_call: { name: 'f', arguments: '{"a":1.0}' } },
    { role: 'function', name: 'f', content: 'result' },
    {
      role: 'assistant',
      reasoning_content: 'hm',
      tool_calls: [
        { id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } },
        { id: 'c2', type: 'function', function: { name: 'g', arguments: '{}' } },
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'c2',
      content: [
        { type: 'text', text: 'two' },
        { type: 'text', text: 'parts' },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'rows' },
    { role: 'tool', tool_call_id: 'c9', content: 'lost' },
    { role: 'critic', content: 'unknown role' },
    {
      role: 'user',
      content: [
        { type: 'hologram', data: 1 },
        { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
      ],
    },
  ];

  test('reads content, refusals, calls of every kind, and pairs them', () => {
    const january = Date.UTC(2026, 0, 2, 3, 4, 5);
    assert.deepEqual(read('openai-chat', messages), [
      ['text', 'system', '0.content.0.text', 'rules', { time: january }],
      ['text', 'assistant', '1.content.0.text', 'no', { time: 1700000000000 }],
      ['text', 'assistant', '1.content.1.refusal', 'never', { time: 1700000000000 }],
      ['text', 'assistant', '2.refusal', 'not that', {}],
      ['media', 'assistant', '2.audio', '', { locked: 'audio of the model' }],
      ['text', 'assistant', '3.content', '', {}],
      ['call', 'assistant', '3.function_call.arguments', '{"a":1.0}', { name: 'f' }],
      ['result', 'tool', '4.content', 'result', { call: 6 }],
      ['reasoning', 'assistant', '5.reasoning_content', 'hm', { locked: 'reasoning' }],
      ['call', 'assistant', '5.tool_calls.0.custom.input', 'SELECT 1', { name: 'sql', callId: 'c1' }],
      ['call', 'assistant', '5.tool_calls.1.function.arguments', '{}', { name: 'g', callId: 'c2' }],
      ['result', 'tool', '6.content.0.text', 'two', { call: 10, callId: 'c2' }],
      ['result', 'tool', '6.content.1.text', 'parts', { call: 10, callId: 'c2' }],
      ['result', 'tool', '7.content', 'rows', { call: 9, callId: 'c1' }],
      ['result', 'tool', '8.content', 'lost', { call: -1, callId: 'c9' }],
      [
        'text',
        'user',
        '9.content',
        'unknown role',
        { locked: 'message of role critic', goes: 'withTurn', unknown: 'message of role critic' },
      ],
      ['opaque', 'user', '10.content.0', '', { locked: 'part of type hologram', goes: 'withTurn', unknown: 'part of type hologram' }],
      ['media', 'user', '10.content.1', '', {}],
    ]);
  });

  test('removes one of two parallel calls with its result, and a message with nothing left', () => {
    const written = edit('openai-chat', messages, {
      '5.tool_calls.1.function.arguments': null,
      '6.content.0.text': null,
      '6.content.1.text': null,
      '3.function_call.arguments': null,
      '4.content': null,
      '3.content': null,
    });
    assert.deepEqual(written, [
      ...messages.slice(0, 3),
      { role: 'assistant', reasoning_content: 'hm', tool_calls: [messages[5].tool_calls[0]] },
      ...messages.slice(7),
    ]);
  });

  test('a message that keeps its text loses the key of its calls; one that keeps its calls has null content', () => {
    const both = [
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ];
    assert.deepEqual(edit('openai-chat', both, { '0.tool_calls.0.function.arguments': null, '1.content': null }), [
      { role: 'assistant', content: 'I look.' },
    ]);
    assert.deepEqual(edit('openai-chat', both, { '0.content': null })[0], { ...both[0], content: null });
  });

  test('free-form input takes any text, arguments only an object', () => {
    assert.equal(edit('openai-chat', messages, { '5.tool_calls.0.custom.input': 'stub' })[5].tool_calls[0].custom.input, 'stub');
    assert.throws(
      () => edit('openai-chat', messages, { '5.tool_calls.1.function.arguments': 'stub' }),
      /messages\[5\]\.tool_calls\[1\]\.function\.arguments must be a JSON object/,
    );
  });
});

describe('openai-responses', () => {
  const call = (id) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}', id: `fc_${id}` });
  const output = (id, value = 'x') => ({ type: 'function_call_output', call_id: id, output: value });
  const reasoning = { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'gAAA' };

  test('reads items of every kind', () => {
    const items = [
      { role: 'developer', content: 'rules' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'hi' },
          { type: 'input_image', image_url: 'data:' },
        ],
      },
      reasoning,
      call('a'),
      output('a', [
        { type: 'input_text', text: 'one' },
        { type: 'input_file', file_id: 'f' },
      ]),
      { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'b', output: 'done' },
      { type: 'shell_call', call_id: 'c', action: { commands: ['ls', 'make'] } },
      {
        type: 'shell_call_output',
        call_id: 'c',
        output: [
          { stdout: 'a.ts', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
          { stdout: '', stderr: 'no rule', outcome: { type: 'exit', exit_code: 2 } },
        ],
      },
      { type: 'computer_call_output', call_id: 'd', output: { type: 'computer_screenshot', image_url: 'data:' } },
      { type: 'local_shell_call', call_id: 's', action: {} },
      { type: 'item_reference', id: 'x' },
      { type: 'compaction', encrypted_content: 'x' },
    ];
    assert.deepEqual(read('openai-responses', items), [
      ['text', 'system', '0.content', 'rules', {}],
      ['text', 'user', '1.content.0.text', 'hi', {}],
      ['media', 'user', '1.content.1', '', {}],
      ['reasoning', 'assistant', '2', 'hm', { locked: 'reasoning' }],
      ['call', 'assistant', '3.arguments', '{}', { name: 'f', callId: 'a' }],
      ['result', 'tool', '4.output.0.text', 'one', { call: 4, callId: 'a' }],
      ['media', 'tool', '4.output.1', '', { call: 4, callId: 'a' }],
      ['call', 'assistant', '5.input', '*** Begin', { name: 'patch', callId: 'b' }],
      ['result', 'tool', '6.output', 'done', { call: 7, callId: 'b' }],
      ['call', 'assistant', '7.action', '{"command":"ls\\nmake"}', { name: 'shell', callId: 'c', locked: 'commands of a shell' }],
      ['result', 'tool', '8.output.0.stdout', 'a.ts', { call: 9, callId: 'c', status: 'ok' }],
      ['result', 'tool', '8.output.1.stderr', 'no rule', { call: 9, callId: 'c', status: 'error' }],
      ['media', 'tool', '9.output', '', { call: -1, callId: 'd', locked: 'item of type computer_call_output' }],
      ['call', 'assistant', '10.action', '{}', { name: 'local_shell', callId: 's', locked: 'input of local_shell' }],
      ['opaque', 'assistant', '11', '', { locked: 'item of type item_reference' }],
      ['opaque', 'assistant', '12', '', { locked: 'item of type compaction', goes: 'never', compacts: 'optional' }],
    ]);
  });

  test('reasoning and the items that it led to go together', () => {
    const one = [{ role: 'user', content: 'hi' }, reasoning, call('a'), output('a'), { role: 'user', content: 'so?' }];
    assert.deepEqual(edit('openai-responses', one, { '2.arguments': null, '3.output': null }), [one[0], one[4]]);
    const two = [reasoning, call('a'), call('b'), output('a'), output('b')];
    assert.deepEqual(
      read('openai-responses', two).map(([, , , , { locked, goes }]) => goes ?? locked),
      ['reasoning', 'withPrevious', 'withPrevious', undefined, undefined],
    );
  });
});

describe('openai-agents', () => {
  const user = { type: 'message', role: 'user', content: 'hi' };
  const call = (id) => ({ type: 'function_call', id: `fc_${id}`, callId: id, name: 'f', arguments: '{}', providerData: {} });
  const result = (id, output = 'x') => ({ type: 'function_call_result', callId: id, name: 'f', status: 'completed', output });
  const reasoning = {
    type: 'reasoning',
    id: 'rs',
    content: [{ type: 'input_text', text: 'hm' }],
    providerData: { encrypted_content: 'g' },
  };

  test('reads items of every kind', () => {
    const items = [
      { role: 'system', content: 'rules' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'hi' },
          { type: 'input_image', image: 'data:' },
          { type: 'input_file', file: { id: 'f' } },
          { type: 'audio', audio: 'aGk=', format: 'wav' },
        ],
      },
      { ...reasoning, rawContent: [{ type: 'reasoning_text', text: 'hm, hm' }] },
      call('a'),
      result('a', [
        { type: 'input_text', text: 'one' },
        { type: 'input_image', image: 'data:' },
      ]),
      call('b'),
      result('b', { type: 'text', text: 'two' }),
      call('c'),
      result('c', { type: 'image', image: { data: 'aGk=', mediaType: 'image/png' } }),
      call('d'),
      result('d', []),
      { type: 'hosted_tool_call', id: 'h', name: 'mcp_call', output: 'not sent again', providerData: { type: 'mcp_call' } },
      { type: 'shell_call', callId: 's', action: { commands: ['ls'] } },
      {
        type: 'shell_call_output',
        callId: 's',
        output: [{ stdout: '', stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
      },
      { type: 'shell_call_output', callId: 's', output: [{ stdout: 'x', stderr: 'y', outcome: { type: 'timeout' } }] },
      { type: 'computer_call_result', callId: 'k', output: { type: 'computer_screenshot', data: 'data:' } },
      { type: 'apply_patch_call', callId: 'p', operation: { type: 'delete_file', path: 'a' } },
      { type: 'compaction', encrypted_content: 'x' },
      { type: 'unknown', providerData: { type: 'dream' } },
      {
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'so', providerData: {} },
          { type: 'refusal', refusal: 'no' },
          { type: 'audio', audio: { id: 'audio_1' } },
        ],
      },
    ];
    assert.deepEqual(read('openai-agents', items), [
      ['text', 'system', '0.content', 'rules', {}],
      ['text', 'user', '1.content.0.text', 'hi', {}],
      ['media', 'user', '1.content.1', '', {}],
      ['media', 'user', '1.content.2', '', {}],
      ['media', 'user', '1.content.3', '', {}],
      ['reasoning', 'assistant', '2', 'hm\nhm, hm', { locked: 'reasoning' }],
      ['call', 'assistant', '3.arguments', '{}', { name: 'f', callId: 'a' }],
      ['result', 'tool', '4.output.0.text', 'one', { call: 6, callId: 'a' }],
      ['media', 'tool', '4.output.1', '', { call: 6, callId: 'a' }],
      ['call', 'assistant', '5.arguments', '{}', { name: 'f', callId: 'b' }],
      ['result', 'tool', '6.output.text', 'two', { call: 9, callId: 'b' }],
      ['call', 'assistant', '7.arguments', '{}', { name: 'f', callId: 'c' }],
      ['media', 'tool', '8.output', '', { call: 11, callId: 'c' }],
      ['call', 'assistant', '9.arguments', '{}', { name: 'f', callId: 'd' }],
      ['result', 'tool', '10.output', '', { call: 13, callId: 'd' }],
      ['opaque', 'assistant', '11.providerData', '', { locked: 'item of type hosted_tool_call' }],
      ['call', 'assistant', '12.action', '{"command":"ls"}', { name: 'shell', callId: 's', locked: 'commands of a shell' }],
      ['opaque', 'tool', '13.output', '', { call: 16, callId: 's', locked: 'it has no text' }],
      ['result', 'tool', '14.output.0.stdout', 'x', { call: 16, callId: 's', status: 'error' }],
      ['result', 'tool', '14.output.0.stderr', 'y', { call: 16, callId: 's', status: 'error' }],
      ['media', 'tool', '15.output', '', { call: -1, callId: 'k', locked: 'item of type computer_call_result' }],
      [
        'call',
        'assistant',
        '16.operation',
        '{"type":"delete_file","path":"a"}',
        { name: 'apply_patch', callId: 'p', locked: 'input of apply_patch' },
      ],
      ['opaque', 'assistant', '17', '', { locked: 'item of type compaction', goes: 'never', compacts: 'optional' }],
      ['opaque', 'assistant', '18.providerData', '', { locked: 'item of type unknown', goes: 'withTurn' }],
      ['text', 'assistant', '19.content.0.text', 'so', {}],
      ['text', 'assistant', '19.content.1.refusal', 'no', {}],
      ['media', 'assistant', '19.content.2', '', {}],
    ]);
  });

  test('an output keeps its shape: a text alone, parts in a list, and a text in the place of an image of each kind', () => {
    const image = { type: 'image', image: 'aGk=' };
    const items = [
      user,
      call('a'),
      result('a', { type: 'text', text: 'long' }),
      call('b'),
      result('b', image),
      call('c'),
      result('c', [{ type: 'input_image', image: 'data:' }]),
    ];
    const written = edit('openai-agents', items, { '2.output.text': 'x', '4.output': 'y', '6.output.0': 'z' });
    assert.deepEqual(written, [
      user,
      items[1],
      result('a', { type: 'text', text: 'x' }),
      items[3],
      result('b', { type: 'text', text: 'y' }),
      items[5],
      result('c', [{ type: 'input_text', text: 'z' }]),
    ]);
    assert.equal(written[1], items[1]);
    assert.deepEqual(edit('openai-agents', items.slice(0, 5), { '1.arguments': null, '2.output.text': null }), [user, items[3], items[4]]);
    assert.deepEqual(edit('openai-agents', items.slice(0, 5), { '3.arguments': null, '4.output': null }), items.slice(0, 3));
  });

  test('reasoning and the items that it led to go together', () => {
    const one = [user, reasoning, call('a'), result('a'), user];
    assert.deepEqual(edit('openai-agents', one, { '2.arguments': null, '3.output': null }), [user, user]);
    const two = [reasoning, call('a'), call('b'), result('a'), result('b')];
    assert.deepEqual(
      read('openai-agents', two).map(([, , , , { locked, goes }]) => goes ?? locked),
      ['reasoning', 'withPrevious', 'withPrevious', undefined, undefined],
    );
  });
});

describe('anthropic', () => {
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'document', source: { type: 'text', data: 'x' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'redacted_thinking', data: 'd' },
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
        { type: 'tool_use', id: 'a', name: 'f', input: { n: 1 } },
        { type: 'tool_use', id: 'b', name: 'g', input: {}, cache_control: { type: 'ephemeral' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'bad', cache_control: { type: 'ephemeral' } },
        {
          type: 'tool_result',
          tool_use_id: 'b',
          content: [{ type: 'text', text: 'one' }, { type: 'image', source: {} }, { type: 'hologram' }],
        },
        { type: 'text', text: 'and?' },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c', name: 'f', input: {}, caller: { type: 'code_execution_20250825', tool_id: 's1' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', is_error: false }] },
  ];

  test('reads blocks of every kind', () => {
    assert.deepEqual(read('anthropic', messages), [
      ['text', 'user', '0.content.0.text', 'hi', {}],
      ['text', 'user', '0.content.1.source.data', 'x', { isDocument: true }],
      ['reasoning', 'assistant', '1.content.0', 'hm', { locked: 'reasoning', signed: true }],
      ['reasoning', 'assistant', '1.content.1', '', { locked: 'reasoning', signed: true }],
      ['call', 'assistant', '1.content.2.input', '{}', { name: 'web_search', callId: 's1', locked: 'run by the provider' }],
      ['opaque', 'tool', '1.content.3', '', { call: 4, callId: 's1', locked: 'web_search_tool_result' }],
      ['call', 'assistant', '1.content.4.input', '{"n":1}', { name: 'f', callId: 'a' }],
      ['call', 'assistant', '1.content.5.input', '{}', { name: 'g', callId: 'b' }],
      ['result', 'tool', '2.content.0.content', 'bad', { call: 6, callId: 'a', status: 'error' }],
      ['result', 'tool', '2.content.1.content.0.text', 'one', { call: 7, callId: 'b' }],
      ['media', 'tool', '2.content.1.content.1', '', { call: 7, callId: 'b' }],
      ['opaque', 'tool', '2.content.1.content.2', '', { call: 7, callId: 'b', locked: 'block of type hologram' }],
      ['text', 'user', '2.content.2.text', 'and?', {}],
      [
        'call',
        'assistant',
        '3.content.0.input',
        '{}',
        { name: 'f', callId: 'c', locked: 'called by code that runs at the provider', goes: 'withPrevious' },
      ],
      ['result', 'tool', '4.content.0.content', '', { call: 13, callId: 'c', status: 'ok' }],
    ]);
  });

  test('an edit keeps its siblings: cache_control, is_error, other blocks', () => {
    const written = edit('anthropic', messages, { '2.content.0.content': 'stub', '1.content.5.input': '{"x":1}' });
    assert.deepEqual(written[2].content[0], { ...messages[2].content[0], content: 'stub' });
    assert.deepEqual(Object.keys(written[2].content[0]), Object.keys(messages[2].content[0]));
    assert.deepEqual(written[1].content[5], { ...messages[1].content[5], input: { x: 1 } });
    assert.equal(written[1].content[4], messages[1].content[4]);
    assert.equal(written[2].content[1], messages[2].content[1]);
  });

  test('one block of a result goes and the result stays', () => {
    const [, , { content }] = edit('anthropic', messages, { '2.content.1.content.1': null });
    assert.deepEqual(content[1].content, [{ type: 'text', text: 'one' }, { type: 'hologram' }]);
  });

  test('a removal merges adjacent messages, and removes thinking without an outcome', () => {
    const talk = [
      { role: 'user', content: 'read' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I read.' },
          { type: 'thinking', thinking: 't', signature: 's' },
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
      { role: 'assistant', content: 'Done.' },
    ];
    assert.deepEqual(edit('anthropic', talk, { '1.content.2.input': null, '2.content.0.content': null }), [
      talk[0],
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I read.' },
          { type: 'text', text: 'Done.' },
        ],
      },
    ]);
  });

  test('thinking can be stripped', () => {
    const [, { content }] = edit('anthropic', messages, { '1.content.0': null, '1.content.1': null });
    assert.deepEqual(content, messages[1].content.slice(2));
  });

  test('roles that did not alternate before are not changed', () => {
    const twice = [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'assistant', content: 'c' },
    ];
    assert.deepEqual(edit('anthropic', twice, { '0.content': 'x' }), [{ role: 'user', content: 'x' }, ...twice.slice(1)]);
  });
});

describe('ai-sdk-model', () => {
  const call = (id, more = {}) => ({ type: 'tool-call', toolCallId: id, toolName: 'f', input: { n: 1 }, ...more });
  const result = (id, output) => ({ type: 'tool-result', toolCallId: id, toolName: 'f', output });
  const messages = [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
        call('a'),
        call('b', { providerExecuted: true }),
        call('c'),
        { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'c' },
        call('d', { providerOptions: { google: { thoughtSignature: 's' } } }),
        { type: 'tool-call', toolCallId: 'e', toolName: 'f', args: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        result('a', { type: 'json', value: { rows: 3 } }),
        result('c', { type: 'execution-denied', reason: 'no' }),
        result('d', {
          type: 'content',
          value: [
            { type: 'text', text: 'one' },
            { type: 'image-data', data: 'AA', mediaType: 'image/png' },
          ],
        }),
        { type: 'tool-result', toolCallId: 'e', toolName: 'f', result: [1, 2], isError: true },
        { type: 'tool-approval-response', approvalId: 'p', approved: false },
      ],
    },
  ];

  test('reads typed outputs, and version 4', () => {
    assert.deepEqual(read('ai-sdk-model', messages), [
      ['reasoning', 'assistant', '0.content.0', 'hm', { locked: 'reasoning', signed: true }],
      ['call', 'assistant', '0.content.1.input', '{"n":1}', { name: 'f', callId: 'a' }],
      ['call', 'assistant', '0.content.2.input', '{"n":1}', { name: 'f', callId: 'b', locked: 'executed by the provider' }],
      ['call', 'assistant', '0.content.3.input', '{"n":1}', { name: 'f', callId: 'c', locked: 'approval' }],
      ['opaque', 'assistant', '0.content.4', '', { locked: 'approval' }],
      ['call', 'assistant', '0.content.5.input', '{"n":1}', { name: 'f', callId: 'd', locked: 'thought signature' }],
      ['call', 'assistant', '0.content.6.args', '{}', { name: 'f', callId: 'e' }],
      ['result', 'tool', '1.content.0.output.value', '{"rows":3}', { call: 1, callId: 'a', status: 'ok' }],
      ['result', 'tool', '1.content.1.output', 'no', { call: 3, callId: 'c', locked: 'execution denied' }],
      ['result', 'tool', '1.content.2.output.value.0.text', 'one', { call: 5, callId: 'd', status: 'ok' }],
      ['media', 'tool', '1.content.2.output.value.1', '', { call: 5, callId: 'd' }],
      ['result', 'tool', '1.content.3.result', '[1,2]', { call: 6, callId: 'e', status: 'error' }],
      ['opaque', 'tool', '1.content.4', '', { locked: 'approval', goes: 'withPrevious' }],
    ]);
  });

  test('a stub for an object or an array is one, of the same output type', () => {
    const [, { content }] = edit('ai-sdk-model', messages, { '1.content.0.output.value': 'stub', '1.content.3.result': 'stub' });
    assert.deepEqual(content[0].output, { type: 'json', value: { output: 'stub' } });
    assert.deepEqual(content[3].result, ['stub']);
  });

  // What `@ai-sdk/anthropic` puts before a streamed answer, and OpenAI's compaction, which is sent.
  const started = { type: 'custom', kind: 'anthropic.message_start', providerOptions: { anthropic: { id: 'msg_1', usage: {} } } };
  const compaction = { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { itemId: 'c', encryptedContent: 'x' } } };

  test('what is not sent of a custom part holds no message', () => {
    const answer = { role: 'assistant', content: [started, { type: 'text', text: 'Done.' }] };
    assert.deepEqual(read('ai-sdk-model', [answer]), [['text', 'assistant', '0.content.1.text', 'Done.', {}]]);
    assert.deepEqual(edit('ai-sdk-model', [answer], { '0.content.1.text': null }), []);
    assert.deepEqual(edit('ai-sdk-model', [answer], { '0.content.1.text': 'cut' })[0].content, [started, { type: 'text', text: 'cut' }]);
    const kept = { role: 'assistant', content: [compaction, { type: 'text', text: 'Done.' }] };
    assert.deepEqual(edit('ai-sdk-model', [kept], { '0.content.1.text': null }), [{ role: 'assistant', content: [compaction] }]);
    const count = (...content) => countTokens([{ role: 'assistant', content: [...content, { type: 'text', text: 'Done.' }] }]);
    assert.equal(count(started), count());
    assert.ok(count(compaction) > count());
  });

  test('of a UI message it goes with its step', () => {
    const { providerOptions: providerMetadata, ...rest } = started;
    const start = { ...rest, providerMetadata };
    const step = (toolCallId) => [
      { type: 'step-start' },
      start,
      { type: 'reasoning', text: 'Hm.', providerMetadata: { anthropic: { signature: 's' } } },
      { type: 'tool-read', toolCallId, state: 'output-available', input: {}, output: 'x' },
    ];
    const message = { id: 'm', role: 'assistant', parts: [...step('a'), ...step('b')] };
    const gone = { '0.parts.3.input': null, '0.parts.3.output': null };
    assert.deepEqual(edit('ai-sdk-ui', [message], gone), [{ ...message, parts: [{ type: 'step-start' }, ...step('b')] }]);
    assert.deepEqual(edit('ai-sdk-ui', [message], { ...gone, '0.parts.7.input': null, '0.parts.7.output': null }), []);
  });
});

describe('ai-sdk-ui', () => {
  const messages = [
    {
      id: 'm',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'text', text: 'I look.' },
        { type: 'tool-read', toolCallId: 'a', state: 'output-available', input: { p: 1 }, output: { rows: [] } },
        { type: 'dynamic-tool', toolName: 'run', toolCallId: 'b', state: 'output-error', input: {}, errorText: 'bad' },
        { type: 'tool-ask', toolCallId: 'c', state: 'approval-requested', input: {}, approval: { id: 'p' } },
        { type: 'data-note', data: {} },
        { type: 'file', mediaType: 'image/png', url: 'data:' },
      ],
    },
  ];
  const old = [
    {
      id: 'm',
      role: 'assistant',
      content: 'Done.',
      createdAt: new Date(5),
      toolInvocations: [{ state: 'result', toolCallId: 'a', toolName: 'read', args: {}, result: 'x' }],
      parts: [
        { type: 'tool-invocation', toolInvocation: { state: 'result', toolCallId: 'a', toolName: 'read', args: {}, result: 'x' } },
        { type: 'text', text: 'Done.' },
      ],
    },
  ];

  test('a tool part is a call and its result', () => {
    assert.deepEqual(read('ai-sdk-ui', messages), [
      ['opaque', 'assistant', '0.parts.0', '', { locked: 'step', unsent: true }],
      ['text', 'assistant', '0.parts.1.text', 'I look.', {}],
      ['call', 'assistant', '0.parts.2.input', '{"p":1}', { name: 'read', callId: 'a' }],
      ['result', 'tool', '0.parts.2.output', '{"rows":[]}', { call: 2, callId: 'a', status: 'ok' }],
      ['call', 'assistant', '0.parts.3.input', '{}', { name: 'run', callId: 'b' }],
      ['result', 'tool', '0.parts.3.errorText', 'bad', { call: 4, callId: 'b', status: 'error' }],
      ['call', 'assistant', '0.parts.4.input', '{}', { name: 'ask', callId: 'c', locked: 'state approval-requested' }],
      ['opaque', 'assistant', '0.parts.5', '', { locked: 'part of type data-note', unsent: true }],
      ['media', 'assistant', '0.parts.6', '', {}],
    ]);
    assert.deepEqual(edit('ai-sdk-ui', messages, { '0.parts.2.output': 'stub' })[0].parts[2].output, { output: 'stub' });
    assert.deepEqual(
      edit('ai-sdk-ui', messages, { '0.parts.2.input': null, '0.parts.2.output': null })[0].parts,
      messages[0].parts.toSpliced(2, 1),
    );
  });

  test('version 4 has everything twice, and is edited twice', () => {
    const [written] = edit('ai-sdk-ui', old, { '0.parts.0.toolInvocation.result': 'stub', '0.parts.1.text': 'cut' });
    assert.equal(written.content, 'cut');
    assert.equal(written.parts[1].text, 'cut');
    assert.equal(written.parts[0].toolInvocation.result, 'stub');
    assert.equal(written.toolInvocations[0].result, 'stub');
    const [removed] = edit('ai-sdk-ui', old, { '0.parts.0.toolInvocation.args': null, '0.parts.0.toolInvocation.result': null });
    assert.deepEqual(removed, { ...old[0], toolInvocations: [], parts: [old[0].parts[1]] });
    assert.equal(read('ai-sdk-ui', old)[0][4].time, 5);
  });
});

describe('gemini', () => {
  const call = (name, more) => ({ functionCall: { name, args: { n: 1 }, ...more } });
  const response = (name, value, more) => ({ functionResponse: { name, response: value, ...more } });
  const contents = [
    { role: 'user', parts: [{ text: 'hi' }, { inlineData: { mimeType: 'image/png', data: 'AA' } }] },
    {
      role: 'model',
      parts: [
        { text: 'hm', thought: true, thoughtSignature: 's' },
        { ...call('f'), thoughtSignature: 's' },
        call('f'),
        call('g', { id: 'x' }),
      ],
    },
    {
      role: 'user',
      parts: [
        response('g', { error: { code: 5 } }, { id: 'x' }),
        response('f', { output: 'first' }),
        response('f', { rows: 3 }),
        response('f', {}),
      ],
    },
  ];

  test('responses answer the call of their id, or the next one of their name', () => {
    assert.deepEqual(read('gemini', contents), [
      ['text', 'user', '0.parts.0.text', 'hi', {}],
      ['media', 'user', '0.parts.1', '', {}],
      ['reasoning', 'assistant', '1.parts.0', 'hm', { locked: 'reasoning' }],
      ['call', 'assistant', '1.parts.1.functionCall.args', '{"n":1}', { name: 'f', locked: 'thought signature' }],
      ['call', 'assistant', '1.parts.2.functionCall.args', '{"n":1}', { name: 'f' }],
      ['call', 'assistant', '1.parts.3.functionCall.args', '{"n":1}', { name: 'g', callId: 'x' }],
      ['result', 'tool', '2.parts.0.functionResponse.response', '{"error":{"code":5}}', { call: 5, callId: 'x', status: 'error' }],
      ['result', 'tool', '2.parts.1.functionResponse.response.output', 'first', { call: 3, status: 'ok' }],
      ['result', 'tool', '2.parts.2.functionResponse.response', '{"rows":3}', { call: 4 }],
      ['result', 'tool', '2.parts.3.functionResponse.response', '{}', { call: -1 }],
    ]);
  });

  test('a response stays an object, and an error an error', () => {
    const written = edit('gemini', contents, {
      '2.parts.0.functionResponse.response': 'stub',
      '2.parts.1.functionResponse.response.output': 'stub',
      '2.parts.2.functionResponse.response': 'stub',
    });
    assert.deepEqual(
      written[2].parts.map((part) => part.functionResponse.response),
      [{ error: 'stub' }, { output: 'stub' }, { output: 'stub' }, {}],
    );
  });
});

describe('langchain', () => {
  const args = { path: 'a', content: 'long' };
  const twice = new AIMessage({
    content: [
      { type: 'text', text: 'I write.' },
      { type: 'tool_use', id: 'a', name: 'f', input: args },
    ],
    tool_calls: [{ id: 'a', name: 'f', args, type: 'tool_call' }],
    additional_kwargs: { tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: JSON.stringify(args) } }] },
  });
  const messages = [
    new HumanMessage('hi'),
    twice,
    new ToolMessage({ content: 'x', tool_call_id: 'a', status: 'error', artifact: new Map([[1, 2]]) }),
  ];

  test('a call with several copies is one part, edited everywhere, and instances stay instances', () => {
    assert.deepEqual(read('langchain', messages), [
      ['text', 'user', '0.content', 'hi', {}],
      ['text', 'assistant', '1.content.0.text', 'I write.', {}],
      ['call', 'assistant', '1.tool_calls.0.args', JSON.stringify(args), { name: 'f', callId: 'a' }],
      ['result', 'tool', '2.content', 'x', { call: 2, callId: 'a', status: 'error' }],
    ]);
    const [, written, result] = edit('langchain', messages, { '1.tool_calls.0.args': '{"path":"a"}', '2.content': 'stub' });
    assert.ok(written instanceof AIMessage && result instanceof ToolMessage);
    assert.equal(Object.getPrototypeOf(written), AIMessage.prototype);
    const now = { path: 'a' };
    assert.deepEqual(
      [written.tool_calls[0].args, written.content[1].input, written.additional_kwargs.tool_calls[0].function.arguments],
      [now, now, '{"path":"a"}'],
    );
    // Neither may what is sent or stored still hold it.
    assert.ok(!JSON.stringify([written, written.lc_kwargs, written.toDict()]).includes('long'));
    assert.equal(result.lc_kwargs.content, 'stub');
    assert.equal(result.artifact, messages[2].artifact);
    assert.equal(twice.tool_calls[0].args, args);
  });

  test('a call whose copies differ is not edited', () => {
    const differing = new AIMessage({
      content: [{ type: 'tool_use', id: 'a', name: 'f', input: { other: 1 } }],
      tool_calls: [{ id: 'a', name: 'f', args }],
    });
    assert.equal(read('langchain', [differing])[0][4].locked, 'stands twice and differs');
  });

  test('arguments that LangChain’s JSON would lose are not edited, so that all is restored', () => {
    for (const place of ['{"__proto__":TEXT}', '{"options":[{"__proto__":{"path":TEXT}}]}']) {
      const lost = JSON.parse(place.replace('TEXT', JSON.stringify('A long text. '.repeat(60))));
      const chat = [
        new HumanMessage('Begin.'),
        new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'f', args: lost }] }),
        new ToolMessage({ content: 'x', tool_call_id: 'a' }),
        new HumanMessage('And then?'),
      ];
      const budget = Math.floor(0.9 * countTokens(chat, { format: 'langchain' }));
      const { messages: fitted, originals } = fit(chat, { format: 'langchain', limit: budget });
      const { messages: restored, missing } = restore(fitted, originals);
      assert.deepEqual(missing, []);
      assert.deepEqual(restored[1].tool_calls[0].args, lost);
    }
  });

  test('a call is removed everywhere', () => {
    const written = edit('langchain', messages, { '1.tool_calls.0.args': null, '2.content': null });
    assert.equal(written.length, 2);
    assert.deepEqual(
      [written[1].content, written[1].tool_calls, written[1].additional_kwargs.tool_calls],
      [[{ type: 'text', text: 'I write.' }], [], []],
    );
    assert.ok(!JSON.stringify([written[1], written[1].lc_kwargs]).includes('long'));
  });

  test('chunks stay consistent with the data they were streamed from', () => {
    const chunk = new AIMessageChunk({
      content: '',
      tool_call_chunks: [{ id: 'a', name: 'f', args: JSON.stringify(args), index: 0, type: 'tool_call_chunk' }],
    });
    const [written] = edit('langchain', [chunk], { '0.tool_calls.0.args': '{"path":"a"}' });
    assert.ok(written instanceof AIMessageChunk);
    assert.equal(written.tool_call_chunks[0].args, '{"path":"a"}');
  });
});

test('message: parts of the drop-in shape, whose role may be anything', () => {
  const messages = [
    { id: 'a', index: 0, role: 'user', content: 'hi' },
    { id: 'b', index: 1, content: 'who?' },
    { id: 'c', index: 2, role: 'assistant', tool_calls: [{ id: 't', function: { name: 'f', arguments: '{}' } }] },
  ];
  assert.deepEqual(
    read('message', messages).map(([kind, role, place]) => [kind, role, place]),
    [
      ['text', 'user', '0.content'],
      ['text', 'user', '1.content'],
      ['call', 'assistant', '2.tool_calls.0.function.arguments'],
    ],
  );
});
