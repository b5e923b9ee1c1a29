import { belonging } from './belonging.js';
import { Integration } from './core.js';
import { checkPeers } from './peer.js';
import { copyClient } from './http-client.js';
import { pinToolOf, recallToolOf } from './recall.js';
import type { NeutralTool } from './recall.js';
import { choose } from './requests.js';
import { SHADOW, shadowOf } from './shadowing.js';
import { shortenResults } from './tool-runner.js';
import type { Anthropic } from '@anthropic-ai/sdk';
import type { Originals, Tokenizer } from '../../index.js';
import type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool, WithShadow } from './options.js';
import type { Chosen, Whole } from './requests.js';

checkPeers('anthropic');

export type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool, WithShadow };

/** A request of Messages, as the functions in the options get it. */
export type AnthropicRequest = Anthropic.MessageCreateParams | Anthropic.Beta.MessageCreateParams;

/** What a client has, whichever of the SDK's declarations it is of. */
export interface AnthropicClient {
  messages: object;
  beta: { messages: object };
  post(path: string, options?: never): unknown;
  withOptions(options: never): unknown;
}

/** Options of {@link withPalimpsest}: all of `createSession`, how a request finds its session, and shadow requests. */
export type AnthropicOptions = IntegrationOptions<AnthropicRequest> & WithShadow;

/** What a runner of tools has, streamed or not. */
export interface ToolRunner extends AsyncIterable<object>, PromiseLike<object> {
  readonly params: object;
  generateToolResponse(): Promise<object | null>;
  setMessagesParams(params: never): void;
}

/** Options of {@link shortenResults}. */
export interface ShortenOptions {
  /** Maximum number of tokens of the new results of one turn, above 0. */
  limit: number;
  /** Token counting method. Default `o200k_base`. */
  tokenizer?: Tokenizer | null | undefined;
  /** As `enabled` of `createSession`: while it is `false`, results stay whole. Default `true`. */
  enabled?: boolean | (() => boolean) | null | undefined;
  /**
   * Called with the originals of results that were shortened, before they are sent; a promise is waited for. With all of them,
   * `restore(runner.params.messages, originals)` gives the results back. Default none.
   */
  onShortened?: ((originals: Originals) => void | Promise<void>) | null | undefined;
  /**
   * Called with each failure of palimpsest, whose results are sent as they are; a promise is waited for. Errors that it throws end the run.
   * Default none: one warning with the code `PALIMPSEST_PASSED_THROUGH`.
   */
  onError?: ((error: unknown, context: { params: object }) => void | Promise<void>) | null | undefined;
}

/** A tool of {@link withPalimpsest}, as `toolRunner` takes it. */
export interface RunnableTool {
  type: 'custom';
  name: string;
  description: string;
  input_schema: { type: 'object'; properties?: unknown };
  run(input: unknown, context?: { toolUse: { id: string } }): string;
  parse(content: unknown): unknown;
}

const CALLER = 'withPalimpsest()';
const OWN = [CALLER, 'anthropic'] as const;

/**
 * Returns a copy of a client whose requests send what a session chooses; the client that is given stays as it is. It covers `messages` and
 * `beta.messages`: `create`, `stream`, `parse` and `toolRunner`, streamed or not. What they return is what it was, and the usage of the
 * answers goes to the session. The clients for Bedrock, Vertex and others that extend `BaseAnthropic` work as well.
 *
 * Each request is read whole: messages, system, tools, model and the maximum number of tokens of the answer. A request that continues a
 * message thread, whose history is stored at the provider, and all other requests go through as they are. From version 1 of the SDK on,
 * `toolRunner` uses threads unless it gets `thread: false`, which is never sent; in threads, {@link shortenResults} keeps results short.
 *
 * A request for a summary (`compaction`) goes out with all of its messages; only thinking that was signed behind less is taken out of them.
 *
 * With `cacheControl: true` the session sets the breakpoints of the cache; a top-level `cache_control` is then not sent.
 *
 * `recallTool()` of the copy is for `toolRunner`; in loops of your own, call `run(input, { toolUse })` of the tool. The conversation is found by the id
 * of the call. In message threads nothing can be looked up.
 *
 * @example
 * import { withPalimpsest } from 'palimpsest/anthropic';
 *
 * const client = withPalimpsest(new Anthropic(), { cacheControl: true });
 *
 * @param client made by `new Anthropic()`; copied with `client.withOptions()`
 * @param options options; or one session, for a client that serves one conversation. Default: conversations are found by their messages, and
 *   the model gives the window.
 * @throws {TypeError} `client` is not such a client, or an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function withPalimpsest<C extends AnthropicClient>(
  client: C,
  options?: AnthropicOptions | AnySession | null,
): C & WithRecallTool<RunnableTool> & WithPinTool<RunnableTool> {
  // A streamed tool runner reads the response itself.
  const integration = new Integration(CALLER, options, { format: 'anthropic', extra: SHADOW, isAnswerHidden: true });
  const chooser = { integration, format: 'anthropic', shadow: shadowOf(integration) } as const;
  const api = {
    choose: async (body: Whole | undefined) => sentOf(body, await choose(chooser, () => wholeOf(body as Whole), body), integration),
    guard: integration.guard,
    usageOf,
    callsOf,
  };
  const tools = { recallTool: () => toolOf(recallToolOf(integration)), pinTool: () => toolOf(pinToolOf(integration)) };
  return copyClient(client, {
    own: OWN,
    resource: 'messages',
    apiOf: (path) => (path === '/v1/messages' ? api : undefined),
    finish: (copy) => belonging(copy as unknown as C, OWN, tools),
  });
}

/** A request without its thread. A new thread is sent all of its messages, as is a request without one; a thread that goes on has the rest of them at the provider. */
function wholeOf({ thread, ...rest }: Whole): Whole | undefined {
  return !thread || (thread as { type?: unknown }).type === 'create' ? rest : undefined;
}

/** What goes out in place of a body: it has what `wholeOf` took away. */
function sentOf(body: Whole | undefined, chosen: Chosen, { options }: Integration): Chosen {
  const isThreadOff = body?.thread === false;
  if (chosen.request === undefined && !isThreadOff) return chosen;
  const request: Whole = { ...body, ...chosen.request };
  // It is for tool runners, and those before version 1 hand it on to the API, which refuses it.
  if (isThreadOff) delete request.thread;
  // The session has set the breakpoint at the end, and a request may have four.
  if (options.cacheControl && chosen.isChosen) delete request.cache_control;
  return { ...chosen, request };
}

/** What is read of an answer, or of an event of a stream. */
interface Answer {
  type?: unknown;
  message?: { usage?: object };
  usage?: object;
  content?: readonly Block[];
  content_block?: Block;
}

interface Block {
  type?: unknown;
  name?: string;
  id?: unknown;
}

/** The calls in an answer, or in an event of a stream that starts a block. */
const callsOf = ({ content, content_block: block }: Answer) =>
  [content ?? [], block ?? []].flat().filter(({ type }) => type === 'tool_use');

/** A tool as the SDK takes it. */
function toolOf({ name, description, parameters, execute }: NeutralTool): RunnableTool {
  return {
    type: 'custom',
    name,
    description,
    input_schema: parameters,
    run: (input, context) => execute(input, context?.toolUse, context?.toolUse?.id),
    parse: (content) => content,
  };
}

/** Usage of an answer or of the first event of a stream. The last event counts what server tools read besides the request. */
function usageOf({ type, message, usage }: Answer) {
  if (type === 'message_start') return message?.usage;
  return type === 'message' ? usage : undefined;
}

export { shortenResults } from './tool-runner.js';
