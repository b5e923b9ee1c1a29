// What messages hold beside texts counts as what the model gets of it: by the SDK's own conversion, or by the providers' figures.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { convertMessagesToResponsesInput } from '@langchain/openai';
import { convertToModelMessages } from 'ai';
import { countTokens, createSession, fit } from 'palimpsest';

const WORDS = 'alpha beta gamma delta '.repeat(400);
const LONG = 'QUJDREVG'.repeat(2000);
const base64 = (text) => Buffer.from(text, 'latin1').toString('base64');
/** A PNG of 1024 × 1024 pixels with a lot of data. */
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d494844520000040000000400', 'hex'), Buffer.alloc(90_000, 7)]).toString(
  'base64',
);
const PNG_URL = `data:image/png;base64,${PNG}`;
/** By the guides to images: 85 + 4 × 170, 1024² / 750, and 2 × 2 tiles. */
const IMAGE = { openai: 765, anthropic: 1399, gemini: 4 * 258 };

const FORMATS = {
  'openai-chat': (content) => [{ role: 'user', content }],
  'openai-responses': (content) => [{ type: 'message', role: 'user', content }],
  'openai-agents': (content) => [{ type: 'message', role: 'user', content }],
  anthropic: (content) => [{ role: 'user', content }],
  'ai-sdk-model': (content) => [{ role: 'user', content }],
  'ai-sdk-ui': (parts) => [{ id: 'u', role: 'user', parts }],
  gemini: (parts) => [{ role: 'user', parts }],
  langchain: (content) => [new HumanMessage({ content })],
};
/** The tokens of a part of a user's message. */
const ofPart = (format, part) => countTokens(FORMATS[format]([part]), { format }) - countTokens(FORMATS[format]([]), { format });
const near = (actual, expected, tolerance) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`);

describe('what the AI SDK drops costs nothing, and what it sends costs what it sends', () => {
  const tool = { type: 'tool-read', toolCallId: 'c', input: { path: 'a.ts' } };
  const cases = {
    data: { type: 'data-chart', data: { rows: WORDS } },
    'a source': { type: 'source-url', sourceId: 's', url: `https://example.org/${LONG}`, title: WORDS },
    'a document as a source': { type: 'source-document', sourceId: 's', mediaType: 'text/plain', title: WORDS },
    'a call of which only the beginning came': { ...tool, state: 'input-streaming', input: { path: WORDS } },
    'a call': { ...tool, state: 'output-available', output: WORDS },
    'a failed call': { ...tool, state: 'output-error', errorText: WORDS },
    'a custom part': { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { encryptedContent: LONG } } },
  };
  for (const [name, part] of Object.entries(cases)) {
    test(name, async () => {
      const history = [
        { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] },
        { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'Well.' }, part, { type: 'text', text: 'Done.' }] },
      ];
      const sent = countTokens(await convertToModelMessages(history), { format: 'ai-sdk-model' });
      // The SDK makes several messages of one, each of which has some tokens of its own.
      near(countTokens(history, { format: 'ai-sdk-ui' }), sent, 30);
    });
  }
  test('in Mastra', () => {
    const say = (parts) => [{ id: 'm', role: 'assistant', createdAt: new Date(0), content: { format: 2, parts } }];
    const text = { type: 'text', text: 'Done.' };
    const shown = [cases.data, cases['a source'], cases['a document as a source']];
    assert.equal(countTokens(say([...shown, text]), { format: 'mastra' }), countTokens(say([text]), { format: 'mastra' }));
  });
});

