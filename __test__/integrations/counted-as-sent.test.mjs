// What the session of an SDK's request counts is what the SDK sends: of each adapter's body every text and every file, as the API has it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createEvent, Gemini, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from '@google/adk';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { noopLogger } from '@mastra/core/logger';
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, setTracingDisabled } from '@openai/agents';
import { generateText, wrapLanguageModel } from 'ai';
import { createAgent } from 'langchain';
import OpenAI from 'openai';
import { createSession } from 'palimpsest';
import { palimpsestMiddleware, prepareStep } from 'palimpsest/ai-sdk';
import { palimpsestPlugin } from 'palimpsest/google-adk';
import { palimpsestMiddleware as forAgent } from 'palimpsest/langchain';
import { palimpsestProcessor } from 'palimpsest/mastra';
import { palimpsestModel } from 'palimpsest/openai-agents';
import { pdf, png } from '../support/files.mjs';
import { Random } from '../support/random.mjs';
import { cases, SEED, someOf } from '../support/seed.mjs';
import { sentTokens } from '../support/sent.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;
setTracingDisabled(true);
setLogLevel(LogLevel.ERROR);

/** The share, and the tokens, that a count may be below what the body has: texts that are joined have some more. */
const BELOW = 0.01;
const FEW = 3;
/** What it may be above: a model's rules are the same for all its APIs, of which some say things once. */
const ABOVE = 0.02;
const PIECE = 8;

const SYSTEM = 'You look after the export.';
let body;
const fetch = async (_, { body: sent }) => {
  body = JSON.parse(sent);
  return new Response('{}', { status: 400 });
};
const settings = { apiKey: 'k', fetch };
const MODELS = {
  chat: createOpenAI(settings).chat('gpt-4o'),
  responses: createOpenAI(settings).responses('gpt-5.5'),
  anthropic: createAnthropic(settings)('claude-opus-5'),
  gemini: createGoogleGenerativeAI(settings)('gemini-2.5-flash'),
  'gemini 3': createGoogleGenerativeAI(settings)('gemini-3.5-flash'),
};
const sentBy = (api) => sentTokens[api.split(' ')[0]](body);

/** Texts of which JSON makes more. */
const proseOf = (random, lines) =>
  Array.from(
    { length: lines },
    (_, n) => `  const ${random.pick(['port', 'lease', 'queue'])}${n} = "worker ${random.integer(1, 999)}";\t// ${n}`,
  ).join('\n');
const shot = (random) => png(random.pick([600, 800, 1000]), random.pick([600, 700]), random.integer(1, 1e6), random.pick([64, 3000]));

