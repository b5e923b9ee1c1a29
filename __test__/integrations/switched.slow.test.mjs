// A conversation that one provider's model began and another's goes on with: what the SDKs send of it, with a `fetch` that keeps the body.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { convertToModelMessages, generateText } from 'ai';
import { countTokens, fit, restore, validate } from 'palimpsest';
import { Draw } from '../providers/index.mjs';
import { Random } from '../support/random.mjs';
import { SEED, someOf } from '../support/seed.mjs';

const { addressed, formatNamed } = createRequire(import.meta.url)('../../unbundled/providers/index.js');
globalThis.AI_SDK_LOG_WARNINGS = false;

const MODELS = { openai: 'gpt-5.2', anthropic: 'claude-sonnet-4-6', gemini: 'gemini-3-flash' };
const PROVIDERS = Object.keys(MODELS);
/** What the body's messages are, and how they are counted. */
const WIRE = { openai: ['input', 'openai-responses'], anthropic: ['messages', 'anthropic'], gemini: ['contents', 'gemini'] };
const RUNS = 30;

/** The body that an SDK would send; throws what it throws before. */
async function bodyOf(request) {
  let body;
  const sent = new Error('sent');
  const fetch = async (_, init) => {
    body = JSON.parse(init.body);
    throw sent;
  };
  await request(fetch).catch((error) => {
    if (body === undefined) throw error;
  });
  return body;
}

// ---- The AI SDK ---------------------------------------------------------------------------------------------------

