// Model messages of the AI SDK: `describeProvider` says what each field is for.
import { IMAGE, text, hostedOutput, both, model, wordsOf, plainText, answeredIn, messageStart, BASH, parameters, put } from './draw.mjs';

const REQUEST = { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'd' };
const RESPONSE = { type: 'tool-approval-response', approvalId: 'q', approved: true };
const ASKED = { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'd', toolName: 'read', input: {} }, REQUEST] };

/** Writes a conversation that `dialogue` draws. */
const say = ({ system, turns }) => {
  const show = ({ text, image }) => (text === undefined ? { type: 'image', image, mediaType: 'image/png' } : { type: 'text', text });
  const messages = system === null ? [] : [{ role: 'system', content: system }];
  for (const turn of turns) {
    if (turn.who === 'user') {
      messages.push({ role: 'user', content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(show) : turn.text });
      continue;
    }
    const content = turn.reasoning?.signed ? [{ type: 'custom', kind: messageStart.kind, providerOptions: messageStart.usage }] : [];
    if (turn.reasoning)
      content.push({
        type: 'reasoning',
        text: turn.reasoning.text,
        ...(turn.reasoning.signed && { providerOptions: { anthropic: { signature: 'c2ln' } } }),
      });
    if (turn.text !== null) content.push({ type: 'text', text: turn.text });
    // Version 4 calls them `args` and `result`.
    for (const { id, name, args } of turn.calls)
      content.push({ type: 'tool-call', toolCallId: id, toolName: name, [turn.odd ? 'args' : 'input']: args });
    messages.push({ role: 'assistant', content });
    const results = answeredIn(turn).map(({ id, name, result }) => {
      if (turn.odd)
        return {
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          result: result.json ?? plainText(result.blocks),
          isError: result.failed,
        };
      let output = { type: result.failed ? 'error-text' : 'text', value: plainText(result.blocks) };
      if (result.json) output = { type: result.failed ? 'error-json' : 'json', value: result.json };
      else if (typeof result.blocks !== 'string') {
        output = {
          type: 'content',
          value: result.blocks.map(({ text, image }) =>
            text === undefined ? { type: 'image-data', data: image, mediaType: 'image/png' } : { type: 'text', text },
          ),
        };
      }
      return { type: 'tool-result', toolCallId: id, toolName: name, output };
    });
    if (results.length > 0) messages.push({ role: 'tool', content: results });
  }
  return messages;
};

const aiUser = (k, ...parts) => ({ role: 'user', content: [...parts, text(k.word())] });
const aiSays = (make) => (k) => [aiUser(k), model([...make(k), text(k.word())])];
const aiTold = (make) => (k) => [aiUser(k, make(k)), model([text(k.word())])];
const aiTool =
  (output, call = () => ({})) =>
  (k) => {
    const id = k.id('call');
    return [
      aiUser(k),
      model([{ type: 'tool-call', toolCallId: id, toolName: 'read', input: JSON.parse(k.json()), ...call(k) }]),
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: output(k) }] },
      model([text(k.word())]),
    ];
  };
const aiContent = (make) => aiTool((k) => ({ type: 'content', value: [make(k), ...k.random.pick([[], [text(k.text(20))]])] }));
const aiApproval = (approved) => (k) => {
  const [id, approvalId] = [k.id('call'), k.id('approval')];
  const output = approved ? { type: 'text', value: k.text() } : { type: 'execution-denied', reason: k.word() };
  return [
    aiUser(k),
    model([
      { type: 'tool-call', toolCallId: id, toolName: 'pay', input: { note: k.text(40) } },
      { type: 'tool-approval-request', approvalId, toolCallId: id },
    ]),
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'pay', output }] },
    model([text(k.word())]),
  ];
};
const openaiItem = (k, prefix) => ({ providerOptions: { openai: { itemId: k.id(prefix), reasoningEncryptedContent: k.base64() } } });
const media = (k) => ({ mediaType: 'image/png', data: k.png() });

/** Version 4 calls them `args` and `result`. */
const ofToday = (message) =>
  Array.isArray(message.content)
    ? {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-result' && 'result' in part ? { ...part, output: { type: 'json', value: part.result } } : part,
        ),
      }
    : message;

