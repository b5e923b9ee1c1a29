// UI messages of the AI SDK: `describeProvider` says what each field is for.
import { text, hostedOutput, plainText, messageStart, BASH, put } from './draw.mjs';

const CALL = { type: 'tool-read', toolCallId: 'd', input: {} };

/** Writes a conversation that `dialogue` draws. */
const say = ({ system, turns }) => {
  let count = 0;
  const id = () => `msg-${++count}`;
  const messages = system === null ? [] : [{ id: id(), role: 'system', parts: [{ type: 'text', text: system }] }];
  for (const turn of turns) {
    if (turn.who === 'user') {
      const more = turn.more.map(({ text, image }) =>
        text === undefined ? { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${image}` } : { type: 'text', text },
      );
      messages.push({ id: id(), role: 'user', parts: [{ type: 'text', text: turn.text }, ...more] });
      continue;
    }
    // All steps up to the user's next turn are one message.
    if (messages.at(-1)?.role !== 'assistant') messages.push({ id: id(), role: 'assistant', parts: [] });
    const { parts } = messages.at(-1);
    parts.push({ type: 'step-start' });
    if (turn.reasoning?.signed) parts.push({ type: 'custom', kind: messageStart.kind, providerMetadata: messageStart.usage });
    if (turn.reasoning)
      parts.push({
        type: 'reasoning',
        text: turn.reasoning.text,
        state: 'done',
        ...(turn.reasoning.signed && { providerMetadata: { anthropic: { signature: 'c2ln' } } }),
      });
    if (turn.text !== null) parts.push({ type: 'text', text: turn.text, state: 'done' });
    if (turn.odd)
      parts.push(
        { type: 'data-note', id: 'n', data: { any: ['thing'] } },
        { type: 'source-url', sourceId: 's', url: 'https://example.org' },
      );
    for (const { id: toolCallId, name, args, result, answered: done } of turn.calls) {
      const tool = turn.odd ? { type: 'dynamic-tool', toolName: name, toolCallId } : { type: `tool-${name}`, toolCallId };
      if (!done) parts.push({ ...tool, state: 'input-available', input: args });
      else if (result.failed) parts.push({ ...tool, state: 'output-error', input: args, errorText: plainText(result.blocks) });
      else parts.push({ ...tool, state: 'output-available', input: args, output: result.json ?? plainText(result.blocks) });
    }
  }
  return messages;
};

const uiUser = (k, ...parts) => ({ id: k.id('u'), role: 'user', parts: [...parts, text(k.word())] });
const uiModel = (k, parts) => ({ id: k.id('a'), role: 'assistant', parts: [{ type: 'step-start' }, ...parts] });
const uiSays = (make) => (k) => [uiUser(k), uiModel(k, [...make(k), { ...text(k.word()), state: 'done' }])];
const uiTold = (make) => (k) => [uiUser(k, make(k)), uiModel(k, [text(k.word())])];
/** A step with a tool, and the step after it. */
const uiTool = (state, more = () => ({}), type = 'tool-read') =>
  uiSays((k) => [
    {
      type,
      toolCallId: k.id('call'),
      state,
      input: JSON.parse(k.json()),
      ...(type === 'dynamic-tool' && { toolName: 'read' }),
      ...more(k),
    },
    { type: 'step-start' },
  ]);
const uiFile = (k) => ({ type: 'file', mediaType: 'image/png', url: k.pngUrl() });
const uiApproval = (k, approved) => ({ approval: { id: k.id('approval'), ...(approved !== undefined && { approved }) } });
/** A state in which more is to come: the exchange stands at the end. */
const uiWaits =
  (state, more = () => ({})) =>
  (k) => {
    const toolCallId = k.id('call');
    const part = { type: 'tool-read', toolCallId, state, input: { path: 'a.ts' }, ...more(k) };
    const message = uiModel(k, [part]);
    const done = { type: 'tool-read', toolCallId, state: 'output-available', input: { path: 'a.ts' }, output: 'x' };
    const finish = (one) =>
      one.id === message.id ? { ...one, parts: one.parts.map((each) => (each.toolCallId === toolCallId ? done : each)) } : one;
    return { messages: [uiUser(k), message], close: (messages) => messages.map(finish) };
  };

export const aiSdkUi = {
  name: 'ai-sdk-ui',
  say,
  judge: async (messages) => (await import('../support/providers/ui-messages.mjs')).answerUiMessages({ messages }),
  answer: (messages) =>
    messages.map((one) => ({
      ...one,
      parts: one.parts.map((part) => (part.state === 'input-available' ? { ...part, state: 'output-available', output: 'x' } : part)),
    })),
  system: (said) => ({ id: 'system', role: 'system', parts: [text(said)] }),
  plain: (k) => [uiUser(k), uiModel(k, [text(k.word())])],
  user: (k) => uiUser(k),
  wordsOf: ({ role, parts }) => (role === 'user' ? parts.filter(({ type }) => type === 'text').map((part) => part.text) : []),
  open: uiWaits('input-available'),
  opens: {
    'input-available': uiWaits('input-available'),
    'approval-requested': uiWaits('approval-requested', (k) => uiApproval(k)),
    'approval-responded': uiWaits('approval-responded', (k) => uiApproval(k, true)),
  },
  places: { uiStates: ' (state of a tool)' },
  kinds: {
    uiParts: {
      text: (k) => [uiUser(k), uiModel(k, [text(k.text())])],
      custom: uiSays((k) => [
        { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { encryptedContent: k.base64() } } },
      ]),
      reasoning: uiSays((k) => [{ type: 'reasoning', text: k.text(), state: 'done' }]),
      'reasoning-file': uiSays((k) => [{ type: 'reasoning-file', mediaType: 'image/png', url: k.pngUrl() }]),
      file: uiTold(uiFile),
      'source-url': uiSays((k) => [{ type: 'source-url', sourceId: k.id('s'), url: 'https://example.org', title: k.text(20) }]),
      'source-document': uiSays((k) => [{ type: 'source-document', sourceId: k.id('s'), mediaType: 'text/plain', title: k.text(20) }]),
      'step-start': uiSays((k) => [text(k.text(20)), { type: 'step-start' }]),
      'steering-message': uiSays((k) => [
        text(k.word()),
        { type: 'step-start' },
        { type: 'steering-message', id: k.id('steer'), parts: [text(k.text(20))] },
      ]),
      'dynamic-tool': uiTool('output-available', (k) => ({ output: { rows: k.text() } }), 'dynamic-tool'),
      'tool-${string}': uiTool('output-available', (k) => ({ output: k.text() })),
      'data-${string}': uiSays((k) => [{ type: 'data-chart', id: k.id('d'), data: { rows: k.text() } }]),
    },
    uiStates: {
      'output-available': uiTool('output-available', (k) => ({ output: [k.text()] })),
      'output-error': uiTool('output-error', (k) => ({ errorText: k.text(40) })),
      'output-denied': uiTool('output-denied', (k) => uiApproval(k, false)),
      'input-streaming': uiTool('input-streaming'),
    },
    more: {
      'Anthropic’s compaction': uiSays((k) => [{ ...text(k.text()), providerMetadata: { anthropic: { type: 'compaction' } } }]),
      'run by the provider': uiTool('output-available', (k) => ({ providerExecuted: true, output: [{ encryptedContent: k.base64() }] })),
      'texts of a tool of the provider': uiTool('output-available', (k) => ({ providerExecuted: true, output: hostedOutput(k) })),
      'approved call': uiTool('output-available', (k) => ({ output: k.text(), ...uiApproval(k, true) })),
      'signed reasoning': uiSays((k) => [
        { type: 'reasoning', text: k.text(), state: 'done', providerMetadata: { anthropic: { signature: k.base64(60) } } },
      ]),
      'signed call': uiTool('output-available', (k) => ({
        output: k.text(),
        callProviderMetadata: { google: { thoughtSignature: k.base64(60) } },
      })),
      'file of the model': uiSays((k) => [uiFile(k)]),
    },
  },
  recognised: [
    { id: 'a', role: 'user', parts: [{ type: 'text', text: 'x' }] },
    { id: 'a', role: 'assistant', content: '', toolInvocations: [] },
    { id: 'a', role: 'assistant', parts: [] },
  ],
  tools: [{ Bash: { description: BASH.description, inputSchema: {} } }],
  refused: [
    [{ id: 'a', role: 'user', parts: [null] }, 'parts[0] must be an object, got null'],
    [
      { id: 'a', role: 'assistant', parts: [{ type: 'tool-f', state: 'input-available' }] },
      'parts[0].toolCallId must be a string, got undefined',
    ],
  ],
  unknown: { name: 'part of type hologram', said: (part) => ({ id: 'a', role: 'assistant', parts: [part, text('There it is.')] }) },
  valid: () => [
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
  broken: {
    'no-messages': [
      ['', (m) => m.splice(0)],
      ['', (m) => m.splice(0, 9, { id: '1', role: 'assistant', parts: [{ type: 'step-start' }, { ...CALL, state: 'input-streaming' }] })],
    ],
    'message-shape': [['[3]', []]],
    'missing-id': [['[1].id', undefined]],
    'unknown-role': [['[3].role', 'data']],
    'content-shape': [
      ['[3].parts', put('[3]', { id: '3', role: 'user', content: 'Thanks.' })],
      ['[2].parts[5].text', null],
      ['[2].parts[1]', { text: 'Hm.' }],
    ],
    'empty-content': [['[3].parts', []]],
    'tool-call-shape': [
      ['[2].parts[2].state', 'result'],
      ['[2].parts[3]', put('[2].parts[3].toolName')],
    ],
    'arguments-not-object': [['[2].parts[2].input', null]],
    'duplicate-tool-call': [['[2].parts[3]', (m) => m[2].parts.splice(2, 0, { ...CALL, toolCallId: 'a', state: 'input-available' })]],
    'tool-call-without-result': [['[2].parts[2]', { ...CALL, state: 'input-available' }]],
    'tool-call-at-end': [
      [
        '[2].parts[5]',
        (m) => {
          m.splice(3);
          m[2].parts[5] = { ...CALL, state: 'approval-requested', approval: { id: 'q' } };
        },
      ],
    ],
    'tool-result-shape': [['[2].parts[3].errorText', undefined]],
  },
  accepted: {
    'an approval that has just been given': (m) => {
      m.splice(3);
      m[2].parts[5] = { ...CALL, state: 'approval-responded', approval: { id: 'q', approved: false } };
    },
    'a call in a message of the user, which is not sent': (m) => m[3].parts.push({ ...CALL, state: 'output-available', output: 1 }),
    'a call whose arguments are still on their way': (m) => m[2].parts.push({ ...CALL, state: 'input-streaming' }),
    'a tool that ran at the provider': (m) => m[2].parts.push({ ...CALL, state: 'input-available', providerExecuted: true }),
    'the names of version 4': (m) => {
      m[2].parts[1] = { type: 'reasoning', reasoning: 'Hm.', details: [] };
      m[2].parts[2] = {
        type: 'tool-invocation',
        toolInvocation: { toolCallId: 'a', toolName: 'read', args: {}, state: 'result', result: 'A' },
      };
    },
    'sources, data and an answer without parts': (m) => {
      m[2].parts.push({ type: 'source-url', sourceId: '1', url: 'http://localhost' }, { type: 'data-weather', data: {} });
      m.push({ id: '9', role: 'assistant', parts: [] });
    },
  },
};
