// The programs of docs/frameworks.md, with the frameworks themselves, against a provider that refuses what the real one refuses: 75 steps stay within the
// limit, none is refused, and they cost no more than with the framework's own compaction. Those of other frameworks are in __test__/frameworks/.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { TokenLimiterProcessor } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { createDeepAgent } from 'deepagents';
import { anthropicPromptCachingMiddleware, createAgent, summarizationMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { agentTools } from './support/agents/index.mjs';
import { ASKED, check, failing, LIMIT, PART, played, program, STEPS, SYSTEM, THRESHOLD } from './support/frameworks.mjs';

const CHATS = {
  anthropic: (url) => new ChatAnthropic({ model: 'claude-opus-5', apiKey: 'test', anthropicApiUrl: url, maxRetries: 0, maxTokens: 1000 }),
  openai: (url) => new ChatOpenAI({ model: 'gpt-5.5', apiKey: 'test', configuration: { baseURL: `${url}/v1` }, maxRetries: 0 }),
};
const langchainTools = (names = {}) =>
  agentTools.map(({ name, description, parameters, run }) =>
    tool(failing(run), { name: names[name] ?? name, description, schema: parameters }),
  );
const asked = { messages: [{ role: 'user', content: ASKED }] };

for (const chat of Object.keys(CHATS)) {
  test(`LangChain, ${chat}: in place of summarizationMiddleware`, async (t) => {
    const { agentOf } = await program('LangChain');
    const middleware = chat === 'anthropic' ? [anthropicPromptCachingMiddleware({ minMessagesToCache: 0 })] : [];
    const optionsOf = ({ url }) => ({
      model: CHATS[chat](url),
      tools: langchainTools(),
      systemPrompt: `${SYSTEM} [conversation main]`,
      middleware,
    });
    const run = (agent) => agent.invoke(asked, { recursionLimit: 500 });
    const ours = await played(t, (provider) => run(agentOf(optionsOf(provider), LIMIT)));
    const theirs = await played(t, (provider) => {
      const options = optionsOf(provider);
      const summarising = summarizationMiddleware({ model: options.model, trigger: { tokens: THRESHOLD }, keep: { messages: 20 } });
      return run(createAgent({ ...options, middleware: [summarising, ...middleware] }));
    });
    check(t, ours, theirs);
  });
}

for (const chat of Object.keys(CHATS)) {
  test(`deepagents, ${chat}: the agent and its sub-agents`, async (t) => {
    const { agentOf } = await program('deepagents');
    const names = { read: 'read_it', search: 'search_it', run: 'run_it', edit: 'edit_it' };
    const optionsOf = ({ url }) => {
      const tools = langchainTools(names);
      const model = CHATS[chat](url);
      // deepagents compacts at 85 % of that.
      Object.defineProperty(model, 'profile', { value: { maxInputTokens: 40_000 } });
      const part = { name: 'part', description: 'Does parts.', systemPrompt: `${SYSTEM} [conversation part]`, tools };
      return { model, tools, systemPrompt: `${SYSTEM} [conversation main]`, subagents: [part] };
    };
    const settings = { names, delegates: true };
    // First, because what the program registers holds for the process.
    const theirs = await played(t, (provider) => createDeepAgent(optionsOf(provider)).invoke(asked), settings);
    const ours = await played(t, (provider) => agentOf(chat, optionsOf(provider), LIMIT).invoke(asked), settings);
    check(t, ours, theirs, { steps: STEPS + PART });
    assert.ok(Math.max(...theirs.requests.map(({ tokens }) => tokens)) > THRESHOLD);
  });
}

test('Mastra: in place of its TokenLimiterProcessor', async (t) => {
  const { agentOf } = await program('Mastra');
  const inputSchema = ({ properties }) =>
    z.object(Object.fromEntries(Object.entries(properties).map(([key, { description }]) => [key, z.string().describe(description)])));
  const tools = Object.fromEntries(
    agentTools.map(({ name, description, parameters, run }) => [
      name,
      createTool({ id: name, description, inputSchema: inputSchema(parameters), execute: failing(run) }),
    ]),
  );
  const optionsOf = ({ url }) => ({
    id: 'main',
    name: 'main',
    instructions: `${SYSTEM} [conversation main]`,
    // With Anthropic's models, what the limiter leaves may begin with the model's words, which is refused.
    model: createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5'),
    tools,
  });
  const run = (agent) => agent.generate(ASKED, { maxSteps: STEPS + 5, modelSettings: { maxRetries: 0, maxOutputTokens: 1000 } });
  const ours = await played(t, (provider) => run(agentOf(optionsOf(provider), LIMIT)));
  const theirs = await played(t, (provider) =>
    run(new MastraAgent({ ...optionsOf(provider), inputProcessors: [new TokenLimiterProcessor(THRESHOLD)] })),
  );
  check(t, ours, theirs);
});
