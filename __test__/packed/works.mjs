// Runs beside the installed package and the SDKs: each subpath that the package exports gives both module systems the same names, its main
// function does its work, and its recall tool finds what went. What an SDK would send is caught before it leaves the process.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

const require = createRequire(import.meta.url);
const { exports: subpaths } = require('palimpsest/package.json');

const READS = 40;
const LIMIT = 3000;
const SECRET = 'the checksum of src/file2.ts is violet-walrus-77';
/** What the tool of a step reads. */
const contentOf = (step) =>
  Array.from({ length: 30 }, (_, line) => `export const value${line} = compute(${step * 1000 + line});`).join('\n') +
  (step === 2 ? `\n// ${SECRET}.` : '');
const QUERY = 'checksum of src/file2.ts';
const steps = Array.from({ length: READS }, (_, step) => ({ id: `call_${step}`, path: `src/file${step}.ts`, content: contentOf(step) }));
const PROMPT = 'Read the files.';

/** The conversation as each provider has it. */
const chat = [
  { role: 'user', content: PROMPT },
  ...steps.flatMap(({ id, path, content }) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } }],
    },
    { role: 'tool', tool_call_id: id, content },
  ]),
];
const claude = [
  { role: 'user', content: PROMPT },
  ...steps.flatMap(({ id, path, content }) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ]),
];
const gemini = [
  { role: 'user', parts: [{ text: PROMPT }] },
  ...steps.flatMap(({ path, content }) => [
    { role: 'model', parts: [{ functionCall: { name: 'read', args: { path } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: content } } }] },
  ]),
];
const vercel = [
  { role: 'user', content: [{ type: 'text', text: PROMPT }] },
  ...steps.flatMap(({ id, path, content }) => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: { path } }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: content } }] },
  ]),
];
const items = [
  { type: 'message', role: 'user', content: PROMPT },
  ...steps.flatMap(({ id: callId, path, content }) => [
    { type: 'function_call', callId, name: 'read', arguments: JSON.stringify({ path }), status: 'completed' },
    { type: 'function_call_result', callId, name: 'read', status: 'completed', output: { type: 'text', text: content } },
  ]),
];

/** Fails unless a request was cut, and what the recall tool found is what went. */
function assertCut(sent, whole, found) {
  const [text, before] = [sent, whole].map((value) => JSON.stringify(value));
  assert.ok(text.length < before.length / 3, `${text.length} characters of ${before.length} were sent`);
  assert.ok(!text.includes(SECRET), 'it was cut');
  assert.ok(JSON.stringify(found).includes(SECRET), `it was recalled: ${JSON.stringify(found)}`);
}

/** Errors of an integration, which by default passes the request on untouched. */
const onError = (error) => {
  throw error;
};
const options = { limit: LIMIT, onError };

process.on('warning', (warning) => assert.doesNotMatch(String(warning.code), /PALIMPSEST/, warning.message));

/** Answers requests of SDKs, and keeps the last one. */
let requested;
const answering = (answer) => {
  globalThis.fetch = async (_, { body }) => {
    requested = JSON.parse(body);
    return Response.json(answer);
  };
};

/** Keeps something in a store. */
async function keeps(store) {
  const version = await store.save('id', 'a state', 0);
  assert.ok(version > 0);
  assert.deepEqual(await store.load('id'), { state: 'a state', version });
  assert.equal(await store.put('id', [['key', 'a value']]), true);
  assert.deepEqual(await store.get('id', ['key', 'other']), ['a value', undefined]);
}

