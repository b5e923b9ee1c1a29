// Mastra: an agent of 45 steps with memory whose requests stay small. Run: node examples/mastra.mjs
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { agentTools, longAgent, startProvider } from '../__test__/support/agents/index.mjs';
import { palimpsestProcessor } from 'palimpsest/mastra';

// The provider is on this machine, and its model follows a script.
const provider = await startProvider(longAgent({ steps: 45 }), { window: 400_000 });
const openai = createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` });
const inputSchema = z.record(z.string(), z.string());
const tools = agentTools.map(({ name, description, run }) =>
  createTool({ id: name, description, inputSchema, execute: async (input) => run(input) }),
);

const palimpsest = palimpsestProcessor({
  limit: 12_000,
  onStep: ({ epoch, report }) => epoch && console.log(String(report)),
});
const agent = new Agent({
  id: 'repair',
  name: 'repair',
  instructions: 'You repair programs.',
  model: openai('gpt-5.5'),
  tools: Object.fromEntries(tools.map((tool) => [tool.id, tool])),
  memory: new MockMemory({ options: { lastMessages: 1000 } }),
  inputProcessors: [palimpsest],
  outputProcessors: [palimpsest],
});
const { steps } = await agent.generate('Why do exports fail?', { maxSteps: 60, memory: { thread: 'exports', resource: 'me' } });

const { requests, sent, cachedShare } = provider.sum();
console.log(
  `${steps.length} steps · ${requests} requests · ${sent} tokens sent · ${Math.round(100 * cachedShare)}% of them read from the cache`,
);
await provider.close();
