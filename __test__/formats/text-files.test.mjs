// Text files that are attached inline: their texts are shortened as those of documents, and what is written is a file of the same shape.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { compress, countTokens, fit, prune, restore, validate } from 'palimpsest';

const LINES = Array.from(
  { length: 1200 },
  (_, at) => `The ${['ledger', 'invoice', 'café'][at % 3]} of branch ${at} was paid on day ${(at * 7) % 31}, says clerk ${(at * 31) % 97}.`,
);
const TEXT = LINES.join('\n');
const LIMIT = 8000;
/** Begins a character that never ends. */
const BROKEN = Buffer.concat([Buffer.from(TEXT), Buffer.from([0xe2, 0x80])]);

const ofUser = (content) => ({ role: 'user', content });
const ofModel = (content) => ({ role: 'assistant', content });
const words = (text) => ({ type: 'text', text });
const itemOfModel = (text) => ({ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] });
let id = 0;

/** How each format writes messages: `user` of parts, `model` of a text, `words` a part of text. */
const FORMATS = {
  'ai-sdk-model': { user: ofUser, model: ofModel, words },
  'ai-sdk-ui': {
    user: (parts) => ({ id: `m${id++}`, role: 'user', parts }),
    model: (text) => ({ id: `m${id++}`, role: 'assistant', parts: [words(text)] }),
    words,
  },
  anthropic: { user: ofUser, model: ofModel, words },
  'openai-chat': { user: ofUser, model: ofModel, words },
  'openai-responses': {
    user: (content) => ({ type: 'message', role: 'user', content }),
    model: (text) => ({ ...itemOfModel(text), id: `msg_${id++}` }),
    words: (text) => ({ type: 'input_text', text }),
  },
  'openai-agents': {
    user: (content) => ({ type: 'message', role: 'user', content }),
    model: itemOfModel,
    words: (text) => ({ type: 'input_text', text }),
  },
  gemini: {
    user: (parts) => ({ role: 'user', parts }),
    model: (text) => ({ role: 'model', parts: [{ text }] }),
    words: (text) => ({ text }),
  },
  langchain: { user: (content) => new HumanMessage({ content }), model: (text) => new AIMessage(text), words },
  mastra: {
    user: (parts) => ({ id: `m${id++}`, role: 'user', createdAt: new Date(0), threadId: 't', content: { format: 2, parts } }),
    model: (text) => ({
      id: `m${id++}`,
      role: 'assistant',
      createdAt: new Date(0),
      threadId: 't',
      content: { format: 2, parts: [words(text)] },
    }),
    words,
  },
  'ag-ui': {
    user: (content) => ({ id: `m${id++}`, role: 'user', content }),
    model: (content) => ({ id: `m${id++}`, role: 'assistant', content }),
    words,
  },
};

const base64 = (bytes) => bytes.toString('base64');
const dataUrl = (bytes) => `data:text/plain;base64,${base64(bytes)}`;

const file = (mediaType, data) => ({ type: 'file', mediaType, filename: 'a.txt', data });
const textFile = (data) => file('text/plain', data);

