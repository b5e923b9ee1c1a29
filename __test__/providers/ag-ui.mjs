// Messages of AG-UI: `describeProvider` says what each field is for.
import { IMAGE, text, wordsOf, shown, answeredIn, put } from './draw.mjs';

/** Writes a conversation that `dialogue` draws. */
const say = ({ system, turns }) => {
  const show = ({ text, image }) =>
    text === undefined ? { type: 'image', source: { type: 'data', value: image, mimeType: 'image/png' } } : { type: 'text', text };
  const messages = [];
  const add = (role, more) => messages.push({ id: `m${messages.length}`, role, ...more });
  if (system !== null) add('system', { content: system });
  for (const turn of turns) {
    if (turn.who === 'user') {
      add('user', { content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(show) : turn.text });
      continue;
    }
    if (turn.reasoning) add('reasoning', { content: turn.reasoning.text, ...(turn.reasoning.signed && { encryptedValue: 'gAAAA' }) });
    const toolCalls = turn.calls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    add('assistant', { content: turn.text ?? '', ...(toolCalls.length > 0 && { toolCalls }) });
    if (turn.odd) add('activity', { activityType: 'progress', content: { done: 1 } });
    for (const { id, result } of answeredIn(turn)) {
      const content = typeof result.blocks === 'string' ? shown(result) : result.blocks.map(show);
      add('tool', { toolCallId: id, content, ...(result.failed && { error: 'It failed.' }) });
    }
  }
  return messages;
};

const said = (k, role, content, more = {}) => ({ id: k.id('m'), role, content, ...more });
const agUiSays = (make) => (k) => [said(k, 'user', k.word()), ...make(k), said(k, 'assistant', k.word())];
const agUiTold = (type, source) => (k) => [said(k, 'user', [{ type, source: source(k) }, text(k.word())]), said(k, 'assistant', k.word())];
const agUiCall = (k, more = {}) => ({ id: k.id('call'), type: 'function', function: { name: 'read', arguments: k.json() }, ...more });
const agUiCalls = (result, more = () => ({})) =>
  agUiSays((k) => {
    const call = agUiCall(k, more(k));
    return [said(k, 'assistant', '', { toolCalls: [call] }), said(k, 'tool', result(k), { toolCallId: call.id })];
  });
const agUiData = (k) => ({ type: 'data', value: k.png(), mimeType: 'image/png' });
const agUiUrl = () => ({ type: 'url', value: 'https://example.org/a', mimeType: 'video/mp4' });

