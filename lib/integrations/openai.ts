import { checkOwnOptions } from '../options/index.js';
import { oneOf } from '../options/kinds.js';
import { belonging } from './belonging.js';
import { Integration } from './core.js';
import { checkPeers } from './peer.js';
import { copyClient } from './http-client.js';
import { mismatch } from '../checks.js';
import { recallToolOf } from './recall.js';
import { chooserFor } from './requests.js';
import { SHADOW, shadowOf } from './shadowing.js';
import type { Option } from '../options/shared.js';
import type { OpenAI } from 'openai';
import type { AnySession, IntegrationOptions } from './options.js';
import type { Shape } from '../providers/request.js';
import type { WithShadow } from './shadowing.js';
import type { Foreign } from '../types.js';

checkPeers('openai');

export type { AnySession, IntegrationOptions, WithShadow };

/** A request of Chat Completions or of Responses, as the functions in the options get it. */
export type OpenAIRequest = OpenAI.ChatCompletionCreateParams | OpenAI.Responses.ResponseCreateParams;

/** What a client has, whichever of the SDK's declarations it is of. */
export interface OpenAIClient {
  chat: { completions: object };
  responses: object;
  post(path: string, options?: never): unknown;
  withOptions(options: never): unknown;
}

/** Options of {@link withPalimpsest}: all of `createSession`, how a request finds its session, and shadow requests. */
export type OpenAIOptions = IntegrationOptions<OpenAIRequest> & WithShadow;

/** The recall tool, as `runTools` takes it. */
export interface RecallChatTool {
  type: 'function';
  function: {
    name: string;
    description: string;
    parameters: Record<string, unknown>;
    parse(input: string): object;
    function(input: object, runner: object): string;
  };
  execute(input: string | object, callId?: string): string;
}

/** The recall tool for requests of Responses. */
export interface RecallResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: false;
  execute(input: string | object, callId?: string): string;
}

const CALLER = 'withPalimpsest()';
const OWN = [CALLER, 'openai'] as const;

/** A client whose recall tool comes for either API. */
export interface WithRecallTools {
  /**
   * Creates the tool with which the model looks up what was cut from its conversation, for `runTools` of Chat Completions or, with
   * `api: 'responses'`, for requests of Responses; it may be called without its object. In loops of your own, call `execute` of the tool with the
   * arguments as the model wrote them and the id of the call, by which the conversation is found.
   *
   * From then on, the marks of removed messages have their numbers: create it before the first request.
   */
  recallTool: {
    (options?: { api?: 'chat' | null } | null): RecallChatTool;
    (options: { api: 'responses' }): RecallResponsesTool;
  };
}

const TOOL_OPTIONS: Record<string, Option> = { api: { kind: oneOf(['chat', 'responses']), default: 'chat' } };

