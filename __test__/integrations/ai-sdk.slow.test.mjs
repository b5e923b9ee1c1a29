// The middleware and `prepareStep` in the AI SDK itself, over HTTP, against providers that are strict and keep a cache.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import {
  convertToModelMessages,
  createGateway,
  experimental_createSteering,
  generateText,
  isStepCount,
  jsonSchema,
  Output,
  streamText,
  tool,
  ToolLoopAgent,
  wrapLanguageModel,
  wrapProvider,
} from 'ai';
import { palimpsestMiddleware, prepareStep } from 'palimpsest/ai-sdk';
import { countTokens, createSession, fit, marksNote, restore, validate } from 'palimpsest';
import { agentTools, checkLongRun, image, longAgent, observer, sent, startProvider } from '../support/agents/index.mjs';
import { testSessions } from '../support/clients.mjs';

const STEPS = 45;
const LIMIT = 12_000;
const observing = observer({ limit: LIMIT });
const LONG_RUN = { steps: STEPS, limit: LIMIT };
const tools = Object.fromEntries(
  agentTools.map(({ name, description, parameters, run }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute: run }),
  ]),
);
/** The tools as a model gets them. */
const schemas = agentTools.map(({ name, description, parameters }) => ({ type: 'function', name, description, inputSchema: parameters }));
const instructionsFor = (name) => `You are a careful agent. [conversation ${name}]`;
const PROMPT = 'Find out why exports fail.';

/** Starts a provider for one test. */
async function serving(t, script, options) {
  const provider = await startProvider(script, { window: 400_000, ...options });
  t.after(() => provider.close());
  const openai = createOpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1` });
  const anthropic = createAnthropic({ apiKey: 'test', baseURL: `${provider.url}/v1` });
  return { provider, openai, anthropic, chat: openai.chat('gpt-5.5'), claude: anthropic('claude-opus-5') };
}

const settings = (name, options) => ({
  instructions: instructionsFor(name),
  tools,
  stopWhen: isStepCount(STEPS + 5),
  maxRetries: 0,
  ...options,
});

const given = (messages) => (messages ? { messages } : { prompt: PROMPT });

async function generated(name, { messages, ...options }) {
  const { text, responseMessages } = await generateText({ ...settings(name, options), ...given(messages) });
  return { text, messages: responseMessages };
}

async function streamed(name, { messages, ...options }) {
  const result = streamText({ ...settings(name, options), ...given(messages) });
  return { text: await result.text, messages: await result.responseMessages };
}

async function generatedByAgent(name, { messages, ...options }) {
  const { text, responseMessages } = await new ToolLoopAgent(settings(name, options)).generate(given(messages));
  return { text, messages: responseMessages };
}

async function streamedByAgent(name, { messages, ...options }) {
  const result = await new ToolLoopAgent(settings(name, options)).stream(given(messages));
  return { text: await result.text, messages: await result.responseMessages };
}

const wrapped = (model, options) => wrapLanguageModel({ model, middleware: palimpsestMiddleware(options) });

describe('an agent of 45 steps', () => {
  let alone;
  before(async () => {
    const provider = await startProvider(longAgent({ steps: STEPS }), { window: 400_000 });
    const model = createOpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1` }).chat('gpt-5.5');
    alone = await generated('agent', { model });
    await provider.close();
  });

  for (const [name, run] of Object.entries({ generateText: generated, streamText: streamed })) {
    test(`the middleware with ${name}: the history is whole, requests are small, the cache is used`, async (t) => {
      const { provider, chat } = await serving(t, longAgent({ steps: STEPS }));
      const { seen, options } = observing();
      const result = await run('agent', { model: wrapped(chat, options) });
      assert.deepEqual(result, alone);
      checkLongRun(t, provider, 'agent', seen, LONG_RUN);
    });
  }

  for (const [name, run] of Object.entries({ 'generate()': generatedByAgent, 'stream()': streamedByAgent })) {
    test(`prepareStep with ToolLoopAgent.${name}: the history is whole, requests are small, the cache is used`, async (t) => {
      const { provider, chat } = await serving(t, longAgent({ steps: STEPS }));
      const { seen, options } = observing({ tools });
      const result = await run('agent', { model: chat, prepareStep: prepareStep(options) });
      assert.deepEqual(result, alone);
      checkLongRun(t, provider, 'agent', seen, LONG_RUN);
      // Each epoch chooses from everything, not from what the last request had: the prompt, and all messages before the last answer.
      assert.equal(seen.steps.at(-1).report.messages.before, result.messages.length);
    });
  }

  for (const [name, run, thinking] of [
    ['generateText, Claude that binds its thinking to what stands before it', generated, { type: 'adaptive' }],
    ['streamText, Claude with a fixed budget', streamed, { type: 'enabled', budgetTokens: 1024 }],
  ]) {
    test(`the middleware with ${name}: thinking comes back as it was signed`, async (t) => {
      const preserved = thinking.type === 'adaptive';
      const { provider, claude } = await serving(t, longAgent({ steps: STEPS, thinking: true }), { preserved });
      const { seen, options } = observing();
      const anthropic = { cacheControl: { type: 'ephemeral' }, thinking };
      const result = await run('agent', { model: wrapped(claude, options), providerOptions: { anthropic } });
      checkLongRun(t, provider, 'agent', seen, LONG_RUN);
      assert.equal(result.text, `All ${STEPS} steps are done.`);
      assert.ok(sent(provider.requests[2]).includes('"signature"'));
    });
  }
});