const text = (value) => ({ type: 'text', text: value });
const meta = (provider, data) => ({ providerMetadata: { [provider]: data } });
const tool = (k, more) => ({
  type: 'tool-read',
  toolCallId: k.id('call'),
  state: 'output-available',
  input: { q: k.text(20) },
  output: k.text(),
  ...more,
});
/** Parts of an answer, as UI messages have them. */
const ANSWERS = {
  'thinking of Claude': (k) => [{ type: 'reasoning', text: k.text(), ...meta('anthropic', { signature: k.base64(60) }) }],
  'redacted thinking of Claude': (k) => [{ type: 'reasoning', text: '', ...meta('anthropic', { redactedData: k.base64(60) }) }],
  'reasoning of OpenAI': (k) => [
    { type: 'reasoning', text: k.text(), ...meta('openai', { itemId: k.id('rs'), reasoningEncryptedContent: k.base64(200) }) },
  ],
  'encrypted reasoning of OpenAI': (k) => [
    { type: 'reasoning', text: '', ...meta('openai', { reasoningEncryptedContent: k.base64(200) }) },
  ],
  'thoughts of Gemini': (k) => [{ type: 'reasoning', text: k.text(), ...meta('google', { thoughtSignature: k.base64(60) }) }],
  'reasoning of others': (k) => [{ type: 'reasoning', text: k.text() }],
  'signed text of Gemini': (k) => [{ ...text(k.text()), ...meta('google', { thoughtSignature: k.base64(60) }) }],
  'a signed call of Gemini': (k) => [
    tool(k, { callProviderMetadata: { google: { thoughtSignature: k.base64(60) } } }),
    { type: 'step-start' },
  ],
  'thinking of Claude and a call': (k) => [
    { type: 'reasoning', text: k.text(), ...meta('anthropic', { signature: k.base64(60) }) },
    tool(k),
    { type: 'step-start' },
  ],
  'compaction of OpenAI': (k) => [
    { type: 'custom', kind: 'openai.compaction', ...meta('openai', { itemId: k.id('cmp'), encryptedContent: k.base64(200) }) },
  ],
  'compaction without an id': (k) => [
    { type: 'custom', kind: 'openai.compaction', ...meta('openai', { encryptedContent: k.base64(200) }) },
  ],
  'fallback of Claude': (k) => [
    {
      type: 'custom',
      kind: 'anthropic.fallback',
      ...meta('anthropic', { type: 'fallback', from: { model: k.word() }, to: { model: k.word() } }),
    },
  ],
  'beginning of a message of Claude': (k) => [
    { type: 'custom', kind: 'anthropic.message_start', ...meta('anthropic', { id: k.id('msg') }) },
  ],
  'file of the model': (k) => [{ type: 'file', mediaType: 'image/png', url: k.pngUrl() }],
  'signed file of Gemini': (k) => [
    { type: 'file', mediaType: 'image/png', url: k.pngUrl(), ...meta('google', { thoughtSignature: k.base64(60) }) },
  ],
  'an empty thought of Gemini': (k) => [{ type: 'reasoning', text: '', ...meta('google', { thoughtSignature: k.base64(60) }) }],
  'thoughts of Vertex': (k) => [{ type: 'reasoning', text: k.text(), ...meta('vertex', { thoughtSignature: k.base64(60) }) }],
  'file of reasoning': (k) => [{ type: 'reasoning-file', mediaType: 'image/png', url: k.pngUrl() }],
  words: (k) => [text(k.text())],
};
/** Calls that ran at a provider. Whose own they are, an adapter may send a reference to them: those of OpenAI stand there with their ids. */
const HOSTED = {
  'MCP of OpenAI': (k) => {
    const of = { openai: { itemId: k.id('mcp') } };
    return [
      tool(k, { type: 'dynamic-tool', toolName: 'mcp.get', providerExecuted: true, callProviderMetadata: of, resultProviderMetadata: of }),
    ];
  },
  'failed MCP of OpenAI': (k) => {
    const of = { openai: { itemId: k.id('mcp') } };
    return [
      tool(k, {
        type: 'dynamic-tool',
        toolName: 'mcp.get',
        providerExecuted: true,
        state: 'output-error',
        output: undefined,
        errorText: k.text(),
        callProviderMetadata: of,
        resultProviderMetadata: of,
      }),
    ];
  },
  'MCP of Claude': (k) => [
    tool(k, {
      type: 'dynamic-tool',
      toolCallId: k.id('mcptoolu'),
      toolName: 'get',
      providerExecuted: true,
      output: [text(k.text())],
      callProviderMetadata: { anthropic: { type: 'mcp-tool-use', serverName: 'crm' } },
    }),
  ],
  'fetch of Claude': (k) => {
    const source = { type: 'text', mediaType: 'text/plain', data: k.text() };
    const output = { type: 'web_fetch_result', url: 'https://a.example/', content: { type: 'document', title: k.word(), source } };
    return [
      tool(k, {
        type: 'tool-web_fetch',
        toolCallId: k.id('srvtoolu'),
        providerExecuted: true,
        input: { url: `https://a.example/${k.base64(60)}` },
        output: { ...output, retrievedAt: null },
      }),
    ];
  },
  'search of Claude': (k) => {
    const results = Array.from({ length: 4 }, (_, place) => ({
      type: 'web_search_result',
      url: `https://a.example/${place}`,
      title: k.word(),
      pageAge: null,
      encryptedContent: k.base64(900),
    }));
    return [tool(k, { type: 'tool-web_search', toolCallId: k.id('srvtoolu'), providerExecuted: true, output: results })];
  },
  'code of Gemini': (k) => [
    tool(k, {
      type: 'tool-code_execution',
      providerExecuted: true,
      input: { language: 'PYTHON', code: k.text() },
      output: { outcome: 'OUTCOME_OK', output: k.text() },
    }),
  ],
  'search of Gemini': (k) => {
    const id = k.id('st');
    const of = (more) => ({ google: { serverToolCallId: id, serverToolType: 'GOOGLE_SEARCH_WEB', ...more } });
    return [
      tool(k, {
        type: 'dynamic-tool',
        toolCallId: id,
        toolName: 'server:GOOGLE_SEARCH_WEB',
        providerExecuted: true,
        output: { results: [k.text()] },
        callProviderMetadata: of({ thoughtSignature: k.base64(60) }),
        resultProviderMetadata: of({}),
      }),
    ];
  },
};
/** What an adapter has only a reference to. */
const REFERRED = { openai: ['MCP of OpenAI', 'failed MCP of OpenAI'] };

