// An agent of LangChain whose history stays within a limit: node examples/langchain.mjs
//
// The provider is a loopback server, which keeps a prompt cache as OpenAI does.
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { palimpsestMiddleware } from 'palimpsest/langchain';
import { agentTools, longAgent, startProvider } from '../__test__/support/agents/index.mjs';

const provider = await startProvider(longAgent());
const palimpsest = palimpsestMiddleware({
  limit: 16_000,
  onStep: ({ epoch, report }) => epoch && console.log(String(report)),
});

const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-5.5', apiKey: 'test', configuration: { baseURL: `${provider.url}/v1` } }),
  systemPrompt: 'You mend programs.',
  tools: agentTools.map(({ name, description, parameters, run }) => {
    return tool(async (input) => run(input), { name, description, schema: parameters });
  }),
  checkpointer: new MemorySaver(),
  middleware: [palimpsest],
});

const thread = { configurable: { thread_id: 'chat-1' }, recursionLimit: 200 };
const { messages } = await agent.invoke({ messages: 'Find out why the export is slow.' }, thread);
console.log(messages.at(-1).text);

const { sent, cachedShare } = provider.sum();
console.log(
  `${messages.length} messages, all of them whole · ${sent} tokens sent, ${Math.round(100 * cachedShare)}% of them from the cache`,
);
await provider.close();