test('what LangChain’s adapter sends from beside the content counts', () => {
  const reasoning = { type: 'reasoning', id: 'rs', encrypted_content: LONG, summary: [] };
  const mcp = { type: 'mcp_call', id: 'm', name: 'get', server_label: 'crm', arguments: '{}', output: WORDS };
  for (const extra of [
    {},
    { reasoning },
    { tool_outputs: [mcp] },
    { tool_outputs: [{ type: 'web_search_call', id: 'w', queries: WORDS }] },
  ]) {
    const messages = [new HumanMessage('Hello.'), new AIMessage({ content: 'Done.', additional_kwargs: extra })];
    const sent = JSON.stringify(convertMessagesToResponsesInput({ messages, zdrEnabled: true, model: 'gpt-5.5' })).length;
    const plain = JSON.stringify(
      convertMessagesToResponsesInput({ messages: [messages[0], new AIMessage('Done.')], zdrEnabled: true, model: 'gpt-5.5' }),
    ).length;
    const counted =
      countTokens(messages, { format: 'langchain' }) - countTokens([messages[0], new AIMessage('Done.')], { format: 'langchain' });
    near(counted, (sent - plain) / 3.5, 20);
  }
});

describe('base64 is never counted as text', () => {
  const call = { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'draw', input: {} }] };
  const answer = (value) => [
    call,
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'draw', output: { type: 'content', value } }] },
  ];
  const places = {
    'a hosted image': ['openai-responses', [{ type: 'image_generation_call', id: 'i', status: 'completed', result: PNG }]],
    'a hosted image, Agents SDK': [
      'openai-agents',
      [
        {
          type: 'hosted_tool_call',
          name: 'image_generation_call',
          id: 'i',
          output: PNG,
          providerData: { type: 'image_generation_call', result: PNG },
        },
      ],
    ],
    'a screenshot': [
      'openai-responses',
      [
        { type: 'computer_call', id: 'c', call_id: 'c', action: { type: 'screenshot' }, pending_safety_checks: [], status: 'completed' },
        { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: PNG_URL } },
      ],
    ],
    'a picture of code': [
      'openai-responses',
      [
        {
          type: 'code_interpreter_call',
          id: 'c',
          code: 'x',
          container_id: 'c',
          status: 'completed',
          outputs: [{ type: 'image', url: PNG_URL }],
        },
      ],
    ],
    'a picture in a response': [
      'gemini',
      [
        { role: 'model', parts: [{ functionCall: { id: 'f', name: 'look', args: {} } }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: 'f',
                name: 'look',
                response: { output: 'See.' },
                parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
              },
            },
          ],
        },
      ],
    ],
    'media in a result': ['ai-sdk-model', answer([{ type: 'media', mediaType: 'image/png', data: PNG }])],
    'a file in a result': ['ai-sdk-model', answer([{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } }])],
    'an image of the provider’s tool': [
      'ai-sdk-model',
      [
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'c', toolName: 'image_generation', input: {}, providerExecuted: true },
            { type: 'tool-result', toolCallId: 'c', toolName: 'image_generation', output: { type: 'json', value: { result: PNG } } },
          ],
        },
      ],
    ],
    'the same in a UI message': [
      'ai-sdk-ui',
      [
        {
          id: 'a',
          role: 'assistant',
          parts: [
            {
              type: 'tool-image_generation',
              toolCallId: 'c',
              state: 'output-available',
              input: {},
              output: { result: PNG },
              providerExecuted: true,
            },
          ],
        },
      ],
    ],
    'a data block': [
      'langchain',
      [new HumanMessage({ content: [{ type: 'image', source_type: 'base64', mime_type: 'image/png', data: PNG }] })],
    ],
    'a result of the provider’s': [
      'langchain',
      [
        new AIMessage({
          content: [
            { type: 'server_tool_call', id: 's', name: 'draw', args: {} },
            { type: 'server_tool_call_result', toolCallId: 's', status: 'success', output: { mimeType: 'image/png', data: PNG } },
          ],
        }),
      ],
    ],
    'images of OpenRouter’s': [
      'openai-chat',
      [{ role: 'assistant', content: 'See.', images: [{ type: 'image_url', image_url: { url: PNG_URL } }] }],
    ],
    'bytes in an unknown block': ['anthropic', [{ role: 'user', content: [{ type: 'odd', bytes: Buffer.from(PNG, 'base64') }] }]],
  };
  for (const [name, [format, messages]] of Object.entries(places)) {
    test(name, () => {
      const image = IMAGE[format] ?? IMAGE.openai;
      const counted = countTokens(messages, { format });
      assert.ok(counted > image && counted < image + 150, `${counted}`);
      assert.equal(fit(messages, { format, limit: 50_000 }).tokens.before, counted);
      assert.equal(fit(messages, { format, limit: counted + 10 }).tokens.after, counted);
      assert.equal(createSession({ format, limit: 50_000 }).next(messages).tokens.after, counted);
    });
  }
  test('a text that begins like a data URL is a text', () => {
    const item = { type: 'odd', value: `data: ${WORDS}` };
    near(countTokens([{ role: 'user', content: [item] }], { format: 'anthropic' }), JSON.stringify(item).length / 3.5, 20);
  });
  test('what is encrypted stays what it is', () => {
    const item = { type: 'compaction', id: 'c', encrypted_content: LONG };
    near(countTokens([item], { format: 'openai-responses' }), JSON.stringify(item).length / 3.5, 20);
  });
});

