// LangChain's messages: `describeProvider` says what each field is for.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { text, both, textDocument, shown, answeredIn, BASH, parameters, put } from './draw.mjs';

/** Writes a conversation that `dialogue` draws. */
const say = ({ system, turns }) => {
  const show = ({ text, image }) =>
    text === undefined ? { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } } : { type: 'text', text };
  const messages = system === null ? [] : [new SystemMessage(system)];
  for (const turn of turns) {
    if (turn.who === 'user') {
      messages.push(
        new HumanMessage({
          content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(show) : turn.text,
          id: `m${messages.length}`,
        }),
      );
      continue;
    }
    const calls = turn.calls.map(({ id, name, args }) => ({ id, name, args, type: 'tool_call' }));
    // Anthropic's model puts a call into the content too; OpenAI's into the additional fields of the API's message.
    const content = turn.odd
      ? [
          ...(turn.reasoning ? [{ type: 'thinking', thinking: turn.reasoning.text, signature: 'c2ln' }] : []),
          ...(turn.text === null ? [] : [{ type: 'text', text: turn.text }]),
          ...turn.calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
        ]
      : (turn.text ?? '');
    const raw =
      turn.odd || calls.length === 0
        ? {}
        : {
            tool_calls: turn.calls.map(({ id, name, args }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(args) },
            })),
          };
    messages.push(new AIMessage({ content, tool_calls: calls, additional_kwargs: raw }));
    for (const { id, name, result } of answeredIn(turn)) {
      messages.push(
        new ToolMessage({
          content: typeof result.blocks === 'string' ? shown(result) : result.blocks.map(show),
          tool_call_id: id,
          name,
          status: result.failed ? 'error' : 'success',
        }),
      );
    }
  }
  return messages;
};

const human = (content) => new HumanMessage({ content });
const ai = (content, more = {}) => new AIMessage({ content, ...more });
const lcSays = (make) => (k) => [human(k.word()), ai([...make(k), text(k.word())])];
const lcTold = (make) => (k) => [human([make(k), text(k.word())]), ai(k.word())];
const lcTool = (content, block) => (k) => {
  const call = { id: k.id('call'), name: 'read', args: JSON.parse(k.json()), type: 'tool_call' };
  return [
    human(k.word()),
    ai(block ? block(call) : '', { tool_calls: [call] }),
    new ToolMessage({ tool_call_id: call.id, name: 'read', content: content(k), status: k.random.pick(['success', 'error']) }),
    ai(k.word()),
  ];
};
const lcHosted = (result) =>
  lcSays((k) => {
    const id = k.id('srvtoolu');
    return [{ type: 'server_tool_call', id, name: 'web_search', args: { query: k.word() } }, result(k, id)];
  });
const serverToolCall = lcHosted((k, id) => ({
  type: 'server_tool_call_result',
  toolCallId: id,
  status: 'success',
  output: { encrypted: k.base64() },
}));
const lcData = (type, mimeType) => lcTold((k) => ({ type, mimeType, data: k.base64() }));

