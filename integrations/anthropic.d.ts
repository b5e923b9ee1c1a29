import type { Anthropic } from '@anthropic-ai/sdk';
import type { Originals, Tokenizer } from '../index.js';
import type { AnySession, IntegrationOptions } from './options.js';

export type { AnySession, IntegrationOptions };

/** A request of Messages, as the functions in the options get it. */
export type AnthropicRequest = Anthropic.MessageCreateParams | Anthropic.Beta.MessageCreateParams;

/** What a client has, whichever of the SDK's declarations it is of. */
export interface AnthropicClient {
  messages: object;
  beta: { messages: object };
  post(path: string, options?: never): unknown;
  withOptions(options: never): unknown;
}

/** Options of {@link withPalimpsest}: all of `createSession`, and how a request finds its session. */
export interface AnthropicOptions extends IntegrationOptions<AnthropicRequest> {}

/**
 * Returns a copy of a client whose requests send what a session chooses; the client that is given stays as it is. It covers `messages` and
 * `beta.messages`: `create`, `stream`, `parse` and `toolRunner`, streamed or not. What they return is what it was, and the usage of the
 * answers goes to the session. The clients for Bedrock, Vertex and others that extend `BaseAnthropic` work as well.
 *
 * Each request is read whole: messages, system, tools, model and the maximum number of tokens of the answer. A request that continues a
 * message thread, whose history is stored at the provider, and all other requests go through as they are. From version 1 of the SDK on,
 * `toolRunner` uses threads unless it gets `thread: false`, which is never sent; in threads, {@link shortenResults} keeps results short.
 *
 * With `cacheControl: true` the session sets the breakpoints of the cache; a top-level `cache_control` is then not sent.
 *
 * @param client made by `new Anthropic()`; copied with `client.withOptions()`
 * @param options options; or one session, for a client that serves one conversation. Default: conversations are found by their messages, and
 *   the model gives the window.
 * @throws {TypeError} `client` is not such a client, or an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function withPalimpsest<C extends AnthropicClient>(client: C, options?: AnthropicOptions | AnySession | null): C;

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

/**
 * Shortens the results of tools before they are first sent, so that what was sent before stays as it is: a message thread goes on, and so
 * does a cached prefix. The calls, and what the turn and the user's last message are about, choose what stays. Results within the limit are
 * left to the runner.
 *
 * The runner's own messages get the shortened results. Where a caller changes the messages of a turn, that turn is left alone.
 *
 * @example
 * const originals = {};
 * const runner = shortenResults(client.beta.messages.toolRunner(params), {
 *   limit: 2000,
 *   onShortened: (more) => Object.assign(originals, more),
 * });
 * const message = await runner;
 *
 * @param runner what `client.beta.messages.toolRunner()` returns, before it runs
 * @returns the same runner
 * @throws {TypeError} `runner` is not a tool runner, or an option is wrong; the error names it
 * @throws {RangeError} `limit` is not above 0
 */
export function shortenResults<R extends ToolRunner>(runner: R, options: ShortenOptions): R;

/**
 * Creates the tool with which the model looks up what was cut from its conversation, for `toolRunner`. In loops of your own, call `run(input, { toolUse })`. The conversation is found by the id of the call; in message threads, whose history is at the provider, nothing can be looked up.
 *
 * From then on, the marks of removed messages have their numbers: create it before the first request.
 *
 * @param from a client that `withPalimpsest` returned, or one session
 * @throws {TypeError} `from` is neither
 */
export function recallTool(from: AnthropicClient | AnySession): RecallRunnableTool;

/** The recall tool, as `toolRunner` takes it. */
export interface RecallRunnableTool {
  type: 'custom';
  name: string;
  description: string;
  input_schema: { type: 'object'; properties?: unknown };
  run(input: unknown, context?: { toolUse: { id: string } }): string;
  parse(content: unknown): unknown;
}
