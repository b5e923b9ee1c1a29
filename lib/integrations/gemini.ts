import { mismatch } from '../checks.js';
import { belonging, checkGiven } from './belonging.js';
import { Integration } from './core.js';
import { checkPeers } from './peer.js';
import { geminiSchema, isRecall, recallToolOf } from './recall.js';
import { chooserFor } from './requests.js';
import { SHADOW, shadowOf } from './shadowing.js';
import { watchUsage } from './streams.js';
import type { CallableTool, Chats, GenerateContentParameters, Models } from '@google/genai' with { 'resolution-mode': 'import' };
import type { AnySession, IntegrationOptions, WithRecallTool } from './options.js';
import type { WithShadow } from './shadowing.js';
import type { Foreign } from '../types.js';

checkPeers('gemini');

export type { AnySession, IntegrationOptions, WithRecallTool, WithShadow };

/** A request of `generateContent`, as the functions in the options get it. */
export type GeminiRequest = GenerateContentParameters;

/** What a client has. */
export interface GeminiClient {
  readonly models: Models;
  readonly chats: Chats;
}

/** Options of {@link withPalimpsest}: all of `createSession`, how a request finds its session, and shadow requests. */
export type GeminiOptions = IntegrationOptions<GeminiRequest> & WithShadow;

const CALLER = 'withPalimpsest()';
const OWN = [CALLER, 'gemini'] as const;

/** Returns the usage of an answer or a part of its stream, and passes on calls of the recall tool: most have no id. */
const usageFor =
  ({ called, trial }: Foreign) =>
  (answer: Foreign) => {
    const { usageMetadata, candidates } = answer;
    trial?.see(answer);
    for (const { functionCall: call } of candidates?.[0]?.content?.parts ?? [])
      if (isRecall(call?.name)) for (const key of [call, call.id]) called(key);
    return usageMetadata;
  };

/**
 * Returns a copy of a client whose requests send what a session chooses; the client that is given stays as it is. It covers
 * `models.generateContent`, `models.generateContentStream` and `chats`, and every request that automatic function calling makes. What they
 * return is what it was, and the usage of the answers goes to the session.
 *
 * Each request is read whole: contents, system instruction, tools, model and the maximum number of tokens of the answer. Requests with
 * `cachedContent`, whose start is stored at the provider, and all other requests go through as they are.
 *
 * `recallTool()` of the copy is for automatic function calling; in loops of your own, call `callTool` of the tool with the very `functionCalls` of the
 * answer, by which the conversation is found.
 *
 * @example
 * import { withPalimpsest } from 'palimpsest/gemini';
 *
 * const client = withPalimpsest(new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY }));
 *
 * @param client made by `new GoogleGenAI()`
 * @param options options; or one session, for a client that serves one conversation. Default: conversations are found by their contents, and
 *   the model gives the window.
 * @throws {TypeError} `client` is not such a client, or an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function withPalimpsest<C extends GeminiClient>(
  client: C,
  options?: GeminiOptions | AnySession | null,
): C & WithRecallTool<CallableTool> {
  checkGiven(OWN, 'client', client);
  const inside: Foreign = client;
  if (typeof inside?.models?.generateContentInternal !== 'function' || inside.apiClient === undefined) {
    throw mismatch(`${CALLER}: client`, 'a GoogleGenAI client', client);
  }
  const integration = new Integration(CALLER, options, { format: 'gemini', extra: SHADOW });
  const choose = chooserFor(integration, 'gemini', shadowOf(integration));
  const models = choosingModels(client, choose);
  const chats = new inside.chats.constructor(models, inside.apiClient);
  const copy = Object.assign(Object.create(Object.getPrototypeOf(client)), client, { models, chats });
  return belonging(copy, OWN, { recallTool: () => toolOf(integration) });
}

/** The recall tool as the SDK takes it. */
function toolOf(integration: Integration): CallableTool {
  const { name, description, parameters, execute } = recallToolOf(integration);
  const answer = (call: Foreign) => ({ functionResponse: { id: call.id, name, response: { output: execute(call.args, call, call.id) } } });
  return {
    tool: async () => ({ functionDeclarations: [{ name, description, parameters: geminiSchema(parameters) }] }),
    callTool: async (calls) => calls.filter((call) => call.name === name).map(answer),
  };
}

/** A request that the caller's signal doesn't end. */
const unending = (request: Foreign) => ({ ...request, config: { ...request.config, abortSignal: undefined } });

/**
 * Returns models of their own, whose requests are chosen. Automatic function calling and continuation make several requests of one call:
 * each ends in one of the two methods.
 */
function choosingModels(client: Foreign, choose: Foreign) {
  const models = new client.models.constructor(client.apiClient);
  const { generateContentInternal, generateContentStreamInternal } = models;
  return Object.assign(models, {
    async generateContentInternal(params: Foreign) {
      const { request = params, ...taking } = await choose(() => params, params);
      const answer = await generateContentInternal.call(models, request);
      taking.look(() => taking.observe(usageFor(taking)(answer)));
      taking.trial?.finish((whole: Foreign) => generateContentInternal.call(models, unending(whole)));
      return answer;
    },
    async generateContentStreamInternal(params: Foreign) {
      const { request = params, ...taking } = await choose(() => params, params);
      const finish = () => taking.trial?.finish((whole: Foreign) => generateContentStreamInternal.call(models, unending(whole)));
      return watchUsage(await generateContentStreamInternal.call(models, request), usageFor(taking), { ...taking, finish });
    },
  });
}
