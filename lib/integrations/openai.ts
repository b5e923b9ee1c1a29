import { checkOwnOptions } from '../options/index.js';
import { oneOf } from '../options/kinds.js';
import { belonging } from './belonging.js';
import { Integration } from './core.js';
import { checkPeers } from './peer.js';
import { copyClient } from './http-client.js';
import { mismatch } from '../checks.js';
import { pinToolOf, recallToolOf } from './recall.js';
import type { NeutralTool } from './recall.js';
import { cacheKeyOf } from '../session/index.js';
import { choose } from './requests.js';
import { SHADOW, shadowOf } from './shadowing.js';
import type { Option } from '../options/shared.js';
import type { OpenAI } from 'openai';
import type { AnySession, IntegrationOptions, WithShadow } from './options.js';
import type { Api } from './http-client.js';
import type { Answers, Call, Chosen, Whole } from './requests.js';

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

/** A tool of {@link withPalimpsest}, as `runTools` takes it. */
export interface ChatTool {
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

/** A tool of {@link withPalimpsest} for requests of Responses. */
export interface ResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: false;
  execute(input: string | object, callId?: string): string;
}

const CALLER = 'withPalimpsest()';
const OWN = [CALLER, 'openai'] as const;
const OPENAI = 'api.openai.com';

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
    (options?: { api?: 'chat' | null } | null): ChatTool;
    (options: { api: 'responses' }): ResponsesTool;
  };
}

/** A client whose tool that pins comes for either API. */
export interface WithPinTools {
  /** Creates the tool with which the model pins a text in its conversation, as {@link WithRecallTools} creates the other one. */
  pinTool: {
    (options?: { api?: 'chat' | null } | null): ChatTool;
    (options: { api: 'responses' }): ResponsesTool;
  };
}

type ToolOptions = { api?: 'chat' | 'responses' | null } | null | undefined;

const TOOL_OPTIONS: Record<string, Option> = { api: { kind: oneOf(['chat', 'responses']), default: 'chat' } };

/**
 * Returns a copy of a client whose requests send what a session chooses; the client that is given stays as it is. It covers
 * `chat.completions` and `responses`: `create`, `stream`, `parse` and `runTools`, streamed or not. What they return is what it was, and the
 * usage of the answers goes to the session. Azure's client and others that extend `OpenAI` work as well.
 *
 * Each request is read whole: messages, instructions, tools, model and the maximum number of tokens of the answer. Requests whose history is
 * stored at the provider (`previous_response_id`, `conversation`, `prompt`), and all other requests, go through as they are.
 *
 * With `cacheControl: true` the session sets the breakpoints of the cache, for models that take them, and a session with an `id` also the
 * `prompt_cache_key`, where the request has none; both only in requests to OpenAI itself (`api.openai.com`), and a session of yours goes by its own options.
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
export function withPalimpsest<C extends OpenAIClient>(
  client: C,
  options?: OpenAIOptions | AnySession | null,
): C & WithRecallTools & WithPinTools {
  const [chat, responses] = (['openai-chat', 'openai-responses'] as const).map((format) => ({
    integration: new Integration(CALLER, options, { format, extra: SHADOW }),
    format,
  }));
  const shadow = shadowOf(chat.integration);
  const apiOf = (chooser: typeof chat, answers: Answers): Api => ({
    async choose(body: Whole | undefined, to: object) {
      const isMarkable = isOpenAI(to);
      const chosen = await choose({ ...chooser, shadow, isMarkable }, () => body, body);
      chosen.look(() => chosen.called((body?.messages as object[] | undefined)?.at(-1)));
      return isMarkable ? withCacheKey(chosen, body) : chosen;
    },
    guard: chooser.integration.guard,
    ...answers,
  });
  const apis = {
    '/chat/completions': apiOf(chat, { usageOf, callsOf: callsOfChat }),
    '/responses': apiOf(responses, { usageOf, callsOf: callsOfResponses }),
  };
  const all = [chat.integration, responses.integration];
  const tools = {
    recallTool: (given?: ToolOptions) => toolOf('recallTool()', given, () => recallToolOf(...all)),
    pinTool: (given?: ToolOptions) => toolOf('pinTool()', given, () => pinToolOf(...all)),
  } as WithRecallTools & WithPinTools;
  return copyClient(client, {
    own: OWN,
    resource: 'responses',
    apiOf: (path) => apis[path as keyof typeof apis],
    finish: (copy) => belonging(copy as unknown as C, OWN, tools),
  });
}

/** Creates the recall tool of a client, as its method does: see {@link WithRecallTools}. */
export function recallTool(client: WithRecallTools, options?: { api?: 'chat' | null } | null): ChatTool;
export function recallTool(client: WithRecallTools, options: { api: 'responses' }): ResponsesTool;
export function recallTool(client: WithRecallTools, options?: ToolOptions): ChatTool | ResponsesTool {
  if (typeof client?.recallTool !== 'function')
    throw mismatch('recallTool(): client', 'what withPalimpsest() of palimpsest/openai returned', client);
  return client.recallTool(options as { api: 'responses' });
}