/** Parameters of a request, as a model gets them from the AI SDK 5 (`v2`), 6 (`v3`) and 7 (`v4`). */
const PROMPTS = {
  v2: [{ type: 'file', mediaType: 'image/png', data: image.base64 }, { type: 'text', value: 'a' }, 1_000],
  v3: [
    { type: 'file', mediaType: 'image/png', data: image.base64 },
    { type: 'content', value: [{ type: 'text', text: 'a' }] },
    { total: 1_000 },
  ],
  v4: [
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: image.base64 } },
    { type: 'content', value: [{ type: 'text', text: 'a' }] },
    { total: 1_000, noCache: 1_000, cacheRead: 0, cacheWrite: 0 },
  ],
};
const paramsOf = (version, length = 1) => {
  const [file, output] = PROMPTS[version];
  const call = (index) => ({ type: 'tool-call', toolCallId: `c${index}`, toolName: 'read', input: { path: `src/${index}.ts` } });
  const text = (index) => Array.from({ length: 60 }, (_, line) => `export const value${line} = ${line * index};`).join('\n');
  const value = (index) =>
    output.type === 'text' ? { ...output, value: text(index) } : { ...output, value: [{ type: 'text', text: text(index) }] };
  return {
    prompt: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'What is it?' }, file] },
      ...Array.from({ length }, (_, index) => [
        { role: 'assistant', content: [call(index)] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: `c${index}`, toolName: 'read', output: value(index) }] },
      ]).flat(),
    ],
    tools: [{ type: 'function', name: 'read', description: 'Reads a file.', inputSchema: { type: 'object', properties: {} } }],
    abortSignal: new AbortController().signal,
    providerOptions: { openai: { store: false } },
  };
};
const model = { modelId: 'gpt-5.5', provider: 'openai' };

