// Compiled, never run: the wrapped model, the wrapped provider and the filter in OpenAI's Agents SDK, as they are.
import {
  Agent,
  type AgentInputItem,
  type CallModelInputFilter,
  MemorySession,
  type Model,
  type ModelProvider,
  OpenAIChatCompletionsModel,
  OpenAIProvider,
  OpenAIResponsesModel,
  run,
  Runner,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { createSession, type Session } from 'palimpsest';
import { palimpsestFilter, type PalimpsestFilterOptions, palimpsestModel, type PalimpsestModelOptions } from 'palimpsest/openai-agents';
import { z } from 'zod';

const client = new OpenAI();
const sessions = new Map<string, Session>();
const options: PalimpsestModelOptions = {
  limit: 50_000,
  explainMarks: true,
  keep: { tools: ['read'] },
  session: async ({ systemInstructions }) => sessions.get(systemInstructions ?? ''),
  onStep: ({ messages, tokens, report }, { session, params }) => {
    const last: AgentInputItem | undefined = messages.at(-1);
    console.log(last?.type, tokens.after, report.summary, session.report.tokens.sent, params.tools.length);
  },
  onError: (error, { params }) => console.error(error, params.input.length),
};
const model: Model = palimpsestModel(new OpenAIResponsesModel(client, 'gpt-5.5'), options);
const chat: Model = palimpsestModel(new OpenAIChatCompletionsModel(client, 'gpt-5.5'), { session: () => createSession({ limit: 5_000 }) });
const modelProvider: ModelProvider = palimpsestModel(new OpenAIProvider({ openAIClient: client }));

const read = tool({
  name: 'read',
  description: 'Reads a file.',
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => path,
});
const closer = new Agent({ name: 'Closer', model: chat });
const agent = Agent.create({ name: 'Engineer', model, tools: [read], handoffs: [closer], outputType: z.object({ cause: z.string() }) });
const runner = new Runner({ modelProvider });
const result = await runner.run(agent, 'Why do exports fail?', { session: new MemorySession(), maxTurns: 50 });
const cause: string | undefined =
  result.finalOutput && 'cause' in Object(result.finalOutput) ? JSON.stringify(result.finalOutput) : undefined;
console.log(cause);

const filterOptions: PalimpsestFilterOptions = {
  window: 200_000,
  session: ({ context, agent: { name } }) => (context === undefined ? sessions.get(name) : null),
  onStep: (_, { params }) => console.log(params.modelData.instructions?.length),
};
const callModelInputFilter: CallModelInputFilter = palimpsestFilter(filterOptions);
const identity: true = palimpsestFilter().preserveInputIdentity;
const streamed = await run(agent, 'Why?', { stream: true, callModelInputFilter, signal: new AbortController().signal });
for await (const event of streamed) console.log(event.type, identity);
await run(agent, 'Why?', { callModelInputFilter: palimpsestFilter({ limit: 10_000 }) });
// @ts-expect-error a name is no model
palimpsestModel('gpt-5.5');
// @ts-expect-error there is no such option
palimpsestFilter({ budget: 1000 });
// @ts-expect-error the SDK would store what was recalled
palimpsestFilter({ recall: 'auto' });
