// Chat completions of OpenAI: `describeProvider` says what each field is for.
import { text, both, user, model, wordsOf, plainText, shown, answeredIn, BASH, parameters, many, put } from './draw.mjs';

const dataUrl = (data) => `data:image/png;base64,${data}`;

/** Writes a conversation that `dialogue` draws. */
const say = ({ system, turns }) => {
  const messages = system === null ? [] : [{ role: 'system', content: system }];
  for (const turn of turns) {
    if (turn.who === 'user') {
      const more = turn.more.map(({ text, image }) =>
        text === undefined ? { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } } : { type: 'text', text },
      );
      messages.push({ role: 'user', content: more.length > 0 ? [{ type: 'text', text: turn.text }, ...more] : turn.text });
      continue;
    }
    const message = { role: 'assistant', content: turn.text };
    if (turn.reasoning?.signed)
      message.reasoning_details = [{ type: 'reasoning.text', text: turn.reasoning.text, signature: 'c2ln', format: 'anthropic-claude-v1' }];
    else if (turn.reasoning) message.reasoning_content = turn.reasoning.text;
    if (turn.calls.length > 0) {
      message.tool_calls = turn.calls.map(({ id, name, args }, index) =>
        turn.odd && index === 1
          ? { id, type: 'custom', custom: { name, input: plainText(turn.text ?? 'free form') } }
          : { id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
      );
    }
    messages.push(message);
    for (const { id, result } of answeredIn(turn)) {
      const content =
        typeof result.blocks === 'string' ? shown(result) : result.blocks.map(({ text }) => ({ type: 'text', text: text ?? '[image]' }));
      messages.push({ role: 'tool', tool_call_id: id, content });
    }
  }
  return messages;
};

const chats = (make) => (k) => [user(k.word()), ...make(k), model(k.word())];
const chatCall = (k, call, result) => {
  const id = k.id('call');
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, ...call }] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
};
const readCall = (k) => ({ type: 'function', function: { name: 'read', arguments: k.json() } });
const chatTold = (make) => (k) => [user([make(k), text(k.word())]), model(k.word())];
const legacy = chats((k) => [
  { role: 'assistant', content: null, function_call: { name: 'look', arguments: k.json() } },
  { role: 'function', name: 'look', content: k.text() },
]);
const toolTurn = chats((k) => chatCall(k, readCall(k), k.text()));