/** Outputs of tools, by their kind. */
const OUTPUTS = {
  text: (random) => ({ type: 'text', value: proseOf(random, 12) }),
  object: (random) => ({ type: 'json', value: { code: proseOf(random, 8), rows: [1, 2, proseOf(random, 2)] } }),
  'JSON in JSON': (random) => ({ type: 'json', value: { answer: JSON.stringify({ code: proseOf(random, 6) }) } }),
  'a string as JSON': (random) => ({ type: 'json', value: proseOf(random, 6) }),
  error: (random) => ({ type: 'error-text', value: proseOf(random, 10) }),
  'error object': (random) => ({ type: 'error-json', value: { stack: proseOf(random, 10) } }),
  denied: (random) => ({ type: 'execution-denied', ...(random.chance(0.5) && { reason: 'Not on a Friday.' }) }),
  texts: (random) => ({ type: 'content', value: [1, 2].map(() => ({ type: 'text', text: proseOf(random, 6) })) }),
  image: (random) => ({
    type: 'content',
    value: [
      { type: 'text', text: proseOf(random, 3) },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: shot(random) } },
    ],
  }),
  document: (random) => ({
    type: 'content',
    value: [
      { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: { type: 'data', data: pdf(2, random.integer(1, 1e6)) } },
    ],
  }),
  'texts and files': (random) => ({
    type: 'content',
    value: [
      { type: 'text', text: proseOf(random, 2) },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: shot(random) } },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: shot(random) } },
      { type: 'text', text: proseOf(random, 2) },
      { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: { type: 'data', data: pdf(1, random.integer(1, 1e6)) } },
    ],
  }),
};
let calls = 0;
/** A message with some calls, words between them, and the results. */
function rounds(random, outputs) {
  const made = outputs.map((output) => ({ toolCallId: `call_${++calls}`, toolName: random.pick(['read', 'look']), output }));
  const said = made.flatMap(({ toolCallId, toolName }) => [
    ...(random.chance(0.3) ? [{ type: 'text', text: 'Then this one.' }] : []),
    { type: 'tool-call', toolCallId, toolName, input: { path: `src/${toolCallId}.ts`, code: proseOf(random, 2) } },
  ]);
  return [
    { role: 'assistant', content: said },
    { role: 'tool', content: made.map((result) => ({ type: 'tool-result', ...result })) },
  ];
}
const EXCHANGES = {
  words: (random) => [
    { role: 'user', content: proseOf(random, 5) },
    { role: 'assistant', content: proseOf(random, 5) },
  ],
  'texts and files': (random) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: proseOf(random, 3) },
        { type: 'text', text: 'What do you see?' },
        { type: 'image', mediaType: 'image/png', image: shot(random) },
        { type: 'file', mediaType: 'application/pdf', data: pdf(3, random.integer(1, 1e6)) },
      ],
    },
    { role: 'assistant', content: [1, 2].map(() => ({ type: 'text', text: proseOf(random, 2) })) },
  ],
  ...Object.fromEntries(
    Object.entries(OUTPUTS).map(([name, make]) => [
      `result: ${name}`,
      (random) => [{ role: 'user', content: 'Go on.' }, ...rounds(random, [make(random)]), { role: 'assistant', content: 'Done.' }],
    ]),
  ),
  'many results': (random) => [
    { role: 'user', content: 'All of them.' },
    ...rounds(
      random,
      Array.from({ length: random.integer(2, 12) }, () => random.pick(Object.values(OUTPUTS))(random)),
    ),
  ],
};

/** Counts a conversation as the SDK sends it, and as the session did. */
async function counted(api, messages, options) {
  let tokens;
  const middleware = palimpsestMiddleware({
    limit: 900_000,
    shorten: false,
    explainMarks: false,
    onError: assert.fail,
    ...options,
    onStep: (step) => (tokens = step.tokens.after),
  });
  const model = wrapLanguageModel({ model: MODELS[api], middleware });
  await generateText({ model, instructions: SYSTEM, messages, maxRetries: 0 }).catch(() => {});
  return { tokens, sent: sentBy(api) };
}

function assertNear({ tokens, sent }, messages, what) {
  assert.ok(tokens >= (1 - BELOW) * sent - FEW, `${what}: counted ${tokens}, sent ${sent}`);
  const pieces = 1 + messages.reduce((sum, { content }) => sum + (Array.isArray(content) ? content.length : 1), 0);
  assert.ok(tokens <= (1 + ABOVE) * sent + PIECE * pieces, `${what}: counted ${tokens}, sent ${sent}`);
}

for (const api of someOf(Object.keys(MODELS))) {
  test(`AI SDK, ${api}: each kind of content`, async () => {
    const random = new Random(SEED);
    for (const [name, make] of Object.entries(EXCHANGES)) {
      const messages = [...make(random), { role: 'user', content: 'And now?' }];
      assertNear(await counted(api, messages), messages, name);
    }
  });

  test(`AI SDK, ${api}: whole conversations`, async () => {
    const random = new Random(SEED + 1);
    for (let n = 0; n < cases(12); n++) {
      const exchanges = Array.from({ length: random.integer(2, 8) }, () => random.pick(Object.values(EXCHANGES))(random));
      const messages = [...exchanges.flat(), { role: 'user', content: 'And now?' }];
      assertNear(await counted(api, messages), messages, `conversation ${n}`);
    }
  });
}

test('a conversation that is cut costs what is counted, and keeps its limit', async () => {
  const random = new Random(SEED + 2);
  for (const api of Object.keys(MODELS)) {
    const session = createSession({ limit: 6000, format: 'ai-sdk-model', model: MODELS[api].modelId });
    const messages = [];
    for (let n = 0; n < 12; n++) {
      messages.push(...random.pick(Object.values(EXCHANGES))(random), { role: 'user', content: 'And now?' });
      const { tokens, sent } = await counted(api, messages, { limit: undefined, session: () => session });
      assert.ok(tokens <= 6000, `${api}: ${tokens}`);
      assert.ok(sent <= 1.01 * tokens, `${api}: counted ${tokens}, sent ${sent}`);
    }
  }
});

