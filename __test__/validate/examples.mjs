// A valid conversation of each format; for each rule and each of its formats one edit that breaks this rule and no other,
// with the place that is to be named; and edits that come close to a rule and break none. Written from the providers'
// documentation, not from the code.

import { pdf, png } from '../support/files.mjs';

const signed = { thoughtSignature: 'AAEC' };

/** A call as Mastra stores it. */
const stored = (state) => ({
  type: 'tool-invocation',
  toolInvocation: { state, toolCallId: 'a', toolName: 'read', args: {}, ...(state === 'result' && { result: 'A' }) },
});

/** Files as each provider takes them. */
const claudeImage = (data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const claudePdf = (pages) => ({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf(pages) } });
const url = (data) => `data:image/png;base64,${data}`;
const geminiFile = (mimeType, data) => ({ inlineData: { mimeType, data } });
/** As many files as asked for, each of its own. */
const many = (count, make, [width, height] = [8, 8]) => Array.from({ length: count }, (_, index) => make(png(width, height, index)));

/** @type {Record<string, () => any[]>} each call gives a new conversation */
export const valid = {
  'openai-chat': () => [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is in a and b?' },
        { type: 'image_url', image_url: { url: 'data:,' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
        { id: 'b', type: 'custom', custom: { name: 'patch', input: '***' } },
      ],
    },
    { role: 'tool', tool_call_id: 'b', content: '' },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'A' }] },
    { role: 'assistant', content: 'A, and nothing.' },
    { role: 'user', content: 'Thanks.' },
  ],
  'openai-responses': () => [
    { role: 'developer', content: 'Be brief.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is in a and b?' }] },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'read', arguments: '{"path":"a"}' },
    { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: '***' },
    { type: 'custom_tool_call_output', call_id: 'b', output: '' },
    { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'A' }] },
    { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'A.', annotations: [] }] },
    { role: 'user', content: 'Thanks.' },
  ],
  'openai-agents': () => [
    { type: 'message', role: 'system', content: 'Be brief.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is in a and b?' }] },
    { type: 'reasoning', id: 'rs_1', content: [], providerData: { encrypted_content: 'gAAA' } },
    { type: 'function_call', id: 'fc_1', callId: 'a', name: 'read', status: 'completed', arguments: '{"path":"a"}', providerData: {} },
    { type: 'function_call', id: 'fc_2', callId: 'b', name: 'read', status: 'completed', arguments: '{"path":"b"}', providerData: {} },
    { type: 'function_call_result', callId: 'b', name: 'read', status: 'completed', output: { type: 'text', text: '' } },
    { type: 'function_call_result', callId: 'a', name: 'read', status: 'completed', output: [{ type: 'input_text', text: 'A' }] },
    { type: 'message', role: 'assistant', id: 'msg_1', status: 'completed', content: [{ type: 'output_text', text: 'A.' }] },
    { role: 'user', content: 'Thanks.' },
  ],
  anthropic: () => [
    { role: 'user', content: [{ type: 'text', text: 'What is in a and b?', cache_control: { type: 'ephemeral' } }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '', signature: 'EqQB' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a' } },
        { type: 'tool_use', id: 'b', name: 'read', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'b', content: '' },
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [
            { type: 'text', text: 'A' },
            { type: 'image', source: {} },
          ],
        },
        { type: 'text', text: 'Go on.' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'A' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        { type: 'text', text: 'A.' },
      ],
    },
    { role: 'user', content: 'Thanks.' },
  ],
  'ai-sdk-model': () => [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'What is in a and b?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a' } },
        { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: {} },
        { type: 'tool-call', toolCallId: 's', toolName: 'search', input: {}, providerExecuted: true },
        { type: 'tool-result', toolCallId: 's', toolName: 'search', output: { type: 'json', value: [] } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'b', toolName: 'read', output: { type: 'text', value: '' } },
        { type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'content', value: [{ type: 'text', text: 'A' }] } },
      ],
    },
    { role: 'assistant', content: 'A.' },
    { role: 'user', content: 'Thanks.' },
  ],
  'ai-sdk-ui': () => [
    { id: '0', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'What is in a and b?' }] },
    {
      id: '2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.' },
        { type: 'tool-read', toolCallId: 'a', state: 'output-available', input: { path: 'a' }, output: 'A' },
        { type: 'dynamic-tool', toolName: 'read', toolCallId: 'b', state: 'output-error', input: {}, errorText: 'no b' },
        { type: 'step-start' },
        { type: 'text', text: 'A.' },
      ],
    },
    { id: '3', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] },
  ],
  'ag-ui': () => [
    { id: '0', role: 'system', content: 'Be brief.' },
    {
      id: '1',
      role: 'user',
      content: [
        { type: 'text', text: 'What is in a and b?' },
        { type: 'image', source: { type: 'url', value: 'https://example.org/a.png' } },
      ],
    },
    { id: '2', role: 'reasoning', content: 'Hm.' },
    {
      id: '3',
      role: 'assistant',
      toolCalls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
        { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
      ],
    },
    { id: '4', role: 'activity', activityType: 'progress', content: { done: 1 } },
    { id: '5', role: 'tool', toolCallId: 'b', content: '', error: 'no b' },
    { id: '6', role: 'tool', toolCallId: 'a', content: [{ type: 'text', text: 'A' }] },
    { id: '7', role: 'assistant', content: 'A, and nothing.' },
    { id: '8', role: 'user', content: 'Thanks.' },
  ],
  mastra: () => [
    { id: '1', role: 'user', createdAt: new Date(0), content: { format: 2, parts: [{ type: 'text', text: 'What is in a and b?' }] } },
    {
      id: '2',
      role: 'assistant',
      createdAt: new Date(0),
      content: {
        format: 2,
        parts: [
          { type: 'reasoning', reasoning: 'Hm.', details: [{ type: 'text', text: 'Hm.' }] },
          {
            type: 'tool-invocation',
            toolInvocation: { state: 'result', toolCallId: 'a', toolName: 'read', args: { path: 'a' }, result: 'A' },
          },
          {
            type: 'tool-invocation',
            toolInvocation: { state: 'output-error', toolCallId: 'b', toolName: 'read', args: {}, errorText: 'no b' },
          },
          { type: 'step-start' },
          { type: 'text', text: 'A.' },
        ],
      },
    },
    { id: '3', role: 'user', createdAt: new Date(0), content: { format: 2, parts: [{ type: 'text', text: 'Thanks.' }] } },
  ],
  gemini: () => [
    { role: 'user', parts: [{ text: 'What is in a and b?' }] },
    {
      role: 'model',
      parts: [
        { text: 'Hm.', thought: true },
        { functionCall: { id: 'a', name: 'read', args: { path: 'a' } }, ...signed },
        { functionCall: { id: 'b', name: 'read' } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'b', name: 'read', response: {} } },
        { functionResponse: { id: 'a', name: 'read', response: { output: 'A' } } },
      ],
    },
    { role: 'model', parts: [{ functionCall: { id: 'c', name: 'read', args: {} }, ...signed }] },
    { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'read', response: {} } }] },
    { role: 'model', parts: [{ text: 'A.' }] },
    { parts: [{ text: 'Thanks.' }] },
  ],
  langchain: () => [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'What is in a and b?' }] },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'a', name: 'read', args: { path: 'a' }, type: 'tool_call' },
        { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'b', content: '' },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    ['ai', 'A.'],
    'Thanks.',
  ],
  message: () => [
    { id: '', index: 0, role: 'user', content: 'Hello.' },
    { id: 0, content: null },
  ],
};

