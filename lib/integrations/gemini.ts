import { mismatch } from '../checks.js';
import { Integration } from './core.js';
import { isRecall, recallToolOf, withRecall } from './recall.js';
import { chooserFor } from './requests.js';
import { watchUsage } from './streams.js';

const CALLER = 'withPalimpsest()';

/** Returns the usage of an answer or a part of its stream, and passes on calls of the recall tool: most have no id. */
const usageFor =
  (called) =>
  ({ usageMetadata, candidates }) => {
    for (const { functionCall: call } of candidates?.[0]?.content?.parts ?? [])
      if (isRecall(call?.name)) for (const key of [call, call.id]) called(key);
    return usageMetadata;
  };

/** See `withPalimpsest` in `integrations/gemini.d.ts`. */
export function withPalimpsest(client, options) {
  if (typeof client?.models?.generateContentInternal !== 'function' || client.apiClient === undefined) {
    throw mismatch(`${CALLER}: client`, 'a GoogleGenAI client', client);
  }
  const integration = new Integration(CALLER, options, { format: 'gemini' });
  const choose = chooserFor(integration, 'gemini');
  const models = choosingModels(client, choose);
  const chats = new client.chats.constructor(models, client.apiClient);
  return withRecall(Object.assign(Object.create(Object.getPrototypeOf(client)), client, { models, chats }), integration);
}

/** See `recallTool` in `integrations/gemini.d.ts`. */
export function recallTool(from) {
  const { name, description, parameters, execute } = recallToolOf(from, 'a client that withPalimpsest() returned');
  const answer = (call) => ({ functionResponse: { id: call.id, name, response: { output: execute(call.args, call, call.id) } } });
  return {
    tool: async () => ({ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }),
    callTool: async (calls) => calls.filter((call) => call.name === name).map(answer),
  };
}

/**
 * Returns models of their own, whose requests are chosen. Automatic function calling and continuation make several requests of one call:
 * each ends in one of the two methods.
 */
function choosingModels(client, choose) {
  const models = new client.models.constructor(client.apiClient);
  const { generateContentInternal, generateContentStreamInternal } = models;
  return Object.assign(models, {
    async generateContentInternal(params) {
      const { request = params, ...taking } = await choose(() => params, params);
      const answer = await generateContentInternal.call(models, request);
      taking.look(() => taking.observe(usageFor(taking.called)(answer)));
      return answer;
    },
    async generateContentStreamInternal(params) {
      const { request = params, ...taking } = await choose(() => params, params);
      return watchUsage(await generateContentStreamInternal.call(models, request), usageFor(taking.called), taking);
    },
  });
}
