import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { palimpsestMiddleware } from 'palimpsest/langchain';
import { contentOf, MODEL, PARAMETERS, PROMPT, READ, systemOf, TURNS } from './common.mjs';

const read = tool(({ path }) => contentOf(path), { name: 'read', description: READ, schema: PARAMETERS });
const invoked =
  (threadOf) =>
  async ({ url, name, options }) => {
    const middleware = palimpsestMiddleware(options);
    const model = new ChatOpenAI({ apiKey: 'test', model: MODEL, configuration: { baseURL: `${url}/v1` }, maxRetries: 0 });
    const { agentMore, runMore } = threadOf(name);
    const agent = createAgent({
      model,
      tools: [read, middleware.recallTool()],
      middleware: [middleware],
      systemPrompt: systemOf(name),
      ...agentMore,
    });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: PROMPT }] }, { recursionLimit: 6 * TURNS, ...runMore });
    return messages.map(({ content, tool_calls }) => ({ content, tool_calls }));
  };

export const ways = {
  middleware: invoked(() => ({})),
  'middleware with a checkpointer': invoked((name) => ({
    agentMore: { checkpointer: new MemorySaver() },
    runMore: { configurable: { thread_id: name } },
  })),
};