describe('the middleware', () => {
  for (const [version, [, , inputTokens]] of Object.entries(PROMPTS)) {
    test(`with a prompt of ${version}: it is cut, everything else is the same, usage is observed`, async () => {
      const { seen, options } = observing({ limit: 3000, explainMarks: false });
      const middleware = palimpsestMiddleware(options);
      const small = paramsOf(version);
      assert.equal(await middleware.transformParams({ type: 'generate', params: small, model }), small, 'nothing has to change');
      const params = paramsOf(version, 8);
      const before = structuredClone({ ...params, abortSignal: undefined });
      const changed = await middleware.transformParams({ type: 'generate', params, model });
      assert.deepEqual({ ...params, abortSignal: undefined }, before, 'the request is not mutated');
      assert.ok(JSON.stringify(changed.prompt).length < JSON.stringify(params.prompt).length / 2);
      assert.deepEqual({ ...changed, prompt: params.prompt }, params);
      assert.equal(changed.abortSignal, params.abortSignal);
      const [session] = seen.sessions;
      const result = { content: [], usage: { inputTokens } };
      assert.equal(await middleware.wrapGenerate({ doGenerate: async () => result, params: changed, model }), result);
      const { after } = seen.steps.at(-1).tokens;
      assert.ok(Math.abs(session.toJSON().factor - 1000 / after) < 0.01);
    });
  }

  test('passes each part of a stream on before the next is made, and its error as it is', async () => {
    const middleware = palimpsestMiddleware({ limit: 3000 });
    const params = await middleware.transformParams({ type: 'stream', params: paramsOf('v4'), model });
    const error = new Error('the provider is gone');
    let source;
    const stream = new ReadableStream({ start: (controller) => (source = controller) }, { highWaterMark: 0 });
    const request = { body: '{}' };
    const result = await middleware.wrapStream({ doStream: async () => ({ stream, request }), params, model });
    assert.equal(result.request, request);
    const reader = result.stream.getReader();
    for (const part of [
      { type: 'text-delta', id: '0', delta: 'a' },
      { type: 'finish', usage: { inputTokens: PROMPTS.v4[2] }, finishReason: { unified: 'stop' } },
    ]) {
      source.enqueue(part);
      assert.equal((await reader.read()).value, part);
    }
    source.error(error);
    await assert.rejects(reader.read(), (thrown) => thrown === error);
  });

  test('a reader that stops reading ends the stream at the model', async () => {
    const middleware = palimpsestMiddleware({ limit: 3000 });
    const params = await middleware.transformParams({ type: 'stream', params: paramsOf('v4'), model });
    const reasons = [];
    const stream = new ReadableStream({ cancel: (reason) => reasons.push(reason) });
    const result = await middleware.wrapStream({ doStream: async () => ({ stream }), params, model });
    await result.stream.cancel('enough');
    assert.deepEqual(reasons, ['enough']);
  });

  test('counts the tools and the maximum of the answer, and takes the window of the model', async () => {
    const { seen, options } = observing({ limit: undefined, explainMarks: false });
    const middleware = palimpsestMiddleware(options);
    const params = paramsOf('v4');
    await middleware.transformParams({ type: 'generate', params: { ...params, maxOutputTokens: 500 }, model: { modelId: 'gpt-4' } });
    await middleware.transformParams({ type: 'generate', params: { ...params, tools: undefined }, model: { modelId: 'gpt-4' } });
    const [first, second] = seen.steps.map(({ tokens }) => tokens);
    assert.equal(first.limit, 8192 - 500);
    const { prompt, tools: given } = params;
    assert.equal(first.after, countTokens(prompt, { tools: given, format: 'ai-sdk-model', model: 'gpt-4' }));
    assert.equal(second.after, countTokens(prompt, { format: 'ai-sdk-model', model: 'gpt-4' }));
  });

  test('explains the marks at the end of the system prompt, from the first request on', async () => {
    const middleware = palimpsestMiddleware({ limit: 3000 });
    const params = paramsOf('v4');
    const { prompt } = await middleware.transformParams({ type: 'generate', params, model });
    assert.deepEqual(prompt, [{ role: 'system', content: `Be brief.\n\n${marksNote}` }, ...params.prompt.slice(1)]);
    const without = { ...params, prompt: params.prompt.slice(1) };
    const changed = await middleware.transformParams({ type: 'generate', params: without, model });
    assert.deepEqual(changed.prompt, [{ role: 'system', content: marksNote }, ...without.prompt]);
  });

  test('what a request that was not cut is answered with is passed on', async () => {
    const params = paramsOf('v4', 8);
    const session = () => Promise.reject(new Error('no store'));
    const failures = [];
    const failing = palimpsestMiddleware({ limit: 3000, session, onError: (...all) => failures.push(all) });
    assert.equal(await failing.transformParams({ type: 'generate', params, model }), params);
    assert.deepEqual(failures, [[new Error('no store'), { params }]]);
    const result = {};
    assert.equal(await failing.wrapGenerate({ doGenerate: async () => result, params, model }), result);
    assert.equal(await failing.wrapStream({ doStream: async () => result, params, model }), result);
  });

  test("the recall tool's schema is one to version 5, too, and a call without details is answered", () => {
    const { inputSchema, execute } = palimpsestMiddleware({ limit: 3000 }).recallTool();
    // What `asSchema` (5 to 7) and `asValidator` (5) of @ai-sdk/provider-utils look for; without the second, each call is an invalid input.
    for (const mark of ['vercel.ai.schema', 'vercel.ai.validator']) assert.equal(inputSchema[Symbol.for(mark)], true, mark);
    assert.ok('jsonSchema' in inputSchema && 'validate' in inputSchema);
    assert.equal(execute({ query: 'x' }), 'Nothing can be looked up here.');
  });

  test('names wrong options', () => {
    assert.throws(() => palimpsestMiddleware({ limit: -1 }), {
      name: 'RangeError',
      message: /^palimpsestMiddleware\(\): options\.limit must be /,
    });
    assert.throws(() => palimpsestMiddleware({ cacheControl: true }), {
      name: 'TypeError',
      message: /options\.cacheControl is for messages of format 'anthropic'/,
    });
    assert.throws(() => palimpsestMiddleware({ limits: 1 }), { name: 'TypeError', message: /^palimpsestMiddleware\(\): options\.limits / });
    assert.throws(() => prepareStep({ onStep: 1 }), { name: 'TypeError', message: /^prepareStep\(\): options\.onStep must be a function/ });
    assert.throws(() => prepareStep('session'), { name: 'TypeError', message: /^prepareStep\(\): options must be an object, got string/ });
  });
});

