// The hooks of each integration as its SDK called them, with arguments and answers of a shape that nobody expected, as another version of
// the SDK may have: either the request is cut, or the application is told, and nothing is thrown that the SDK alone would not throw.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from '@google/adk';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Agent, OpenAIResponsesModel, run, setTracingDisabled, tool as agentsTool } from '@openai/agents';
import { generateText, isStepCount, jsonSchema, streamText, tool, wrapLanguageModel } from 'ai';
import fc from 'fast-check';
import { createAgent, createMiddleware, tool as langchainTool } from 'langchain';
import OpenAI from 'openai';
import * as aiSdk from 'palimpsest/ai-sdk';
import * as anthropic from 'palimpsest/anthropic';
import * as gemini from 'palimpsest/gemini';
import * as googleAdk from 'palimpsest/google-adk';
import * as langchain from 'palimpsest/langchain';
import * as mastra from 'palimpsest/mastra';
import * as openai from 'palimpsest/openai';
import * as openaiAgents from 'palimpsest/openai-agents';
import { agentTools, longAgent, startProvider } from '../support/agents/index.mjs';
import { copyOf, DAMAGES, damaged, lengthOf, placesIn } from '../support/damage.mjs';
import { loops } from '../support/agents/loops.mjs';
import { cases, someOf } from '../support/seed.mjs';

setTracingDisabled(true);
setLogLevel(LogLevel.ERROR);

const STEPS = 25;
const LIMIT = 5000;
const PROMPT = 'Find out why exports fail.';
const SYSTEM = 'You are a careful agent.';
const STORED = new Set(['previousResponseId', 'conversationId']);
const silent = { maxRetries: 0, apiKey: 'test' };

let provider;
before(async () => {
  provider = await startProvider(longAgent({ steps: STEPS }), { window: 400_000 });
});
after(() => provider.close());

