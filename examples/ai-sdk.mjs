// The Vercel AI SDK: an agent of 45 steps whose requests stay small. Run: node examples/ai-sdk.mjs
import { createOpenAI } from '@ai-sdk/openai';
import { stepCountIs, jsonSchema, tool, ToolLoopAgent, wrapLanguageModel } from 'ai';
import { agentTools, longAgent, startProvider } from '../__test__/support/agents/index.mjs';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';

// The provider is on this machine, and its model follows a script.
const provider = await startProvider(longAgent({ steps: 45 }), { window: 400_000 });
const openai = createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` });
const tools = Object.fromEntries(
  agentTools.map(({ name, description, parameters, run }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute: (input) => run(input) }),
  ]),
);

const model = wrapLanguageModel({
  model: openai('gpt-5.5'),
  middleware: palimpsestMiddleware({
    limit: 12_000,
    onStep: ({ epoch, report }) => epoch && console.log(String(report)),
  }),
});
const agent = new ToolLoopAgent({ model, instructions: 'You repair programs.', tools, stopWhen: stepCountIs(60) });
const { text, responseMessages } = await agent.generate({ prompt: 'Why do exports fail?' });

const { requests, sent, cachedShare } = provider.sum();
console.log(`${text} The history has all ${responseMessages.length} messages.`);
console.log(`${requests} requests · ${sent} tokens sent · ${Math.round(100 * cachedShare)}% of them read from the cache`);
await provider.close();