describe('in the SDK', () => {
  test('a stream that is aborted ends at the server, and the conversation goes on', async (t) => {
    const long = 'A long answer. '.repeat(400);
    const { provider, chat } = await serving(t, [{ text: long }, { text: 'Yes.' }], { pause: 2 });
    const { seen, options } = observing();
    const wrappedChat = wrapped(chat, options);
    const controller = new AbortController();
    const messages = [{ role: 'user', content: 'Say much.' }];
    const aborted = [];
    const { textStream } = streamText({
      ...settings('abort', { model: wrappedChat, messages, abortSignal: controller.signal }),
      onAbort: () => aborted.push('aborted'),
    });
    let text = '';
    for await (const delta of textStream) {
      text += delta;
      if (text.length > 100) controller.abort();
    }
    assert.ok(text.length > 100 && text.length < long.length);
    assert.deepEqual(aborted, ['aborted']);
    const { text: whole } = await generateText(settings('abort', { model: wrappedChat, messages }));
    assert.equal(whole, long);
    messages.push({ role: 'assistant', content: long }, { role: 'user', content: 'Is that all?' });
    assert.equal((await generateText(settings('abort', { model: wrappedChat, messages }))).text, 'Yes.');
    assert.deepEqual(
      provider.requests.map(({ aborted: wasAborted, status }) => [wasAborted, status]),
      [
        [true, 200],
        [false, 200],
        [false, 200],
      ],
    );
    assert.equal(seen.sessions.size, 1);
  });

  test("the provider's errors reach the caller as they are", async (t) => {
    const faults = (_turn, number) => (number < 2 ? { status: 529, message: 'come back later' } : undefined);
    const { claude } = await serving(t, [{ text: 'Here I am.' }], { faults });
    const { seen, options } = observing();
    const error = (run) =>
      run.then(
        () => assert.fail('no error'),
        (thrown) => thrown,
      );
    const alone = await error(generateText(settings('errors', { model: claude, prompt: PROMPT })));
    const through = await error(generateText(settings('errors', { model: wrapped(claude, options), prompt: PROMPT })));
    assert.deepEqual([through.name, through.message, through.statusCode], [alone.name, alone.message, 529]);
    assert.match(alone.message, /come back later/);
    const { text } = await generateText(settings('errors', { model: wrapped(claude, options), prompt: PROMPT }));
    assert.equal(text, 'Here I am.');
    assert.equal(seen.steps.length, 2);
  });

  test('images and structured output go through', async (t) => {
    const { provider, claude, openai } = await serving(t, [{ json: { colour: 'red' } }]);
    const content = [
      { type: 'text', text: 'Which colour?' },
      { type: 'file', data: Buffer.from(image.base64, 'base64'), mediaType: image.mediaType },
    ];
    const schema = jsonSchema({
      type: 'object',
      properties: { colour: { type: 'string' } },
      required: ['colour'],
      additionalProperties: false,
    });
    for (const [name, inner] of [
      ['anthropic', claude],
      ['chat', openai.chat('gpt-5.5')],
      ['responses', openai('gpt-5.5')],
    ]) {
      const options = { output: Output.object({ schema }), tools: undefined, messages: [{ role: 'user', content }] };
      const alone = await generateText(settings(`${name}-alone`, { model: inner, ...options }));
      const through = await generateText(settings(name, { model: wrapped(inner, { limit: LIMIT, explainMarks: false }), ...options }));
      assert.deepEqual([alone.output, through.output], [{ colour: 'red' }, { colour: 'red' }], name);
      const [one, other] = provider.requests.slice(-2).map(({ body }) => JSON.stringify(body));
      assert.equal(other, one.replaceAll(`${name}-alone`, name));
      assert.ok(other.includes(image.base64));
    }
  });
});

testSessions('the middleware', {
  open: ({ url }) => createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5'),
  wrap: wrapped,
  options: { format: 'ai-sdk-model', tools: schemas },
  run: async (model, { conversation }) => (await generated(conversation, { model })).messages,
  ask: (model, prompt) => generateText({ model, prompt, maxRetries: 0 }),
});

