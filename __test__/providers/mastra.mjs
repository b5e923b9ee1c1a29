// Mastra's stored messages: `describeProvider` says what each field is for.
import { text, hostedOutput, plainText, put } from './draw.mjs';

const storedCall = (state) => ({
  type: 'tool-invocation',
  toolInvocation: { state, toolCallId: 'a', toolName: 'read', args: {}, ...(state === 'result' && { result: 'A' }) },
});

/** Writes a conversation that `dialogue` draws. */
const say = ({ system, turns }) => {
  const messages = [];
  const add = (role, parts) =>
    messages.push({ id: `msg-${messages.length}`, role, createdAt: new Date(0).toISOString(), content: { format: 2, parts } });
  if (system !== null) add('system', [{ type: 'text', text: system }]);
  for (const turn of turns) {
    if (turn.who === 'user') {
      const more = turn.more.map(({ text, image }) =>
        text === undefined ? { type: 'file', mimeType: 'image/png', data: `data:image/png;base64,${image}` } : { type: 'text', text },
      );
      add('user', [{ type: 'text', text: turn.text }, ...more]);
      continue;
    }
    // All steps up to the user's next turn are one message.
    if (messages.at(-1)?.role !== 'assistant') add('assistant', []);
    const { content } = messages.at(-1);
    const { parts } = content;
    if (parts.length > 0) parts.push({ type: 'step-start', model: 'anthropic/claude-opus-5' });
    if (turn.reasoning)
      parts.push({
        type: 'reasoning',
        reasoning: turn.odd ? '' : turn.reasoning.text,
        details: [{ type: 'text', text: turn.reasoning.text }],
        ...(turn.reasoning.signed && { providerMetadata: { anthropic: { signature: 'c2ln' } } }),
      });
    if (turn.text !== null) {
      parts.push({ type: 'text', text: turn.text, createdAt: 0 });
      content.content = turn.text;
    }
    if (turn.odd) parts.push({ type: 'data-note', data: { any: ['thing'] } });
    for (const { id: toolCallId, name: toolName, args, result, answered: done } of turn.calls) {
      const call = { toolCallId, toolName, args };
      let toolInvocation = { state: 'result', ...call, result: result.json ?? plainText(result.blocks) };
      if (!done) toolInvocation = { state: 'call', ...call };
      else if (result.failed) toolInvocation = { state: 'output-error', ...call, errorText: plainText(result.blocks) };
      parts.push({ type: 'tool-invocation', toolInvocation, createdAt: 0 });
      // What succeeded stands there once more.
      if (toolInvocation.state === 'result') content.toolInvocations = [...(content.toolInvocations ?? []), { ...toolInvocation }];
    }
  }
  return messages;
};

const stored = (k, role, parts) => ({
  id: k.id('m'),
  role,
  createdAt: new Date(1_700_000_000_000 + k.number * 1000),
  threadId: 't',
  content: { format: 2, parts },
});
const mastraUser = (k, ...parts) => stored(k, 'user', [...parts, text(k.word())]);
const mastraSays = (make) => (k) => [mastraUser(k), stored(k, 'assistant', [{ type: 'step-start' }, ...make(k), text(k.word())])];
const mastraTool = (make, state = 'result') =>
  mastraSays((k) => [
    {
      type: 'tool-invocation',
      toolInvocation: { state, toolCallId: k.id('call'), toolName: 'read', args: JSON.parse(k.json()), ...make(k) },
    },
    { type: 'step-start' },
  ]);

