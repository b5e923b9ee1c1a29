// The recall tool of each integration in the SDK itself: two agents at the same time, whose models look up what went from their own
// conversation, by words and by the numbers that a mark names.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from '@google/adk';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Agent, OpenAIResponsesModel, run, setTracingDisabled, tool as agentsTool } from '@openai/agents';
import { generateText, isStepCount, jsonSchema, streamText, tool, wrapLanguageModel } from 'ai';
import { createAgent, tool as langchainTool } from 'langchain';
import OpenAI from 'openai';
import { z } from 'zod';
import * as aiSdk from '../../integrations/ai-sdk.mjs';
import * as anthropic from '../../integrations/anthropic.mjs';
import * as gemini from '../../integrations/gemini.mjs';
import * as googleAdk from '../../integrations/google-adk.mjs';
import * as langchain from '../../integrations/langchain.mjs';
import * as mastra from '../../integrations/mastra.mjs';
import * as openai from '../../integrations/openai.mjs';
import * as openaiAgents from '../../integrations/openai-agents.mjs';
import { startProvider } from '../support/agents/index.mjs';

setTracingDisabled(true);
setLogLevel(LogLevel.ERROR);

const READS = 22;
const LIMIT = 5000;
const NAMES = ['first', 'second'];
const PARAMETERS = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const DESCRIPTION = 'Reads a file.';

/** What is looked for: it depends on the whole path, so that the other conversation has another. */
const checksumOf = (path) => `sum${[...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)}`;
function contentOf(path) {
  const lines = Array.from({ length: 30 }, (_, line) => `export const value${line} = compute(${checksumOf(`${path}:${line}`)});`);
  lines[12] = `// The checksum of ${path} is ${checksumOf(path)}.`;
  return lines.join('\n');
}

