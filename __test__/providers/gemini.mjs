// Gemini's contents: `describeProvider` says what each field is for.
import { pdf } from '../support/files.mjs';
import { both, plainText, answeredIn, BASH, parameters, many, put } from './draw.mjs';

const SIGNED = { thoughtSignature: 'AAEC' };
const fileOf = (mimeType, data) => ({ inlineData: { mimeType, data } });

/** Writes a conversation that `dialogue` draws. */
const say = ({ turns }) => {
  const show = ({ text, image }) => (text === undefined ? { inlineData: { mimeType: 'image/png', data: image } } : { text });
  const contents = [];
  // It depends on the model whether calls are signed.
  const isSigned = turns.find(({ reasoning }) => reasoning)?.reasoning.signed;
  for (const turn of turns) {
    if (turn.who === 'user') {
      contents.push({ role: 'user', parts: [{ text: turn.text }, ...turn.more].map(show) });
      continue;
    }
    const parts = [];
    if (turn.reasoning) parts.push({ text: turn.reasoning.text, thought: true });
    if (turn.text !== null) parts.push({ text: turn.text });
    if (turn.odd)
      parts.push(
        { executableCode: { language: 'PYTHON', code: 'print(1)' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      );
    turn.calls.forEach(({ id, name, args }, index) =>
      parts.push({
        functionCall: { ...(turn.odd && { id }), name, args },
        ...(index === 0 && isSigned && { thoughtSignature: 'c2ln' }),
      }),
    );
    contents.push({ role: 'model', parts });
    const responses = answeredIn(turn).map(({ id, name, result }) => ({
      functionResponse: {
        ...(turn.odd && { id }),
        name,
        response: result.json ?? { [result.failed ? 'error' : 'output']: plainText(result.blocks) },
      },
    }));
    if (responses.length > 0) contents.push({ role: 'user', parts: responses });
  }
  return contents;
};

const asks = (parts) => ({ role: 'user', parts });
const geminiSays = (make) => (k) => [asks([{ text: k.word() }]), { role: 'model', parts: [...make(k), { text: k.word() }] }];
const geminiTold = (make) => (k) => [asks([make(k), { text: k.word() }]), { role: 'model', parts: [{ text: k.word() }] }];
/** Gemini 3 signs the first call of each step. */
const geminiCall = (response) => (k) => {
  const id = k.id('call');
  const named = k.random.chance(0.5) ? { id } : {};
  return [
    asks([{ text: k.word() }]),
    { role: 'model', parts: [{ functionCall: { ...named, name: 'look', args: { query: k.text(20) } }, ...signed(k) }] },
    asks([{ functionResponse: { ...named, name: 'look', response: response(k) } }]),
    { role: 'model', parts: [{ text: k.word() }] },
  ];
};
const code = (k) => [
  { executableCode: { language: 'PYTHON', code: k.text() } },
  { codeExecutionResult: { outcome: k.random.pick(['OUTCOME_OK', 'OUTCOME_FAILED']), output: k.text() } },
];
const geminiTool = geminiSays((k) => {
  const id = k.id('tool');
  return [
    { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { query: k.word() }, id } },
    { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', id, response: { results: k.text() } } },
  ];
});
const picture = (k) => ({ inlineData: { mimeType: 'image/png', data: k.png() } });
const video = (k) => ({ fileData: { fileUri: `https://example.org/files/${k.id('video')}`, mimeType: 'video/mp4' } });
const signed = (k) => ({ thoughtSignature: k.base64(60) });

export const gemini = {
  name: 'gemini',
  say,
  judge: async (contents) => (await import('../support/providers/gemini.mjs')).answerContents({ contents }),
  newer: /[Cc]ode execution result/,
  system: undefined, // it stands beside the contents
  plain: (k) => [asks([{ text: k.word() }]), { role: 'model', parts: [{ text: k.word() }] }],
  user: (k) => asks([{ text: k.word() }]),
  wordsOf: ({ role, parts }) => (role === 'user' ? parts.map((part) => part.text).filter((said) => said !== undefined) : []),
  open(k) {
    return {
      messages: [asks([{ text: k.word() }]), { role: 'model', parts: [{ functionCall: { name: 'look', args: {} }, ...signed(k) }] }],
      close: (messages) => [...messages, asks([{ functionResponse: { name: 'look', response: { output: 'x' } } }])],
    };
  },
  kinds: {
    gemini: {
      text: (k) => [asks([{ text: k.word() }]), { role: 'model', parts: [{ text: k.text() }] }],
      thought: geminiSays((k) => [{ text: k.text(), thought: true }]),
      thoughtSignature: (k) => [asks([{ text: k.word() }]), { role: 'model', parts: [{ text: k.text(), ...signed(k) }] }],
      ...both(
        ['functionCall', 'functionResponse'],
        geminiCall((k) => k.random.pick([{ output: k.text() }, { rows: [k.text(), 1] }])),
      ),
      inlineData: geminiTold(picture),
      fileData: geminiTold(video),
      videoMetadata: geminiTold((k) => ({ ...video(k), videoMetadata: { startOffset: '1s' } })),
      mediaResolution: geminiTold((k) => ({ ...picture(k), mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } })),
      mediaProcessing: geminiTold((k) => ({ ...video(k), mediaProcessing: {} })),
      audioTranscription: geminiTold((k) => ({ audioTranscription: { text: k.text(), finished: true } })),
      partMetadata: geminiTold((k) => ({ text: k.text(), partMetadata: { source: 'a' } })),
      speechMetadata: geminiTold((k) => ({ text: k.text(), speechMetadata: { speaker: 'a' } })),
      ...both(['executableCode', 'codeExecutionResult'], geminiSays(code)),
      ...both(['toolCall', 'toolResponse'], geminiTool),
    },
    more: {
      'two calls, one signature': (k) => {
        const parts = ['one', 'two'].map((query, at) => ({ functionCall: { name: 'look', args: { query } }, ...(at === 0 && signed(k)) }));
        return [
          asks([{ text: k.word() }]),
          { role: 'model', parts },
          asks(parts.map(() => ({ functionResponse: { name: 'look', response: { output: k.text() } } }))),
          { role: 'model', parts: [{ text: k.word() }] },
        ];
      },
      'signed image of the model': geminiSays((k) => [{ ...picture(k), ...signed(k) }]),
      'signed code': geminiSays((k) => code(k).map((part) => ({ ...part, ...signed(k) }))),
      'picture in a response': geminiCall((k) => ({ output: k.text(), parts: [picture(k)] })),
    },
  },
  recognised: [
    { role: 'user', parts: [{ text: 'x' }] },
    { parts: [{ text: 'x' }] },
    { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
    { role: 'function', parts: [{ functionResponse: { name: 'f', response: {} } }] },
  ],
  tools: [[{ functionDeclarations: [{ ...BASH, parameters }] }], [{ googleSearch: {} }]],
  instructions: [{ parts: [{ text: 'Be kind.' }] }, { text: 'Be kind.' }],
  refused: [
    [{ role: 'model', parts: [{ functionCall: { name: 'f', args: [] } }] }, 'parts[0].functionCall.args must be an object, got array'],
    [
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: 'x' } }] },
      'parts[0].functionResponse.response must be an object, got string',
    ],
  ],
  unknown: { name: 'part with hologram', said: ({ data }) => ({ role: 'model', parts: [{ hologram: data }, { text: 'There it is.' }] }) },
  valid: () => [
    { role: 'user', parts: [{ text: 'What is in a and b?' }] },
    {
      role: 'model',
      parts: [
        { text: 'Hm.', thought: true },
        { functionCall: { id: 'a', name: 'read', args: { path: 'a' } }, ...SIGNED },
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
    { role: 'model', parts: [{ functionCall: { id: 'c', name: 'read', args: {} }, ...SIGNED }] },
    { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'read', response: {} } }] },
    { role: 'model', parts: [{ text: 'A.' }] },
    { parts: [{ text: 'Thanks.' }] },
  ],
  broken: {
    'message-shape': [['[6]', null]],
    'unknown-role': [['[5].role', 'assistant']],
    'first-message': [['[0]', (m) => m.unshift({ role: 'model', parts: [{ text: 'Hello.' }] })]],
    'content-shape': [
      ['[6].parts', 'Thanks.'],
      ['[5].parts[0]', { thoughtSignature: 'AAEC' }],
      ['[5].parts[0]', 'A.'],
      ['[5].parts[0].text', 5],
    ],
    'part-role': [
      ['[5].parts[0]', put('[5].parts', [{ functionResponse: { name: 'read', response: {} } }])],
      ['[6].parts[0]', put('[6].parts', [{ functionCall: { name: 'read' } }])],
      ['[6].parts[0]', put('[6].parts', [{ executableCode: { language: 'PYTHON', code: 'print(1)' } }])],
    ],
    'empty-content': [['[5].parts', []]],
    'tool-call-shape': [['[3].parts[0].functionCall', put('[3].parts[0].functionCall.name', '')]],
    'arguments-not-object': [['[3].parts[0].functionCall.args', []]],
    'tool-call-without-result': [['[3].parts[0]', put('[4].parts', [{ text: 'Stop.' }])]],
    'tool-result-shape': [
      ['[2].parts[0].functionResponse.response', 'A'],
      ['[4].parts[0].functionResponse', put('[4].parts[0].functionResponse.name')],
    ],
    'tool-result-without-call': [
      ['[4].parts[0]', put('[3].parts', [{ text: 'A.' }])],
      ['[4].parts[0]', put('[4].parts[0].functionResponse.id', 'a')],
    ],
    'function-response-count': [
      ['[2]', (m) => m[2].parts.pop()],
      ['[4]', (m) => m[4].parts.push({ ...m[4].parts[0] })],
    ],
    'thought-signature': [
      [
        '[8].parts[0]',
        (m) =>
          m.push(
            { role: 'user', parts: [{ text: 'And c?' }] },
            { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
            { role: 'user', parts: [{ functionResponse: { name: 'read', response: {} } }] },
          ),
      ],
      ['[1].parts[1].thoughtSignature', ''],
    ],
    'too-many-bytes': [['[0]', put('[0].parts[0].text', 'ä'.repeat(50e6))]],
    'too-many-images': [['[0].parts[3601]', (m) => m[0].parts.push(...many(3601, (data) => fileOf('image/png', data)))]],
    'too-many-pages': [['[0].parts[2]', (m) => m[0].parts.push(...[1000, 1].map((pages) => fileOf('application/pdf', pdf(pages))))]],
    'no-messages': [['', (m) => m.splice(0)]],
  },
  accepted: {
    'as many pages as there may be': (m) => m[0].parts.push(fileOf('application/pdf', pdf(1000))),
    'calls that wait at the end': (m) => m.splice(4),
    'a conversation in which nothing is signed': (m) => {
      delete m[1].parts[1].thoughtSignature;
      delete m[3].parts[0].thoughtSignature;
    },
    'a second call in parallel, and calls before the user spoke, without signatures': (m) => {
      delete m[1].parts[1].thoughtSignature;
      m.push({ role: 'model', parts: [{ text: 'You are welcome.' }] });
    },
    'no ids': (m) =>
      m.forEach(({ parts }) =>
        parts.forEach((part) => {
          delete part.functionCall?.id;
          delete part.functionResponse?.id;
        }),
      ),
  },
};
