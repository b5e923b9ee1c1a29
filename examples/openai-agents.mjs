// An agent of OpenAI's Agents SDK whose requests stay small: node examples/openai-agents.mjs
//
// The provider is a loopback server, which keeps a prompt cache as OpenAI does.
import { Agent, MemorySession, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { palimpsestModel } from 'palimpsest/openai-agents';
import { agentTools, longAgent, startProvider } from '../__test__/support/agents/index.mjs';

setTracingDisabled(true);
const provider = await startProvider(longAgent());
const openAIClient = new OpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1` });

// Every model of this runner sends what its conversation's session chooses.
const modelProvider = palimpsestModel(new OpenAIProvider({ openAIClient, useResponses: true }), {
  limit: 12_000,
  onStep: ({ epoch, report }) => epoch && console.log(String(report)),
});
const runner = new Runner({ modelProvider });

const agent = new Agent({
  name: 'Engineer',
  model: 'gpt-5.5',
  instructions: 'You mend programs.',
  tools: agentTools.map(({ name, description, parameters, run }) => {
    return tool({ name, description, parameters, strict: false, execute: async (input) => run(input) });
  }),
});
const session = new MemorySession();
const { finalOutput } = await runner.run(agent, 'Find out why the export is slow.', { session, maxTurns: 60 });

const { sent, cachedShare } = provider.sum();
console.log(`${finalOutput} The SDK's session has all ${(await session.getItems()).length} items.`);
console.log(`${sent} tokens sent, ${Math.round(100 * cachedShare)}% of them from the cache`);
await provider.close();