/** Of each format the files of some bytes, with the place of their data. */
const FILES = {
  'ai-sdk-model': {
    'data URL': [(bytes) => textFile(dataUrl(bytes)), ['data']],
    'data URL with a charset': [(bytes) => textFile(`data:text/csv;charset=utf-8;base64,${base64(bytes)}`), ['data']],
    base64: [(bytes) => textFile(base64(bytes)), ['data']],
    'base64 of JSON': [(bytes) => file('application/json', base64(bytes)), ['data']],
    'base64 that its name tells': [(bytes) => file('application/octet-stream', base64(bytes)), ['data']],
    Uint8Array: [(bytes) => textFile(new Uint8Array(bytes)), ['data']],
    Buffer: [(bytes) => textFile(Buffer.from(bytes)), ['data']],
    ArrayBuffer: [(bytes) => textFile(new Uint8Array(bytes).buffer), ['data']],
    URL: [(bytes) => textFile(new URL(dataUrl(bytes))), ['data']],
    'base64 in data': [(bytes) => textFile({ type: 'data', data: base64(bytes) }), ['data', 'data']],
    'bytes in data': [(bytes) => textFile({ type: 'data', data: new Uint8Array(bytes) }), ['data', 'data']],
  },
  'ai-sdk-ui': {
    'data URL': [(bytes) => ({ type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: dataUrl(bytes) }), ['url']],
    'escaped data URL': [(bytes) => ({ type: 'file', mediaType: 'text/csv', url: `data:text/csv,${escapeOf(bytes)}` }), ['url']],
  },
  anthropic: {
    base64: [
      (bytes) => ({ type: 'document', source: { type: 'base64', media_type: 'text/plain', data: base64(bytes) } }),
      ['source', 'data'],
    ],
  },
  'openai-chat': {
    'data URL': [(bytes) => ({ type: 'file', file: { filename: 'a.txt', file_data: dataUrl(bytes) } }), ['file', 'file_data']],
  },
  'openai-responses': {
    'data URL': [(bytes) => ({ type: 'input_file', filename: 'a.txt', file_data: dataUrl(bytes) }), ['file_data']],
  },
  'openai-agents': {
    'data URL': [(bytes) => ({ type: 'input_file', filename: 'a.txt', file: dataUrl(bytes) }), ['file']],
  },
  gemini: {
    base64: [(bytes) => ({ inlineData: { mimeType: 'text/plain', data: base64(bytes) } }), ['inlineData', 'data']],
  },
  langchain: {
    base64: [(bytes) => ({ type: 'file', mimeType: 'text/plain', data: base64(bytes) }), ['data']],
    bytes: [(bytes) => ({ type: 'file', mimeType: 'text/plain', data: new Uint8Array(bytes) }), ['data']],
    'base64 of version 0': [(bytes) => ({ type: 'file', source_type: 'base64', mime_type: 'text/html', data: base64(bytes) }), ['data']],
    'file of OpenAI': [(bytes) => ({ type: 'file', file: { filename: 'a.txt', file_data: dataUrl(bytes) } }), ['file', 'file_data']],
    'media of Gemini': [(bytes) => ({ type: 'media', mimeType: 'text/plain', data: base64(bytes) }), ['data']],
  },
  mastra: {
    'data URL': [(bytes) => ({ type: 'file', mimeType: 'text/plain', data: dataUrl(bytes) }), ['data']],
    base64: [(bytes) => ({ type: 'file', mimeType: 'text/plain', data: base64(bytes) }), ['data']],
  },
  'ag-ui': {
    base64: [
      (bytes) => ({ type: 'document', source: { type: 'data', mimeType: 'text/plain', value: base64(bytes) } }),
      ['source', 'value'],
    ],
  },
};