export const openaiChat = {
  name: 'openai-chat',
  say,
  judge: async (messages) => (await import('../support/providers/openai-chat.mjs')).answerHistory({ messages }),
  newer: /'(video_url|reasoning\.text)'/,
  system: (said) => ({ role: 'system', content: said }),
  plain: (k) => [user(k.word()), model(k.word())],
  user: (k) => user(k.word()),
  wordsOf,
  open(k) {
    const id = k.id('call');
    return {
      messages: [user(k.word()), { role: 'assistant', content: null, tool_calls: [{ id, ...readCall(k) }] }],
      close: (messages) => [...messages, { role: 'tool', tool_call_id: id, content: 'x' }],
    };
  },
  places: { chatRoles: ' message', chatInMessage: ' part', chatCalls: ' call' },
  kinds: {
    chatRoles: {
      user: (k) => [user(k.text()), model(k.word())],
      assistant: (k) => [user(k.word()), model(k.text())],
      tool: toolTurn,
      function: legacy,
      system: (k) => [user(k.word()), { role: 'system', content: k.word() }, model(k.word())],
      developer: (k) => [user(k.word()), { role: 'developer', content: k.word() }, model(k.word())],
    },
    chatInMessage: {
      text: chatTold((k) => text(k.text())),
      image_url: chatTold((k) => ({ type: 'image_url', image_url: { url: k.pngUrl() } })),
      input_audio: chatTold((k) => ({ type: 'input_audio', input_audio: { data: k.base64(), format: 'wav' } })),
      file: chatTold((k) => ({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${k.pdf()}` } })),
      refusal: (k) => [user(k.word()), model([{ type: 'refusal', refusal: k.text() }])],
    },
    chatCalls: {
      function: toolTurn,
      custom: chats((k) => chatCall(k, { type: 'custom', custom: { name: 'patch', input: k.text() } }, [text(k.text())])),
    },
    chatOfAssistant: {
      ...both(['role', 'content'], (k) => [user(k.word()), model([text(k.text())])]),
      name: (k) => [user(k.word()), { ...model(k.text()), name: 'helper' }],
      audio: (k) => [user(k.word()), { role: 'assistant', content: null, audio: { id: k.id('audio') } }],
      refusal: (k) => [user(k.word()), { role: 'assistant', content: null, refusal: k.text() }],
      function_call: legacy,
      tool_calls: chats((k) => {
        const ids = [k.id('call'), k.id('call')];
        return [
          { role: 'assistant', content: k.text(20), tool_calls: ids.map((id) => ({ id, ...readCall(k) })) },
          ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: k.text() })),
        ];
      }),
    },
    more: {
      'thinking of Mistral': (k) => [user(k.word()), model([{ type: 'thinking', thinking: [text(k.text())] }, text(k.text(40))])],
      'thinking of Mistral and a call': chats((k) => {
        const [call, result] = chatCall(k, readCall(k), k.text());
        return [{ ...call, content: [{ type: 'thinking', thinking: [text(k.text())], closed: true }] }, result];
      }),
      reasoning_content: (k) => [user(k.word()), { ...model(k.word()), reasoning_content: k.text() }],
      'signed reasoning_details and a call': chats((k) => {
        const [call, result] = chatCall(k, readCall(k), k.text());
        const details = [{ type: 'reasoning.text', text: k.text(40), signature: k.base64(60), format: 'anthropic-claude-v1' }];
        return [{ ...call, reasoning_details: details }, result];
      }),
      annotations: (k) => [
        user(k.word()),
        { ...model(k.word()), annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.org', title: k.text(20) } }] },
      ],
      images: (k) => [user(k.word()), { ...model(k.word()), images: [{ type: 'image_url', image_url: { url: k.pngUrl() } }] }],
    },
  },
  recognised: [
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
  tools: [[{ type: 'function', function: { ...BASH, parameters } }], [{ type: 'custom', custom: { ...BASH } }]],
  refused: [
    [{ role: 'user', content: 7 }, 'content must be a string or an array of parts, got number'],
    [{ role: 'user', content: ['x'] }, 'content[0] must be an object, got string'],
    [{ role: 'user', content: [{ type: 'text' }] }, 'content[0].text must be a string, got undefined'],
    [{ role: 'assistant', tool_calls: {} }, 'tool_calls must be an array, got object'],
    [
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: {} } }] },
      'tool_calls[0].function.arguments must be a string, got object',
    ],
    [
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] },
      'content[0].thinking must be an array, got string; the messages look like anthropic',
    ],
  ],
  unknown: { name: 'part of type hologram', said: (part) => model([part, text('There it is.')]) },
  valid: () => [
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
  broken: {
    'message-shape': [['[1]', null]],
    'unknown-role': [['[6].role', 'human']],
    'content-shape': [
      ['[6].content', null],
      ['[1].content[0].text', undefined],
      ['[5].content[0].thinking', (m) => m.splice(5, 1, { ...m[5], content: [{ type: 'thinking', thinking: 'Hm.' }] })],
      ['[1].content[0]', { text: 'What?' }],
    ],
    'part-role': [
      ['[5].content[0]', put('[5].content', [{ type: 'image_url', image_url: { url: 'data:,' } }])],
      ['[6].content[0]', (m) => m.splice(6, 1, { ...m[6], content: [{ type: 'thinking', thinking: [] }] })],
    ],
    'empty-content': [
      ['[6].content', []],
      ['[5].tool_calls', []],
      ['[5].content', null],
    ],
    'function-name': [
      ['[2].tool_calls[0].function.name', 'functions.read'],
      ['[2].tool_calls[1].custom.name', 'p'.repeat(65)],
    ],
    'tool-call-shape': [
      ['[5].tool_calls[0]', put('[5].tool_calls', ['read'])],
      ['[2].tool_calls[0]', put('[2].tool_calls[0].type')],
      ['[5].tool_calls', {}],
      ['[2].tool_calls[0].function', put('[2].tool_calls[0].function.name')],
      ['[2].tool_calls[1].custom', put('[2].tool_calls[1].custom.input')],
      ['[2].tool_calls[2]', (m) => m[2].tool_calls.push({ ...m[2].tool_calls[0], id: null })],
    ],
    'arguments-not-object': [['[2].tool_calls[0].function.arguments', '{"path":"a']],
    'duplicate-tool-call': [['[2].tool_calls[2]', (m) => m[2].tool_calls.push(structuredClone(m[2].tool_calls[0]))]],
    'tool-call-without-result': [['[2].tool_calls[1]', (m) => m.splice(3, 1)]],
    'tool-call-at-end': [['[2].tool_calls[0]', (m) => m.splice(4)]],
    'tool-result-shape': [
      ['[3].content', null],
      ['[3].tool_call_id', (m) => m.splice(3, 0, { role: 'tool', content: 'x' })],
      ['[6]', { role: 'function', content: 'A' }],
      ['[6]', { role: 'function', name: 'read' }],
    ],
    'tool-result-without-call': [
      ['[3]', (m) => m.splice(3, 0, { role: 'tool', tool_call_id: 'x', content: 'X' })],
      ['[6]', (m) => m.splice(6, 0, { role: 'tool', tool_call_id: 'a', content: 'A' })],
    ],
    'duplicate-tool-result': [['[5]', (m) => m.splice(5, 0, { ...m[4] })]],
    'too-many-images': [
      ['[1].content[501]', (m) => m[1].content.push(...many(501, (data) => ({ type: 'image_url', image_url: { url: dataUrl(data) } })))],
    ],
    'no-messages': [['', (m) => m.splice(0)]],
  },
  accepted: {
    'reasoning of Mistral': (m) =>
      m.splice(5, 1, {
        ...m[5],
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'A.' },
        ],
      }),
    'an id that an earlier, finished exchange used': (m) => m.push(...m.slice(2, 6).map((one) => structuredClone(one))),
    'no system message, an assistant first, and roles that do not alternate': (m) =>
      m.splice(0, 2, { role: 'assistant', content: '' }, { role: 'assistant', content: 'Hello?' }),
    'a part of a type to come': put('[1].content[1]', { type: 'video_url' }),
    'an answer that only refuses': put('[5]', { role: 'assistant', refusal: 'No.' }),
    'a call of old': (m) => {
      m[5] = { role: 'assistant', function_call: { name: 'read', arguments: '{}' } };
      m[6] = { role: 'function', name: 'read', content: null };
    },
    'as many images as there may be': (m) =>
      m[1].content.push(...many(499, (data) => ({ type: 'image_url', image_url: { url: dataUrl(data) } }))),
  },
};