export const mastra = {
  name: 'mastra',
  say,
  judge: async (messages) => (await import('../support/providers/ui-messages.mjs')).answerMastra({ messages }),
  answer: (messages) => messages,
  system: undefined, // it is the agent's
  plain: (k) => [mastraUser(k), stored(k, 'assistant', [text(k.word())])],
  user: (k) => mastraUser(k),
  wordsOf: ({ role, content }) => (role === 'user' ? content.parts.filter(({ type }) => type === 'text').map((part) => part.text) : []),
  open(k) {
    const tool = { state: 'call', toolCallId: k.id('call'), toolName: 'read', args: {} };
    return {
      messages: [mastraUser(k), stored(k, 'assistant', [{ type: 'tool-invocation', toolInvocation: tool }])],
      close: (messages) => messages,
    };
  },
  kinds: {
    mastra: {
      text: (k) => [mastraUser(k), stored(k, 'assistant', [text(k.text())])],
      reasoning: mastraSays((k) => [{ type: 'reasoning', reasoning: k.text(), details: [{ type: 'text', text: k.text(10) }] }]),
      file: (k) => [mastraUser(k, { type: 'file', mimeType: 'image/png', data: k.png() }), stored(k, 'assistant', [text(k.word())])],
      source: mastraSays((k) => [
        { type: 'source', source: { sourceType: 'url', id: k.id('s'), url: 'https://example.org', title: k.text(20) } },
      ]),
      'source-document': mastraSays((k) => [{ type: 'source-document', sourceId: k.id('s'), mediaType: 'text/plain', title: k.text(20) }]),
      'step-start': mastraSays((k) => [text(k.text(20)), { type: 'step-start' }]),
      error: mastraSays((k) => [{ type: 'error', error: { name: 'Error', message: k.text(20) } }]),
      'tool-invocation': mastraTool((k) => ({ result: k.random.pick([k.text(), { rows: [k.text()] }]) })),
      'data-${string}': mastraSays((k) => [{ type: 'data-chart', data: { rows: k.text() } }]),
    },
    more: {
      'Anthropic’s compaction': mastraSays((k) => [{ ...text(k.text()), providerMetadata: { anthropic: { type: 'compaction' } } }]),
      'failed call': mastraTool((k) => ({ result: k.text(), isError: true })),
      'texts of a tool of the provider': mastraSays((k) => [
        {
          type: 'tool-invocation',
          providerExecuted: true,
          toolInvocation: {
            state: 'result',
            toolCallId: k.id('srvtoolu'),
            toolName: 'run',
            args: { code: k.word() },
            result: hostedOutput(k),
          },
        },
        { type: 'step-start' },
      ]),
      'output-error': mastraTool((k) => ({ errorText: k.text(40) }), 'output-error'),
      'output-denied': mastraTool((k) => ({ approval: { id: k.id('approval'), approved: false } }), 'output-denied'),
      'run by the provider': mastraSays((k) => [
        {
          type: 'tool-invocation',
          providerExecuted: true,
          toolInvocation: {
            state: 'result',
            toolCallId: k.id('srvtoolu'),
            toolName: 'web_search',
            args: { query: k.word() },
            result: [{ encryptedContent: k.base64() }],
          },
        },
        { type: 'step-start' },
      ]),
    },
  },
  recognised: [
    { id: 'a', role: 'user', createdAt: new Date(0), content: { format: 2, parts: [{ type: 'text', text: 'x' }], content: 'x' } },
    { id: 'a', role: 'signal', content: { format: 2, parts: [] } },
  ],
  refused: [
    [{ role: 'user', content: { format: 2, parts: [null] } }, 'content.parts[0] must be an object, got null'],
    [{ role: 'user', content: { format: 2, parts: [{ type: 'text' }] } }, 'content.parts[0].text must be a string, got undefined'],
    [{ role: 'user', content: 'Hi.' }, 'content must be an object, got string; the messages look like openai-chat'],
  ],
  valid: () => [
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
  broken: {
    'no-messages': [
      ['', (m) => m.splice(0)],
      ['', (m) => m.splice(0, 3, { id: '1', role: 'assistant', content: { format: 2, parts: [storedCall('call')] } })],
      ['', (m) => m.splice(0, 3, { ...m[0], role: 'system' })],
    ],
    'message-shape': [['[2]', []]],
    'unknown-role': [['[2].role', 'narrator']],
    'content-shape': [
      ['[2].content', null],
      ['[1].content.parts[4].text', 5],
      ['[1].content.parts[4]', put('[1].content.parts[4].type')],
    ],
    'tool-call-shape': [['[1].content.parts[1].toolInvocation', put('[1].content.parts[1].toolInvocation.toolCallId')]],
    'arguments-not-object': [['[1].content.parts[1].toolInvocation.args', 'path']],
    'duplicate-tool-call': [['[1].content.parts[3].toolInvocation', (m) => m[1].content.parts.splice(3, 0, storedCall('result'))]],
  },
  accepted: {
    'a call without a result, in the middle and at the end': (m) =>
      m.splice(2, 0, { ...m[1], content: { format: 2, parts: [storedCall('call')] } }),
    'the same id in a later step': (m) => m[1].content.parts.push({ type: 'step-start' }, storedCall('result')),
    'a signal': (m) => m.push({ ...m[2], role: 'signal' }),
    'parts of no model, and a hole': (m) =>
      m[1].content.parts.push(null, { type: 'data-note', data: {} }, { type: 'error', error: { name: 'E', message: 'e' } }),
  },
};