/** Percent-encodes each byte. */
function escapeOf(bytes) {
  return bytes.toString('latin1').replace(/[^\w .-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

const valueAt = (block, path) => path.reduce((value, key) => value?.[key], block);
const partsOf = ({ content, parts }) => parts ?? content.parts ?? content;
const urlOf = (data) => (data instanceof URL ? data.href : data);

/** The head of a data URL; empty for other data. */
const headOf = (data) => /^data:[^,]*,/.exec(urlOf(data))?.[0] ?? '';

function textOf(data) {
  if (typeof data !== 'string' && !(data instanceof URL)) return Buffer.from(data).toString();
  const head = headOf(data);
  const rest = urlOf(data).slice(head.length);
  return head === '' || head.endsWith(';base64,') ? Buffer.from(rest, 'base64').toString() : decodeURIComponent(rest);
}

/** A block without the data of its file. */
const withoutData = (block, [key, ...rest]) =>
  rest.length === 0 ? { ...block, [key]: '' } : { ...block, [key]: withoutData(block[key], rest) };

for (const [format, shapes] of Object.entries(FILES)) {
  const { user, model, words: say } = FORMATS[format];
  const conversations = {
    'the last message': (block) => [user([block, say('What of branch 77?')])],
    'an earlier message': (block) => [user([block, say('Sum it up.')]), model('It has rows.'), user([say('What of branch 77?')])],
  };
  for (const [shape, [fileOf, path]] of Object.entries(shapes))
    describe(`${format}: a text file as ${shape}`, () => {
      for (const [where, make] of Object.entries(conversations))
        test(`is shortened in ${where}`, () => {
          const block = fileOf(Buffer.from(TEXT));
          const messages = make(block);
          assert.ok(countTokens(messages, { format }) > 20_000);
          const result = fit(messages, { format, limit: LIMIT });
          assert.equal(result.fits, true);
          assert.ok(countTokens(result.messages, { format }) <= LIMIT);
          assert.deepEqual(validate(result.messages, { format }), []);
          const [cut] = partsOf(result.messages[0]);
          const [before, after] = [valueAt(block, path), valueAt(cut, path)];
          assert.deepEqual(withoutData(cut, path), withoutData(block, path));
          assert.equal(Object.getPrototypeOf(after), Object.getPrototypeOf(before));
          assert.equal(headOf(after), headOf(before));
          const left = textOf(after).split('\n');
          assert.ok(left.some((line) => line.startsWith('[…')));
          assert.ok(left.filter((line) => LINES.includes(line)).length > 100);
          const back = restore(result.messages, result.originals);
          assert.deepEqual(back.messages, messages);
          assert.deepEqual(back.missing, []);
          assert.ok(restore(result.messages, {}).missing.includes('messages[0]'));
        });

      test('stays the same object where it is not cut', () => {
        const block = fileOf(Buffer.from(LINES.slice(0, 20).join('\n')));
        const messages = [
          user([fileOf(Buffer.from(TEXT)), say('Sum it up.')]),
          model('It has rows.'),
          user([block, say('What of branch 7?')]),
        ];
        const { messages: left, fits } = fit(messages, { format, limit: LIMIT });
        assert.equal(fits, true);
        assert.ok(partsOf(left.at(-1))[0] === block);
      });

      test('stays whole where it is no UTF-8', () => {
        const block = fileOf(BROKEN);
        const { messages, fits } = fit([user([block, say('What of branch 77?')])], { format, limit: LIMIT });
        assert.equal(fits, false);
        assert.ok(partsOf(messages[0])[0] === block);
      });
    });
}

const cases = {
  'of another charset': { type: 'file', mediaType: 'text/plain;charset=utf-16le', data: Buffer.from(TEXT) },
  'whose data URL has another charset': textFile(`data:text/plain;charset=iso-8859-1;base64,${base64(Buffer.from(TEXT))}`),
  'by its URL': textFile(new URL('https://example.org/a.txt')),
};
for (const [what, block] of Object.entries(cases))
  test(`a text file ${what} stays whole`, () => {
    const { messages } = fit([ofUser([block, words('What of branch 77?')])], { format: 'ai-sdk-model', limit: LIMIT });
    assert.ok(messages[0].content[0] === block);
  });

const TEXT_DATA = base64(Buffer.from(TEXT));
const TEXT_URL = dataUrl(Buffer.from(TEXT));
const modelCall = (callId) => ofModel([{ type: 'tool-call', toolCallId: callId, toolName: 'read', input: { path: 'a.txt' } }]);
const modelResult = (callId, item) => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: callId, toolName: 'read', output: { type: 'content', value: [item] } }],
});
const itemOf = ([{ output }]) => output.value[0];
const responsesCall = (callId) => ({ type: 'function_call', call_id: callId, name: 'read', arguments: '{"path":"a.txt"}' });
const agentsCall = (callId) => ({ type: 'function_call', callId, name: 'read', arguments: '{"path":"a.txt"}', status: 'completed' });
const agentsResult = (callId, output) => ({ type: 'function_call_result', callId, name: 'read', status: 'completed', output });