/** The first mark of messages in a request, with their numbers; the tool's description has one, too. */
const markIn = ({ messages, input, contents }) => /\[… messages (\d+)–(\d+)/.exec(JSON.stringify(messages ?? input ?? contents));

/** Reads files, then looks up one of the first ones by words, then the messages that a mark names. */
function script({ step, conversation, request }) {
  if (step < READS) return { calls: [{ name: 'read', input: { path: `src/${conversation}/file${step}.ts` } }] };
  if (step === READS) return { calls: [{ name: 'recall', input: { query: `checksum of src/${conversation}/file2.ts` } }] };
  const [, from, to] = markIn(request) ?? [];
  if (step === READS + 1 && from) return { calls: [{ name: 'recall', input: { from: Number(from), to: Number(to) } }] };
  return { text: 'Done.' };
}

const PROMPT = 'Find the checksums.';
const systemOf = (name) => `You compare files. [conversation ${name}]`;
const options = { limit: LIMIT };

/** Runs an agent of each SDK to its end, with the wrapped model and the tool. */
const SDKS = {
  'ai-sdk': ({ url }) => {
    const middleware = aiSdk.palimpsestMiddleware(options);
    const model = wrapLanguageModel({ model: createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5'), middleware });
    const tools = { read: aiTool, recall: aiSdk.recallTool(middleware) };
    return (name) => generateText({ model, tools, instructions: systemOf(name), prompt: PROMPT, stopWhen: isStepCount(40), maxRetries: 0 });
  },
  'ai-sdk, streamed': ({ url }) => {
    const middleware = aiSdk.palimpsestMiddleware(options);
    const model = wrapLanguageModel({ model: createAnthropic({ apiKey: 'test', baseURL: `${url}/v1` })('claude-opus-5'), middleware });
    const tools = { read: aiTool, recall: aiSdk.recallTool(middleware) };
    return (name) =>
      streamText({ model, tools, instructions: systemOf(name), prompt: PROMPT, stopWhen: isStepCount(40), maxRetries: 0 }).text;
  },
  'ai-sdk, prepareStep': ({ url }) => {
    const choose = aiSdk.prepareStep(options);
    const model = createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5');
    const tools = { read: aiTool, recall: aiSdk.recallTool(choose) };
    const settings = { model, tools, prompt: PROMPT, stopWhen: isStepCount(40), maxRetries: 0, prepareStep: choose };
    return (name) => generateText({ ...settings, instructions: systemOf(name) });
  },
  langchain: ({ url }) => {
    const middleware = langchain.palimpsestMiddleware(options);
    const read = langchainTool(({ path }) => contentOf(path), { name: 'read', description: DESCRIPTION, schema: PARAMETERS });
    const model = new ChatOpenAI({ apiKey: 'test', model: 'gpt-5.5', configuration: { baseURL: `${url}/v1` }, maxRetries: 0 });
    return (name) => {
      const tools = [read, langchain.recallTool(middleware)];
      const agent = createAgent({ model, tools, middleware: [middleware], systemPrompt: systemOf(name) });
      return agent.invoke({ messages: [{ role: 'user', content: PROMPT }] }, { recursionLimit: 100 });
    };
  },
  'openai-agents': ({ url }) => {
    const client = new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 });
    const model = openaiAgents.palimpsestModel(new OpenAIResponsesModel(client, 'gpt-5.5'), options);
    const read = agentsTool({
      name: 'read',
      description: DESCRIPTION,
      parameters: { ...PARAMETERS, additionalProperties: true },
      strict: false,
      execute: async ({ path }) => contentOf(path),
    });
    const tools = [read, openaiAgents.recallTool(model)];
    return (name) => run(new Agent({ name: 'Clerk', instructions: systemOf(name), tools, model }), PROMPT, { maxTurns: 40 });
  },
  openai: ({ url }) => {
    const client = openai.withPalimpsest(new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 }), options);
    const read = {
      type: 'function',
      function: {
        name: 'read',
        description: DESCRIPTION,
        parameters: PARAMETERS,
        parse: JSON.parse,
        function: ({ path }) => contentOf(path),
      },
    };
    const tools = [read, openai.recallTool(client)];
    const messagesOf = (name) => [
      { role: 'system', content: systemOf(name) },
      { role: 'user', content: PROMPT },
    ];
    return (name) =>
      client.chat.completions.runTools({ model: 'gpt-5.5', tools, messages: messagesOf(name) }, { maxChatCompletions: 40 }).finalContent();
  },
  'openai, streamed responses': ({ url }) => {
    const client = openai.withPalimpsest(new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 }), options);
    const recall = openai.recallTool(client, { api: 'responses' });
    const tools = [{ type: 'function', name: 'read', description: DESCRIPTION, parameters: PARAMETERS, strict: false }, recall];
    return async (name) => {
      const input = [{ role: 'user', content: PROMPT }];
      for (;;) {
        const request = { model: 'gpt-5.5', instructions: systemOf(name), input, tools };
        const { output } = await client.responses.stream(request).finalResponse();
        const calls = output.filter(({ type }) => type === 'function_call');
        if (calls.length === 0) return;
        for (const { call_id: id, name: called, arguments: text } of calls) {
          const answer = called === 'read' ? contentOf(JSON.parse(text).path) : recall.execute(text, id);
          input.push({ type: 'function_call', call_id: id, name: called, arguments: text });
          input.push({ type: 'function_call_output', call_id: id, output: answer });
        }
      }
    };
  },
  anthropic: ({ url }) => anthropicRun(url, false),
  'anthropic, streamed': anthropicStreamed,
  gemini: ({ url }) => {
    const client = gemini.withPalimpsest(new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } }), options);
    const read = {
      tool: async () => ({ functionDeclarations: [{ name: 'read', description: DESCRIPTION, parametersJsonSchema: PARAMETERS }] }),
      callTool: async (calls) =>
        calls
          .filter((call) => call.name === 'read')
          .map(({ id, name, args }) => ({ functionResponse: { id, name, response: { output: contentOf(args.path) } } })),
    };
    const tools = [read, gemini.recallTool(client)];
    const config = (name) => ({ tools, systemInstruction: systemOf(name), automaticFunctionCalling: { maximumRemoteCalls: 40 } });
    return (name) => client.models.generateContent({ model: 'gemini-3.5-flash', contents: PROMPT, config: config(name) });
  },
  mastra: ({ url }) => {
    const processor = mastra.palimpsestProcessor(options);
    const inputSchema = z.object({ path: z.string() });
    const read = createTool({ id: 'read', description: DESCRIPTION, inputSchema, execute: async ({ path }) => contentOf(path) });
    const tools = { read, recall: mastra.recallTool(processor) };
    const model = createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5');
    const agentOf = (name) =>
      new MastraAgent({
        id: name,
        name,
        instructions: systemOf(name),
        model,
        tools,
        inputProcessors: [processor],
        outputProcessors: [processor],
      });
    return (name) => agentOf(name).generate(PROMPT, { maxSteps: 40, modelSettings: { maxRetries: 0 } });
  },
  'google-adk': ({ url }) => {
    process.env.GOOGLE_GEMINI_BASE_URL = url;
    const plugin = googleAdk.palimpsestPlugin(options);
    const model = new Gemini({ model: 'gemini-3.5-flash', apiKey: 'test' });
    const parameters = z.object({ path: z.string() });
    const read = new FunctionTool({ name: 'read', description: DESCRIPTION, parameters, execute: ({ path }) => contentOf(path) });
    const tools = [read, googleAdk.recallTool(plugin)];
    return async (name) => {
      const agent = new LlmAgent({ name: 'clerk', model, instruction: systemOf(name), tools });
      const runner = new InMemoryRunner({ agent, plugins: [plugin] });
      const newMessage = { role: 'user', parts: [{ text: PROMPT }] };
      for await (const event of runner.runEphemeral({ userId: name, newMessage }))
        if (event.errorMessage) throw new Error(event.errorMessage);
    };
  },
};

