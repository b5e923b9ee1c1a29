// What an integration returns is handed to every other SDK, and every client and model to every function that takes one: the error names the
// right subpath. Nothing is ignored without a word.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { Gemini, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from '@google/adk';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { noopLogger } from '@mastra/core/logger';
import { Agent, OpenAIProvider, OpenAIResponsesModel, run, Runner, setTracingDisabled, Usage } from '@openai/agents';
import { generateText, wrapLanguageModel } from 'ai';
import express from 'express';
import { contextEditingMiddleware, createAgent, FakeToolCallingModel } from 'langchain';
import OpenAI from 'openai';
import * as aiSdk from 'palimpsest/ai-sdk';
import * as anthropic from 'palimpsest/anthropic';
import * as claudeAgentSdk from 'palimpsest/claude-agent-sdk';
import * as expressParser from 'palimpsest/express';
import * as gemini from 'palimpsest/gemini';
import * as googleAdk from 'palimpsest/google-adk';
import * as langchain from 'palimpsest/langchain';
import * as mastra from 'palimpsest/mastra';
import * as openai from 'palimpsest/openai';
import * as openaiAgents from 'palimpsest/openai-agents';
import * as web from 'palimpsest/web';
import { serve } from '../support/agents/endpoint.mjs';

setTracingDisabled(true);
setLogLevel(LogLevel.ERROR + 1);