/** Files in results: a call, its result with a file, and what stands in the result. */
const RESULTS = {
  'ai-sdk-model: file-data': {
    call: modelCall,
    result: (callId) => modelResult(callId, { type: 'file-data', mediaType: 'text/plain', filename: 'a.txt', data: TEXT_DATA }),
    inside: ({ content }) => itemOf(content),
  },
  'ai-sdk-model: file': {
    call: modelCall,
    result: (callId) => modelResult(callId, { type: 'file', mediaType: 'text/plain', data: { type: 'data', data: TEXT_DATA } }),
    inside: ({ content }) => itemOf(content),
  },
  'openai-responses: input_file': {
    call: responsesCall,
    result: (callId) => ({
      type: 'function_call_output',
      call_id: callId,
      output: [{ type: 'input_file', filename: 'a.txt', file_data: TEXT_URL }],
    }),
    inside: ({ output }) => output[0],
  },
  'openai-agents: input_file': {
    call: agentsCall,
    result: (callId) => agentsResult(callId, [{ type: 'input_file', filename: 'a.txt', file: TEXT_URL }]),
    inside: ({ output }) => output[0],
  },
  'openai-agents: one file': {
    call: agentsCall,
    result: (callId) => agentsResult(callId, { type: 'file', file: { data: TEXT_DATA, mediaType: 'text/plain', filename: 'a.txt' } }),
    inside: ({ output }) => output,
  },
  'anthropic: base64': {
    call: (callId) => ofModel([{ type: 'tool_use', id: callId, name: 'read', input: { path: 'a.txt' } }]),
    result: (callId) =>
      ofUser([
        {
          type: 'tool_result',
          tool_use_id: callId,
          content: [{ type: 'document', source: { type: 'base64', media_type: 'text/plain', data: TEXT_DATA } }],
        },
      ]),
    inside: ({ content }) => content[0].content[0],
  },
  'langchain: base64': {
    call: (callId) =>
      new AIMessage({ content: '', tool_calls: [{ id: callId, name: 'read', args: { path: 'a.txt' }, type: 'tool_call' }] }),
    result: (callId) =>
      new ToolMessage({
        tool_call_id: callId,
        name: 'read',
        content: [{ type: 'file', source_type: 'base64', mime_type: 'text/plain', data: TEXT_DATA }],
      }),
    inside: ({ content }) => content[0],
  },
};

for (const [name, { call, result, inside }] of Object.entries(RESULTS))
  describe(`${name} in a result`, () => {
    const format = name.split(':')[0];
    const { user, model, words: say } = FORMATS[format];
    const ask = (text) => user([say(text)]);

    test('is shortened to a text', () => {
      const messages = [ask('What does a.txt say of branch 77?'), call('c1'), result('c1')];
      assert.ok(countTokens(messages, { format }) > 20_000);
      const cut = fit(messages, { format, limit: LIMIT });
      assert.equal(cut.fits, true);
      assert.ok(countTokens(cut.messages, { format }) <= LIMIT);
      assert.deepEqual(validate(cut.messages, { format }), []);
      const { text } = inside(cut.messages[2]);
      assert.ok(text.split('\n').filter((line) => LINES.includes(line)).length > 100);
      assert.match(text, /^\[…/m);
      assert.deepEqual(restore(cut.messages, cut.originals).messages, messages);
    });

    test('is pruned where it comes again', () => {
      const messages = [
        ask('Read a.txt.'),
        ...[call('c1'), result('c1'), model('It has rows.'), ask('Once more.'), call('c2'), result('c2'), model('The same.')],
        ask('What of branch 77?'),
      ];
      for (const mode of ['stub', 'remove']) {
        const pruned = prune(messages, { format, mode });
        assert.ok(countTokens(pruned.messages, { format }) < 30_000);
        const back = restore(pruned.messages, pruned.originals);
        assert.deepEqual(back.messages, messages);
        assert.deepEqual(back.missing, []);
      }
    });
  });

test('compress leaves text files as they are', () => {
  const block = textFile(TEXT_URL);
  const messages = [
    ofUser([block, words('Sum it up.')]),
    ...Array.from({ length: 6 }, (_, at) => [ofModel(`It has rows, as I said ${at} times.`), ofUser(`And now, at ${at}?`)]).flat(),
  ];
  const { messages: left } = compress(messages, { format: 'ai-sdk-model', recencyWindow: 2 });
  assert.ok(left[0].content[0] === block);
});