export const agUi = {
  name: 'ag-ui',
  say,
  judge: async (messages) => (await import('../support/providers/ag-ui.mjs')).answerAgUi({ messages }),
  system: (words) => ({ id: 'system', role: 'system', content: words }),
  plain: (k) => [said(k, 'user', k.word()), said(k, 'assistant', k.word())],
  user: (k) => said(k, 'user', k.word()),
  wordsOf,
  open(k) {
    const call = agUiCall(k);
    return {
      messages: [said(k, 'user', k.word()), said(k, 'assistant', '', { toolCalls: [call] })],
      close: (messages) => [...messages, { id: 'end', role: 'tool', toolCallId: call.id, content: 'x' }],
    };
  },
  places: { agUiRoles: ' message', agUiInMessage: ' part', agUiSources: ' source of an image' },
  kinds: {
    agUiRoles: {
      developer: agUiSays((k) => [said(k, 'developer', k.word())]),
      system: agUiSays((k) => [said(k, 'system', k.word())]),
      user: (k) => [said(k, 'user', k.text()), said(k, 'assistant', k.word())],
      assistant: (k) => [said(k, 'user', k.word()), said(k, 'assistant', k.text())],
      tool: agUiCalls((k) => k.text()),
      activity: agUiSays((k) => [{ id: k.id('m'), role: 'activity', activityType: 'progress', content: { steps: [k.text()] } }]),
      reasoning: agUiSays((k) => [said(k, 'reasoning', k.text())]),
    },
    agUiInMessage: {
      text: (k) => [said(k, 'user', [text(k.text()), text(k.word())]), said(k, 'assistant', k.word())],
      image: agUiTold('image', agUiData),
      audio: agUiTold('audio', (k) => ({ type: 'data', value: k.base64(), mimeType: 'audio/wav' })),
      video: agUiTold('video', agUiUrl),
      document: agUiTold('document', (k) => ({ type: 'data', value: k.pdf(), mimeType: 'application/pdf' })),
    },
    agUiSources: {
      data: agUiTold('image', agUiData),
      url: agUiTold('image', agUiUrl),
      file: agUiTold('image', (k) => ({ type: 'file', value: k.id('file'), provider: 'openai' })),
    },
    more: {
      'image in a result': agUiCalls((k) => [text(k.text()), { type: 'image', source: agUiData(k) }]),
      'encrypted reasoning': agUiSays((k) => [said(k, 'reasoning', '', { encryptedValue: k.base64() })]),
      'answer with encrypted reasoning': (k) => [said(k, 'user', k.word()), said(k, 'assistant', k.text(), { encryptedValue: k.base64() })],
      'call with encrypted reasoning': agUiCalls(
        (k) => k.text(),
        (k) => ({ encryptedValue: k.base64() }),
      ),
      'failed call': agUiSays((k) => {
        const call = agUiCall(k);
        return [said(k, 'assistant', '', { toolCalls: [call] }), said(k, 'tool', k.text(), { toolCallId: call.id, error: k.text(30) })];
      }),
      'reasoning, two calls and an activity': agUiSays((k) => {
        const calls = [agUiCall(k), agUiCall(k)];
        return [
          said(k, 'reasoning', k.text()),
          said(k, 'assistant', k.text(20), { toolCalls: calls }),
          { id: k.id('m'), role: 'activity', activityType: 'progress', content: { done: 1 } },
          ...calls.map(({ id }) => said(k, 'tool', k.text(), { toolCallId: id })),
        ];
      }),
    },
  },
  recognised: [
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
          { type, source: { type: kind, value: IMAGE, mimeType: 'a/b' } },
        ],
      })),
    ),
    { id: 'a', role: 'user', content: [{ type: 'binary', mimeType: 'image/png', data: IMAGE }] },
  ],
  refused: [
    [{ role: 'reasoning' }, 'content must be a string, got undefined'],
    [{ role: 'assistant', toolCalls: [{ id: 'a', type: 'function' }] }, 'toolCalls[0].function must be an object, got undefined'],
    [{ role: 'tool', toolCallId: 'a', content: 'x', error: 1 }, 'error must be a string, got number'],
  ],
  valid: () => [
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
  broken: {
    'message-shape': [['[1]', (m) => m.splice(1, 1, null)]],
    'missing-id': [
      ['[8]', put('[8].id')],
      ['[4]', put('[4].id')],
    ],
    'unknown-role': [['[8].role', (m) => m.push({ ...m.pop(), role: 'human' })]],
    'content-shape': [
      ['[8].content', undefined],
      ['[1].content[0].text', undefined],
      ['[2].content', undefined],
      ['[4].content', (m) => m.splice(4, 1, { ...m[4], content: 'done' })],
    ],
    'part-role': [['[7].content[0]', (m) => m.splice(7, 1, { ...m[7], content: [{ type: 'text', text: 'A' }] })]],
    'empty-content': [
      ['[7].toolCalls', (m) => m.splice(7, 1, { ...m[7], toolCalls: [] })],
      ['[7].content', undefined],
    ],
    'tool-call-shape': [
      ['[7].toolCalls', (m) => m.splice(7, 1, { ...m[7], toolCalls: {} })],
      ['[3].toolCalls[0]', put('[3].toolCalls[0].type')],
      ['[3].toolCalls[2]', (m) => m[3].toolCalls.push({ ...m[3].toolCalls[0], id: null })],
    ],
    'function-name': [['[3].toolCalls[0].function.name', (m) => Object.assign(m[3].toolCalls[0].function, { name: 'functions.read' })]],
    'arguments-not-object': [
      ['[3].toolCalls[0].function.arguments', (m) => Object.assign(m[3].toolCalls[0].function, { arguments: '{"path":"a' })],
    ],
    'duplicate-tool-call': [['[3].toolCalls[2]', (m) => m[3].toolCalls.push({ ...m[3].toolCalls[0] })]],
    'tool-call-without-result': [['[3].toolCalls[1]', (m) => m.splice(5, 1)]],
    'tool-call-at-end': [['[3].toolCalls[0]', (m) => m.splice(6)]],
    'tool-result-shape': [
      ['[5].content', undefined],
      ['[5].toolCallId', (m) => m.splice(5, 0, { id: '9', role: 'tool', content: 'x' })],
    ],
    'tool-result-without-call': [
      ['[5]', (m) => m.splice(5, 0, { ...m[5], toolCallId: 'x' })],
      ['[8]', (m) => m.splice(8, 0, { ...m[5] })],
    ],
    'duplicate-tool-result': [['[7]', (m) => m.splice(7, 0, { ...m[6] })]],
    'no-messages': [['', (m) => m.splice(0)]],
  },
  accepted: {
    'activities and reasoning anywhere': (m) => m.splice(6, 0, m[4], m[2]),
    'an id that an earlier, finished exchange used': (m) => m.push(...m.slice(3, 8).map((one) => structuredClone(one))),
    'fields that the protocol does not name': (m) => Object.assign(m[8], { name: 'Ada', metadata: { a: 1 }, more: true }),
  },
};