test('a session that changes its API counts by the API of each request', async () => {
  const random = new Random(SEED + 3);
  const messages = [...EXCHANGES['result: image'](random), ...EXCHANGES['result: error'](random), { role: 'user', content: 'And now?' }];
  const session = createSession({ limit: 900_000, format: 'ai-sdk-model', shorten: false });
  const options = { limit: undefined, shorten: undefined, session: () => session };
  const of = async (api) => (await counted(api, messages, options)).tokens;
  const alone = async (api) => (await counted(api, messages)).tokens;
  for (const api of ['chat', 'responses', 'chat']) assert.equal(await of(api), await alone(api), api);
});

test('Google’s adapter writes the files of a result with a sentence, or refers to them in JSON', async () => {
  const random = new Random(SEED);
  const small = (data) => ({ type: 'file', mediaType: 'image/png', data });
  const image = () => small({ type: 'data', data: png(600, 600, random.integer(1, 1e6), 64) });
  const text = () => ({ type: 'text', text: 'Seen.' });
  const CONTENTS = {
    'many images': Array.from({ length: 20 }, image),
    'many texts': Array.from({ length: 20 }, text),
    'an address': Array.from({ length: 20 }, (_, n) => small({ type: 'url', url: new URL(`https://example.com/shots/${n}/plan.png`) })),
    'a reference': Array.from({ length: 20 }, (_, n) => small({ type: 'reference', reference: { google: `files/plan-${n}` } })),
    'one image': [image()],
    'a custom part': [text(), { type: 'custom', providerOptions: { google: { rows: Array.from({ length: 40 }, (_, n) => `row ${n}`) } } }],
  };
  for (const api of ['gemini', 'gemini 3']) {
    for (const [name, value] of Object.entries(CONTENTS)) {
      const messages = [
        { role: 'user', content: 'Go on.' },
        ...rounds(random, [{ type: 'content', value }]),
        { role: 'user', content: 'And now?' },
      ];
      const { tokens, sent } = await counted(api, messages);
      assert.ok(Math.abs(tokens - sent) <= 20, `${api}, ${name}: counted ${tokens}, sent ${sent}`);
    }
  }
});

test('prepareStep knows the model’s API, too', async () => {
  const messages = [...EXCHANGES['result: image'](new Random(SEED)), { role: 'user', content: 'And now?' }];
  const tokensFor = async (api) => {
    let tokens;
    const choose = prepareStep({ limit: 900_000, shorten: false, onStep: (step) => (tokens = step.tokens.after) });
    await choose({ messages, model: MODELS[api], steps: [] });
    return tokens;
  };
  assert.ok((await tokensFor('chat')) !== (await tokensFor('responses')));
});

const LANGCHAIN = {
  chat: () => new ChatOpenAI({ ...LANGCHAIN_SETTINGS, model: 'gpt-4o', configuration: { fetch } }),
  responses: () => new ChatOpenAI({ ...LANGCHAIN_SETTINGS, model: 'gpt-5.5', useResponsesApi: true, configuration: { fetch } }),
  anthropic: () => new ChatAnthropic({ ...LANGCHAIN_SETTINGS, model: 'claude-opus-5', clientOptions: { fetch } }),
  gemini: () => new ChatGoogleGenerativeAI({ ...LANGCHAIN_SETTINGS, model: 'gemini-2.5-flash' }),
};
const LANGCHAIN_SETTINGS = { apiKey: 'k', maxRetries: 0 };

test('LangChain: an image in a result is one, or the text that its adapter makes of it', async (t) => {
  // Google's adapter takes no other.
  t.mock.method(globalThis, 'fetch', fetch);
  const random = new Random(SEED);
  const image_url = () => ({ url: `data:image/png;base64,${png(800, 600, random.integer(1, 1e6), 9000)}` });
  const messages = [
    new HumanMessage([
      { type: 'text', text: proseOf(random, 10) },
      { type: 'image_url', image_url: image_url() },
    ]),
    new AIMessage({ content: 'I see.', tool_calls: [{ id: 'c1', name: 'look', args: { code: proseOf(random, 5) } }] }),
    new ToolMessage({
      tool_call_id: 'c1',
      name: 'look',
      content: [
        { type: 'text', text: proseOf(random, 5) },
        { type: 'image_url', image_url: image_url() },
      ],
    }),
  ];
  for (const [api, make] of Object.entries(LANGCHAIN)) {
    let tokens;
    const onStep = (step) => (tokens = step.tokens.after);
    const middleware = [forAgent({ limit: 900_000, shorten: false, explainMarks: false, onError: assert.fail, onStep })];
    await createAgent({ model: make(), tools: [], systemPrompt: SYSTEM, middleware })
      .invoke({ messages })
      .catch(() => {});
    assertNear({ tokens, sent: sentBy(api) }, messages, api);
  }
});

