// Claude with a fixed thinking budget: what each integration sends by default begins the open turn with its thinking. In the SDKs themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { generateText, isStepCount, jsonSchema, tool, wrapLanguageModel } from 'ai';
import { z } from 'zod';
import { fitRequest } from 'palimpsest';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
import { withPalimpsest } from 'palimpsest/anthropic';
import { palimpsestMiddleware as langchainMiddleware } from 'palimpsest/langchain';
import { palimpsestProcessor } from 'palimpsest/mastra';
import { createChatParser } from 'palimpsest/web';
import { agentTools, epochsOf, longAgent, observer, startProvider } from '../support/agents/index.mjs';
import { loops } from '../support/agents/loops.mjs';
import { agentOf, user } from '../support/langchain.mjs';

// The SDK warns of each request that it asks for adaptive thinking instead.
globalThis.AI_SDK_LOG_WARNINGS = false;

const STEPS = 45;
const LIMIT = 12_000;
const BUDGET = 1024;
/** One that takes a budget. */
const MODEL = 'claude-haiku-4-5';
const native = { model: MODEL, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: BUDGET } };

const observing = observer({ limit: LIMIT, onError: (error) => assert.fail(error) });
const clientOf = (url, options) => new Anthropic({ apiKey: 'test', baseURL: url, maxRetries: 0, ...options });
const modelOf = (url, name = MODEL) => createAnthropic({ apiKey: 'test', baseURL: `${url}/v1` })(name);

const tools = Object.fromEntries(
  agentTools.map(({ name, description, parameters, run }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute: run }),
  ]),
);
const mastraTools = Object.fromEntries(
  agentTools.map(({ name, description, parameters, run }) => {
    const inputSchema = z.object(Object.fromEntries(Object.keys(parameters.properties).map((key) => [key, z.string()])));
    return [name, createTool({ id: name, description, inputSchema, execute: async (input) => run(input) })];
  }),
);

const generated = (model, options, given) =>
  generateText({
    model: wrapLanguageModel({ model, middleware: palimpsestMiddleware(options) }),
    instructions: 'You mend programs.',
    prompt: 'Find out why the export is slow.',
    tools,
    stopWhen: isStepCount(STEPS + 5),
    maxRetries: 0,
    ...given,
  });
const budget = { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: BUDGET } } } };

/** A client whose bodies are fitted on their way, as a server between does it. */
const fitting = (url, fitted) =>
  clientOf(url, { fetch: async (to, init) => fetch(to, { ...init, body: JSON.stringify(await fitted(JSON.parse(init.body), init)) }) });

/** Each runs the agent with the integration's options. */
const RUNS = {
  'a client': (url, options) => loops.anthropic({ anthropic: withPalimpsest(clientOf(url), options) }, { request: native }),
  'a client, streamed': (url, options) =>
    loops.anthropic({ anthropic: withPalimpsest(clientOf(url), options) }, { request: native, stream: true }),
  'an endpoint': (url, options) => {
    const parse = createChatParser(options);
    const fitted = async (_, { body }) =>
      (await parse(new Request('http://x', { method: 'POST', headers: { 'content-type': 'application/json' }, body }))).request;
    return loops.anthropic({ anthropic: fitting(url, fitted) }, { request: native });
  },
  fitRequest: (url, { onStep: _, onError: __, ...options }) =>
    loops.anthropic({ anthropic: fitting(url, (body) => fitRequest(body, options).request) }, { request: native }),
  'the AI SDK': (url, options) => generated(modelOf(url), options, budget),
  'the AI SDK, by a level of reasoning': (url, options) => generated(modelOf(url), options, { reasoning: 'low' }),
  LangChain: (url, options) =>
    agentOf('anthropic', url, {
      model: { model: MODEL, maxTokens: 2000, thinking: native.thinking },
      middleware: [langchainMiddleware(options)],
    }).invoke({ messages: [user('Repair it.')] }, { recursionLimit: 300 }),
  'LangChain, by what it hands on': (url, options) =>
    agentOf('anthropic', url, {
      model: { model: MODEL, maxTokens: 2000, invocationKwargs: { thinking: native.thinking } },
      middleware: [langchainMiddleware(options)],
    }).invoke({ messages: [user('Repair it.')] }, { recursionLimit: 300 }),
  Mastra: (url, options) =>
    new Agent({
      id: 'agent',
      name: 'agent',
      instructions: 'You mend programs.',
      model: modelOf(url),
      tools: mastraTools,
      inputProcessors: [palimpsestProcessor(options)],
    }).generate('Find out why the export is slow.', { maxSteps: STEPS + 5, modelSettings: { maxRetries: 0 }, ...budget }),
};

/** Runs the agent; returns the provider's record and the epochs. */
async function ran(t, run, { thinking, preserved = false }, options) {
  const provider = await startProvider(longAgent({ steps: STEPS, thinking }), { window: 400_000, preserved });
  t.after(() => provider.close());
  const { seen, options: observed } = observing(options);
  const error = await run(provider.url, observed).then(
    () => undefined,
    (reason) => reason,
  );
  return { requests: provider.requests, error, epochs: [...seen.sessions].reduce((sum, session) => sum + epochsOf(session), 0) };
}

for (const [name, run] of Object.entries(RUNS)) {
  for (const thinking of [true, 'once']) {
    test(`${name}, a model that thinks ${thinking === true ? 'in each step' : 'once in a turn'}: nothing is refused`, async (t) => {
      const { requests, epochs } = await ran(t, run, { thinking });
      assert.deepEqual([...new Set(requests.map(({ error }) => error))], [undefined]);
      assert.equal(requests.length, STEPS);
      assert.ok(requests.every(({ body, tokens }) => body.thinking.type === 'enabled' && tokens <= LIMIT));
      if (name !== 'fitRequest') assert.ok(epochs >= 3, `${epochs} epochs`);
    });
  }

  test(`${name}: an option of the caller's wins`, async (t) => {
    const { requests } = await ran(t, run, { thinking: true }, { thinking: 'strip' });
    assert.match(requests.at(-1).error, /Expected `thinking`/);
  });
}

test('the AI SDK asks newer models to think adaptively, and their thinking goes with what it was made from', async (t) => {
  const run = (url, options) => generated(modelOf(url, 'claude-opus-5-5'), options, budget);
  const { requests, error, epochs } = await ran(t, run, { thinking: true, preserved: true });
  assert.equal(error, undefined);
  assert.deepEqual([...new Set(requests.map(({ body }) => body.thinking.type))], ['adaptive']);
  assert.ok(epochs >= 3, `${epochs} epochs`);
});