function conversation(random, to, kinds = { ...ANSWERS, ...HOSTED }) {
  const choice = Object.keys(kinds).filter((name) => !REFERRED[to]?.includes(name));
  const messages = [];
  const names = [];
  const count = random.integer(2, 8);
  for (let number = 0; number < count; number++) {
    const k = new Draw(random, number, { words: random.integer(4, 60) });
    const name = random.pick(choice);
    names.push(name);
    messages.push({ id: k.id('u'), role: 'user', parts: [text(k.word())] });
    messages.push({ id: k.id('a'), role: 'assistant', parts: [{ type: 'step-start' }, ...kinds[name](k), text(k.word())] });
  }
  messages.push({ id: 'last', role: 'user', parts: [text('And now?')] });
  return { messages, names };
}

const sendAi = (to, messages) =>
  bodyOf((fetch) => {
    const provider = { openai: createOpenAI, anthropic: createAnthropic, gemini: createGoogle }[to]({ apiKey: 'x', fetch });
    return generateText({ model: provider(MODELS[to]), messages, maxRetries: 0, providerOptions: { openai: { store: false } } });
  });

/** The strings in a value that nothing else has: texts, signatures, data. Not ids, which several places share. */
function sayings(value, found = []) {
  if (typeof value === 'string') {
    if (/^\(\d+\) |^[A-Z][a-z ]+ \w+ \d+\.\d+$/.test(value) || (value.length >= 60 && !value.includes(' ')))
      found.push(value.replace(/^data:[^,]*,/, ''));
  } else if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) sayings(inner, found);
  return found;
}
const valueAt = (messages, { message, path }, depth) => path.slice(0, depth).reduce((value, key) => value[key], messages[message]);

/** Asserts that what is counted as sent is what is in a body. */
function assertSent(format, to, messages, body, where, given = messages) {
  const wire = JSON.stringify(body);
  const holds = (saying) =>
    wire.includes(JSON.stringify(saying).slice(1, -1)) || wire.includes(JSON.stringify(JSON.stringify(saying)).slice(3, -3));
  const read = (list) => addressed(formatNamed(format), { provider: to }).read(list);
  const known = new Set(read(given).map((part) => JSON.stringify(valueAt(given, part, 2))));
  const elements = new Map();
  for (const part of read(messages)) {
    const element = valueAt(messages, part, 2);
    elements.set(element, [...(elements.get(element) ?? []), part]);
  }
  for (const [element, parts] of elements) {
    // What was cut has other texts.
    if (!known.has(JSON.stringify(element))) continue;
    for (const part of parts) {
      const all = sayings(valueAt(messages, part, part.path.length));
      if (all.length > 0) assert.equal(!part.unsent, all.some(holds), `${where}: ${part.path}: ${JSON.stringify(element)}`);
    }
    const all = sayings(element);
    // What binds has to be there.
    const isBound = parts.some(({ signed, locked }) => signed || locked === 'thought signature');
    if (isBound) assert.ok(all.every(holds), `${where}: ${JSON.stringify(element)}`);
  }
}

/** Asserts that our count is that of the body, but for what formats take beside texts: some tokens of each message. */
function assertSize(format, to, messages, body, where) {
  const [key, wire] = WIRE[to];
  const model = MODELS[to];
  const counted = countTokens(messages, { format, model });
  const actual = countTokens(body[key], { format: wire, model });
  // LangChain's adapter is the only one that keeps ids to itself.
  const ids = format === 'langchain' && to === 'gemini' ? messages.flatMap(idsOf) : [];
  const kept = ids.reduce((sum, id) => sum + countTokens(id, { model }), 0);
  assert.ok(Math.abs(counted - kept - actual) <= 0.1 * actual + 8 * messages.length, `${where}: ${counted} - ${kept} for ${actual}`);
}
/** Asserts that images are found exactly where images are sent. */
function assertImages(format, to, messages, body, where) {
  const [key, wire] = WIRE[to];
  const requestLimits = { images: 0.5 };
  const found = (list, name) =>
    validate(list, { format: name, model: MODELS[to], requestLimits }).some(({ rule }) => rule === 'too-many-images');
  assert.equal(found(messages, format), found(body[key], wire), where);
}

/** The ids of calls in a message of LangChain. */
const idsOf = ({ tool_calls: calls = [], tool_call_id: id }) => [...calls.map((call) => call.id), ...(id === undefined ? [] : [id])];