/**
 * Returns a copy of a client whose requests send what a session chooses; the client that is given stays as it is. It covers
 * `chat.completions` and `responses`: `create`, `stream`, `parse` and `runTools`, streamed or not. What they return is what it was, and the
 * usage of the answers goes to the session. Azure's client and others that extend `OpenAI` work as well.
 *
 * Each request is read whole: messages, instructions, tools, model and the maximum number of tokens of the answer. Requests whose history is
 * stored at the provider (`previous_response_id`, `conversation`, `prompt`), and all other requests, go through as they are.
 *
 * A stream of Chat Completions reports usage only with `stream_options: { include_usage: true }`.
 *
 * @example
 * import { withPalimpsest } from 'palimpsest/openai';
 *
 * const client = withPalimpsest(new OpenAI());
 *
 * @param client made by `new OpenAI()`; copied with `client.withOptions()`
 * @param options options; or one session, for a client that serves one conversation. Default: conversations are found by their messages, and
 *   the model gives the window.
 * @throws {TypeError} `client` is not such a client, or an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function withPalimpsest<C extends OpenAIClient>(client: C, options?: OpenAIOptions | AnySession | null): C & WithRecallTools {
  const integrations = ['openai-chat', 'openai-responses'].map((format) => new Integration(CALLER, options, { format, extra: SHADOW }));
  const [chat, responses] = integrations;
  const shadow = shadowOf(chat);
  // The last event of Responses holds the response.
  const usageOf = ({ usage, response }: Foreign) => usage ?? response?.usage;
  const chooserOf = (integration: Integration, format: Shape['format']) => {
    const choose = chooserFor(integration, format, shadow);
    return {
      async choose(body: Foreign) {
        const chosen = await choose(() => body, body);
        chosen.look(() => chosen.called(body?.messages?.at(-1)));
        return chosen;
      },
      guard: integration.guard,
      usageOf,
    };
  };
  const apis = {
    '/chat/completions': { ...chooserOf(chat, 'openai-chat'), callsOf: callsOfChat },
    '/responses': { ...chooserOf(responses, 'openai-responses'), callsOf: callsOfResponses },
  };
  const recallTool = (given?: Foreign) => toolOf(integrations, given);
  return copyClient(client, {
    own: OWN,
    resource: 'responses',
    apiOf: (path) => apis[path as keyof typeof apis],
    finish: (copy) => belonging(copy, OWN, { recallTool }),
  });
}

/** Creates the recall tool of a client, as its method does: see {@link WithRecallTools}. */
export function recallTool(client: WithRecallTools, options?: { api?: 'chat' | null } | null): RecallChatTool;
export function recallTool(client: WithRecallTools, options: { api: 'responses' }): RecallResponsesTool;
export function recallTool(client: WithRecallTools, options?: Foreign): RecallChatTool | RecallResponsesTool {
  if (typeof client?.recallTool !== 'function')
    throw mismatch('recallTool(): client', 'what withPalimpsest() of palimpsest/openai returned', client);
  return client.recallTool(options);
}

/** The calls in an answer of Chat Completions or a chunk of its stream; the first chunk of a call has its id and name. */
const callsOfChat = ({ choices }: Foreign) =>
  (choices ?? []).flatMap(({ message, delta }: Foreign) => callsIn((message ?? delta)?.tool_calls));

const callsIn = (calls: Foreign[] | null | undefined) =>
  (calls ?? []).map(({ id, function: called }: Foreign) => ({ id, name: called?.name }));

/** What identifies a call for a runner, which doesn't tell its id: the last message of the request, and the calls of the answer to it. */
function keysOf(messages: readonly Foreign[]) {
  const answer = messages.findLastIndex(({ tool_calls: calls }: Foreign) => calls);
  return [messages[answer - 1], ...callsIn(messages[answer]?.tool_calls).map(({ id }: Foreign) => id)];
}

/** The calls in an answer of Responses, or in an event of its stream. */
const callsOfResponses = ({ output, item, response }: Foreign) =>
  [output ?? response?.output ?? [], item ?? []]
    .flat()
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id: id, name }) => ({ id, name }));

/** The recall tool as an API of the SDK takes it. */
function toolOf(integrations: Integration[], options: Foreign) {
  const { api } = { ...checkOwnOptions('recallTool()', TOOL_OPTIONS, options) };
  const { name, description, parameters, execute } = recallToolOf(...integrations);
  if (api === 'responses') return withExecute({ type: 'function', name, description, parameters, strict: false }, execute);
  const called = {
    name,
    description,
    parameters,
    parse: JSON.parse,
    function: (input: Foreign, runner: Foreign) => execute(input, ...keysOf(runner?.messages ?? [])),
  };
  return withExecute({ type: 'function', function: called }, execute);
}

/** Adds a method for loops of the caller's own, which is not sent. */
const withExecute = (tool: Foreign, execute: (input: Foreign, id: string) => unknown) =>
  Object.defineProperty(tool, 'execute', {
    value: (input: Foreign, id: string) => execute(typeof input === 'string' ? parsed(input) : input, id),
  });

/** Arguments as the model wrote them; undefined if they are no JSON. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