/** What each subpath is for. */
const WORK = {
  './internal'({ isAnswer, REQUESTS, valueAt }) {
    assert.deepEqual(chat.slice(0, 3).map(isAnswer), [false, true, false]);
    assert.equal(valueAt({ config: { maxOutputTokens: 5 } }, REQUESTS.gemini.output), 5);
  },
  '.': ({ fit, restore }) => {
    const { messages, originals } = fit(chat, { limit: LIMIT });
    assertCut(messages, chat, restore(messages, originals).messages);
    assert.deepEqual(restore(messages, originals).messages, chat);
  },
  './ai-sdk': async ({ palimpsestMiddleware, prepareStep }) => {
    const { wrapLanguageModel, generateText } = await import('ai');
    let sent;
    const answer = {
      content: [{ type: 'text', text: 'Done.' }],
      finishReason: { unified: 'stop' },
      usage: { inputTokens: {}, outputTokens: {} },
      warnings: [],
    };
    const model = {
      specificationVersion: 'v4',
      provider: 'test',
      modelId: 'gpt-5.5',
      supportedUrls: {},
      doGenerate: async ({ prompt }) => {
        sent = prompt;
        return answer;
      },
    };
    const ask = (tool, more) => generateText({ messages: vercel, tools: { recall: tool }, maxRetries: 0, ...more });
    const middleware = palimpsestMiddleware(options);
    const tool = middleware.recallTool();
    await ask(tool, { model: wrapLanguageModel({ model, middleware }) });
    assertCut(sent, vercel, await tool.execute({ query: QUERY }, {}));
    const choose = prepareStep(options);
    const own = choose.recallTool();
    await ask(own, { model, prepareStep: choose });
    assertCut(sent, vercel, await own.execute({ query: QUERY }, {}));
  },
  './anthropic': async ({ withPalimpsest }) => {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    answering({ type: 'message', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } });
    const client = withPalimpsest(new Anthropic({ apiKey: 'test', maxRetries: 0 }), options);
    const tool = client.recallTool();
    await client.messages.create({ model: 'claude-opus-5', max_tokens: 500, messages: claude });
    assertCut(requested.messages, claude, await tool.run({ query: QUERY }));
  },
  './bullmq': async ({ compactionJob, enqueueCompaction }) => {
    const jobs = [];
    const queue = { add: async (name, data) => jobs.push({ name, data }), rateLimit: () => assert.fail('nothing is limited') };
    await enqueueCompaction(queue, { id: 'id', version: 1 });
    const store = require('palimpsest/store/memory').memoryStore();
    const run = compactionJob({ store, queue, summarizer: () => assert.fail('nothing waits') });
    assert.deepEqual(await run(jobs[0]), { wanted: 0, asked: 0, kept: 0 });
  },
  './opentelemetry': ({ instrument }) => {
    const recorded = [];
    const record = (value, attributes) => recorded.push([value, attributes['palimpsest.tag.feature']]);
    const meter = { createHistogram: () => ({ record }), createCounter: () => ({ add: record }) };
    const span = { setAttributes: () => span, end: () => {} };
    const stop = instrument({ meter, tracer: { startSpan: () => span }, metricTags: ['feature'] });
    const { tokens } = require('palimpsest')
      .createSession({ limit: 1000, tags: { feature: 'search' } })
      .next(chat.slice(0, 1));
    stop();
    assert.deepEqual(recorded[0], [tokens.after, 'search']);
  },
  './testing': ({ expectKept }) => {
    const session = require('palimpsest').createSession({ limit: 1000 });
    session.next([{ role: 'user', content: 'Never push to main.' }]);
    expectKept(session, /push/);
    assert.throws(() => expectKept(session, 'elsewhere'), { code: 'ERR_ASSERTION' });
  },
  './claude-agent-sdk': async ({ shortenToolOutput }) => {
    const hook = shortenToolOutput({ limit: 200, onError });
    const stdout = steps.map(({ content }) => content).join('\n');
    const call = { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: {}, tool_use_id: 'a' };
    const { hookSpecificOutput: shortened } = await hook({ ...call, tool_response: { stdout, stderr: '' } });
    assertCut(shortened.updatedToolOutput.stdout, stdout, await hook.recallTool().handler({ query: QUERY }));
  },
  './express': async ({ chatParser }) => {
    const body = JSON.stringify({ messages: chat });
    const request = Object.assign(Readable.from([Buffer.from(body)]), { headers: { 'content-type': 'application/json' } });
    await new Promise((resolve, reject) => chatParser(options)(request, {}, (error) => (error ? reject(error) : resolve())));
    assertCut(request.palimpsest.messages, chat, chat);
  },
  './gemini': async ({ withPalimpsest }) => {
    const { GoogleGenAI } = await import('@google/genai');
    answering({ candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] } }] });
    const client = withPalimpsest(new GoogleGenAI({ apiKey: 'test' }), options);
    const tool = client.recallTool();
    await client.models.generateContent({ model: 'gemini-3.5-flash', contents: gemini });
    assertCut(requested.contents, gemini, await tool.callTool([{ name: 'recall', args: { query: QUERY } }]));
  },
  './google-adk': async ({ palimpsestPlugin }) => {
    const plugin = palimpsestPlugin(options);
    const tool = plugin.recallTool();
    const llmRequest = { model: 'gemini-3.5-flash', contents: gemini, config: {} };
    const callbackContext = { invocationId: 'i', agentName: 'a', eventActions: {} };
    await plugin.beforeModelCallback({ callbackContext, llmRequest });
    assertCut(llmRequest.contents, gemini, await tool.runAsync({ args: { query: QUERY }, toolContext: callbackContext }));
  },
  './langchain': async ({ palimpsestEdit, palimpsestMiddleware }) => {
    const { AIMessage, FakeToolCallingModel, HumanMessage, ToolMessage, createAgent } = await import('langchain');
    const messages = [
      new HumanMessage(PROMPT),
      ...steps.flatMap(({ id, path, content }) => [
        new AIMessage({ content: '', tool_calls: [{ id, name: 'read', args: { path } }] }),
        new ToolMessage({ tool_call_id: id, name: 'read', content }),
      ]),
    ];
    let sent;
    const middleware = palimpsestMiddleware(options);
    const tool = middleware.recallTool();
    const looking = {
      name: 'looking',
      wrapModelCall(request, handler) {
        sent = request.messages;
        return handler(request);
      },
    };
    const agent = createAgent({ model: new FakeToolCallingModel({ toolCalls: [[]] }), tools: [tool], middleware: [middleware, looking] });
    await agent.invoke({ messages });
    assertCut(sent, messages, await tool.invoke({ query: QUERY }));
    const edited = [...messages];
    await palimpsestEdit({ limit: LIMIT }).apply({ messages: edited, countTokens: () => 1_000_000 });
    assertCut(edited, messages, messages);
  },
  './mastra': async ({ palimpsestProcessor }) => {
    const processor = palimpsestProcessor(options);
    const tool = processor.recallTool();
    const { prompt } = await processor.processLLMRequest({ prompt: vercel, model: { modelId: 'gpt-5.5' }, state: {}, steps: [] });
    assertCut(prompt, vercel, await tool.execute({ query: QUERY }, {}));
  },
  './openai': async ({ withPalimpsest }) => {
    const { default: OpenAI } = await import('openai');
    answering({ choices: [], output: [] });
    const client = withPalimpsest(new OpenAI({ apiKey: 'test', maxRetries: 0 }), options);
    const tool = client.recallTool();
    await client.chat.completions.create({ model: 'gpt-5.5', messages: chat });
    assertCut(requested.messages, chat, await tool.execute({ query: QUERY }));
  },
  './openai-agents': async ({ palimpsestFilter, palimpsestModel }) => {
    let sent;
    const toolCall = { type: 'function_call', callId: 'asked', name: 'recall', arguments: JSON.stringify({ query: QUERY }) };
    const getResponse = async ({ input }) => {
      sent = input;
      return { usage: { inputTokens: 1, outputTokens: 1 }, output: [toolCall] };
    };
    const model = palimpsestModel({ getResponse, getStreamedResponse: () => assert.fail() }, options);
    const tool = model.recallTool();
    await model.getResponse({ input: items, tools: [], handoffs: [], modelSettings: {} });
    assertCut(sent, items, await tool.invoke({}, toolCall.arguments, { toolCall }));
    const modelData = { input: items, instructions: 'Read.' };
    assertCut((await palimpsestFilter(options)({ modelData, agent: {} })).input, items, items);
  },
  './compress': ({ compress, extractEntities, uncompress }) => {
    const content = 'The lamp keeper repaired the lantern at Cape Agulhas before dusk. '.repeat(20);
    const messages = Array.from({ length: 8 }, (_, index) => ({ id: `${index}`, index, role: 'user', content: `${index}. ${content}` }));
    const { messages: shorter, verbatim } = compress(messages);
    assert.ok(JSON.stringify(shorter).length < JSON.stringify(messages).length);
    assert.deepEqual(uncompress(shorter, verbatim).messages, messages);
    assert.ok(extractEntities(content).some((entity) => entity.includes('Agulhas')));
  },
  './store/memory': ({ memoryStore }) => keeps(memoryStore()),
  './store/postgres': ({ postgresStore }) => keeps(postgresStore(postgres())),
  './store/redis': ({ redisStore }) => keeps(redisStore(redis())),
  './store/sqlite': async ({ sqliteStore }) => {
    const store = sqliteStore(':memory:');
    await keeps(store);
    await store.close?.();
  },
  './web': async ({ createChatParser }) => {
    const headers = { 'content-type': 'application/json' };
    const request = new Request('http://localhost/', { method: 'POST', headers, body: JSON.stringify({ messages: chat }) });
    assertCut((await createChatParser(options)(request)).messages, chat, chat);
  },
};