for (const to of someOf(PROVIDERS)) {
  for (const format of ['ai-sdk-ui', 'ai-sdk-model']) {
    test(`${format} to ${to}: what is counted as unsent is what the AI SDK drops`, async () => {
      const random = new Random(SEED);
      let dropped = 0;
      for (let run = 0; run < RUNS; run++) {
        const seed = random.integer(0, 2 ** 31);
        const { messages: ui, names } = conversation(new Random(seed), to);
        const toModel = (list) => convertToModelMessages(list);
        const messages = format === 'ai-sdk-ui' ? ui : await toModel(ui);
        const send = async (list) => sendAi(to, format === 'ai-sdk-ui' ? await toModel(list) : list);
        const where = `seed ${seed}: ${names.join('; ')}`;
        const body = await send(messages);
        assertSent(format, to, messages, body, where);
        assertSize(format, to, messages, body, where);
        assertImages(format, to, messages, body, where);
        assert.deepEqual(validate(messages, { format }), [], where);
        dropped += addressed(formatNamed(format), { provider: to })
          .read(messages)
          .filter(({ unsent }) => unsent).length;
        const limit = Math.round(countTokens(messages, { format, model: MODELS[to] }) * random.integer(5, 9) * 0.1);
        const fitted = fit(messages, { format, limit, margin: 0, model: MODELS[to] });
        assertSent(format, to, fitted.messages, await send(fitted.messages), where, messages);
        assert.equal(JSON.stringify(restore(fitted.messages, fitted.originals).messages), JSON.stringify(messages), where);
      }
      assert.ok(dropped > RUNS / 2, String(dropped));
    });
  }
}

test('signed thinking and a signed call hold nothing for a provider that does not get them', () => {
  const k = new Draw(new Random(1), 1, { words: 400 });
  const answer = [...ANSWERS['thinking of Claude'](k), ...ANSWERS['a signed call of Gemini'](k)];
  const messages = [
    { id: 'u', role: 'user', parts: [text('Go.')] },
    { id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, ...answer, text('Done.')] },
    { id: 'v', role: 'user', parts: [text('And?')] },
  ];
  const minimum = (model) => fit(messages, { limit: 1, margin: 0, model, thinking: 'keep' }).tokens.minimum;
  assert.ok(minimum(MODELS.openai) < 200, String(minimum(MODELS.openai)));
  assert.ok(minimum(undefined) > 1500, String(minimum(undefined)));
});

/** A request in which a tool gave this. */
const toolTurn = (output) => {
  const of = { toolCallId: 'call_1', toolName: 'read' };
  const result = { type: 'tool-result', ...of, output };
  return [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [{ type: 'tool-call', ...of, input: {} }] },
    { role: 'tool', content: [result] },
    { role: 'user', content: 'And?' },
  ];
};

test('what Claude is told of a document beside its content counts, and nothing of it for others', async () => {
  const anthropic = { context: 'what the user said about it '.repeat(200) };
  const url = `data:text/plain;base64,${Buffer.from('Hello').toString('base64')}`;
  const files = [
    {},
    { filename: 'report of march.txt' },
    { filename: 'a.txt', own: { anthropic: { ...anthropic, title: 'Report of March' } } },
  ];
  for (const { own, ...named } of files) {
    const file = { type: 'file', mediaType: 'text/plain', ...named };
    const ui = [{ id: 'u', role: 'user', parts: [{ ...file, url, ...(own && { providerMetadata: own }) }] }];
    const given = [{ role: 'user', content: [{ ...file, data: { type: 'text', text: 'Hello' }, providerOptions: own }] }];
    const model = await convertToModelMessages(ui);
    const { messages } = await sendAi('anthropic', model);
    const sent = countTokens(messages, { format: 'anthropic', model: MODELS.anthropic });
    assert.equal(countTokens(model, { format: 'ai-sdk-model', model: MODELS.anthropic }), sent);
    assert.equal(countTokens(given, { format: 'ai-sdk-model', model: MODELS.anthropic }), sent);
    assert.equal(countTokens(ui, { format: 'ai-sdk-ui', model: MODELS.anthropic }), sent);
    const fitted = fit(ui, { format: 'ai-sdk-ui', model: MODELS.anthropic, limit: 120 });
    assert.deepEqual(fitted.tokens.after, countTokens(fitted.messages, { format: 'ai-sdk-ui', model: MODELS.anthropic }));
    assert.deepEqual(restore(fitted.messages, fitted.originals).messages, ui);
    const plain = countTokens([{ role: 'user', content: 'Hello' }], { format: 'ai-sdk-model', model: MODELS.gemini });
    assert.equal(countTokens(model, { format: 'ai-sdk-model', model: MODELS.gemini }), plain);
  }
});