const cached = { cache_control: { type: 'ephemeral' } };
const request = { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'd' };
const response = { type: 'tool-approval-response', approvalId: 'q', approved: true };
const askedCall = { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'd', toolName: 'read', input: {} }, request] };
const uiCall = { type: 'tool-read', toolCallId: 'd', input: {} };

/** `[rule, format, path, edit]` */
export const broken = [
  ...Object.keys(valid)
    .filter((format) => format !== 'message')
    .map((format) => ['no-messages', format, 'messages', (m) => m.splice(0)]),

  [
    'no-messages',
    'ai-sdk-ui',
    'messages',
    (m) => m.splice(0, 9, { id: '1', role: 'assistant', parts: [{ type: 'step-start' }, { ...uiCall, state: 'input-streaming' }] }),
  ],

  [
    'message-shape',
    'openai-chat',
    'messages[1]',
    (m) => {
      m[1] = null;
    },
  ],
  [
    'message-shape',
    'openai-responses',
    'messages[1]',
    (m) => {
      m[1] = 'What?';
    },
  ],
  [
    'message-shape',
    'openai-responses',
    'messages[1]',
    (m) => {
      m[1] = { type: 'text', text: 'What?' };
    },
  ],
  [
    'message-shape',
    'anthropic',
    'messages[4]',
    (m) => {
      m[4] = 7;
    },
  ],
  [
    'message-shape',
    'ai-sdk-model',
    'messages[5]',
    (m) => {
      m[5] = undefined;
    },
  ],
  [
    'message-shape',
    'ai-sdk-ui',
    'messages[3]',
    (m) => {
      m[3] = [];
    },
  ],
  [
    'message-shape',
    'gemini',
    'messages[6]',
    (m) => {
      m[6] = null;
    },
  ],
  [
    'message-shape',
    'langchain',
    'messages[1]',
    (m) => {
      m[1] = 7;
    },
  ],
  [
    'message-shape',
    'message',
    'messages[1]',
    (m) => {
      m[1] = null;
    },
  ],

  [
    'missing-id',
    'ai-sdk-ui',
    'messages[1].id',
    (m) => {
      delete m[1].id;
    },
  ],
  [
    'missing-id',
    'message',
    'messages[1]',
    (m) => {
      m[1].id = null;
    },
  ],

  [
    'unknown-role',
    'openai-chat',
    'messages[6].role',
    (m) => {
      m[6].role = 'human';
    },
  ],
  [
    'unknown-role',
    'openai-responses',
    'messages[8].role',
    (m) => {
      m[8].role = 'tool';
    },
  ],
  [
    'unknown-role',
    'anthropic',
    'messages[4].role',
    (m) => {
      m[4].role = 'tool';
    },
  ],
  [
    'unknown-role',
    'ai-sdk-model',
    'messages[5].role',
    (m) => {
      m[5].role = 'developer';
    },
  ],
  [
    'unknown-role',
    'ai-sdk-ui',
    'messages[3].role',
    (m) => {
      m[3].role = 'data';
    },
  ],
  [
    'unknown-role',
    'gemini',
    'messages[5].role',
    (m) => {
      m[5].role = 'assistant';
    },
  ],
  [
    'unknown-role',
    'langchain',
    'messages[5]',
    (m) => {
      m[5][0] = 'model';
    },
  ],

  ['first-message', 'anthropic', 'messages[0]', (m) => m.unshift({ role: 'assistant', content: 'Hello.' })],
  ['first-message', 'anthropic', 'messages[0]', (m) => m.splice(0, 9, { role: 'system', content: 'Be brief.' })],
  ['system-placement', 'anthropic', 'messages[0]', (m) => m.unshift({ role: 'system', content: 'Be brief.' })],
  ['system-placement', 'anthropic', 'messages[4]', (m) => m.splice(4, 0, { role: 'system', content: 'Be brief.' })],
  [
    'system-placement',
    'anthropic',
    'messages[1]',
    (m) => m.splice(1, 0, { role: 'system', content: 'Be brief.' }, { role: 'user', content: 'And in c?' }),
  ],
  [
    'system-placement',
    'anthropic',
    'messages[6]',
    (m) => m.push({ role: 'system', content: 'Be brief.' }, { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] }),
  ],
  ['first-message', 'gemini', 'messages[0]', (m) => m.unshift({ role: 'model', parts: [{ text: 'Hello.' }] })],

  [
    'duplicate-item',
    'openai-responses',
    'messages[7].id',
    (m) => {
      m[7].id = 'rs_1';
    },
  ],

  [
    'content-shape',
    'openai-chat',
    'messages[6].content',
    (m) => {
      m[6].content = null;
    },
  ],
  [
    'content-shape',
    'openai-chat',
    'messages[1].content[0].text',
    (m) => {
      delete m[1].content[0].text;
    },
  ],
  [
    'content-shape',
    'openai-responses',
    'messages[8].content',
    (m) => {
      delete m[8].content;
    },
  ],
  [
    'content-shape',
    'openai-responses',
    'messages[1].content[0]',
    (m) => {
      m[1].content[0] = 'What?';
    },
  ],
  [
    'content-shape',
    'anthropic',
    'messages[4].content',
    (m) => {
      m[4].content = { type: 'text', text: 'Thanks.' };
    },
  ],
  [
    'content-shape',
    'anthropic',
    'messages[0].content[0].text',
    (m) => {
      m[0].content[0].text = 5;
    },
  ],
  [
    'content-shape',
    'ai-sdk-model',
    'messages[0].content',
    (m) => {
      m[0].content = [{ type: 'text', text: 'Be brief.' }];
    },
  ],
  [
    'content-shape',
    'ai-sdk-model',
    'messages[1].content[0]',
    (m) => {
      m[1].content[0] = null;
    },
  ],
  [
    'content-shape',
    'ai-sdk-ui',
    'messages[3].parts',
    (m) => {
      m[3] = { id: '3', role: 'user', content: 'Thanks.' };
    },
  ],
  [
    'content-shape',
    'ai-sdk-ui',
    'messages[2].parts[5].text',
    (m) => {
      m[2].parts[5].text = null;
    },
  ],
  [
    'content-shape',
    'gemini',
    'messages[6].parts',
    (m) => {
      m[6].parts = 'Thanks.';
    },
  ],
  [
    'content-shape',
    'gemini',
    'messages[5].parts[0]',
    (m) => {
      m[5].parts[0] = { thoughtSignature: 'AAEC' };
    },
  ],
  [
    'content-shape',
    'langchain',
    'messages[1].content',
    (m) => {
      m[1].content = null;
    },
  ],
  [
    'content-shape',
    'langchain',
    'messages[1].content[0]',
    (m) => {
      m[1].content[0] = { text: 'What?' };
    },
  ],

  [
    'part-role',
    'openai-chat',
    'messages[5].content[0]',
    (m) => {
      m[5].content = [{ type: 'image_url', image_url: { url: 'data:,' } }];
    },
  ],
  [
    'part-role',
    'openai-responses',
    'messages[7].content[0]',
    (m) => {
      m[7].content[0].type = 'input_text';
    },
  ],
  [
    'part-role',
    'anthropic',
    'messages[4].content[0]',
    (m) => {
      m[4].content = [
        { type: 'thinking', thinking: '', signature: 'EqQB' },
        { type: 'text', text: 'x' },
      ];
    },
  ],
  [
    'part-role',
    'ai-sdk-model',
    'messages[5].content[0]',
    (m) => {
      m[5].content = [{ type: 'reasoning', text: 'Hm.' }];
    },
  ],
  [
    'part-role',
    'gemini',
    'messages[5].parts[0]',
    (m) => {
      m[5].parts = [{ functionResponse: { name: 'read', response: {} } }];
    },
  ],

  [
    'empty-content',
    'openai-chat',
    'messages[6].content',
    (m) => {
      m[6].content = [];
    },
  ],
  [
    'empty-content',
    'openai-chat',
    'messages[5].tool_calls',
    (m) => {
      m[5].tool_calls = [];
    },
  ],
  [
    'empty-content',
    'openai-chat',
    'messages[5].content',
    (m) => {
      m[5].content = null;
    },
  ],
  [
    'empty-content',
    'anthropic',
    'messages[4].content',
    (m) => {
      m[4].content = '';
    },
  ],
  [
    'empty-content',
    'anthropic',
    'messages[3].content',
    (m) => {
      m[3].content = [];
    },
  ],
  [
    'empty-content',
    'ai-sdk-ui',
    'messages[3].parts',
    (m) => {
      m[3].parts = [];
    },
  ],
  [
    'empty-content',
    'gemini',
    'messages[5].parts',
    (m) => {
      m[5].parts = [];
    },
  ],

  [
    'empty-text',
    'anthropic',
    'messages[1].content[1]',
    (m) => {
      m[1].content[1].text = '';
    },
  ],
  [
    'empty-text',
    'anthropic',
    'messages[4].content',
    (m) => {
      m[4].content = ' \n';
    },
  ],
  [
    'empty-text',
    'anthropic',
    'messages[2].content[1].content[0]',
    (m) => {
      m[2].content[1].content[0].text = ' ';
    },
  ],

  ['text-after-call', 'anthropic', 'messages[1].content[4]', (m) => m[1].content.push({ type: 'text', text: 'So.' })],
  ['text-after-call', 'anthropic', 'messages[2].content', (m) => m.splice(2, 0, { role: 'assistant', content: 'So.' })],
  ['cache-control-on-thinking', 'anthropic', 'messages[1].content[0]', (m) => Object.assign(m[1].content[0], cached)],
  [
    'function-name',
    'openai-chat',
    'messages[2].tool_calls[0].function.name',
    (m) => {
      m[2].tool_calls[0].function.name = 'functions.read';
    },
  ],
  [
    'function-name',
    'openai-chat',
    'messages[2].tool_calls[1].custom.name',
    (m) => {
      m[2].tool_calls[1].custom.name = 'p'.repeat(65);
    },
  ],
  [
    'function-name',
    'openai-responses',
    'messages[3].name',
    (m) => {
      m[3].name = 'read file';
    },
  ],
  [
    'function-name',
    'openai-responses',
    'messages[4].name',
    (m) => {
      m[4].name = 'p'.repeat(65);
    },
  ],
  [
    'function-name',
    'anthropic',
    'messages[1].content[2].name',
    (m) => {
      m[1].content[2].name = 'läs';
    },
  ],
  [
    'function-name',
    'anthropic',
    'messages[1].content[3].name',
    (m) => {
      m[1].content[3].name = 'r'.repeat(129);
    },
  ],
  [
    'function-name',
    'openai-agents',
    'messages[3].name',
    (m) => {
      m[3].name = 'read file';
    },
  ],
  [
    'call-id-length',
    'openai-agents',
    'messages[3].callId',
    (m) => {
      m[3].callId = m[6].callId = 'c'.repeat(65);
    },
  ],
  [
    'call-id-length',
    'openai-responses',
    'messages[3].call_id',
    (m) => {
      m[3].call_id = m[6].call_id = 'c'.repeat(65);
    },
  ],

  ['trailing-blank', 'anthropic', 'messages[5].content', (m) => m.push({ role: 'assistant', content: 'You are ' })],
  [
    'trailing-blank',
    'anthropic',
    'messages[5].content[0]',
    (m) => m.push({ role: 'assistant', content: [{ type: 'text', text: 'You are\n' }] }),
  ],

  [
    'too-many-cache-controls',
    'anthropic',
    'messages[3].content[2]',
    (m) => {
      Object.assign(m[1].content[3], cached);
      Object.assign(m[2].content[1], cached);
      Object.assign(m[2].content[1].content[0], cached);
      Object.assign(m[3].content[2], cached);
    },
  ],

  [
    'cache-control-order',
    'anthropic',
    'messages[2].content[1].content[0]',
    (m) => {
      m[2].content[1].content[0].cache_control = { type: 'ephemeral', ttl: '1h' };
    },
  ],

  [
    'tool-call-shape',
    'openai-chat',
    'messages[5].tool_calls[0]',
    (m) => {
      m[5].tool_calls = ['read'];
    },
  ],
  [
    'tool-call-shape',
    'openai-chat',
    'messages[2].tool_calls[0]',
    (m) => {
      delete m[2].tool_calls[0].type;
    },
  ],
  [
    'tool-call-shape',
    'openai-responses',
    'messages[3].name',
    (m) => {
      m[3].name = '';
    },
  ],
  [
    'tool-call-shape',
    'anthropic',
    'messages[1].content[2].name',
    (m) => {
      delete m[1].content[2].name;
    },
  ],
  [
    'tool-call-shape',
    'ai-sdk-model',
    'messages[2].content[1].toolName',
    (m) => {
      delete m[2].content[1].toolName;
    },
  ],
  [
    'tool-call-shape',
    'ai-sdk-ui',
    'messages[2].parts[2].state',
    (m) => {
      m[2].parts[2].state = 'result';
    },
  ],
  [
    'tool-call-shape',
    'gemini',
    'messages[3].parts[0].functionCall',
    (m) => {
      m[3].parts[0].functionCall.name = '';
    },
  ],
  [
    'tool-call-shape',
    'langchain',
    'messages[2].tool_calls[0]',
    (m) => {
      delete m[2].tool_calls[0].name;
    },
  ],

  [
    'arguments-not-object',
    'openai-chat',
    'messages[2].tool_calls[0].function.arguments',
    (m) => {
      m[2].tool_calls[0].function.arguments = '{"path":"a';
    },
  ],
  [
    'arguments-not-object',
    'openai-responses',
    'messages[3].arguments',
    (m) => {
      m[3].arguments = '[1]';
    },
  ],
  [
    'arguments-not-object',
    'anthropic',
    'messages[1].content[3].input',
    (m) => {
      m[1].content[3].input = '{}';
    },
  ],
  [
    'arguments-not-object',
    'ai-sdk-model',
    'messages[2].content[1].input',
    (m) => {
      m[2].content[1].input = '{}';
    },
  ],
  [
    'arguments-not-object',
    'ai-sdk-ui',
    'messages[2].parts[2].input',
    (m) => {
      m[2].parts[2].input = null;
    },
  ],
  [
    'arguments-not-object',
    'gemini',
    'messages[3].parts[0].functionCall.args',
    (m) => {
      m[3].parts[0].functionCall.args = [];
    },
  ],
  [
    'arguments-not-object',
    'langchain',
    'messages[2].tool_calls[0]',
    (m) => {
      m[2].tool_calls[0].args = '{}';
    },
  ],
  [
    'arguments-not-object',
    'langchain',
    'messages[2].tool_calls[1]',
    (m) => {
      m[2].tool_calls[1].function.arguments = '{';
    },
  ],

  ['duplicate-tool-call', 'openai-chat', 'messages[2].tool_calls[2]', (m) => m[2].tool_calls.push(structuredClone(m[2].tool_calls[0]))],
  ['duplicate-tool-call', 'openai-responses', 'messages[4]', (m) => m.splice(4, 0, { ...m[3], id: 'fc_2' })],
  ['duplicate-tool-call', 'anthropic', 'messages[1].content[4]', (m) => m[1].content.push(structuredClone(m[1].content[2]))],
  ['duplicate-tool-call', 'anthropic', 'messages[3].content[3]', (m) => m[3].content.push({ ...m[3].content[0] })],
  ['duplicate-tool-call', 'ai-sdk-model', 'messages[2].content[5]', (m) => m[2].content.push({ ...m[2].content[1] })],
  [
    'duplicate-tool-call',
    'ai-sdk-ui',
    'messages[2].parts[3]',
    (m) => m[2].parts.splice(2, 0, { ...uiCall, toolCallId: 'a', state: 'input-available' }),
  ],
  ['duplicate-tool-call', 'langchain', 'messages[2].tool_calls[2]', (m) => m[2].tool_calls.push({ ...m[2].tool_calls[0] })],

  [
    'no-messages',
    'mastra',
    'messages',
    (m) => m.splice(0, 3, { id: '1', role: 'assistant', content: { format: 2, parts: [stored('call')] } }),
  ],
  ['no-messages', 'mastra', 'messages', (m) => m.splice(0, 3, { ...m[0], role: 'system' })],

  ['message-shape', 'ag-ui', 'messages[1]', (m) => m.splice(1, 1, null)],
  ['missing-id', 'ag-ui', 'messages[8]', (m) => delete m[8].id],
  ['missing-id', 'ag-ui', 'messages[4]', (m) => delete m[4].id],
  ['unknown-role', 'ag-ui', 'messages[8].role', (m) => m.push({ ...m.pop(), role: 'human' })],
  ['content-shape', 'ag-ui', 'messages[8].content', (m) => delete m[8].content],
  ['content-shape', 'ag-ui', 'messages[1].content[0].text', (m) => delete m[1].content[0].text],
  ['content-shape', 'ag-ui', 'messages[2].content', (m) => delete m[2].content],
  ['content-shape', 'ag-ui', 'messages[4].content', (m) => m.splice(4, 1, { ...m[4], content: 'done' })],
  ['part-role', 'ag-ui', 'messages[7].content[0]', (m) => m.splice(7, 1, { ...m[7], content: [{ type: 'text', text: 'A' }] })],
  ['empty-content', 'ag-ui', 'messages[7].toolCalls', (m) => m.splice(7, 1, { ...m[7], toolCalls: [] })],
  ['empty-content', 'ag-ui', 'messages[7].content', (m) => delete m[7].content],
  ['tool-call-shape', 'ag-ui', 'messages[7].toolCalls', (m) => m.splice(7, 1, { ...m[7], toolCalls: {} })],
  ['tool-call-shape', 'ag-ui', 'messages[3].toolCalls[0]', (m) => delete m[3].toolCalls[0].type],
  ['tool-call-shape', 'ag-ui', 'messages[3].toolCalls[2]', (m) => m[3].toolCalls.push({ ...m[3].toolCalls[0], id: null })],
  [
    'function-name',
    'ag-ui',
    'messages[3].toolCalls[0].function.name',
    (m) => Object.assign(m[3].toolCalls[0].function, { name: 'functions.read' }),
  ],
  [
    'arguments-not-object',
    'ag-ui',
    'messages[3].toolCalls[0].function.arguments',
    (m) => Object.assign(m[3].toolCalls[0].function, { arguments: '{"path":"a' }),
  ],
  ['duplicate-tool-call', 'ag-ui', 'messages[3].toolCalls[2]', (m) => m[3].toolCalls.push({ ...m[3].toolCalls[0] })],
  ['tool-call-without-result', 'ag-ui', 'messages[3].toolCalls[1]', (m) => m.splice(5, 1)],
  ['tool-call-at-end', 'ag-ui', 'messages[3].toolCalls[0]', (m) => m.splice(6)],
  ['tool-result-shape', 'ag-ui', 'messages[5].content', (m) => delete m[5].content],
  ['tool-result-shape', 'ag-ui', 'messages[5].toolCallId', (m) => m.splice(5, 0, { id: '9', role: 'tool', content: 'x' })],
  ['tool-result-without-call', 'ag-ui', 'messages[5]', (m) => m.splice(5, 0, { ...m[5], toolCallId: 'x' })],
  ['tool-result-without-call', 'ag-ui', 'messages[8]', (m) => m.splice(8, 0, { ...m[5] })],
  ['duplicate-tool-result', 'ag-ui', 'messages[7]', (m) => m.splice(7, 0, { ...m[6] })],
  [
    'content-shape',
    'openai-chat',
    'messages[5].content[0].thinking',
    (m) => m.splice(5, 1, { ...m[5], content: [{ type: 'thinking', thinking: 'Hm.' }] }),
  ],
  ['part-role', 'openai-chat', 'messages[6].content[0]', (m) => m.splice(6, 1, { ...m[6], content: [{ type: 'thinking', thinking: [] }] })],
  [
    'message-shape',
    'mastra',
    'messages[2]',
    (m) => {
      m[2] = [];
    },
  ],
  [
    'unknown-role',
    'mastra',
    'messages[2].role',
    (m) => {
      m[2].role = 'narrator';
    },
  ],
  [
    'content-shape',
    'mastra',
    'messages[2].content',
    (m) => {
      m[2].content = null;
    },
  ],
  [
    'content-shape',
    'mastra',
    'messages[1].content.parts[4].text',
    (m) => {
      m[1].content.parts[4].text = 5;
    },
  ],
  [
    'content-shape',
    'mastra',
    'messages[1].content.parts[4]',
    (m) => {
      delete m[1].content.parts[4].type;
    },
  ],
  [
    'tool-call-shape',
    'mastra',
    'messages[1].content.parts[1].toolInvocation',
    (m) => {
      delete m[1].content.parts[1].toolInvocation.toolCallId;
    },
  ],
  [
    'arguments-not-object',
    'mastra',
    'messages[1].content.parts[1].toolInvocation.args',
    (m) => {
      m[1].content.parts[1].toolInvocation.args = 'path';
    },
  ],
  [
    'duplicate-tool-call',
    'mastra',
    'messages[1].content.parts[3].toolInvocation',
    (m) => m[1].content.parts.splice(3, 0, stored('result')),
  ],

  ['tool-call-without-result', 'openai-chat', 'messages[2].tool_calls[1]', (m) => m.splice(3, 1)],
  ['tool-call-without-result', 'openai-responses', 'messages[3]', (m) => m.splice(6, 1)],
  ['tool-call-without-result', 'anthropic', 'messages[1].content[2]', (m) => m[2].content.splice(1, 1)],
  [
    'tool-call-without-result',
    'anthropic',
    'messages[5].content[0]',
    (m) =>
      m.push({ role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read', input: {} }] }, { role: 'user', content: 'Stop.' }),
  ],
  ['tool-call-without-result', 'ai-sdk-model', 'messages[2].content[2]', (m) => m[3].content.splice(0, 1)],
  [
    'tool-call-without-result',
    'ai-sdk-ui',
    'messages[2].parts[2]',
    (m) => {
      m[2].parts[2] = { ...uiCall, state: 'input-available' };
    },
  ],
  [
    'tool-call-without-result',
    'gemini',
    'messages[3].parts[0]',
    (m) => {
      m[4].parts = [{ text: 'Stop.' }];
    },
  ],
  ['tool-call-without-result', 'langchain', 'messages[2].tool_calls[0]', (m) => m.splice(4, 1)],

  ['tool-call-at-end', 'openai-chat', 'messages[2].tool_calls[0]', (m) => m.splice(4)],
  ['tool-call-at-end', 'openai-responses', 'messages[3]', (m) => m.splice(6)],
  [
    'tool-call-at-end',
    'anthropic',
    'messages[1].content[2]',
    (m) => {
      m.splice(2);
      m[1].content.splice(2, 1);
    },
  ],
  [
    'tool-call-at-end',
    'ai-sdk-model',
    'messages[2].content[1]',
    (m) => {
      m.splice(4);
      m[3].content.splice(1);
    },
  ],
  [
    'tool-call-at-end',
    'ai-sdk-ui',
    'messages[2].parts[5]',
    (m) => {
      m.splice(3);
      m[2].parts[5] = { ...uiCall, state: 'approval-requested', approval: { id: 'q' } };
    },
  ],
  ['tool-call-at-end', 'langchain', 'messages[2].tool_calls[0]', (m) => m.splice(4)],

  [
    'tool-result-shape',
    'openai-chat',
    'messages[3].content',
    (m) => {
      m[3].content = null;
    },
  ],
  ['tool-result-shape', 'openai-chat', 'messages[3].tool_call_id', (m) => m.splice(3, 0, { role: 'tool', content: 'x' })],
  [
    'tool-result-shape',
    'openai-responses',
    'messages[6].output',
    (m) => {
      m[6].output = { text: 'A' };
    },
  ],
  [
    'tool-result-shape',
    'anthropic',
    'messages[2].content[1].content',
    (m) => {
      m[2].content[1].content = { text: 'A' };
    },
  ],
  [
    'tool-result-shape',
    'anthropic',
    'messages[2].content[1].content[1]',
    (m) => {
      m[2].content[1].is_error = true;
    },
  ],
  [
    'tool-result-shape',
    'ai-sdk-model',
    'messages[3].content[0].output',
    (m) => {
      m[3].content[0].output = 'A';
    },
  ],
  [
    'tool-result-shape',
    'ai-sdk-ui',
    'messages[2].parts[3].errorText',
    (m) => {
      delete m[2].parts[3].errorText;
    },
  ],
  [
    'tool-result-shape',
    'gemini',
    'messages[2].parts[0].functionResponse.response',
    (m) => {
      m[2].parts[0].functionResponse.response = 'A';
    },
  ],
  ['tool-result-shape', 'langchain', 'messages[5].tool_call_id', (m) => m.splice(5, 0, { role: 'tool', content: 'x', tool_call_id: null })],

  ['tool-result-without-call', 'openai-chat', 'messages[3]', (m) => m.splice(3, 0, { role: 'tool', tool_call_id: 'x', content: 'X' })],
  ['tool-result-without-call', 'openai-chat', 'messages[6]', (m) => m.splice(6, 0, { role: 'tool', tool_call_id: 'a', content: 'A' })],
  [
    'tool-result-without-call',
    'openai-responses',
    'messages[1]',
    (m) => m.splice(1, 0, { type: 'function_call_output', call_id: 'x', output: 'X' }),
  ],
  ['tool-result-without-call', 'anthropic', 'messages[2].content[1]', (m) => m[1].content.splice(2, 1)],
  [
    'tool-result-without-call',
    'anthropic',
    'messages[4].content[0]',
    (m) => {
      m[4].content = [{ type: 'tool_result', tool_use_id: 'a', content: 'A' }];
    },
  ],
  ['tool-result-without-call', 'ai-sdk-model', 'messages[3].content[1]', (m) => m[2].content.splice(1, 1)],
  [
    'tool-result-without-call',
    'gemini',
    'messages[4].parts[0]',
    (m) => {
      m[3].parts = [{ text: 'A.' }];
    },
  ],
  [
    'tool-result-without-call',
    'gemini',
    'messages[4].parts[0]',
    (m) => {
      m[4].parts[0].functionResponse.id = 'a';
    },
  ],
  ['tool-result-without-call', 'langchain', 'messages[4]', (m) => m[2].tool_calls.splice(0, 1)],

  ['duplicate-tool-result', 'openai-chat', 'messages[5]', (m) => m.splice(5, 0, { ...m[4] })],
  ['duplicate-tool-result', 'openai-responses', 'messages[8]', (m) => m.splice(8, 0, { ...m[6] })],
  ['duplicate-tool-result', 'anthropic', 'messages[2].content[1]', (m) => m[2].content.splice(1, 0, { ...m[2].content[0] })],
  ['duplicate-tool-result', 'ai-sdk-model', 'messages[3].content[2]', (m) => m[3].content.push({ ...m[3].content[0] })],
  ['duplicate-tool-result', 'langchain', 'messages[5]', (m) => m.splice(5, 0, { ...m[3] })],

  [
    'tool-result-placement',
    'anthropic',
    'messages[2].content[1]',
    (m) => m[2].content.unshift(m[2].content.pop()) && m[2].content.splice(1, 1) && m[1].content.splice(3, 1),
  ],
  [
    'tool-result-placement',
    'anthropic',
    'messages[3].content[0]',
    (m) =>
      m.splice(
        2,
        1,
        { role: 'user', content: [m[2].content[1], { type: 'text', text: 'And b:' }] },
        { role: 'user', content: [m[2].content[0]] },
      ),
  ],

  ['function-response-count', 'gemini', 'messages[2]', (m) => m[2].parts.pop()],
  ['function-response-count', 'gemini', 'messages[4]', (m) => m[4].parts.push({ ...m[4].parts[0] })],

  ['server-call-without-result', 'anthropic', 'messages[3].content[0]', (m) => m[3].content.splice(1, 1)],
  ['server-result-without-call', 'anthropic', 'messages[3].content[0]', (m) => m[3].content.splice(0, 1)],
  ['server-result-without-call', 'ai-sdk-model', 'messages[2].content[3]', (m) => m[2].content.splice(3, 1)],

  ['approval-without-request', 'ai-sdk-model', 'messages[6].content[0]', (m) => m.push({ role: 'tool', content: [response] })],

  [
    'thinking-signature',
    'anthropic',
    'messages[1].content[0]',
    (m) => {
      delete m[1].content[0].signature;
    },
  ],
  [
    'thinking-signature',
    'anthropic',
    'messages[1].content[0]',
    (m) => {
      m[1].content[0] = { type: 'redacted_thinking' };
    },
  ],
  [
    'thinking-at-end',
    'anthropic',
    'messages[3].content[0]',
    (m) => {
      m[3].content = [{ ...m[1].content[0] }];
    },
  ],

  ['reasoning-without-item', 'openai-responses', 'messages[9]', (m) => m.push({ type: 'reasoning', id: 'rs_2', summary: [] })],
  ['reasoning-without-item', 'openai-responses', 'messages[7]', (m) => m.splice(7, 1, { type: 'reasoning', id: 'rs_2', summary: [] })],
  [
    'reasoning-summary',
    'openai-responses',
    'messages[2].summary',
    (m) => {
      delete m[2].summary;
    },
  ],

  // The Agents SDK has the Responses API's rules, in its own words.
  ['message-shape', 'openai-agents', 'messages[3]', (m) => m.splice(3, 0, { type: 'function_call_output', call_id: 'a', output: 'A' })],
  ['message-shape', 'openai-agents', 'messages[3]', (m) => m.splice(3, 0, { type: 'dream', id: 'dr_1' })],
  [
    'unknown-role',
    'openai-agents',
    'messages[0].role',
    (m) => {
      m[0].role = 'developer';
    },
  ],
  ['content-shape', 'openai-agents', 'messages[1].content[1].image', (m) => m[1].content.push({ type: 'input_image', image: true })],
  [
    'duplicate-item',
    'openai-agents',
    'messages[7].id',
    (m) => {
      m[7].id = 'rs_1';
    },
  ],
  [
    'content-shape',
    'openai-agents',
    'messages[7].content',
    (m) => {
      m[7].content = 'A.';
    },
  ],
  [
    'content-shape',
    'openai-agents',
    'messages[1].content[0].text',
    (m) => {
      m[1].content[0].text = null;
    },
  ],
  [
    'part-role',
    'openai-agents',
    'messages[1].content[0]',
    (m) => {
      m[1].content[0].type = 'output_text';
    },
  ],
  [
    'part-role',
    'openai-agents',
    'messages[6].output[0]',
    (m) => {
      m[6].output[0].type = 'text';
    },
  ],
  [
    'tool-call-shape',
    'openai-agents',
    'messages[3].name',
    (m) => {
      m[3].name = '';
    },
  ],
  [
    'tool-call-shape',
    'openai-agents',
    'messages[3].callId',
    (m) => m.splice(3, 0, { type: 'function_call', name: 'read', arguments: '{}' }),
  ],
  [
    'arguments-not-object',
    'openai-agents',
    'messages[3].arguments',
    (m) => {
      m[3].arguments = '[1]';
    },
  ],
  ['duplicate-tool-call', 'openai-agents', 'messages[4]', (m) => m.splice(4, 0, { ...m[3], id: 'fc_3' })],
  ['tool-call-without-result', 'openai-agents', 'messages[3]', (m) => m.splice(6, 1)],
  ['tool-call-at-end', 'openai-agents', 'messages[3]', (m) => m.splice(6)],
  [
    'tool-result-shape',
    'openai-agents',
    'messages[6].output',
    (m) => {
      m[6].output = { text: 'A' };
    },
  ],
  [
    'tool-result-shape',
    'openai-agents',
    'messages[6].output',
    (m) => {
      delete m[6].output;
    },
  ],
  ['tool-result-shape', 'openai-agents', 'messages[5].callId', (m) => m.splice(5, 0, { type: 'function_call_result', output: 'A' })],
  [
    'tool-result-without-call',
    'openai-agents',
    'messages[1]',
    (m) => m.splice(1, 0, { type: 'function_call_result', callId: 'x', output: 'X' }),
  ],
  ['duplicate-tool-result', 'openai-agents', 'messages[8]', (m) => m.splice(8, 0, { ...m[6] })],
  ['no-messages', 'openai-agents', 'messages', (m) => m.splice(0)],
  ['reasoning-without-item', 'openai-agents', 'messages[9]', (m) => m.push({ type: 'reasoning', id: 'rs_2', content: [] })],
  [
    'reasoning-summary',
    'openai-agents',
    'messages[2].content',
    (m) => {
      delete m[2].content;
    },
  ],

  [
    'thought-signature',
    'gemini',
    'messages[8].parts[0]',
    (m) =>
      m.push(
        { role: 'user', parts: [{ text: 'And c?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'read', response: {} } }] },
      ),
  ],
  [
    'thought-signature',
    'gemini',
    'messages[1].parts[1].thoughtSignature',
    (m) => {
      m[1].parts[1].thoughtSignature = '';
    },
  ],

  // Limits beside tokens.
  [
    'too-many-bytes',
    'anthropic',
    'messages[0]',
    (m) => {
      m[0].content[0].text = 'x'.repeat(32e6);
    },
  ],
  [
    'too-many-bytes',
    'gemini',
    'messages[0]',
    (m) => {
      m[0].parts[0].text = 'ä'.repeat(50e6);
    },
  ],
  ['too-many-media', 'anthropic', 'messages[0].content[101]', (m) => m[0].content.push(...many(102, claudeImage))],
  ['too-many-media', 'anthropic', 'messages[0].content[3]', (m) => m[0].content.push(claudePdf(60), claudePdf(40), claudeImage(png(8, 8)))],
  [
    'too-many-images',
    'openai-chat',
    'messages[1].content[501]',
    (m) => m[1].content.push(...many(501, (data) => ({ type: 'image_url', image_url: { url: url(data) } }))),
  ],
  [
    'too-many-images',
    'openai-responses',
    'messages[1].content[501]',
    (m) => m[1].content.push(...many(501, (data) => ({ type: 'input_image', detail: 'auto', image_url: url(data) }))),
  ],
  [
    'too-many-images',
    'openai-agents',
    'messages[1].content[501]',
    (m) => m[1].content.push(...many(501, (data) => ({ type: 'input_image', image: url(data) }))),
  ],
  ['too-many-images', 'gemini', 'messages[0].parts[3601]', (m) => m[0].parts.push(...many(3601, (data) => geminiFile('image/png', data)))],
  [
    'too-many-pages',
    'gemini',
    'messages[0].parts[2]',
    (m) => m[0].parts.push(...[1000, 1].map((pages) => geminiFile('application/pdf', pdf(pages)))),
  ],
  ['image-bytes', 'anthropic', 'messages[0].content[1]', (m) => m[0].content.push(claudeImage(png(8, 8, 0, 3_932_161)))],
  ['image-pixels', 'anthropic', 'messages[0].content[1]', (m) => m[0].content.push(claudeImage(png(8, 8001)))],
  [
    'many-image-pixels',
    'anthropic',
    'messages[0].content[1]',
    (m) => m[0].content.push(claudeImage(png(2001, 8)), ...many(20, claudeImage)),
  ],

  // The other ways to break the rules on shapes.
  [
    'content-shape',
    'openai-chat',
    'messages[1].content[0]',
    (m) => {
      m[1].content[0] = { text: 'What?' };
    },
  ],
  [
    'content-shape',
    'openai-responses',
    'messages[7].content[0].text',
    (m) => {
      m[7].content[0].text = null;
    },
  ],
  [
    'content-shape',
    'anthropic',
    'messages[3].content[2]',
    (m) => {
      m[3].content[2] = { text: 'A.' };
    },
  ],
  [
    'content-shape',
    'ai-sdk-model',
    'messages[1].content[0].text',
    (m) => {
      delete m[1].content[0].text;
    },
  ],
  [
    'content-shape',
    'ai-sdk-model',
    'messages[2].content[0].text',
    (m) => {
      delete m[2].content[0].text;
    },
  ],
  [
    'content-shape',
    'ai-sdk-ui',
    'messages[2].parts[1]',
    (m) => {
      m[2].parts[1] = { text: 'Hm.' };
    },
  ],
  [
    'content-shape',
    'gemini',
    'messages[5].parts[0]',
    (m) => {
      m[5].parts[0] = 'A.';
    },
  ],
  [
    'content-shape',
    'gemini',
    'messages[5].parts[0].text',
    (m) => {
      m[5].parts[0].text = 5;
    },
  ],
  [
    'part-role',
    'gemini',
    'messages[6].parts[0]',
    (m) => {
      m[6].parts = [{ functionCall: { name: 'read' } }];
    },
  ],
  [
    'tool-call-shape',
    'openai-chat',
    'messages[5].tool_calls',
    (m) => {
      m[5].tool_calls = {};
    },
  ],
  [
    'tool-call-shape',
    'openai-chat',
    'messages[2].tool_calls[0].function',
    (m) => {
      delete m[2].tool_calls[0].function.name;
    },
  ],
  [
    'tool-call-shape',
    'openai-chat',
    'messages[2].tool_calls[1].custom',
    (m) => {
      delete m[2].tool_calls[1].custom.input;
    },
  ],
  ['tool-call-shape', 'openai-chat', 'messages[2].tool_calls[2]', (m) => m[2].tool_calls.push({ ...m[2].tool_calls[0], id: null })],
  [
    'tool-call-shape',
    'openai-responses',
    'messages[3].call_id',
    (m) => m.splice(3, 0, { type: 'function_call', name: 'read', arguments: '{}' }),
  ],
  [
    'tool-call-shape',
    'openai-responses',
    'messages[4].input',
    (m) => {
      delete m[4].input;
    },
  ],
  ['tool-call-shape', 'anthropic', 'messages[3].content[3].id', (m) => m[3].content.push({ type: 'tool_use', name: 'read', input: {} })],
  [
    'tool-call-shape',
    'anthropic',
    'messages[1].content[2].id',
    (m) => {
      m[1].content[2].id = m[2].content[1].tool_use_id = 'functions.read:0';
    },
  ],
  [
    'tool-call-shape',
    'ai-sdk-model',
    'messages[2].content[5]',
    (m) => m[2].content.push({ type: 'tool-call', toolName: 'read', input: {} }),
  ],
  [
    'tool-call-shape',
    'ai-sdk-ui',
    'messages[2].parts[3]',
    (m) => {
      delete m[2].parts[3].toolName;
    },
  ],
  ['tool-call-shape', 'langchain', 'messages[2].tool_calls[2]', (m) => m[2].tool_calls.push('read')],
  ['tool-call-shape', 'langchain', 'messages[2].tool_calls[2]', (m) => m[2].tool_calls.push({ name: 'read', args: {} })],
  [
    'tool-result-shape',
    'openai-chat',
    'messages[6]',
    (m) => {
      m[6] = { role: 'function', content: 'A' };
    },
  ],
  [
    'tool-result-shape',
    'openai-chat',
    'messages[6]',
    (m) => {
      m[6] = { role: 'function', name: 'read' };
    },
  ],
  ['tool-result-shape', 'openai-responses', 'messages[5].call_id', (m) => m.splice(5, 0, { type: 'function_call_output', output: 'A' })],
  [
    'tool-result-shape',
    'anthropic',
    'messages[2].content[0].tool_use_id',
    (m) => m[2].content.unshift({ type: 'tool_result', content: 'A' }),
  ],
  [
    'tool-result-shape',
    'anthropic',
    'messages[2].content[0].is_error',
    (m) => {
      m[2].content[0].is_error = 'no';
    },
  ],
  [
    'tool-result-shape',
    'anthropic',
    'messages[2].content[1].content[0]',
    (m) => {
      m[2].content[1].content[0] = { text: 'A' };
    },
  ],
  [
    'tool-result-shape',
    'anthropic',
    'messages[2].content[1].content[0]',
    (m) => {
      m[2].content[1].content[0] = { type: 'tool_use', id: 'c', name: 'read', input: {} };
    },
  ],
  [
    'tool-result-shape',
    'anthropic',
    'messages[2].content[1].content[0]',
    (m) => {
      m[2].content[1].content[0] = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1' };
    },
  ],
  [
    'tool-result-shape',
    'ai-sdk-model',
    'messages[3].content[0]',
    (m) => m[3].content.unshift({ type: 'tool-result', toolName: 'read', output: { type: 'text', value: 'A' } }),
  ],
  [
    'tool-result-shape',
    'ai-sdk-model',
    'messages[3].content[0].toolName',
    (m) => {
      delete m[3].content[0].toolName;
    },
  ],
  [
    'tool-result-shape',
    'ai-sdk-model',
    'messages[3].content[0].output',
    (m) => {
      m[3].content[0].output.value = 5;
    },
  ],
  [
    'tool-result-shape',
    'ai-sdk-model',
    'messages[3].content[1].output',
    (m) => {
      m[3].content[1].output.value = 'A';
    },
  ],
  [
    'tool-result-shape',
    'ai-sdk-model',
    'messages[3].content[0].output',
    (m) => {
      m[3].content[0].output = { value: 'A' };
    },
  ],
  [
    'tool-result-shape',
    'gemini',
    'messages[4].parts[0].functionResponse',
    (m) => {
      delete m[4].parts[0].functionResponse.name;
    },
  ],
  [
    'reasoning-without-item',
    'openai-responses',
    'messages[2]',
    (m) => m.splice(3, 0, { type: 'mcp_approval_response', approval_request_id: 'q', approve: true }),
  ],
];

/** `[format, what, edit]`: what looks wrong and is accepted. */
export const accepted = [
  [
    'openai-responses',
    'reasoning that the user interrupted',
    (m) => m.push({ type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA' }, { role: 'user', content: '<turn_aborted>' }),
  ],
  [
    'openai-responses',
    'the longest id and name of a call',
    (m) => {
      m[3].call_id = m[6].call_id = 'c'.repeat(64);
      m[3].name = 'n'.repeat(64);
    },
  ],
  [
    'anthropic',
    'an empty signature, as other providers write it',
    (m) => {
      m[1].content[0].signature = '';
    },
  ],
  [
    'anthropic',
    'the longest name of a call',
    (m) => {
      m[1].content[2].name = 'r'.repeat(128);
    },
  ],
  [
    'mastra',
    'a call without a result, in the middle and at the end',
    (m) => m.splice(2, 0, { ...m[1], content: { format: 2, parts: [stored('call')] } }),
  ],
  ['mastra', 'the same id in a later step', (m) => m[1].content.parts.push({ type: 'step-start' }, stored('result'))],
  ['mastra', 'a signal', (m) => m.push({ ...m[2], role: 'signal' })],
  [
    'mastra',
    'parts of no model, and a hole',
    (m) => m[1].content.parts.push(null, { type: 'data-note', data: {} }, { type: 'error', error: { name: 'E', message: 'e' } }),
  ],
  ['ag-ui', 'activities and reasoning anywhere', (m) => m.splice(6, 0, m[4], m[2])],
  ['ag-ui', 'an id that an earlier, finished exchange used', (m) => m.push(...m.slice(3, 8).map((one) => structuredClone(one)))],
  ['ag-ui', 'fields that the protocol does not name', (m) => Object.assign(m[8], { name: 'Ada', metadata: { a: 1 }, more: true })],
  [
    'openai-chat',
    'reasoning of Mistral',
    (m) =>
      m.splice(5, 1, {
        ...m[5],
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'A.' },
        ],
      }),
  ],
  ['openai-chat', 'an id that an earlier, finished exchange used', (m) => m.push(...m.slice(2, 6).map((one) => structuredClone(one)))],
  [
    'openai-chat',
    'no system message, an assistant first, and roles that do not alternate',
    (m) => m.splice(0, 2, { role: 'assistant', content: '' }, { role: 'assistant', content: 'Hello?' }),
  ],
  [
    'openai-chat',
    'a part of a type to come',
    (m) => {
      m[1].content[1] = { type: 'video_url' };
    },
  ],
  [
    'openai-chat',
    'an answer that only refuses',
    (m) => {
      m[5] = { role: 'assistant', refusal: 'No.' };
    },
  ],
  [
    'openai-chat',
    'a call of old',
    (m) => {
      m[5] = { role: 'assistant', function_call: { name: 'read', arguments: '{}' } };
      m[6] = { role: 'function', name: 'read', content: null };
    },
  ],
  ['openai-responses', 'results behind a message', (m) => m.splice(5, 0, { role: 'user', content: 'Hurry.' })],
  [
    'openai-responses',
    'a reasoning item that led to another',
    (m) => m.splice(3, 0, { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA' }),
  ],
  [
    'openai-responses',
    'a compaction in place of what was before',
    (m) => m.splice(0, 7, { type: 'compaction', encrypted_content: 'gAAA' }),
  ],
  ['openai-agents', 'results behind a message', (m) => m.splice(5, 0, { role: 'user', content: 'Hurry.' })],
  ['openai-agents', 'a compaction in place of what was before', (m) => m.splice(0, 7, { type: 'compaction', encrypted_content: 'gAAA' })],
  [
    'openai-agents',
    'an image alone as an output, and a message without a status',
    (m) => {
      m[5].output = { type: 'image', image: { data: 'aGk=', mediaType: 'image/png' } };
      delete m[7].status;
    },
  ],
  ['openai-responses', 'an item of a type to come', (m) => m.splice(3, 0, { type: 'dream', id: 'dr_1' })],
  [
    'openai-responses',
    'a local shell call, which its output names by id',
    (m) =>
      m.splice(
        7,
        0,
        { type: 'local_shell_call', id: 'lsh_1', call_id: 'sh', action: {} },
        { type: 'local_shell_call_output', id: 'sh', output: '' },
      ),
  ],
  [
    'anthropic',
    'results in messages of their own, one after the other',
    (m) => m.splice(2, 1, ...m[2].content.map((block) => ({ role: 'user', content: [block] }))),
  ],
  ['anthropic', 'an assistant that has begun to answer', (m) => m.push({ role: 'assistant', content: 'You are' })],
  ['anthropic', 'an empty answer at the end', (m) => m.push({ role: 'assistant', content: [] })],
  [
    'anthropic',
    'a server tool that is still at work',
    (m) => m.push({ role: 'assistant', content: [{ ...m[3].content[0], id: 'srvtoolu_2' }] }),
  ],
  ['anthropic', 'a block of a type to come', (m) => m[3].content.push({ type: 'dream', id: '' })],
  ['anthropic', 'an instruction between results and the answer', (m) => m.splice(3, 0, { role: 'system', content: 'Be briefer.' })],
  ['anthropic', 'an instruction at the end', (m) => m.push({ role: 'system', content: 'Be briefer.' })],
  [
    'anthropic',
    'breakpoints of an hour before one of five minutes',
    (m) => {
      m[0].content[0].cache_control.ttl = '1h';
      m[2].content[1].cache_control = { type: 'ephemeral', ttl: '1h' };
      m[3].content[2].cache_control = { type: 'ephemeral' };
    },
  ],
  ['anthropic', 'four blocks with cache_control', (m) => m[1].content.slice(1).forEach((block) => Object.assign(block, cached))],
  [
    'anthropic',
    'a result without content',
    (m) => {
      delete m[2].content[0].content;
      m[2].content[1].content = [];
    },
  ],
  ['ai-sdk-model', 'a result behind another answer', (m) => m.splice(3, 0, { role: 'assistant', content: 'Wait.' })],
  ['ai-sdk-model', 'an approval that has just been given', (m) => m.push(askedCall, { role: 'tool', content: [response] })],
  [
    'ai-sdk-model',
    'the names of version 4',
    (m) => {
      m[2].content[1].args = m[2].content[1].input;
      delete m[2].content[1].input;
      m[3].content[0] = { type: 'tool-result', toolCallId: 'b', toolName: 'read', result: 'A' };
    },
  ],
  [
    'ai-sdk-ui',
    'an approval that has just been given',
    (m) => {
      m.splice(3);
      m[2].parts[5] = { ...uiCall, state: 'approval-responded', approval: { id: 'q', approved: false } };
    },
  ],
  [
    'ai-sdk-ui',
    'a call in a message of the user, which is not sent',
    (m) => m[3].parts.push({ ...uiCall, state: 'output-available', output: 1 }),
  ],
  ['ai-sdk-ui', 'a call whose arguments are still on their way', (m) => m[2].parts.push({ ...uiCall, state: 'input-streaming' })],
  ['ai-sdk-ui', 'a tool that ran at the provider', (m) => m[2].parts.push({ ...uiCall, state: 'input-available', providerExecuted: true })],
  [
    'ai-sdk-ui',
    'the names of version 4',
    (m) => {
      m[2].parts[1] = { type: 'reasoning', reasoning: 'Hm.', details: [] };
      m[2].parts[2] = {
        type: 'tool-invocation',
        toolInvocation: { toolCallId: 'a', toolName: 'read', args: {}, state: 'result', result: 'A' },
      };
    },
  ],
  [
    'ai-sdk-ui',
    'sources, data and an answer without parts',
    (m) => {
      m[2].parts.push({ type: 'source-url', sourceId: '1', url: 'http://localhost' }, { type: 'data-weather', data: {} });
      m.push({ id: '9', role: 'assistant', parts: [] });
    },
  ],
  [
    'anthropic',
    'as many images and pages as there may be',
    (m) => m[0].content.push(claudePdf(40), ...many(59, claudeImage, [2000, 2000])),
  ],
  ['anthropic', 'wide images, but not many', (m) => m[0].content.push(...many(19, claudeImage, [8000, 2001]))],
  ['anthropic', 'an image as large as one may be', (m) => m[0].content.push(claudeImage(png(8, 8, 0, 3_932_160)))],
  ['gemini', 'as many pages as there may be', (m) => m[0].parts.push(geminiFile('application/pdf', pdf(1000)))],
  [
    'openai-chat',
    'as many images as there may be',
    (m) => m[1].content.push(...many(499, (data) => ({ type: 'image_url', image_url: { url: url(data) } }))),
  ],
  ['gemini', 'calls that wait at the end', (m) => m.splice(4)],
  [
    'gemini',
    'a conversation in which nothing is signed',
    (m) => {
      delete m[1].parts[1].thoughtSignature;
      delete m[3].parts[0].thoughtSignature;
    },
  ],
  [
    'gemini',
    'a second call in parallel, and calls before the user spoke, without signatures',
    (m) => {
      delete m[1].parts[1].thoughtSignature;
      m.push({ role: 'model', parts: [{ text: 'You are welcome.' }] });
    },
  ],
  [
    'gemini',
    'no ids',
    (m) =>
      m.forEach(({ parts }) =>
        parts.forEach((part) => {
          delete part.functionCall?.id;
          delete part.functionResponse?.id;
        }),
      ),
  ],
  ['langchain', 'an id that an earlier, finished exchange used', (m) => m.push(...m.slice(2, 6).map((one) => structuredClone(one)))],
  [
    'langchain',
    'a cachePoint of Bedrock',
    (m) => m.push({ role: 'user', content: [{ type: 'text', text: 'x' }, { cachePoint: { type: 'default' } }] }),
  ],
  [
    'langchain',
    'a serialised message',
    (m) => m.push({ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'HumanMessage'], kwargs: { content: 'x' } }),
  ],
  ['message', 'anything that has an id', (m) => m.push({ id: {}, role: 7, content: [null] })],
  ['message', 'nothing at all', (m) => m.splice(0)],
];
