// Claude with a fixed thinking budget: what each integration sends by default begins the open turn with its thinking. In the SDKs themselves.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { generateText, isStepCount, jsonSchema, tool, wrapLanguageModel } from 'ai';
import { contextEditingMiddleware } from 'langchain';
import { z } from 'zod';
import { fitRequest } from 'palimpsest';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
import { withPalimpsest } from 'palimpsest/anthropic';
import { palimpsestEdit, palimpsestMiddleware as langchainMiddleware } from 'palimpsest/langchain';
import { palimpsestProcessor } from 'palimpsest/mastra';
import { createChatParser } from 'palimpsest/web';
import { agentTools, epochsOf, longAgent, observer, startProvider } from '../support/agents/index.mjs';
import { loops } from '../support/agents/loops.mjs';
import { agentOf, SYSTEM, user } from '../support/langchain.mjs';

const require = createRequire(import.meta.url);
const { toldBy } = require('../../unbundled/providers/ai-sdk-model/call.js');
const { hasBudget } = require('../../unbundled/providers/anthropic/request.js');
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
const schemas = agentTools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
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
  'an edit of LangChain': (url, { onStep: _, ...options }) =>
    agentOf('anthropic', url, {
      model: { model: MODEL, maxTokens: 2000, thinking: native.thinking },
      middleware: [contextEditingMiddleware({ edits: [palimpsestEdit({ ...options, system: SYSTEM, tools: schemas })] })],
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

/** Those that choose from what comes, without a session. */
const SESSIONLESS = new Set(['fitRequest', 'an edit of LangChain']);

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
      if (!SESSIONLESS.has(name)) assert.ok(epochs >= 3, `${epochs} epochs`);
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

test('what the AI SDK makes of a call is what is read of it', async () => {
  const names = [
    'haiku-4-5',
    'sonnet-4-20250514',
    'opus-4-1',
    'opus-4-5-20251101',
    'sonnet-4-6',
    'opus-4-8',
    'opus-5',
    'sonnet-5',
    'sonnet-5-5',
  ];
  const models = [...names, 'haiku-5-5', 'opus-5-5', 'fable-5', 'fable-5-2', '3-haiku-20240307'].map((name) => `claude-${name}`);
  const thoughts = [undefined, { type: 'adaptive' }, { type: 'disabled' }, { type: 'enabled', budgetTokens: BUDGET }];
  const levels = [undefined, 'provider-default', 'none', 'minimal', 'high'];
  for (const name of models) {
    for (const thinking of thoughts) {
      for (const reasoning of levels) {
        for (const effort of [undefined, 'low']) {
          let body;
          const fetch = async (_, init) => {
            body = JSON.parse(init.body);
            return Response.json({}, { status: 400 });
          };
          const anthropic = { ...(thinking && { thinking }), ...(effort && { effort }) };
          const call = { ...(reasoning && { reasoning }), providerOptions: { anthropic } };
          const model = createAnthropic({ apiKey: 'test', fetch })(name);
          await generateText({ model, prompt: 'Hi.', maxRetries: 0, ...call }).catch(() => {});
          assert.equal(toldBy(call, name).hasBudget, body.thinking?.type === 'enabled', `${name} ${JSON.stringify(call)}`);
        }
      }
    }
  }
});

test('a model that checks what stands before thinking has no fixed budget, by whatever name it goes', () => {
  const thinking = { type: 'enabled', budget_tokens: BUDGET };
  const around = (name) => [name, `anthropic/${name}`, `us.anthropic.${name}-20261001-v1:0`, `${name}@20261001`, `${name}[1m]`];
  const takes = ['claude-opus-5', 'claude-sonnet-5', 'claude-sonnet-4-5', 'claude-opus-4.6', 'claude-3-7-sonnet', 'my-alias'].flatMap(
    around,
  );
  const refuses = [
    'claude-opus-5-5',
    'claude-haiku-5.5',
    'claude-fable-5-2',
    'claude-mythos-5',
    'claude-opus-6',
    'claude-sonnet-10',
  ].flatMap(around);
  for (const model of takes) assert.ok(hasBudget({ thinking, model }), model);
  for (const model of refuses) assert.ok(!hasBudget({ thinking, model }), model);
  assert.ok(hasBudget({ thinking }));
  for (const other of [undefined, null, { type: 'adaptive' }, { type: 'disabled' }])
    assert.ok(!hasBudget({ thinking: other, model: takes[0] }));
});