test('an image that OpenAI is to see in low detail', async () => {
  const low = { openai: { imageDetail: 'low' } };
  const image = { mediaType: 'image/png', url: new Draw(new Random(SEED), 1).pngUrl() };
  const ui = [{ id: 'u', role: 'user', parts: [{ type: 'file', ...image, providerMetadata: low }] }];
  const file = { type: 'file', mediaType: image.mediaType, data: image.url.split(',')[1], providerOptions: low };
  const lists = {
    'ai-sdk-ui': ui,
    'ai-sdk-model': [{ role: 'user', content: [file] }],
    // In a result of a tool.
    'ai-sdk-model, result': toolTurn({ type: 'content', value: [{ ...file, data: { type: 'data', data: file.data } }] }),
  };
  for (const [name, messages] of Object.entries(lists)) {
    const format = name.split(',')[0];
    const { input } = await sendAi('openai', format === 'ai-sdk-ui' ? await convertToModelMessages(ui) : messages);
    assert.match(JSON.stringify(input), /"detail":"low"/);
    const sent = countTokens(input, { format: 'openai-responses', model: MODELS.openai });
    assert.ok(Math.abs(countTokens(messages, { format, model: MODELS.openai }) - sent) < 4 * messages.length, name);
    const [usual, told] = [undefined, low].map((providerOptions) =>
      countTokens([{ role: 'user', content: [{ ...file, providerOptions }] }], { format: 'ai-sdk-model', model: MODELS.anthropic }),
    );
    assert.equal(told, usual);
  }
});

for (const to of someOf(PROVIDERS)) {
  test(`a step takes nothing of a request to ${to} unless it begins a further message`, async () => {
    const [step, note] = [{ type: 'step-start' }, { type: 'data-note', data: 'seen' }];
    const count = async (...parts) => {
      const messages = [
        { id: 'u', role: 'user', parts: [text('Go.')] },
        { id: 'a', role: 'assistant', parts },
        { id: 'v', role: 'user', parts: [text('And?')] },
      ];
      const [key, wire] = WIRE[to];
      const body = await sendAi(to, await convertToModelMessages(messages));
      const sent = countTokens(body[key], { format: wire, model: MODELS[to] });
      return [countTokens(messages, { format: 'ai-sdk-ui', model: MODELS[to] }), sent];
    };
    const said = text('Done.');
    for (const parts of [[said], [step, said], [note, step, said], [step, said, step], [step, step, said, step, step]]) {
      const [counted, sent] = await count(...parts);
      assert.equal(counted, sent, JSON.stringify(parts));
    }
    const [two] = await count(said, step, said);
    assert.equal((await count(step, said, step, note, step, said, step))[0], two);
    const [one] = await count(said, said);
    assert.ok(two > one);
  });
}

// ---- LangChain ----------------------------------------------------------------------------------------------------