export const aiSdkModel = {
  name: 'ai-sdk-model',
  say,
  judge: async (messages) => (await import('../support/providers/ai-sdk.mjs')).answerModelMessages({ messages: messages.map(ofToday) }),
  system: (said) => ({ role: 'system', content: said }),
  plain: (k) => [aiUser(k), model([text(k.word())])],
  user: (k) => aiUser(k),
  wordsOf,
  open(k) {
    const id = k.id('call');
    const result = { type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: 'x' } };
    return {
      messages: [aiUser(k), model([{ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} }])],
      close: (messages) => [...messages, { role: 'tool', content: [result] }],
    };
  },
  opens: {
    'an approval': (k) => {
      const [id, approvalId] = [k.id('call'), k.id('approval')];
      const response = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] };
      const isGiven = k.random.chance(0.5);
      const call = { type: 'tool-call', toolCallId: id, toolName: 'pay', input: { note: k.text(20) } };
      return {
        messages: [aiUser(k), model([call, { type: 'tool-approval-request', approvalId, toolCallId: id }]), ...(isGiven ? [response] : [])],
        close: (messages) => (isGiven ? messages : [...messages, response]),
      };
    },
  },
  places: { modelOutputs: ' output', modelInOutput: ' in an output' },
  kinds: {
    modelInMessage: {
      text: (k) => [aiUser(k), model([text(k.text())])],
      image: aiTold((k) => ({ type: 'image', image: k.png(), mediaType: 'image/png' })),
      file: aiTold((k) => ({ type: 'file', mediaType: 'application/pdf', data: k.pdf() })),
      reasoning: aiSays((k) => [{ type: 'reasoning', text: k.text() }]),
      'reasoning-file': aiSays((k) => [{ type: 'reasoning-file', ...media(k) }]),
      custom: aiSays((k) => [{ type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { encryptedContent: k.base64() } } }]),
      ...both(
        ['tool-call', 'tool-result'],
        aiTool((k) => ({ type: 'text', value: k.text() })),
      ),
      ...both(['tool-approval-request', 'tool-approval-response'], aiApproval(true)),
    },
    modelOutputs: {
      text: aiTool((k) => ({ type: 'text', value: k.text() })),
      json: aiTool((k) => ({ type: 'json', value: { rows: [k.text(), 1, null] } })),
      'error-text': aiTool((k) => ({ type: 'error-text', value: k.text() })),
      'error-json': aiTool((k) => ({ type: 'error-json', value: { error: k.text() } })),
      'execution-denied': aiApproval(false),
      content: aiContent((k) => text(k.text())),
    },
    modelInOutput: {
      text: aiContent((k) => text(k.text())),
      file: aiContent((k) => ({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: k.png() } })),
      'file-data': aiContent((k) => ({ type: 'file-data', mediaType: 'application/pdf', data: k.pdf() })),
      'file-url': aiContent((k) => ({ type: 'file-url', url: `https://example.org/${k.id('f')}.pdf` })),
      'file-id': aiContent((k) => ({ type: 'file-id', fileId: k.id('file') })),
      'file-reference': aiContent((k) => ({ type: 'file-reference', providerReference: { openai: k.id('file') } })),
      'image-data': aiContent((k) => ({ type: 'image-data', ...media(k) })),
      'image-url': aiContent((k) => ({ type: 'image-url', url: `https://example.org/${k.id('f')}.png` })),
      'image-file-id': aiContent((k) => ({ type: 'image-file-id', fileId: k.id('file') })),
      'image-file-reference': aiContent((k) => ({ type: 'image-file-reference', providerReference: { openai: k.id('file') } })),
      custom: aiContent((k) => ({ type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName: k.id('tool') } } })),
    },
    more: {
      'Anthropic’s compaction': aiSays((k) => [{ ...text(k.text()), providerOptions: { anthropic: { type: 'compaction' } } }]),
      'run by the provider': aiSays((k) => {
        const id = k.id('srvtoolu');
        return [
          { type: 'tool-call', toolCallId: id, toolName: 'web_search', input: { query: k.word() }, providerExecuted: true },
          {
            type: 'tool-result',
            toolCallId: id,
            toolName: 'web_search',
            output: { type: 'json', value: [{ encryptedContent: k.base64() }] },
          },
        ];
      }),
      'texts of a tool of the provider': aiSays((k) => {
        const call = { toolCallId: k.id('srvtoolu'), toolName: 'run' };
        return [
          { type: 'tool-call', ...call, input: { code: k.word() }, providerExecuted: true },
          { type: 'tool-result', ...call, output: { type: 'json', value: hostedOutput(k) } },
        ];
      }),
      'document of text': aiTold((k) => ({ type: 'file', mediaType: 'text/plain', data: { type: 'text', text: k.text() } })),
      'approval of the provider’s call': (k) => {
        const [id, approvalId] = [k.id('mcp'), k.id('approval')];
        // The SDK knows the call again only where it streamed the request.
        const done = k.random.pick([id, k.id('mcp')]);
        return [
          aiUser(k),
          model([
            { type: 'tool-call', toolCallId: id, toolName: 'mcp.get', input: { query: k.text(20) }, providerExecuted: true },
            { type: 'tool-approval-request', approvalId, toolCallId: id },
          ]),
          { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true, providerExecuted: true }] },
          model([
            { type: 'tool-call', toolCallId: done, toolName: 'mcp.get', input: { query: 'x' }, providerExecuted: true },
            { type: 'tool-result', toolCallId: done, toolName: 'mcp.get', output: { type: 'json', value: { rows: k.text() } } },
            text(k.word()),
          ]),
        ];
      },
      'items of OpenAI': (k) => [
        aiUser(k),
        model([
          { type: 'reasoning', text: '', ...openaiItem(k, 'rs') },
          { ...text(k.text()), ...openaiItem(k, 'msg') },
        ]),
      ],
      'signed thinking': aiTool(
        (k) => ({ type: 'text', value: k.text() }),
        (k) => ({ providerOptions: { google: { thoughtSignature: k.base64(60) } } }),
      ),
      'file of the model': aiSays((k) => [{ type: 'file', ...media(k) }]),
    },
  },
  recognised: [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: 'x' } }] },
    { role: 'user', content: [{ type: 'image', image: IMAGE }] },
    { role: 'user', content: [{ type: 'file', data: IMAGE, mediaType: 'image/png' }] },
  ],
  tools: [{ Bash: { description: BASH.description, inputSchema: {} } }, [{ type: 'function', ...BASH, inputSchema: parameters }]],
  instructions: [{ role: 'system', content: 'Be kind.' }, [{ role: 'system', content: 'Be kind.' }]],
  refused: [
    [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', output: 'x' }] }, 'content[0].output must be an object, got string'],
    [
      { role: 'assistant', content: [{ type: 'tool-call', toolName: 'f', input: {} }] },
      'content[0].toolCallId must be a string, got undefined',
    ],
  ],
  unknown: { name: 'part of type hologram', said: (part) => model([part, { type: 'reasoning', text: 'So.' }, text('There it is.')]) },
  valid: () => [
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
  broken: {
    'message-shape': [['[5]', (m) => m.splice(5, 1, undefined)]],
    'unknown-role': [['[5].role', 'developer']],
    'content-shape': [
      ['[0].content', [{ type: 'text', text: 'Be brief.' }]],
      ['[1].content[0]', null],
      ['[1].content[0].text', undefined],
      ['[2].content[0].text', undefined],
    ],
    'part-role': [['[5].content[0]', put('[5].content', [{ type: 'reasoning', text: 'Hm.' }])]],
    'tool-call-shape': [
      ['[2].content[1].toolName', undefined],
      ['[2].content[5]', (m) => m[2].content.push({ type: 'tool-call', toolName: 'read', input: {} })],
    ],
    'arguments-not-object': [['[2].content[1].input', '{}']],
    'duplicate-tool-call': [['[2].content[5]', (m) => m[2].content.push({ ...m[2].content[1] })]],
    'tool-call-without-result': [['[2].content[2]', (m) => m[3].content.splice(0, 1)]],
    'tool-call-at-end': [
      [
        '[2].content[1]',
        (m) => {
          m.splice(4);
          m[3].content.splice(1);
        },
      ],
    ],
    'tool-result-shape': [
      ['[3].content[0].output', 'A'],
      ['[3].content[0]', (m) => m[3].content.unshift({ type: 'tool-result', toolName: 'read', output: { type: 'text', value: 'A' } })],
      ['[3].content[0].toolName', undefined],
      ['[3].content[0].output', put('[3].content[0].output.value', 5)],
      ['[3].content[1].output', put('[3].content[1].output.value', 'A')],
      ['[3].content[0].output', { value: 'A' }],
    ],
    'tool-result-without-call': [['[3].content[1]', (m) => m[2].content.splice(1, 1)]],
    'duplicate-tool-result': [['[3].content[2]', (m) => m[3].content.push({ ...m[3].content[0] })]],
    'server-result-without-call': [['[2].content[3]', (m) => m[2].content.splice(3, 1)]],
    'approval-without-request': [['[6].content[0]', (m) => m.push({ role: 'tool', content: [RESPONSE] })]],
    'no-messages': [['', (m) => m.splice(0)]],
  },
  accepted: {
    'a result behind another answer': (m) => m.splice(3, 0, { role: 'assistant', content: 'Wait.' }),
    'an approval that has just been given': (m) => m.push(ASKED, { role: 'tool', content: [RESPONSE] }),
    'the names of version 4': (m) => {
      m[2].content[1].args = m[2].content[1].input;
      delete m[2].content[1].input;
      m[3].content[0] = { type: 'tool-result', toolCallId: 'b', toolName: 'read', result: 'A' };
    },
  },
};