describe('texts in files are texts', () => {
  const tokens = countTokens(WORDS);
  const data = Buffer.from(WORDS).toString('base64');
  const url = `data:text/plain;base64,${data}`;
  const shapes = {
    'openai-chat': [{ type: 'file', file: { filename: 'a.txt', file_data: url } }],
    'openai-responses': [{ type: 'input_file', filename: 'a.md', file_data: `data:text/markdown;base64,${data}` }],
    'openai-agents': [{ type: 'input_file', filename: 'a.txt', file: url }],
    anthropic: [
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: WORDS } },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: WORDS }] } },
    ],
    'ai-sdk-model': [
      { type: 'file', mediaType: 'text/plain', data },
      { type: 'file', mediaType: 'application/json', data: new Uint8Array(Buffer.from(WORDS)) },
      { type: 'file', mediaType: 'text/csv', data: { type: 'data', data } },
      { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: WORDS } },
      { type: 'file', mediaType: 'text/plain', data: new URL(url) },
    ],
    'ai-sdk-ui': [
      { type: 'file', mediaType: 'text/plain', url },
      { type: 'file', mediaType: 'text/plain', url: `data:text/plain,${encodeURIComponent(WORDS)}` },
    ],
    gemini: [{ inlineData: { mimeType: 'text/plain', data } }, { inlineData: { mimeType: 'application/json', data } }],
    langchain: [
      { type: 'text-plain', mimeType: 'text/plain', text: WORDS },
      { type: 'file', source_type: 'text', mime_type: 'text/plain', text: WORDS },
      { type: 'file', source_type: 'base64', mime_type: 'text/html', data },
    ],
  };
  for (const [format, blocks] of Object.entries(shapes))
    for (const block of blocks) test(`${format}: ${JSON.stringify(block).slice(0, 80)}`, () => near(ofPart(format, block), tokens, 3));

  test('title and context of a document are sent with it', () => {
    const document = { type: 'document', title: WORDS, context: WORDS, source: { type: 'text', media_type: 'text/plain', data: WORDS } };
    near(ofPart('anthropic', document), 3 * tokens, 6);
  });
});

/** A PDF of so many pages, whose objects stand as they are or in a compressed stream. */
function pdfOf(pages, isCompressed = false, isTree = true) {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(' ');
  const tree = isTree ? `<< /Type /Pages /Kids [ ${kids} ] /Count ${pages} >>` : '';
  const leaves = Array.from({ length: pages }, () => '<</Type/Page /Parent 2 0 R /Resources << /Font << >> >> >>');
  const outlines = '<< /Type /Outlines /Count 900 >>';
  const objects = [outlines, tree, ...leaves].join('\n');
  if (!isCompressed) return `%PDF-1.4\n${objects}\n%%EOF`;
  const stream = deflateSync(objects).toString('latin1');
  return `%PDF-1.5\n9 0 obj\n<< /Type /ObjStm /N ${pages} /First 10 /Filter /FlateDecode /Length ${stream.length} >>\nstream\r\n${stream}\r\nendstream\nendobj\n%%EOF`;
}

