import { mismatch } from '../checks.js';
import { belonging, checkGiven } from './belonging.js';
import { Integration } from './core.js';
import { checkPeers } from './peer.js';
import { geminiSchema, pinToolOf, recallToolOf } from './recall.js';
import type { NeutralTool } from './recall.js';
import { choose, reading } from './requests.js';
import { SHADOW, shadowOf } from './shadowing.js';
import { watchUsage } from './streams.js';
import type { CallableTool, Chats, FunctionCall, GenerateContentParameters, Models, Part } from '@google/genai' with {
  'resolution-mode': 'import',
};
import type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool, WithShadow } from './options.js';
import type { Chosen, Whole } from './requests.js';

checkPeers('gemini');

export type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool, WithShadow };

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

/** What is read of an answer, or of a part of its stream. */
interface Answer {
  usageMetadata?: object;
  candidates?: readonly { content?: { parts?: readonly { functionCall?: FunctionCall }[] } }[];
}

/** Most calls have no id, and are themselves the key. */
const ANSWERS = {
  usageOf: ({ usageMetadata }: Answer) => usageMetadata,
  callsOf: ({ candidates }: Answer) => (candidates?.[0]?.content?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []),
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
): C & WithRecallTool<CallableTool> & WithPinTool<CallableTool> {
  checkGiven(OWN, 'client', client);
  const inside = client as unknown as Inside;
  if (typeof inside?.models?.generateContentInternal !== 'function' || inside.apiClient === undefined) {
    throw mismatch(`${CALLER}: client`, 'a GoogleGenAI client', client);
  }
  const integration = new Integration(CALLER, options, { format: 'gemini', extra: SHADOW });
  const chooser = { integration, format: 'gemini', shadow: shadowOf(integration) } as const;
  const models = choosingModels(inside, (params) => choose(chooser, () => params, params));
  const chats = new inside.chats.constructor(models, inside.apiClient);
  const copy: C = Object.assign(Object.create(Object.getPrototypeOf(client)), client, { models, chats });
  return belonging(copy, OWN, { recallTool: () => toolOf(recallToolOf(integration)), pinTool: () => toolOf(pinToolOf(integration)) });
}

/** A tool as the SDK takes it. */
function toolOf({ name, description, parameters, execute }: NeutralTool): CallableTool {
  const answer = (call: FunctionCall) =>
    ({ functionResponse: { id: call.id, name, response: { output: execute(call.args, call, call.id) } } }) as Part;
  return {
    tool: async () => ({ functionDeclarations: [{ name, description, parameters: geminiSchema(parameters) }] }),
    callTool: async (calls) => calls.filter((call) => call.name === name).map(answer),
  };
}

/** A request that the caller's signal doesn't end. */
const unending = (request: { config?: object }) => ({ ...request, config: { ...request.config, abortSignal: undefined } });

/** What is used of a client beside its declarations. */
interface Inside {
  models: Methods & { constructor: new (apiClient: unknown) => Methods };
  chats: { constructor: new (models: Methods, apiClient: unknown) => Chats };
  apiClient: unknown;
}

/** The methods of models that send a request each. */
interface Methods {
  generateContentInternal(params: Whole): Promise<object>;
  generateContentStreamInternal(params: Whole): Promise<AsyncGenerator<object>>;
}

/**
 * Returns models of their own, whose requests are chosen. Automatic function calling and continuation make several requests of one call:
 * each ends in one of the two methods.
 */
function choosingModels(client: Inside, choosing: (params: Whole) => Promise<Chosen>): Methods {
  const models = new client.models.constructor(client.apiClient);
  const { generateContentInternal, generateContentStreamInternal } = models;
  return Object.assign(models, {
    async generateContentInternal(params: Whole) {
      const chosen = await choosing(params);
      const answer = await generateContentInternal.call(models, chosen.request ?? params);
      chosen.look(() => chosen.observe(reading(ANSWERS, chosen)(answer)));
      chosen.trial?.finish((whole) => generateContentInternal.call(models, unending(whole)));
      return answer;
    },
    async generateContentStreamInternal(params: Whole) {
      const chosen = await choosing(params);
      const finish = () => chosen.trial?.finish((whole) => generateContentStreamInternal.call(models, unending(whole)));
      const { observe, look } = chosen;
      const stream = await generateContentStreamInternal.call(models, chosen.request ?? params);
      return watchUsage(stream, reading(ANSWERS, chosen), { observe, look, finish });
    },
  });
}