const aiTools = Object.fromEntries(
  agentTools.map(({ name, description, parameters, run: execute }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute }),
  ]),
);
const aiSettings = () => ({
  model: createOpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1` }).chat('gpt-5.5'),
  tools: aiTools,
  instructions: SYSTEM,
  prompt: PROMPT,
  stopWhen: isStepCount(STEPS + 5),
  maxRetries: 0,
});
async function partsOf(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** A client whose network is a function, which gets the body of each request and returns that of the answer. */
const networkOf =
  (answer, sent) =>
  async (_url, { body } = {}) => {
    sent.push(JSON.parse(body));
    if (!Array.isArray(answer)) return Response.json(answer);
    const lines = answer.map((event) => `event: ${event?.type}\ndata: ${JSON.stringify(event)}\n\n`);
    return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };

/** Records a request and the answers of an official client, plain and streamed. */
async function recordedOf(api, create, clients) {
  provider.reset();
  await loops[api](clients, { system: SYSTEM, task: PROMPT });
  const request = provider.requests.at(-1).body;
  const answer = JSON.parse(JSON.stringify(await create(clients, request)));
  const events = await partsOf(await create(clients, { ...request, stream: true }));
  return { request, answers: [answer, JSON.parse(JSON.stringify(events))] };
}

/** What an integration of an official client does; `create` makes a request. */
function clientDriver({ api, key, open, create, wrap }) {
  const clients = () => ({ [open.sdk]: open.to({ url: provider.url }) });
  const through = (client, request, answer) =>
    create({ [open.sdk]: client }, { ...request, ...(Array.isArray(answer) && { stream: true }) });
  const outcome = async (wrapping, request, answer) => {
    const sent = [];
    const client = wrapping(open.over(networkOf(answer, sent)));
    try {
      const got = await through(client, request, answer);
      return { sent, got: Array.isArray(answer) ? await partsOf(got) : JSON.parse(JSON.stringify(got)) };
    } catch (error) {
      return { sent, thrown: `${error?.name}: ${error?.message}` };
    }
  };
  return {
    record: () => recordedOf(api, create, clients()),
    plain: (request, answer) => outcome((client) => client, request, answer),
    ours: (options, request, answer) => outcome((client) => wrap(client, options), request, answer),
    sentIn: ({ sent: [body] }) => body && (body[key] ?? body[`${key}2`]),
  };
}

/**
 * How an SDK's hooks are recorded, called, and what goes out then. `plain` is what the SDK sends and returns without the hooks; `top` is the
 * depth of what the SDK hands in, above what the messages are made of.
 */
const SDKS = {
  'ai-sdk, middleware': {
    async record() {
      const [requests, answers] = [[], []];
      const middleware = {
        specificationVersion: 'v4',
        async transformParams(call) {
          requests.push(call);
          return call.params;
        },
        async wrapGenerate({ doGenerate }) {
          answers.push(await doGenerate());
          return answers.at(-1);
        },
        async wrapStream({ doStream }) {
          const result = await doStream();
          const [mine, theirs] = result.stream.tee();
          answers.push(await partsOf(mine));
          return { ...result, stream: theirs };
        },
      };
      const model = wrapLanguageModel({ model: aiSettings().model, middleware });
      await generateText({ ...aiSettings(), model });
      await streamText({ ...aiSettings(), model, prompt: 'Hi.' }).text;
      return { request: requests[STEPS - 1], answers: [answers[STEPS - 1], answers.at(-1)] };
    },
    plain: async (call, answer) => ({ sent: call.params, got: answer }),
    async ours(options, call, answer) {
      const middleware = aiSdk.palimpsestMiddleware(options);
      const sent = await middleware.transformParams(call);
      if (!Array.isArray(answer)) return { sent, got: await middleware.wrapGenerate({ doGenerate: async () => answer, params: sent }) };
      const doStream = async () => ({ stream: ReadableStream.from(answer) });
      return { sent, got: await partsOf((await middleware.wrapStream({ doStream, params: sent })).stream) };
    },
    sentIn: ({ sent }) => sent?.prompt ?? sent?.prompt2,
  },
  'ai-sdk, prepareStep': {
    async record() {
      const requests = [];
      await generateText({ ...aiSettings(), prepareStep: (call) => void requests.push({ ...call, steps: [...call.steps] }) });
      return { request: requests.at(-1), answers: [] };
    },
    plain: async (call) => ({ sent: call }),
    ours: async (options, call) => ({ sent: { ...call, ...(await aiSdk.prepareStep(options)(call)) } }),
    sentIn: ({ sent }) => sent.messages ?? sent.messages2,
  },
  langchain: {
    async record() {
      const [requests, answers] = [[], []];
      const spy = createMiddleware({
        name: 'spy',
        async wrapModelCall(request, handler) {
          requests.push({ ...request });
          answers.push(await handler(request));
          return answers.at(-1);
        },
      });
      const tools = agentTools.map(({ name, description, parameters, run: work }) =>
        langchainTool(async (input) => work(input), { name, description, schema: parameters }),
      );
      const model = new ChatOpenAI({ ...silent, model: 'gpt-5.5', configuration: { baseURL: `${provider.url}/v1` } });
      const agent = createAgent({ model, tools, systemPrompt: SYSTEM, middleware: [spy] });
      await agent.invoke({ messages: [{ role: 'user', content: PROMPT }] }, { recursionLimit: 100 });
      return { request: requests.at(-1), answers: [answers.at(-1)] };
    },
    plain: async (request, answer) => ({ sent: request, got: answer }),
    async ours(options, request, answer) {
      let sent;
      const handler = async (given) => {
        sent = given;
        return answer;
      };
      const got = await langchain.palimpsestMiddleware(options).wrapModelCall(request, handler);
      // A command has the answer where LangChain looks for it: in its own node.
      return { sent, got: got?.lg_name === 'Command' ? answer : got };
    },
    sentIn: ({ sent }) => sent?.messages ?? sent?.messages2,
  },
  'openai-agents, model': {
    async record() {
      const [requests, answers] = [[], []];
      const model = new OpenAIResponsesModel(new OpenAI({ ...silent, baseURL: `${provider.url}/v1` }), 'gpt-5.5');
      const { getResponse } = model;
      model.getResponse = async (request) => {
        requests.push(request);
        answers.push(await getResponse.call(model, request));
        return answers.at(-1);
      };
      await run(agentsAgent(model), PROMPT, { maxTurns: 40 });
      const done = { type: 'response_done', response: answers.at(-1) };
      return { request: requests.at(-1), answers: [answers.at(-1), [{ type: 'output_text_delta', delta: 'a' }, done]] };
    },
    plain: async (request, answer) => ({ sent: request, got: answer }),
    async ours(options, request, answer) {
      let sent;
      const inner = {
        async getResponse(given) {
          sent = given;
          return answer;
        },
        async *getStreamedResponse(given) {
          sent = given;
          yield* answer;
        },
      };
      const model = openaiAgents.palimpsestModel(inner, options);
      const got = await (Array.isArray(answer) ? partsOf(model.getStreamedResponse(request)) : model.getResponse(request));
      return { sent, got };
    },
    sentIn: ({ sent }) => sent?.input ?? sent?.input2,
  },
  'openai-agents, filter': {
    top: 2,
    async record() {
      const requests = [];
      const callModelInputFilter = (args) => {
        requests.push(args);
        return args.modelData;
      };
      const model = new OpenAIResponsesModel(new OpenAI({ ...silent, baseURL: `${provider.url}/v1` }), 'gpt-5.5');
      await run(agentsAgent(model), PROMPT, { maxTurns: 40, callModelInputFilter });
      return { request: requests.at(-1), answers: [] };
    },
    plain: async (args) => ({ sent: args.modelData }),
    ours: async (options, args) => ({ sent: await openaiAgents.palimpsestFilter(options)(args) }),
    sentIn: ({ sent }) => sent?.input ?? sent?.input2,
  },
  mastra: {
    top: 2,
    async record() {
      const [steps, requests, results] = [[], [], []];
      const spy = {
        id: 'spy',
        processInputStep: (call) => void steps.push({ ...call }),
        processLLMRequest: async (call) => void requests.push({ ...call, steps: call.steps.slice(-1) }),
        processOutputResult(call) {
          results.push({ ...call });
          return call.messages;
        },
      };
      const tools = Object.fromEntries(
        agentTools.map(({ name, description, parameters, run: work }) => [
          name,
          createTool({ id: name, description, inputSchema: parameters, execute: async (input) => work(input) }),
        ]),
      );
      const agent = new MastraAgent({
        id: 'a',
        name: 'a',
        instructions: SYSTEM,
        model: aiSettings().model,
        tools,
        inputProcessors: [spy],
        outputProcessors: [spy],
      });
      await agent.generate(PROMPT, { maxSteps: STEPS + 5, modelSettings: { maxRetries: 0 } });
      const request = { step: steps.at(-1), request: requests.at(-1), state: {} };
      return { request, answers: [{ ...results.at(-1) }] };
    },
    plain: async ({ request }, answer) => ({ sent: request, got: answer?.messages }),
    async ours(options, { step, request, state }, answer) {
      const processor = mastra.palimpsestProcessor(options);
      const withState = (call) => (call !== null && typeof call === 'object' && 'state' in call ? { ...call, state } : call);
      await processor.processInputStep(withState(step));
      const changed = await processor.processLLMRequest(withState(request));
      processor.processLLMResponse({ chunks: [{ type: 'tool-call', payload: { toolName: 'recall', toolCallId: '1' } }], state });
      return { sent: { ...request, ...changed }, got: answer && processor.processOutputResult(withState(answer)) };
    },
    sentIn: ({ sent }) => sent.prompt ?? sent.prompt2,
  },
  'google-adk': {
    top: 2,
    async record() {
      const [requests, answers] = [[], []];
      const { GOOGLE_GEMINI_BASE_URL: before } = process.env;
      process.env.GOOGLE_GEMINI_BASE_URL = provider.url;
      const llm = new Gemini({ model: 'gemini-3.5-flash', apiKey: 'test' });
      const spy = new Proxy(
        {
          name: 'spy',
          async beforeModelCallback({ callbackContext: { invocationId, agentName, eventActions }, llmRequest }) {
            const { contents, config, model } = llmRequest;
            requests.push({
              callbackContext: { invocationId, agentName, eventActions },
              llmRequest: { contents: [...contents], config, model },
            });
          },
          async afterModelCallback({ llmResponse }) {
            answers.push({ ...llmResponse });
          },
        },
        { get: (target, key) => target[key] ?? (/^(before|after|on)/.test(String(key)) ? async () => undefined : undefined) },
      );
      const tools = agentTools.map(
        ({ name, description, parameters, run: execute }) =>
          new FunctionTool({ name, description, parameters, execute: (input) => execute(input) }),
      );
      const runner = new InMemoryRunner({ agent: new LlmAgent({ name: 'a', model: llm, instruction: SYSTEM, tools }), plugins: [spy] });
      await runner.sessionService.createSession({ appName: runner.appName, userId: 'u', sessionId: 's' });
      await partsOf(runner.runAsync({ userId: 'u', sessionId: 's', newMessage: { role: 'user', parts: [{ text: PROMPT }] } }));
      if (before === undefined) delete process.env.GOOGLE_GEMINI_BASE_URL;
      else process.env.GOOGLE_GEMINI_BASE_URL = before;
      return { request: requests.at(-1), answers: [answers.at(-1)] };
    },
    plain: async ({ llmRequest }) => ({ sent: llmRequest }),
    async ours(options, call, answer) {
      const plugin = googleAdk.palimpsestPlugin(options);
      assert.equal(await plugin.beforeModelCallback(call), undefined);
      assert.equal(await plugin.afterModelCallback({ callbackContext: call.callbackContext, llmResponse: answer }), undefined);
      return { sent: call.llmRequest };
    },
    sentIn: ({ sent }) => sent?.contents ?? sent?.contents2,
  },
  anthropic: clientDriver({
    api: 'anthropic',
    key: 'messages',
    open: {
      sdk: 'anthropic',
      to: ({ url }) => new Anthropic({ ...silent, baseURL: url }),
      over: (fetch) => new Anthropic({ ...silent, fetch }),
    },
    create: ({ anthropic: client }, request) => client.messages.create(request),
    wrap: anthropic.withPalimpsest,
  }),
  'openai, chat': clientDriver({
    api: 'openai-chat',
    key: 'messages',
    open: {
      sdk: 'openai',
      to: ({ url }) => new OpenAI({ ...silent, baseURL: `${url}/v1` }),
      over: (fetch) => new OpenAI({ ...silent, fetch }),
    },
    create: ({ openai: client }, request) => client.chat.completions.create(request),
    wrap: openai.withPalimpsest,
  }),
  'openai, responses': clientDriver({
    api: 'openai-responses',
    key: 'input',
    open: {
      sdk: 'openai',
      to: ({ url }) => new OpenAI({ ...silent, baseURL: `${url}/v1` }),
      over: (fetch) => new OpenAI({ ...silent, fetch }),
    },
    create: ({ openai: client }, request) => client.responses.create(request),
    wrap: openai.withPalimpsest,
  }),
  gemini: {
    async record() {
      const client = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: provider.url } });
      const requests = [];
      const { generateContentInternal } = client.models;
      client.models.generateContentInternal = (params) => {
        requests.push(params);
        return generateContentInternal.call(client.models, params);
      };
      provider.reset();
      await loops.gemini({ gemini: client }, { system: SYSTEM, task: PROMPT });
      const request = requests.at(-1);
      const answer = await client.models.generateContent(request);
      const parts = await partsOf(await client.models.generateContentStream(request));
      return { request: { ...request, contents: request.contents.slice() }, answers: [{ ...answer }, parts.map((part) => ({ ...part }))] };
    },
    plain: async (request, answer) => ({ sent: request, got: answer }),
    async ours(options, request, answer) {
      let sent;
      class Models {
        async generateContentInternal(given) {
          sent = given;
          return answer;
        }
        async generateContentStreamInternal(given) {
          sent = given;
          return (async function* () {
            yield* answer;
          })();
        }
      }
      const client = gemini.withPalimpsest({ models: new Models(), chats: { constructor: class {} }, apiClient: {} }, options);
      if (!Array.isArray(answer)) return { got: await client.models.generateContentInternal(request), sent };
      return { got: await partsOf(await client.models.generateContentStreamInternal(request)), sent };
    },
    sentIn: ({ sent }) => sent?.contents ?? sent?.contents2,
  },
};

const agentsAgent = (model) =>
  new Agent({
    name: 'Engineer',
    instructions: SYSTEM,
    model,
    tools: agentTools.map(({ name, description, parameters, run: work }) =>
      agentsTool({ name, description, parameters, strict: false, execute: async (input) => work(input) }),
    ),
  });

for (const [name, sdk] of someOf(Object.entries(SDKS))) {
  describe(name, () => {
    let recorded;
    let whole;
    const opened = () => {
      const errors = [];
      return { errors, options: { limit: LIMIT, onError: (error) => void errors.push(String(error)) } };
    };
    before(async () => {
      provider.reset();
      recorded = await sdk.record();
      whole = lengthOf(sdk.sentIn(await sdk.plain(copyOf(recorded.request), recorded.answers[0])));
      assert.ok(whole > 40_000, `${whole} characters`);
    });
    const isCut = (messages) => lengthOf(messages) < 0.5 * whole;
    // A format counts the members that its provider knows: one that is renamed inside of a message is nothing that a provider takes.
    const ways = fc.constantFrom(...Object.keys(DAMAGES).filter((way) => way !== 'rename' && way !== 'wrap'));
    const share = fc.double({ min: 0, max: 0.999, noNaN: true });
    // Most places are deep inside, so the depth is drawn first.
    const placeAt = (value, depth, at) => {
      const places = placesIn(value);
      const deepest = Math.max(...places.map(({ length }) => length));
      const here = places.filter(({ length }) => length === 1 + Math.floor(depth * deepest));
      return here[Math.floor(at * here.length)];
    };

    test('what the SDK hands in is cut', async () => {
      for (const answer of [...recorded.answers, undefined].slice(0, Math.max(1, recorded.answers.length))) {
        const { errors, options } = opened();
        const outcome = await sdk.ours(options, copyOf(recorded.request), answer);
        assert.deepEqual(errors, []);
        assert.ok(isCut(sdk.sentIn(outcome)));
        assert.equal(outcome.thrown, undefined);
      }
    });

    const check = async (place, way) => {
      // What stands for content at the provider: such a request is meant to go out as it is.
      if (STORED.has(place.at(-1))) return;
      const [answer] = recorded.answers;
      const plain = await sdk.plain(damaged(recorded.request, place, way), answer);
      const { errors, options } = opened();
      const what = `${place.join('.')}, ${way}: `;
      const outcome = await sdk
        .ours(options, damaged(recorded.request, place, way), answer)
        .catch((error) => assert.fail(`${what}${error.stack}`));
      assert.deepEqual([outcome.thrown, what], [plain.thrown, what]);
      if (errors.length === 0) assert.ok(isCut(sdk.sentIn(outcome)), `${what}in silence`);
    };

    test('a request with another member is cut, or the application is told', async () => {
      for (const place of placesIn(recorded.request, sdk.top ?? 1))
        for (const way of ['drop', 'rename', 'wrap', 'null', 'an object']) await check(place, way);
    });

    test('a request of another shape is cut, or the application is told', async () => {
      const settings = { numRuns: cases(60), includeErrorInReport: true };
      await fc.assert(
        fc.asyncProperty(share, share, ways, (depth, at, way) => check(placeAt(recorded.request, depth, at), way)),
        settings,
      );
    });

    test('an answer of another shape is passed on as it is', async () => {
      if (recorded.answers.length === 0) return;
      await fc.assert(
        fc.asyncProperty(share, share, ways, fc.nat(1), async (depth, at, way, which) => {
          const answer = recorded.answers[which % recorded.answers.length];
          const place = placeAt(answer, depth, at);
          const broken = () => damaged(answer, place, way);
          const plain = await sdk.plain(copyOf(recorded.request), broken());
          const { options } = opened();
          const what = `${place.join('.')}, ${way}: `;
          const outcome = await sdk
            .ours(options, copyOf(recorded.request), broken())
            .catch((error) => assert.fail(`${what}${error.stack}`));
          assert.deepEqual([outcome.thrown, outcome.got, what], [plain.thrown, plain.got, what]);
          assert.ok(isCut(sdk.sentIn(outcome)));
        }),
        { numRuns: cases(60), includeErrorInReport: true },
      );
    });
  });
}
