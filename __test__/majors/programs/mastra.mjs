import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { createTool } from '@mastra/core/tools';
import { palimpsestProcessor } from 'palimpsest/mastra';
import { z } from 'zod';
import { contentOf, MODEL, PROMPT, READ, systemOf, TURNS } from './common.mjs';

const inputSchema = z.object({ path: z.string() });
const read = createTool({ id: 'read', description: READ, inputSchema, execute: async ({ path }) => contentOf(path) });

const ran =
  (run) =>
  async ({ url, name, options }) => {
    const processor = palimpsestProcessor(options);
    const memory = new MockMemory({ options: { lastMessages: 1000 } });
    const agent = new Agent({
      id: name,
      name,
      instructions: systemOf(name),
      model: createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat(MODEL),
      tools: { read, recall: processor.recallTool() },
      inputProcessors: [processor],
      outputProcessors: [processor],
      memory,
    });
    const more = { maxSteps: TURNS, modelSettings: { maxRetries: 0 }, memory: { thread: name, resource: 'me' } };
    await run(agent, more);
    return (await memory.recall({ threadId: name, perPage: false })).messages;
  };

export const ways = {
  generate: ran((agent, more) => agent.generate(PROMPT, more)),
  stream: ran(async (agent, more) => {
    const stream = await agent.stream(PROMPT, more);
    await stream.consumeStream();
  }),
};