describe('PDFs', () => {
  const blocks = {
    'openai-chat': (data) => ({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` } }),
    anthropic: (data) => ({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }),
    gemini: (data) => ({ inlineData: { mimeType: 'application/pdf', data } }),
  };
  /** Tokens of a page: text and image (OpenAI, Anthropic's upper figure), and Gemini's figure. */
  const page = { 'openai-chat': 1500, anthropic: 3000, gemini: 258 };
  for (const [format, block] of Object.entries(blocks)) {
    const pagesOf = (file) => Math.round(ofPart(format, block(base64(file))) / page[format]);
    test(`${format}: by the pages in the file`, () => {
      for (const pages of [1, 7, 300])
        for (const isCompressed of [false, true])
          for (const isTree of [false, true]) assert.equal(pagesOf(pdfOf(pages, isCompressed, isTree)), pages);
    });
    test(`${format}: by bytes where no page is found`, () => {
      assert.equal(pagesOf(`%PDF-1.7\n${'x'.repeat(149_000)}`), 3);
      assert.equal(pagesOf('%PDF-1.7'), 1);
    });
    test(`${format}: is not exact`, () => {
      const messages = FORMATS[format]([block(base64(pdfOf(2)))]);
      assert.equal(fit(messages, { format, limit: 50_000 }).exact, false);
      assert.equal(createSession({ format, limit: 50_000 }).next(messages).report.exact, false);
    });
  }
  test('a stream that inflates without end takes no memory and no time', () => {
    const bomb = deflateSync(Buffer.alloc(60_000_000)).toString('latin1');
    const stream = `<< /Type /ObjStm /Filter /FlateDecode >>\nstream\n${bomb}\nendstream\n`;
    assert.ok(ofPart('gemini', blocks.gemini(base64(`%PDF-1.5\n${stream.repeat(40)}`))) > 258);
  });
  test('one that is only referred to is a page at least', () => {
    assert.equal(ofPart('anthropic', { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' } }), 3000);
    assert.equal(ofPart('openai-responses', { type: 'input_file', file_id: 'file_1' }), 1500);
    assert.equal(ofPart('gemini', { fileData: { mimeType: 'application/pdf', fileUri: 'gs://b/a.pdf' } }), 258);
  });
});

/** A WAV of so many seconds. */
function wavOf(seconds, bytesPerSecond = 16_000) {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt32LE(bytesPerSecond, 28);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(seconds * bytesPerSecond, 40);
  return Buffer.concat([head, Buffer.alloc(seconds * bytesPerSecond)]).toString('base64');
}

/** The boxes of an MP4 that say its length. */
function mp4Of(seconds) {
  const box = Buffer.alloc(140);
  box.writeUInt32BE(32, 0);
  box.write('ftypisom', 4, 'latin1');
  box.write('moov', 36, 'latin1');
  box.write('mvhd', 44, 'latin1');
  box.writeUInt32BE(600, 60);
  box.writeUInt32BE(seconds * 600, 64);
  return box.toString('base64');
}

describe('sounds and films', () => {
  const audio = (data) => ({ inlineData: { mimeType: 'audio/wav', data } });
  test('Gemini: 32 tokens a second, and 263 more of a film', () => {
    assert.equal(ofPart('gemini', audio(wavOf(40))), 40 * 32);
    assert.equal(ofPart('gemini', { inlineData: { mimeType: 'video/mp4', data: mp4Of(90) } }), 90 * (263 + 32));
    const pcm = Buffer.alloc(2 * 16_000 * 12).toString('base64');
    assert.equal(ofPart('gemini', { inlineData: { mimeType: 'audio/L16;rate=16000', data: pcm } }), 12 * 32);
  });
  test('a part of a film', () => {
    const clip = { startOffset: '10s', endOffset: '70s' };
    assert.equal(ofPart('gemini', { fileData: { mimeType: 'video/mp4', fileUri: 'gs://b/a.mp4' }, videoMetadata: clip }), 60 * 295);
    assert.equal(ofPart('gemini', { inlineData: { mimeType: 'video/mp4', data: mp4Of(90) }, videoMetadata: clip }), 60 * 295);
  });
  test('OpenAI: 10 tokens a second', () => {
    const input = { type: 'input_audio', input_audio: { data: wavOf(40), format: 'wav' } };
    assert.equal(ofPart('openai-chat', input), 400);
    assert.equal(fit(FORMATS['openai-chat']([input]), { limit: 9000, format: 'openai-chat' }).exact, true);
  });
  test('by bytes where the length is not known, and not exact then', () => {
    const input = { type: 'input_audio', input_audio: { data: Buffer.alloc(80_000).toString('base64'), format: 'mp3' } };
    assert.equal(ofPart('openai-chat', input), 100);
    assert.equal(fit(FORMATS['openai-chat']([input]), { limit: 9000, format: 'openai-chat' }).exact, false);
  });
});

describe('deferred tools', () => {
  const schema = { type: 'object', properties: { path: { type: 'string', description: 'A path.' } } };
  const claude = (more) => ({ name: 'read', description: WORDS, input_schema: schema, ...more });
  const search = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' };
  const user = { role: 'user', content: 'Fix it.' };
  const found = (name) => ({
    role: 'assistant',
    content: [
      { type: 'server_tool_use', id: 's', name: 'tool_search_tool_bm25', input: { query: 'files' } },
      {
        type: 'tool_search_tool_result',
        tool_use_id: 's',
        content: { type: 'tool_search_tool_search_result', tool_references: [{ type: 'tool_reference', tool_name: name }] },
      },
    ],
  });
  const uses = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read', input: {} }] };
  const answers = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Done.' }] };
  const full =
    countTokens([user], { format: 'anthropic', tools: [search, claude()] }) - countTokens([user], { format: 'anthropic', tools: [search] });
  const more = (messages, tool = claude({ defer_loading: true })) => {
    const [with_, without] = [[search, tool], [search]].map((tools) => {
      const counted = countTokens(messages, { format: 'anthropic', tools });
      assert.equal(fit(messages, { format: 'anthropic', tools, limit: 90_000 }).tokens.before, counted);
      return counted;
    });
    return with_ - without;
  };

  test('Anthropic: nothing until something refers to it, and once then', () => {
    assert.ok(full > 1600);
    assert.equal(more([user]), 0);
    assert.equal(more([user, found('other')]), 0);
    for (const history of [
      [user, found('read')],
      [user, found('read'), user, found('read')],
      [user, uses, answers],
      [user, found('read'), uses, answers],
    ])
      near(more(history), full, 3);
    // What is remembered of a message doesn't depend on the tools of another call.
    assert.equal(more([user]), 0);
  });
  test('in a session, where it stands', () => {
    const history = [user, found('read'), { role: 'user', content: 'And now?' }];
    const tools = [search, claude({ defer_loading: true })];
    const session = createSession({ limit: 90_000, format: 'anthropic', tools });
    assert.equal(session.next(history.slice(0, 1)).tokens.after, countTokens(history.slice(0, 1), { format: 'anthropic', tools }));
    assert.equal(session.next(history).tokens.after, countTokens(history, { format: 'anthropic', tools }));
  });
  test('when the reference goes, the tool goes', () => {
    const tools = [search, claude({ defer_loading: true })];
    const history = [user, found('read'), { role: 'user', content: 'Thanks.' }, { role: 'assistant', content: 'Well.' }, user];
    const { fits, tokens, messages } = fit(history, { format: 'anthropic', tools, limit: 600 });
    assert.equal(fits, true);
    assert.equal(countTokens(messages, { format: 'anthropic', tools }), tokens.after);
  });
  test('OpenAI: name and description of a function, and of a namespace its own', () => {
    const fn = (extra) => ({ type: 'function', name: 'read', description: 'Reads a file.', parameters: schema, ...extra });
    const count = (tools) => countTokens([user], { format: 'openai-responses', tools });
    assert.equal(count([fn({ defer_loading: true })]), count([{ type: 'function', name: 'read', description: 'Reads a file.' }]));
    const group = (tools) => [{ type: 'namespace', name: 'files', description: 'Of files.', tools }];
    assert.equal(count(group([fn({ defer_loading: true }), fn({ defer_loading: true })])), count(group([])));
    assert.ok(count(group([fn()])) > count(group([])));
    const server = {
      type: 'mcp',
      server_label: 'files',
      server_description: 'Of files.',
      server_url: 'https://example.org',
      defer_loading: true,
    };
    assert.equal(count([server]), count(group([])));
  });
  test('the AI SDK’s and LangChain’s', () => {
    const messages = [{ role: 'user', content: 'Fix it.' }];
    const count = (read) => countTokens(messages, { format: 'ai-sdk-model', tools: { read } });
    const read = { description: WORDS, inputSchema: { jsonSchema: schema } };
    assert.ok(count({ ...read, providerOptions: { anthropic: { deferLoading: true } } }) < 20);
    assert.equal(count({ ...read, providerOptions: { openai: { deferLoading: true } } }), count({ description: WORDS }));
  });
});

describe('exact is what is exact', () => {
  const of = (messages, more = {}) => {
    const options = { format: 'openai-responses', limit: 90_000, ...more };
    const { exact } = fit(messages, options);
    assert.equal(fit(messages, options).exact, exact, 'also of what is remembered');
    assert.equal(
      fit(messages, { ...options, limit: countTokens(messages, { format: 'openai-responses', ...more }) - 1 }).exact,
      exact,
      'and of what is cut',
    );
    const session = createSession(options);
    assert.equal(session.next(messages).report.exact, exact);
    assert.equal(createSession(options, JSON.parse(JSON.stringify(session))).next(messages).report.exact, exact);
    assert.equal(fit(messages, { ...options, tokenCounter: () => 7 }).exact, true);
    return exact;
  };
  const user = { role: 'user', content: 'Hello.' };
  test('texts, calls and images of known size are; what is encrypted, unknown or only referred to is not', () => {
    assert.equal(of([user]), true);
    assert.equal(of([{ role: 'user', content: [{ type: 'input_image', image_url: PNG_URL }] }]), true);
    assert.equal(of([{ role: 'user', content: [{ type: 'input_image', image_url: 'https://example.org/a.png' }] }]), false);
    assert.equal(
      of([user, { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: LONG }, user]),
      false,
    );
    assert.equal(of([user, { type: 'compaction', id: 'c', encrypted_content: LONG }, user]), false);
  });
  test('tools of the caller are, and those that the provider defines are not', () => {
    const read = { type: 'function', name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } };
    assert.equal(of([user], { tools: [read] }), true);
    assert.equal(of([user], { tools: [read, { type: 'web_search' }] }), false);
  });
  test('usage corrects what was wrong, however far off', () => {
    const messages = FORMATS['openai-chat']([{ type: 'file', file: { file_id: 'file_1' } }]);
    const counted = countTokens(messages);
    for (const actual of [60_000, 900_000]) {
      const session = createSession({ limit: 1_000_000, format: 'openai-chat' });
      session.next(messages);
      session.observe({ prompt_tokens: actual, completion_tokens: 1 });
      near(session.next(messages).tokens.after, actual, 1);
      const calibration = { counted, actual };
      const within = fit(messages, { limit: actual + 10_000, margin: 0, calibration });
      assert.equal(within.fits, true);
      const beyond = fit(messages, { limit: actual - 10_000, margin: 0, calibration });
      assert.equal(beyond.fits, false);
      near(beyond.tokens.minimum, actual, 1);
    }
  });
});