const LANGCHAIN = {
  'thinking of Claude': (k) => ({ content: [{ type: 'thinking', thinking: k.text(), signature: k.base64(60) }, text(k.word())] }),
  'reasoning of OpenAI': (k) => ({
    content: [text(k.word())],
    additional_kwargs: {
      reasoning: {
        id: k.id('rs'),
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: k.text() }],
      },
    },
  }),
  'a block of reasoning': (k) => ({ content: [{ type: 'reasoning', reasoning: k.text() }, text(k.word())] }),
  'reasoning of Claude, version 1': (k) => ({
    content: [{ type: 'reasoning', reasoning: k.text(), signature: k.base64(60) }, text(k.word())],
    response_metadata: { output_version: 'v1', model_provider: 'anthropic' },
  }),
  'reasoning of OpenAI, version 1': (k) => ({
    content: [{ type: 'reasoning', reasoning: k.text() }, text(k.word())],
    response_metadata: { output_version: 'v1', model_provider: 'openai' },
  }),
  'MCP of OpenAI': (k) => ({
    content: [text(k.word())],
    additional_kwargs: {
      tool_outputs: [{ type: 'mcp_call', id: k.id('mcp'), name: 'get', arguments: '{}', server_label: 'crm', output: k.text() }],
    },
  }),
  'refusal of OpenAI': (k) => ({ content: [text(k.word())], additional_kwargs: { refusal: k.text() } }),
  'reasoning of OpenRouter': (k) => ({
    content: k.text(),
    additional_kwargs: {
      reasoning_details: [{ type: 'reasoning.text', text: k.text(), signature: k.base64(60), format: 'anthropic-claude-v1' }],
    },
  }),
  words: (k) => ({ content: [text(k.text())] }),
};
/** Answers of Gemini, of which its adapter makes messages. */
const OF_GEMINI = {
  'thoughts of Gemini': (k) => [{ text: k.text(), thought: true, thoughtSignature: k.base64(60) }, { text: k.word() }],
  'thoughts without a signature': (k) => [{ text: k.text(), thought: true }, { text: k.word() }],
  'signed text of Gemini': (k) => [{ text: k.text(), thoughtSignature: k.base64(60) }],
  'a signed call of Gemini': (k) => [
    { text: k.word() },
    { functionCall: { name: 'read', args: { q: k.text(20) } }, thoughtSignature: k.base64(60) },
    { functionCall: { name: 'read', args: { q: k.text(20) } } },
  ],
  'an unsigned call of Gemini': (k) => [{ functionCall: { name: 'read', args: { q: k.text(20) } } }],
  'code of Gemini': (k) => [
    { executableCode: { language: 'PYTHON', code: k.text() } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: k.text() } },
    { text: k.word() },
  ],
  'file of Gemini': (k) => [{ inlineData: { mimeType: 'image/png', data: k.png() } }, { text: k.word() }],
};
/** What an adapter has no word for: it throws. */
const REFUSED = {
  gemini: ['a block of reasoning', 'reasoning of Claude, version 1', 'reasoning of OpenAI, version 1', 'file of Gemini'],
};

/** The message that the adapter makes of an answer of Gemini. */
const messageOf = (parts) =>
  withFetch(
    async () => Response.json({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] }),
    () => new ChatGoogleGenerativeAI({ model: MODELS.gemini, apiKey: 'x' }).invoke('Go.'),
  );

async function threadOf(random, to) {
  const kinds = Object.keys({ ...LANGCHAIN, ...OF_GEMINI }).filter((name) => !REFUSED[to]?.includes(name));
  const messages = [];
  const names = [];
  const count = random.integer(2, 8);
  for (let number = 0; number < count; number++) {
    const k = new Draw(random, number, { words: random.integer(4, 60) });
    const name = random.pick(kinds);
    names.push(name);
    const answer = name in LANGCHAIN ? new AIMessage(LANGCHAIN[name](k)) : await messageOf(OF_GEMINI[name](k));
    messages.push(new HumanMessage(k.word()), answer);
    for (const { id } of answer.tool_calls) messages.push(new ToolMessage({ tool_call_id: id, content: k.text() }));
    if (answer.tool_calls.length > 0) messages.push(new AIMessage(k.word()));
    if (!random.chance(0.3)) continue;
    const id = k.id('call');
    const calls = [{ id, name: 'read', args: { q: k.text(20) }, type: 'tool_call' }];
    messages.push(new HumanMessage(k.word()), new AIMessage({ content: '', tool_calls: calls }));
    messages.push(new ToolMessage({ tool_call_id: id, content: k.text() }), new AIMessage(k.word()));
  }
  messages.push(new HumanMessage('And now?'));
  return { messages, names };
}