const options = { limit: 10_000 };
const apiKey = 'test';
/** A model of the AI SDK that answers. */
const answering = () => ({
  specificationVersion: 'v4',
  provider: 'test',
  modelId: 'gpt-5.5',
  supportedUrls: {},
  doGenerate: async () => ({ content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop' }, usage, warnings: [] }),
  doStream: async () => ({ stream: ReadableStream.from([{ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }]) }),
});
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
/** A model of the Agents SDK that answers. */
const message = { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.' }] };
const agentsModel = {
  getResponse: async () => ({ usage: new Usage(), output: [message] }),
  getStreamedResponse: () => assert.fail('not streamed'),
};
const clients = {
  openai: () => new OpenAI({ apiKey }),
  anthropic: () => new Anthropic({ apiKey }),
  gemini: () => new GoogleGenAI({ apiKey }),
};

/** What each function returns, by its name in errors. */
const MADE = {
  'palimpsestMiddleware() of palimpsest/ai-sdk': () => aiSdk.palimpsestMiddleware(options),
  'prepareStep() of palimpsest/ai-sdk': () => aiSdk.prepareStep(options),
  'palimpsestMiddleware() of palimpsest/langchain': () => langchain.palimpsestMiddleware(options),
  'palimpsestEdit() of palimpsest/langchain': () => langchain.palimpsestEdit(options),
  'palimpsestProcessor() of palimpsest/mastra': () => mastra.palimpsestProcessor(options),
  'palimpsestPlugin() of palimpsest/google-adk': () => googleAdk.palimpsestPlugin(options),
  'palimpsestModel() of palimpsest/openai-agents': () => openaiAgents.palimpsestModel(agentsModel, options),
  'palimpsestFilter() of palimpsest/openai-agents': () => openaiAgents.palimpsestFilter(options),
  'shortenToolOutput() of palimpsest/claude-agent-sdk': () => claudeAgentSdk.shortenToolOutput(options),
  'chatParser() of palimpsest/express': () => expressParser.chatParser(options),
  'createChatParser() of palimpsest/web': () => web.createChatParser(options),
  'withPalimpsest() of palimpsest/openai': () => openai.withPalimpsest(clients.openai(), options),
  'withPalimpsest() of palimpsest/anthropic': () => anthropic.withPalimpsest(clients.anthropic(), options),
  'withPalimpsest() of palimpsest/gemini': () => gemini.withPalimpsest(clients.gemini(), options),
};

/** Asks an agent of LangChain with a middleware. */
const asked = (middleware) =>
  createAgent({ model: new FakeToolCallingModel({ toolCalls: [[]] }), tools: [], middleware: [middleware] }).invoke({ messages: 'Hi.' });
const mastraAgent = (more) =>
  new MastraAgent({ id: 'a', name: 'a', instructions: 'Be brief.', model: answering(), logger: noopLogger, ...more });

/** Where each SDK takes an object (or a function), what belongs there, and a run with it. */
const PLACES = [
  {
    where: 'wrapLanguageModel() of the AI SDK',
    right: 'palimpsestMiddleware() of palimpsest/ai-sdk',
    take: (middleware) => generateText({ model: wrapLanguageModel({ model: answering(), middleware }), prompt: 'Hi.' }),
  },
  {
    where: 'prepareStep of the AI SDK',
    right: 'prepareStep() of palimpsest/ai-sdk',
    isCalled: true,
    take: (prepareStep) => generateText({ model: answering(), prompt: 'Hi.', prepareStep }),
  },
  {
    where: 'createAgent() of LangChain',
    right: 'palimpsestMiddleware() of palimpsest/langchain',
    take: asked,
  },
  {
    where: 'contextEditingMiddleware() of LangChain',
    right: 'palimpsestEdit() of palimpsest/langchain',
    take: (edit) => asked(contextEditingMiddleware({ edits: [edit] })),
  },
  {
    where: 'an agent of Mastra',
    right: 'palimpsestProcessor() of palimpsest/mastra',
    take: (processor) => mastraAgent({ inputProcessors: [processor] }).generate('Hi.'),
  },
  {
    where: 'an agent of Mastra',
    right: 'palimpsestProcessor() of palimpsest/mastra',
    isCalled: true,
    // It has an option of this name, too. Nothing of ours belongs there.
    take: (prepareStep) => mastraAgent().generate('Hi.', { prepareStep }),
    make: () => () => {},
    wrong: ['prepareStep() of palimpsest/ai-sdk', 'palimpsestFilter() of palimpsest/openai-agents'],
  },
  {
    where: 'a runner of Google ADK',
    right: 'palimpsestPlugin() of palimpsest/google-adk',
    async take(plugin) {
      const model = new Gemini({ model: 'gemini-3.5-flash', apiKey });
      const beforeModelCallback = () => ({ content: { role: 'model', parts: [{ text: 'Done.' }] } });
      const runner = new InMemoryRunner({ agent: new LlmAgent({ name: 'a', model, beforeModelCallback }), plugins: [plugin] });
      for await (const { errorMessage } of runner.runEphemeral({ userId: 'u', newMessage: { role: 'user', parts: [{ text: 'Hi.' }] } }))
        if (errorMessage) throw new Error(errorMessage);
    },
  },
  {
    where: "`model` or `modelProvider` of OpenAI's Agents SDK",
    right: 'palimpsestModel() of palimpsest/openai-agents',
    take: (model) => run(new Agent({ name: 'a', model }), 'Hi.'),
  },
  {
    where: "`model` or `modelProvider` of OpenAI's Agents SDK",
    right: 'palimpsestModel() of palimpsest/openai-agents',
    take: (modelProvider) => new Runner({ modelProvider }).run(new Agent({ name: 'a', model: 'gpt-5.5' }), 'Hi.'),
    make: () => openaiAgents.palimpsestModel({ getModel: async () => agentsModel }, options),
  },
  {
    where: "callModelInputFilter of OpenAI's Agents SDK",
    right: 'palimpsestFilter() of palimpsest/openai-agents',
    isCalled: true,
    take: (callModelInputFilter) => run(new Agent({ name: 'a', model: agentsModel }), 'Hi.', { callModelInputFilter }),
  },
  {
    where: 'hooks of the Claude Agent SDK',
    right: 'shortenToolOutput() of palimpsest/claude-agent-sdk',
    isCalled: true,
    // As its transport calls it.
    take: async (hook) => hook({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: {} }, 'id', { signal: undefined }),
  },
  {
    where: 'a route of Express',
    right: 'chatParser() of palimpsest/express',
    isCalled: true,
    async take(handler) {
      const failed = Promise.withResolvers();
      const app = express().post('/', handler, (_, response) => response.json({}));
      const server = await serve((one) => one.use(app).use((error, _request, response, _next) => (failed.resolve(error), response.end())));
      try {
        const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi.' }] });
        const answer = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        if (!answer.headers.get('content-type')?.includes('json')) throw await failed.promise;
      } finally {
        await server.close();
      }
    },
  },
  {
    where: 'a handler of requests',
    right: 'createChatParser() of palimpsest/web',
    isCalled: true,
    // As Next.js and Hono do.
    take: async (handler) => {
      const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi.' }] });
      await handler(new Request('http://localhost/', { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
    },
  },
];

/** All that an error says, with those that it was made of. */
const said = (error) => [error?.message, error?.cause && said(error.cause)].join('\n');

for (const { where, right, take, isCalled = false, make = MADE[right], wrong = Object.keys(MADE) } of PLACES) {
  describe(`${where}: ${right}`, () => {
    test('takes what belongs there', async () => void (await take(make())));

    for (const name of wrong.filter((one) => one !== right)) {
      test(`${name} does not belong there`, async () => {
        const thing = MADE[name]();
        const error = await Promise.resolve()
          .then(() => take(thing))
          .then(
            () => undefined,
            (thrown) => thrown,
          );
        assert.ok(error !== undefined, 'it was ignored without a word');
        // An object where a function is called is an error of the language.
        if (isCalled && typeof thing !== 'function') return assert.match(said(error), /not a function|must be a function|\(\.\.\.\)/);
        assert.ok(said(error).includes(`${name} does not belong in ${where}: there, take ${right}`), said(error));
      });
    }
  });
}

/** Clients and models, and what they belong to. */
const GIVEN = [
  ["a client of OpenAI's SDK", 'withPalimpsest() of palimpsest/openai', clients.openai],
  ["a client of Anthropic's SDK", 'withPalimpsest() of palimpsest/anthropic', clients.anthropic],
  ["a client of Google's SDK", 'withPalimpsest() of palimpsest/gemini', clients.gemini],
  ['a model of the AI SDK', 'palimpsestMiddleware() of palimpsest/ai-sdk', () => createOpenAI({ apiKey })('gpt-5.5')],
  ['a model of the AI SDK', 'palimpsestMiddleware() of palimpsest/ai-sdk', () => createOpenAI({ apiKey })],
  ['a model of LangChain', 'palimpsestMiddleware() of palimpsest/langchain', () => new ChatOpenAI({ apiKey, model: 'gpt-5.5' })],
  ['a model of Google ADK', 'palimpsestPlugin() of palimpsest/google-adk', () => new Gemini({ apiKey, model: 'gemini-3.5-flash' })],
  [
    "a model of OpenAI's Agents SDK",
    'palimpsestModel() of palimpsest/openai-agents',
    () => new OpenAIResponsesModel(clients.openai(), 'gpt-5.5'),
  ],
  ["a model of OpenAI's Agents SDK", 'palimpsestModel() of palimpsest/openai-agents', () => new OpenAIProvider({ apiKey })],
];
const TAKING = {
  'withPalimpsest() of palimpsest/openai': ['client', openai.withPalimpsest],
  'withPalimpsest() of palimpsest/anthropic': ['client', anthropic.withPalimpsest],
  'withPalimpsest() of palimpsest/gemini': ['client', gemini.withPalimpsest],
  'palimpsestModel() of palimpsest/openai-agents': ['model', openaiAgents.palimpsestModel],
};

for (const [name, [argument, take]] of Object.entries(TAKING)) {
  for (const [what, right, make] of GIVEN) {
    test(`${name} with ${what} (${right})`, () => {
      if (name === right) return void take(make(), options);
      assert.throws(() => take(make(), options), { name: 'TypeError', message: `${name}: ${argument} is ${what}: take ${right}` });
    });
  }
  for (const [right, make] of Object.entries(MADE)) {
    test(`${name} with what ${right} returned`, () => {
      // Two limits may apply to one client.
      if (name === right) return void take(make(), options);
      assert.throws(() => take(make(), options), { name: 'TypeError', message: `${name}: ${argument} must not be what ${right} returned` });
    });
  }
}

test('what an integration returns looks the same as ever', () => {
  for (const [name, make] of Object.entries(MADE)) {
    const thing = make();
    const names = ['transformParams', 'wrapModelCall', 'processLLMRequest', 'beforeModelCallback', 'getModel', 'recallTool'];
    const seen = { ...thing };
    if (typeof thing === 'function')
      assert.deepEqual(
        Object.keys(seen).filter((key) => key !== 'preserveInputIdentity'),
        [],
        name,
      );
    else assert.ok(names.filter((key) => Object.hasOwn(seen, key)).length <= 1, name);
  }
});