/** As much of a server as one writer can see. */
function redis() {
  const hash = new Map();
  return {
    hmGet: async (_, fields) => fields.map((field) => hash.get(field) ?? null),
    del: async () => hash.clear(),
    eval: async (script, { arguments: [, version, ...rest] }) => {
      if (script.includes('HSETNX')) for (let at = 0; at < rest.length; at += 2) hash.set(rest[at], rest[at + 1]);
      else if ((hash.get('version') ?? '0') !== version) return 0;
      else hash.set('state', rest[0]).set('version', rest[1]);
      return 1;
    },
  };
}
function postgres() {
  const entries = new Map();
  let saved = [];
  return {
    query: async (text, values) => {
      if (/^SELECT key/.test(text))
        return { rows: values[1].filter((key) => entries.has(key)).map((key) => ({ key, value: entries.get(key) })) };
      if (/^SELECT state/.test(text)) return { rows: saved };
      if (/\.states/.test(text)) saved = [{ state: values[1], version: String(values[2]) }];
      else for (const [at, key] of values[1].entries()) entries.set(key, values[2][at]);
      return { rows: [], rowCount: 1 };
    },
  };
}

const { fetch } = globalThis;
for (const [subpath, conditions] of Object.entries(subpaths)) {
  if (subpath === './package.json') continue;
  const name = subpath.replace('.', 'palimpsest');
  const esm = await import(name);
  const names = Object.keys(esm);
  assert.ok(names.length > 0, name);
  for (const key of names) assert.notEqual(esm[key], undefined, `${name}: ${key}`);
  if (conditions.require) {
    const cjs = require(name);
    assert.deepEqual(names, Object.keys(cjs).sort(), name);
    for (const key of names) assert.equal(esm[key], cjs[key], `${name}: ${key}`);
  }
  assert.ok(Object.hasOwn(WORK, subpath), `${name} has no work here: add what it is for`);
  try {
    await WORK[subpath](esm);
  } catch (error) {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  }
  globalThis.fetch = fetch;
}
console.log(`${Object.keys(subpaths).length - 1} subpaths work`);