const aiTool = tool({ description: DESCRIPTION, inputSchema: jsonSchema(PARAMETERS), execute: ({ path }) => contentOf(path) });

function anthropicRun(url, stream) {
  const client = anthropic.withPalimpsest(new Anthropic({ apiKey: 'test', baseURL: url, maxRetries: 0 }), options);
  const read = {
    type: 'custom',
    name: 'read',
    description: DESCRIPTION,
    input_schema: PARAMETERS,
    run: ({ path }) => contentOf(path),
    parse: (content) => content,
  };
  const tools = [read, anthropic.recallTool(client)];
  const request = { model: 'claude-opus-5', max_tokens: 2000, messages: [{ role: 'user', content: PROMPT }], tools, thread: false, stream };
  return async (name) => {
    for await (const _ of client.beta.messages.toolRunner({ ...request, system: systemOf(name), max_iterations: 40 }));
  };
}

/** A streamed runner tells nothing of its calls, so each conversation has a client. */
function anthropicStreamed(provider) {
  return (name) => anthropicRun(provider.url, true)(name);
}

const before = process.env.GOOGLE_GEMINI_BASE_URL;
after(() => {
  if (before === undefined) delete process.env.GOOGLE_GEMINI_BASE_URL;
  else process.env.GOOGLE_GEMINI_BASE_URL = before;
});

for (const [sdk, open] of Object.entries(SDKS)) {
  test(`${sdk}: each model looks up what went from its own conversation`, async () => {
    const provider = await startProvider(script, { window: 400_000 });
    try {
      const runAgent = open(provider);
      await Promise.all(NAMES.map((name) => runAgent(name)));
      for (const name of NAMES) {
        const requests = provider.requests.filter(({ conversation }) => conversation === name);
        assert.deepEqual(
          requests.filter(({ status }) => status !== 200).map(({ error }) => error),
          [],
        );
        const bodies = requests.slice(READS).map(({ body }) => body);
        const [asked, found, read] = bodies.map((body) => JSON.stringify(body));
        const sum = checksumOf(`src/${name}/file2.ts`);
        assert.ok(!asked.includes(sum), 'the checksum went');
        assert.ok(markIn(bodies[0]), 'a mark names messages');
        assert.ok(found.includes(`The checksum of src/${name}/file2.ts is ${sum}`), 'it was recalled');
        // The messages that the mark names are shown in full, in order, as far as there is room.
        const [, first] = markIn(bodies[1]);
        assert.ok(read.includes(`[message ${first}, `), 'the first of the messages was recalled');
        const other = NAMES.find((one) => one !== name);
        assert.ok(!requests.some(({ body }) => JSON.stringify(body).includes(`src/${other}/`)), 'nothing of the other conversation');
      }
    } finally {
      await provider.close();
    }
  });
}
