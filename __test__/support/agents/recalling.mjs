// An agent of each SDK whose integration has tools of the model, with one of these and one that reads files.
import { after } from 'node:test';
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
import * as aiSdk from 'palimpsest/ai-sdk';
import * as anthropic from 'palimpsest/anthropic';
import * as gemini from 'palimpsest/gemini';
import * as googleAdk from 'palimpsest/google-adk';
import * as langchain from 'palimpsest/langchain';
import * as mastra from 'palimpsest/mastra';
import * as openai from 'palimpsest/openai';
import * as openaiAgents from 'palimpsest/openai-agents';

setTracingDisabled(true);
setLogLevel(LogLevel.ERROR);

const before = process.env.GOOGLE_GEMINI_BASE_URL;
after(() => {
  if (before === undefined) delete process.env.GOOGLE_GEMINI_BASE_URL;
  else process.env.GOOGLE_GEMINI_BASE_URL = before;
});

const PARAMETERS = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const DESCRIPTION = 'Reads a file.';
const PROMPT = 'Find the checksums.';

/**
 * Returns for each SDK a function of a provider, which gives a function that runs an agent of a name to its end, with the same integration for
 * all of them.
 *
 * @param {{ options: object, contentOf: (path: string) => string, systemOf: (name: string) => string, pause?: () => unknown, tool?: string }} agents `tool`: `recall` or `pin`; `pause`: what
 *   its calls wait for
 */
export function recallingAgents({ options, contentOf, systemOf, tool: called = 'recall', pause = () => {} }) {
  const method = `${called}Tool`;
  /** The tool, whose calls wait first. */
  const paused = (tool, method) => {
    const run = tool[method].bind(tool);
    tool[method] = async (...given) => {
      await pause();
      return run(...given);
    };
    return tool;
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
    const tools = [read, paused(client[method](), 'run')];
    const request = {
      model: 'claude-opus-5',
      max_tokens: 2000,
      messages: [{ role: 'user', content: PROMPT }],
      tools,
      thread: false,
      stream,
    };
    return async (name) => {
      for await (const _ of client.beta.messages.toolRunner({ ...request, system: systemOf(name), max_iterations: 40 }));
    };
  }

  /** A streamed runner tells nothing of its calls, so each conversation has a client. */
  function anthropicStreamed(provider) {
    return (name) => anthropicRun(provider.url, true)(name);
  }

  return {
    'ai-sdk': ({ url }) => {
      const middleware = aiSdk.palimpsestMiddleware(options);
      const model = wrapLanguageModel({ model: createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5'), middleware });
      const tools = { read: aiTool, [called]: paused(middleware[method](), 'execute') };
      return (name) =>
        generateText({ model, tools, instructions: systemOf(name), prompt: PROMPT, stopWhen: isStepCount(40), maxRetries: 0 });
    },
    'ai-sdk, streamed': ({ url }) => {
      const middleware = aiSdk.palimpsestMiddleware(options);
      const model = wrapLanguageModel({ model: createAnthropic({ apiKey: 'test', baseURL: `${url}/v1` })('claude-opus-5'), middleware });
      const tools = { read: aiTool, [called]: paused(middleware[method](), 'execute') };
      return (name) =>
        streamText({ model, tools, instructions: systemOf(name), prompt: PROMPT, stopWhen: isStepCount(40), maxRetries: 0 }).text;
    },
    'ai-sdk, prepareStep': ({ url }) => {
      const choose = aiSdk.prepareStep(options);
      const model = createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5');
      const tools = { read: aiTool, [called]: paused(choose[method](), 'execute') };
      const settings = { model, tools, prompt: PROMPT, stopWhen: isStepCount(40), maxRetries: 0, prepareStep: choose };
      return (name) => generateText({ ...settings, instructions: systemOf(name) });
    },
    langchain: ({ url }) => {
      const middleware = langchain.palimpsestMiddleware(options);
      const read = langchainTool(({ path }) => contentOf(path), { name: 'read', description: DESCRIPTION, schema: PARAMETERS });
      const model = new ChatOpenAI({ apiKey: 'test', model: 'gpt-5.5', configuration: { baseURL: `${url}/v1` }, maxRetries: 0 });
      return (name) => {
        const tools = [read, paused(middleware[method](), 'func')];
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
      const tools = [read, paused(model[method](), 'invoke')];
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
      const recall = client[method]();
      paused(recall.function, 'function');
      const tools = [read, recall];
      const messagesOf = (name) => [
        { role: 'system', content: systemOf(name) },
        { role: 'user', content: PROMPT },
      ];
      return (name) =>
        client.chat.completions
          .runTools({ model: 'gpt-5.5', tools, messages: messagesOf(name) }, { maxChatCompletions: 40 })
          .finalContent();
    },
    'openai, streamed responses': ({ url }) => {
      const client = openai.withPalimpsest(new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 }), options);
      const recall = client[method]({ api: 'responses' });
      const tools = [{ type: 'function', name: 'read', description: DESCRIPTION, parameters: PARAMETERS, strict: false }, recall];
      return async (name) => {
        const input = [{ role: 'user', content: PROMPT }];
        for (;;) {
          const request = { model: 'gpt-5.5', instructions: systemOf(name), input, tools };
          const { output } = await client.responses.stream(request).finalResponse();
          const calls = output.filter(({ type }) => type === 'function_call');
          if (calls.length === 0) return;
          for (const { call_id: id, name, arguments: text } of calls) {
            const answer = name === 'read' ? contentOf(JSON.parse(text).path) : (await pause(), recall.execute(text, id));
            input.push({ type: 'function_call', call_id: id, name, arguments: text });
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
      const tools = [read, paused(client[method](), 'callTool')];
      const config = (name) => ({ tools, systemInstruction: systemOf(name), automaticFunctionCalling: { maximumRemoteCalls: 40 } });
      return (name) => client.models.generateContent({ model: 'gemini-3.5-flash', contents: PROMPT, config: config(name) });
    },
    mastra: ({ url }) => {
      const processor = mastra.palimpsestProcessor(options);
      const inputSchema = z.object({ path: z.string() });
      const read = createTool({ id: 'read', description: DESCRIPTION, inputSchema, execute: async ({ path }) => contentOf(path) });
      const tools = { read, [called]: paused(processor[method](), 'execute') };
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
      const tools = [read, paused(plugin[method](), 'runAsync')];
      return async (name) => {
        const agent = new LlmAgent({ name: 'clerk', model, instruction: systemOf(name), tools });
        const runner = new InMemoryRunner({ agent, plugins: [plugin] });
        const newMessage = { role: 'user', parts: [{ text: PROMPT }] };
        for await (const event of runner.runEphemeral({ userId: name, newMessage }))
          if (event.errorMessage) throw new Error(event.errorMessage);
      };
    },
  };
}