export const langchain = {
  name: 'langchain',
  say,
  judge: async (messages) => (await import('../support/providers/langchain.mjs')).answerLangchain({ messages }),
  system: (said) => new SystemMessage(said),
  plain: (k) => [human(k.word()), ai(k.word())],
  user: (k) => human(k.word()),
  wordsOf: ({ type, content }) =>
    type !== 'human'
      ? []
      : typeof content === 'string'
        ? [content]
        : content.filter((block) => block.type === 'text').map((block) => block.text),
  open(k) {
    const id = k.id('call');
    return {
      messages: [human(k.word()), ai('', { tool_calls: [{ id, name: 'read', args: {}, type: 'tool_call' }] })],
      close: (messages) => [...messages, new ToolMessage({ tool_call_id: id, name: 'read', content: 'x' })],
    };
  },
  kinds: {
    langchain: {
      text: (k) => [human(k.word()), ai([text(k.text())])],
      reasoning: lcSays((k) => [{ type: 'reasoning', reasoning: k.text() }]),
      refusal: (k) => [human(k.word()), ai([{ type: 'refusal', refusal: k.text() }])],
      non_standard: lcSays((k) => [{ type: 'non_standard', value: { type: 'compaction', content: k.text() } }]),
      tool_call: lcTool(
        (k) => k.text(),
        (call) => [{ type: 'tool_call', id: call.id, name: call.name, args: call.args }],
      ),
      tool_call_chunk: lcSays((k) => [{ type: 'tool_call_chunk', name: 'read', args: k.text(20), index: 0 }]),
      invalid_tool_call: lcSays((k) => [{ type: 'invalid_tool_call', name: 'read', args: k.text(20), error: 'no JSON' }]),
      ...both(['server_tool_call', 'server_tool_call_result'], serverToolCall),
      server_tool_call_chunk: lcSays((k) => [{ type: 'server_tool_call_chunk', name: 'web_search', args: k.text(20) }]),
      image: lcData('image', 'image/png'),
      audio: lcData('audio', 'audio/wav'),
      video: lcData('video', 'video/mp4'),
      file: lcData('file', 'application/pdf'),
      'text-plain': lcTold((k) => ({ type: 'text-plain', mimeType: 'text/plain', text: k.text() })),
    },
    more: {
      'Anthropic’s compaction': lcSays((k) => [{ type: 'compaction', content: k.text() }]),
      'result of texts': lcTool((k) => [text(k.text()), text(k.text(20))]),
      'cachePoint of Bedrock': lcSays((k) => [text(k.text()), { cachePoint: { type: 'default' } }]),
      'cachePoint of Bedrock in a result': lcTool((k) => [text(k.text()), { cachePoint: { type: 'default' } }]),
      'picture in a result': lcTool((k) => [{ type: 'image_url', image_url: { url: k.pngUrl() } }]),
      'Anthropic’s search': lcSays((k) => {
        const id = k.id('srvtoolu');
        return [
          { type: 'server_tool_use', id, name: 'web_search', input: { query: k.word() } },
          { type: 'web_search_tool_result', tool_use_id: id, content: [{ type: 'web_search_result', encrypted_content: k.base64() }] },
        ];
      }),
      'Anthropic’s code': lcSays((k) => {
        const id = k.id('srvtoolu');
        return [
          { type: 'server_tool_use', id, name: 'bash_code_execution', input: { command: k.word() } },
          {
            type: 'bash_code_execution_tool_result',
            tool_use_id: id,
            content: { type: 'bash_code_execution_result', stdout: k.text(), stderr: '', return_code: 0, content: [] },
          },
        ];
      }),
      'code at the provider': lcHosted((k, id) => ({
        type: 'server_tool_call_result',
        toolCallId: id,
        status: 'success',
        output: { type: 'code_execution_result', stdout: k.text(), stderr: '', return_code: 0, content: [] },
      })),
      'Google’s code': lcSays((k) => [
        { type: 'executableCode', executableCode: { language: 'PYTHON', code: k.word() } },
        { type: 'codeExecutionResult', codeExecutionResult: { outcome: 'OUTCOME_OK', output: k.text() } },
      ]),
      'file of Gemini': lcSays((k) => [{ type: 'inlineData', inlineData: { mimeType: 'image/png', data: k.png() } }]),
      'call as Gemini made it': lcTool(
        (k) => k.text(),
        ({ name, args }) => [{ type: 'functionCall', functionCall: { name, args } }],
      ),
      'Anthropic’s document': lcTold(textDocument),
      'document of version 0': lcTold((k) => ({ type: 'file', source_type: 'text', mime_type: 'text/plain', text: k.text() })),
      'document in a result': lcTool((k) => [textDocument(k)]),
      'signed thinking and a call': (k) => {
        const call = { id: k.id('call'), name: 'read', args: { path: k.id('path') }, type: 'tool_call' };
        return [
          human(k.word()),
          ai(
            [
              { type: 'thinking', thinking: k.text(), signature: k.base64(60) },
              { type: 'tool_use', id: call.id, name: call.name, input: call.args },
            ],
            { tool_calls: [call] },
          ),
          new ToolMessage({ tool_call_id: call.id, name: 'read', content: k.text() }),
          ai(k.word()),
        ];
      },
      'reasoning of the Responses API': (k) => [
        human(k.word()),
        ai([text(k.text())], {
          additional_kwargs: { reasoning: { id: k.id('rs'), type: 'reasoning', encrypted_content: k.base64(), summary: [] } },
        }),
      ],
    },
  },
  recognised: [new HumanMessage('x'), { _getType: () => 'human', content: 'x' }],
  tools: [[tool(() => '', { ...BASH, schema: parameters })]],
  instructions: [new SystemMessage('Be kind.')],
  refused: [
    [new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'f', args: 'x' }] }), 'tool_calls[0].args must be an object, got string'],
  ],
  valid: () => [
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
  broken: {
    'message-shape': [['[1]', 7]],
    'unknown-role': [['[5]', put('[5][0]', 'model')]],
    'content-shape': [
      ['[1].content', null],
      ['[1].content[0]', { text: 'What?' }],
    ],
    'tool-call-shape': [
      ['[2].tool_calls[0]', put('[2].tool_calls[0].name')],
      ['[2].tool_calls[2]', (m) => m[2].tool_calls.push('read')],
      ['[2].tool_calls[2]', (m) => m[2].tool_calls.push({ name: 'read', args: {} })],
    ],
    'arguments-not-object': [
      ['[2].tool_calls[0]', put('[2].tool_calls[0].args', '{}')],
      ['[2].tool_calls[1]', put('[2].tool_calls[1].function.arguments', '{')],
    ],
    'duplicate-tool-call': [['[2].tool_calls[2]', (m) => m[2].tool_calls.push({ ...m[2].tool_calls[0] })]],
    'tool-call-without-result': [['[2].tool_calls[0]', (m) => m.splice(4, 1)]],
    'tool-call-at-end': [['[2].tool_calls[0]', (m) => m.splice(4)]],
    'tool-result-shape': [['[5].tool_call_id', (m) => m.splice(5, 0, { role: 'tool', content: 'x', tool_call_id: null })]],
    'tool-result-without-call': [['[4]', (m) => m[2].tool_calls.splice(0, 1)]],
    'duplicate-tool-result': [['[5]', (m) => m.splice(5, 0, { ...m[3] })]],
    'no-messages': [['', (m) => m.splice(0)]],
  },
  accepted: {
    'an id that an earlier, finished exchange used': (m) => m.push(...m.slice(2, 6).map((one) => structuredClone(one))),
    'a cachePoint of Bedrock': (m) => m.push({ role: 'user', content: [{ type: 'text', text: 'x' }, { cachePoint: { type: 'default' } }] }),
    'a serialised message': (m) =>
      m.push({ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'HumanMessage'], kwargs: { content: 'x' } }),
  },
};
