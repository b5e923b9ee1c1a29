import { createRequire } from 'node:module';
import * as agents from '@openai/agents';
import { palimpsestFilter, palimpsestModel } from 'palimpsest/openai-agents';
import { contentOf, LIMIT, MODEL, PARAMETERS, PROMPT, READ, systemOf, TURNS } from './common.mjs';

// The client that this version of the SDK brings.
const require = createRequire(createRequire(import.meta.url).resolve('@openai/agents'));
const OpenAI = require(require.resolve('openai', { paths: [require.resolve('@openai/agents-openai'), import.meta.filename] }));
const { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled, tool } = agents;
setTracingDisabled(true);

const clientOf = (url) => new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 });
const read = tool({
  name: 'read',
  description: READ,
  parameters: { ...PARAMETERS, additionalProperties: true },
  strict: false,
  execute: async ({ path }) => contentOf(path),
});
async function ran(name, model, tools, more) {
  const agent = new Agent({ name: 'Clerk', instructions: systemOf(name), tools, model });
  // Older SDKs have no sessions.
  const session = agents.MemorySession && new agents.MemorySession();
  const result = await run(agent, PROMPT, { maxTurns: TURNS, session, ...more });
  if (more?.stream) {
    for await (const _ of result);
    await result.completed;
  }
  return { history: result.history, stored: await session?.getItems() };
}
const modelled =
  (Model, more) =>
  ({ url, name, options }) => {
    const model = palimpsestModel(new Model(clientOf(url), MODEL), options);
    return ran(name, model, [read, model.recallTool()], more);
  };

function hasFilter() {
  try {
    return Boolean(palimpsestFilter({ limit: LIMIT }));
  } catch (error) {
    if (error.code !== 'ERR_PALIMPSEST_PEER' || !error.message.startsWith('palimpsestFilter() needs @openai/agents >=0.3.0')) throw error;
    return false;
  }
}

export const ways = {
  'model of chat': modelled(OpenAIChatCompletionsModel),
  'model of responses, streamed': modelled(OpenAIResponsesModel, { stream: true }),
  // Older SDKs call none.
  ...(hasFilter() && {
    filter: ({ url, name, options }) => {
      const callModelInputFilter = palimpsestFilter(options);
      return ran(name, new OpenAIResponsesModel(clientOf(url), MODEL), [read], { callModelInputFilter });
    },
  }),
};