/** A conversation in the shape of an SDK, whose functions make its messages of it. */
function conversation(random, { user, answer, rounds }) {
  const image = () => png(random.pick([600, 800, 1000]), random.pick([600, 700]), random.integer(1, 1e6), 64);
  return [
    user([proseOf(random, 4), 'What do you see?'], image(), pdf(2, random.integer(1, 1e6))),
    answer(proseOf(random, 4)),
    ...Array.from({ length: random.integer(2, 6) }, () => {
      const made = Array.from({ length: random.integer(1, 4) }, () => {
        const result = random.pick([
          () => ({ text: proseOf(random, 10) }),
          () => ({ text: JSON.stringify({ code: proseOf(random, 6) }) }),
          () => ({ object: { code: proseOf(random, 6), rows: [1, 2] } }),
          () => ({ texts: [proseOf(random, 4), proseOf(random, 4)] }),
          () => ({ texts: [proseOf(random, 4)], image: image() }),
        ])();
        return { id: `call_${++calls}`, name: random.pick(['read', 'look']), input: { code: proseOf(random, 2) }, ...result };
      });
      return rounds(made);
    }).flat(),
    user(['And now?']),
  ];
}

const AGENTS_ITEMS = {
  user: (texts, image, document) => ({
    type: 'message',
    role: 'user',
    content: [
      ...texts.map((text) => ({ type: 'input_text', text })),
      ...(image ? [{ type: 'input_image', image: `data:image/png;base64,${image}` }] : []),
      ...(document ? [{ type: 'input_file', file: `data:application/pdf;base64,${document}`, filename: 'a.pdf' }] : []),
    ],
  }),
  answer: (text) => ({ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }),
  rounds: (made) => [
    ...made.map(({ id, name, input }) => ({
      type: 'function_call',
      callId: id,
      name,
      status: 'completed',
      arguments: JSON.stringify(input),
    })),
    ...made.map(({ id, name, text, object, texts, image }) => ({
      type: 'function_call_result',
      callId: id,
      name,
      status: 'completed',
      output: texts
        ? [
            ...texts.map((one) => ({ type: 'input_text', text: one })),
            ...(image ? [{ type: 'input_image', image: `data:image/png;base64,${image}` }] : []),
          ]
        : { type: 'text', text: text ?? JSON.stringify(object) },
    })),
  ],
};

const AGENTS = { chat: OpenAIChatCompletionsModel, responses: OpenAIResponsesModel };

for (const [api, Model] of someOf(Object.entries(AGENTS))) {
  test(`OpenAI Agents SDK, ${api}`, async () => {
    const random = new Random(SEED + 4);
    for (let n = 0; n < cases(8); n++) {
      const messages = conversation(random, AGENTS_ITEMS);
      let tokens;
      const onStep = (step) => (tokens = step.tokens.after);
      const client = new OpenAI({ apiKey: 'k', fetch, maxRetries: 0 });
      const settings = { limit: 900_000, shorten: false, explainMarks: false, onError: assert.fail, onStep };
      const model = palimpsestModel(new Model(client, 'gpt-4o'), settings);
      await new Runner().run(new Agent({ name: 'a', instructions: SYSTEM, model }), messages).catch(() => {});
      assertNear({ tokens, sent: sentBy(api) }, messages, `conversation ${n}`);
    }
  });
}

const GEMINI_CONTENTS = {
  user: (texts, image, document) => ({
    role: 'user',
    parts: [
      ...texts.map((text) => ({ text })),
      ...(image ? [{ inlineData: { mimeType: 'image/png', data: image } }] : []),
      ...(document ? [{ inlineData: { mimeType: 'application/pdf', data: document } }] : []),
    ],
  }),
  answer: (text) => ({ role: 'model', parts: [{ text }] }),
  rounds: (made) => [
    { role: 'model', parts: made.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })) },
    {
      role: 'user',
      parts: made.map(({ id, name, text, object, texts, image }) => ({
        functionResponse: {
          id,
          name,
          response: object ?? { output: text ?? texts.join('\n') },
          ...(image && { parts: [{ inlineData: { mimeType: 'image/png', data: image } }] }),
        },
      })),
    },
  ],
};