/** Creates the tool that pins of a client, as its method does: see {@link WithPinTools}. */
export function pinTool(client: WithPinTools, options?: { api?: 'chat' | null } | null): ChatTool;
export function pinTool(client: WithPinTools, options: { api: 'responses' }): ResponsesTool;
export function pinTool(client: WithPinTools, options?: ToolOptions): ChatTool | ResponsesTool {
  if (typeof client?.pinTool !== 'function')
    throw mismatch('pinTool(): client', 'what withPalimpsest() of palimpsest/openai returned', client);
  return client.pinTool(options as { api: 'responses' });
}

/** Whether a client's requests go to OpenAI itself: others' APIs may refuse what theirs does not have, and Azure names models as it likes. */
function isOpenAI({ baseURL }: { baseURL?: unknown }) {
  if (!URL.canParse(String(baseURL))) return false;
  const { hostname } = new URL(String(baseURL));
  return hostname === OPENAI || hostname.endsWith(`.${OPENAI}`);
}

/** A request with the key by which the provider sends a session's requests to the same cache, where the caller gives none. */
function withCacheKey(chosen: Chosen, body: Whole | undefined): Chosen {
  const key = body?.prompt_cache_key == null ? cacheKeyOf(chosen.session) : undefined;
  return key === undefined ? chosen : { ...chosen, request: { ...(chosen.request ?? body), prompt_cache_key: key } };
}

/** What is read of an answer of Chat Completions, or of a chunk of its stream. */
interface ChatAnswer {
  choices?: readonly { message?: Calling | null; delta?: Calling | null }[] | null;
}

interface Calling {
  tool_calls?: readonly { id?: unknown; function?: { name?: string } }[] | null;
}

/** What is read of an answer of Responses, or of an event of its stream. */
interface ResponsesAnswer {
  output?: readonly Item[];
  item?: Item;
  response?: { output?: readonly Item[] };
}

interface Item {
  type?: unknown;
  call_id?: unknown;
  name?: string;
}

/** Usage of an answer. The last event of Responses holds the response. */
const usageOf = ({ usage, response }: { usage?: object | null; response?: { usage?: object | null } }) => usage ?? response?.usage;

/** The calls in an answer of Chat Completions or a chunk of its stream; the first chunk of a call has its id and name. */
const callsOfChat = ({ choices }: ChatAnswer) => (choices ?? []).flatMap(({ message, delta }) => callsIn(message ?? delta));

const callsIn = (said: Calling | null | undefined): Call[] =>
  (said?.tool_calls ?? []).map(({ id, function: called }) => ({ id, name: called?.name }));

/** What identifies a call for a runner, which doesn't tell its id: the last message of the request, and the calls of the answer to it. */
function keysOf(messages: readonly Calling[]) {
  const answer = messages.findLastIndex(({ tool_calls: calls }) => calls);
  return [messages[answer - 1], ...callsIn(messages[answer]).map(({ id }) => id)];
}

/** The calls in an answer of Responses, or in an event of its stream. */
const callsOfResponses = ({ output, item, response }: ResponsesAnswer) =>
  [output ?? response?.output ?? [], item ?? []]
    .flat()
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id: id, name }) => ({ id, name }));

/** A tool as an API of the SDK takes it. */
function toolOf(caller: string, options: ToolOptions, create: () => NeutralTool): ChatTool | ResponsesTool {
  const { api } = { ...checkOwnOptions(caller, TOOL_OPTIONS, options) };
  const { name, description, parameters, execute } = create();
  if (api === 'responses') return withExecute({ type: 'function', name, description, parameters, strict: false } as const, execute);
  const called = {
    name,
    description,
    parameters,
    parse: JSON.parse as (input: string) => object,
    function: (input: unknown, runner: { messages?: readonly Calling[] }) => execute(input, ...keysOf(runner?.messages ?? [])),
  };
  return withExecute({ type: 'function', function: called } as const, execute);
}

/** Adds a method for loops of the caller's own, which is not sent. */
const withExecute = <Tool extends object>(tool: Tool, execute: (input: unknown, id?: string) => string) =>
  Object.defineProperty(tool, 'execute', {
    value: (input: unknown, id?: string) => execute(typeof input === 'string' ? parsed(input) : input, id),
  }) as Tool & { execute: typeof execute };

/** Arguments as the model wrote them; undefined if they are no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