testSessions('prepareStep', {
  open: ({ url }) => ({ model: createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5') }),
  wrap: (client, options) => ({ ...client, prepareStep: prepareStep(options) }),
  options: { format: 'ai-sdk-model', tools },
  run: async (client, { conversation }) => (await generated(conversation, client)).messages,
  ask: (client, prompt) => generateText({ ...client, prompt, maxRetries: 0 }),
});

/** Calls for the tests of `prepareStep` below: one after the other, then a text. */
const reads =
  (count) =>
  ({ step }) =>
    step < count ? { calls: [{ name: 'read', input: { path: `src/file${step}.ts` } }] } : { text: 'Enough.' };

describe('prepareStep', () => {
  test('what is said to the running agent is delivered, and stays in the history', async (t) => {
    const { provider, chat } = await serving(t, reads(12));
    for (const stream of [false, true]) {
      provider.reset();
      const steering = experimental_createSteering();
      const { seen, options } = observing({ limit: 8000, tools });
      const choose = prepareStep(options);
      let outcome;
      await (stream ? streamed : generated)('steer', {
        model: chat,
        experimental_steering: steering,
        prepareStep: (params) => {
          if (params.stepNumber === 3) outcome = steering.steer('Only tests, please: GREEN.');
          return choose(params);
        },
      });
      const { type, stepNumber } = await outcome;
      assert.deepEqual({ type, stepNumber }, { type: 'delivered', stepNumber: 4 });
      const epochs = seen.steps.flatMap(({ epoch }, index) => (epoch && index > 4 ? [index] : []));
      assert.ok(epochs.length > 0);
      provider.requests.forEach((request, index) =>
        assert.equal(sent(request).split('GREEN').length - 1, index < 4 ? 0 : 1, `step ${index}`),
      );
      assert.equal(seen.steps.at(-1).report.messages.before, 1 + 2 * 12 + 1);
    }
  });

  test('results of tools that were approved before the run are in the history', async (t) => {
    const { provider, chat } = await serving(t, [
      { calls: [{ name: 'read', input: { path: 'src/a.ts' } }] },
      { calls: [{ name: 'search', input: { pattern: 'b', path: 'src' } }] },
      { text: 'Done.' },
    ]);
    const toolApproval = { read: 'user-approval' };
    const { seen, options } = observing({ tools });
    const run = { model: chat, toolApproval, prepareStep: prepareStep(options) };
    const first = await generateText(settings('approval', { ...run, prompt: PROMPT }));
    const { approvalId } = first.content.find(({ type }) => type === 'tool-approval-request');
    const messages = [
      { role: 'user', content: PROMPT },
      ...first.responseMessages,
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] },
    ];
    const { text } = await generateText(settings('approval', { ...run, messages }));
    assert.equal(text, 'Done.');
    assert.deepEqual(
      provider.requests.map(({ status, body }) => [status, body.messages.filter(({ role }) => role === 'tool').length]),
      [
        [200, 0],
        [200, 1],
        [200, 2],
      ],
    );
    assert.ok(seen.steps.every(({ fits }) => fits));
  });

  test('usage of each step is observed, though a run of version 5 has other message objects in each step', async () => {
    const usages = [];
    const session = createSession({ limit: 3000 });
    const spy = { nextAsync: (history) => session.nextAsync(history), observe: (usage) => usages.push(usage) };
    const choose = prepareStep(spy);
    // As `generateText` and `streamText` of versions 5 and 6 do: one list of steps, to which each step is added.
    const steps = [];
    const messages = [{ role: 'user', content: PROMPT }];
    for (let step = 0; step < 4; step++) {
      await choose({ model: 'openai/gpt-5.5', steps, stepNumber: step, messages: structuredClone(messages) });
      const [asked, answered] = paramsOf('v2', 4).prompt.slice(2 + 2 * step);
      messages.push(asked, answered);
      steps.push({ usage: { inputTokens: 100 + step }, response: { messages: [asked, answered] } });
    }
    assert.deepEqual(
      usages.map(({ inputTokens }) => inputTokens),
      [100, 101, 102],
    );
  });

  test('adds the note on marks to any instructions, once', async () => {
    const choose = prepareStep({ limit: 3000 });
    const note = { role: 'system', content: marksNote };
    const own = { role: 'system', content: 'Be brief.', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
    const explained = `Be brief.\n\n${marksNote}`;
    for (const [instructions, expected] of [
      [undefined, marksNote],
      ['Be brief.', explained],
      [own, { ...own, content: explained }],
      [
        [note, own],
        [note, { ...own, content: explained }],
      ],
    ]) {
      const messages = [{ role: 'user', content: 'Hi.' }];
      const params = { instructions, messages, initialMessages: messages, responseMessages: [], steps: [], model: 'openai/gpt-5.5' };
      assert.deepEqual((await choose(params)).instructions, expected);
      // A step carries them on to the next.
      const { instructions: again = expected } = await choose({ ...params, instructions: expected });
      assert.deepEqual(again, expected);
    }
  });
});

describe('models that are named by strings', () => {
  const history = Array.from({ length: 41 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `${index}. ${'We talked about the pond of the garden. '.repeat(60)}`,
  }));
  /** A gateway that says which models it was asked for, and with how long a prompt. */
  function gatewayOf(asked) {
    const fetch = async (_, { headers, body }) => {
      asked.push([new Headers(headers).get('ai-language-model-id'), countTokens(JSON.parse(body).prompt, { format: 'ai-sdk-model' })]);
      const usage = { inputTokens: { total: 1000 }, outputTokens: { total: 1 } };
      return Response.json({ content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop' }, usage, warnings: [] });
    };
    return createGateway({ apiKey: 'test', baseURL: 'http://gateway.test', fetch });
  }

  const ways = {
    'wrapProvider around the gateway': (gateway) => [
      wrapProvider({ provider: gateway, languageModelMiddleware: palimpsestMiddleware({ limit: 3000 }) }),
    ],
    'prepareStep with the gateway': (gateway) => [gateway, { prepareStep: prepareStep({ limit: 3000 }) }],
  };
  for (const [name, way] of Object.entries(ways)) {
    test(`${name} keeps to the limit`, async (t) => {
      const asked = [];
      const [provider, options] = way(gatewayOf(asked));
      globalThis.AI_SDK_DEFAULT_PROVIDER = provider;
      t.after(() => delete globalThis.AI_SDK_DEFAULT_PROVIDER);
      const { text } = await generateText({ model: 'openai/gpt-5.5', messages: history, ...options });
      assert.equal(text, 'Done.');
      assert.deepEqual(
        asked.map(([model]) => model),
        ['openai/gpt-5.5'],
      );
      assert.ok(asked[0][1] <= 3000, `${asked[0][1]} tokens`);
    });
  }

  test('the model of a string gives the window', async (t) => {
    const steps = [];
    const middleware = palimpsestMiddleware({ onStep: ({ tokens }) => steps.push(tokens.limit) });
    globalThis.AI_SDK_DEFAULT_PROVIDER = wrapProvider({ provider: gatewayOf([]), languageModelMiddleware: middleware });
    t.after(() => delete globalThis.AI_SDK_DEFAULT_PROVIDER);
    await generateText({ model: 'openai/gpt-5.5', messages: history });
    const session = createSession({ model: 'gpt-5.5', format: 'ai-sdk-model' });
    const note = countTokens([{ role: 'system', content: marksNote }], { format: 'ai-sdk-model' });
    const limit = session.next(history).tokens.limit;
    assert.ok(steps[0] >= limit && steps[0] <= limit + 2 * note, `${steps[0]}, ${limit}`);
  });
});

test('UI messages fit, convert to model messages, and come back', async () => {
  const messages = Array.from({ length: 20 }, (_, turn) => [
    { id: `u${turn}`, role: 'user', parts: [{ type: 'text', text: `What did worker-${turn} write?` }] },
    {
      id: `a${turn}`,
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        {
          type: 'tool-read',
          toolCallId: `call_${turn}`,
          state: 'output-available',
          input: { path: `log${turn}` },
          output: Array.from({ length: 60 }, (_, line) => `12:${turn}:${line} worker-${turn} wrote ${line * 31} rows`).join('\n'),
        },
        { type: 'step-start' },
        { type: 'text', text: `Worker-${turn} wrote ${turn * 31} rows.` },
      ],
    },
  ]).flat();
  const whole = await convertToModelMessages(messages);
  const { messages: fitted, originals, fits } = fit(messages, { limit: 3000 });
  assert.equal(fits, true);
  assert.deepEqual(restore(fitted, originals).messages, messages);
  const sent = await convertToModelMessages(fitted);
  assert.deepEqual(validate(sent, { format: 'ai-sdk-model' }), []);
  assert.ok(JSON.stringify(sent).length < JSON.stringify(whole).length / 3);
});