/** Google's client has no option for `fetch`. */
async function withFetch(fetch, run) {
  const { fetch: own } = globalThis;
  globalThis.fetch = fetch;
  try {
    return await run();
  } finally {
    globalThis.fetch = own;
  }
}

const sendLangChain = (to, messages) =>
  bodyOf((fetch) => {
    const settings = { model: MODELS[to], apiKey: 'x', maxRetries: 0 };
    if (to === 'openai') return new ChatOpenAI({ ...settings, useResponsesApi: true, configuration: { fetch } }).invoke(messages);
    if (to === 'anthropic') return new ChatAnthropic({ ...settings, clientOptions: { fetch } }).invoke(messages);
    return withFetch(fetch, () => new ChatGoogleGenerativeAI(settings).invoke(messages));
  });

/** Asserts that the blocks in which the adapter repeats calls of Gemini say what the calls say. */
function assertRepeated({ content, tool_calls: calls }, where) {
  const blocks = Array.isArray(content) ? content.filter(({ type }) => type === 'functionCall') : [];
  if (blocks.length === 0) return;
  const said = blocks.map(({ functionCall: { name, args } }) => ({ name, args }));
  assert.deepEqual(
    said,
    calls.map(({ name, args }) => ({ name, args })),
    where,
  );
}

for (const to of someOf(PROVIDERS)) {
  test(`langchain to ${to}: what is counted as unsent is what its adapter drops`, async () => {
    const random = new Random(SEED);
    let dropped = 0;
    for (let run = 0; run < RUNS; run++) {
      const seed = random.integer(0, 2 ** 31);
      const { messages, names } = await threadOf(new Random(seed), to);
      const where = `seed ${seed}: ${names.join('; ')}`;
      const body = await sendLangChain(to, messages);
      assertSent('langchain', to, messages, body, where);
      assertSize('langchain', to, messages, body, where);
      assertImages('langchain', to, messages, body, where);
      dropped += addressed(formatNamed('langchain'), { provider: to })
        .read(messages)
        .filter(({ unsent }) => unsent).length;
      const limit = Math.round(countTokens(messages, { format: 'langchain', model: MODELS[to] }) * random.integer(5, 9) * 0.1);
      const fitted = fit(messages, { format: 'langchain', limit, margin: 0, model: MODELS[to] });
      assertSent('langchain', to, fitted.messages, await sendLangChain(to, fitted.messages), where, messages);
      for (const message of fitted.messages) assertRepeated(message, where);
      assert.deepEqual(restore(fitted.messages, fitted.originals).messages, messages, where);
    }
    assert.ok(dropped > RUNS / 4, String(dropped));
  });
}

test("what LangChain's adapter refuses, it still refuses", async () => {
  const k = new Draw(new Random(1), 1);
  for (const [to, names] of Object.entries(REFUSED)) {
    for (const name of names) {
      const answer = name in LANGCHAIN ? new AIMessage(LANGCHAIN[name](k)) : await messageOf(OF_GEMINI[name](k));
      await assert.rejects(sendLangChain(to, [new HumanMessage('Go.'), answer]), /Unknown content type/, `${name} to ${to}`);
    }
  }
});

test('a call of Gemini is cut in each place where LangChain has it', async () => {
  const messages = [new HumanMessage('Go.')];
  for (let at = 0; at < 3; at++) {
    const answer = await messageOf([
      { functionCall: { name: 'write', args: { path: `${at}.txt`, content: new Draw(new Random(at), at, { words: 400 }).text() } } },
    ]);
    messages.push(answer, new ToolMessage({ tool_call_id: answer.tool_calls[0].id, content: 'Written.' }));
  }
  messages.push(new HumanMessage('And now?'));
  const fitted = fit(messages, { limit: 3000, margin: 0 });
  assert.equal(fitted.fits, true);
  for (const message of fitted.messages) assertRepeated(message);
  const cut = fitted.messages.filter(({ tool_calls: calls }) => calls?.length > 0 && !messages.some((one) => one.tool_calls === calls));
  assert.ok(cut.length > 0);
  assert.deepEqual(restore(fitted.messages, fitted.originals).messages, messages);
});