test('Google ADK', async (t) => {
  t.mock.method(globalThis, 'fetch', fetch);
  const random = new Random(SEED + 5);
  for (let n = 0; n < cases(8); n++) {
    const messages = conversation(random, GEMINI_CONTENTS);
    let tokens;
    const onStep = (step) => (tokens = step.tokens.after);
    const settings = { limit: 900_000, shorten: false, explainMarks: false, onError: assert.fail, onStep };
    const model = new Gemini({ model: 'gemini-3.5-flash', apiKey: 'k' });
    const runner = new InMemoryRunner({
      agent: new LlmAgent({ name: 'a', model, instruction: SYSTEM }),
      plugins: [palimpsestPlugin(settings)],
    });
    const ids = { appName: runner.appName, userId: 'u', sessionId: `s${n}` };
    const session = await runner.sessionService.createSession(ids);
    for (const content of messages.slice(0, -1)) {
      const event = createEvent({ author: content.role === 'model' ? 'a' : 'user', content, invocationId: 'i' });
      await runner.sessionService.appendEvent({ session, event });
    }
    for await (const _ of runner.runAsync({ ...ids, newMessage: messages.at(-1) }));
    assertNear({ tokens, sent: sentBy('gemini') }, messages, `conversation ${n}`);
  }
});

for (const api of someOf(Object.keys(MODELS))) {
  test(`Mastra, ${api}`, async () => {
    const random = new Random(SEED + 6);
    for (let n = 0; n < cases(6); n++) {
      const exchanges = Array.from({ length: random.integer(2, 6) }, () => random.pick(Object.values(EXCHANGES))(random));
      const messages = [...exchanges.flat(), { role: 'user', content: 'And now?' }];
      let tokens;
      const onStep = (step) => (tokens = step.tokens.after);
      const settings = { limit: 900_000, shorten: false, explainMarks: false, onError: assert.fail, onStep };
      const processor = palimpsestProcessor(settings);
      const agent = new MastraAgent({ id: 'a', name: 'a', instructions: SYSTEM, model: MODELS[api], inputProcessors: [processor] });
      agent.__setLogger(noopLogger);
      await agent.generate(messages, { modelSettings: { maxRetries: 0 } }).catch(() => {});
      assertNear({ tokens, sent: sentBy(api) }, messages, `conversation ${n}`);
    }
  });
}

const dataUrl = (image) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } });
const LANGCHAIN_MESSAGES = {
  user: (texts, image) =>
    new HumanMessage({ content: [...texts.map((text) => ({ type: 'text', text })), ...(image ? [dataUrl(image)] : [])] }),
  answer: (text) => new AIMessage(text),
  rounds: (made) => [
    new AIMessage({ content: '', tool_calls: made.map(({ id, name, input }) => ({ id, name, args: input })) }),
    ...made.map(({ id, name, text, object, texts, image }) => {
      const content = texts && [...texts.map((one) => ({ type: 'text', text: one })), ...(image ? [dataUrl(image)] : [])];
      return new ToolMessage({ tool_call_id: id, name, content: content ?? text ?? JSON.stringify(object) });
    }),
  ],
};

for (const [api, make] of someOf(Object.entries(LANGCHAIN))) {
  test(`LangChain, ${api}: whole conversations`, async (t) => {
    t.mock.method(globalThis, 'fetch', fetch);
    const random = new Random(SEED + 7);
    for (let n = 0; n < cases(8); n++) {
      const messages = conversation(random, LANGCHAIN_MESSAGES);
      let tokens;
      const onStep = (step) => (tokens = step.tokens.after);
      const middleware = [forAgent({ limit: 900_000, shorten: false, explainMarks: false, onError: assert.fail, onStep })];
      await createAgent({ model: make(), tools: [], systemPrompt: SYSTEM, middleware })
        .invoke({ messages })
        .catch(() => {});
      assertNear({ tokens, sent: sentBy(api) }, messages, `conversation ${n}`);
    }
  });
}
