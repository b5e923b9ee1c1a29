import type { OpenAI } from 'openai';
import type { AnySession, IntegrationOptions } from './options.js';

export type { AnySession, IntegrationOptions };

/** A request of Chat Completions or of Responses, as the functions in the options get it. */
export type OpenAIRequest = OpenAI.ChatCompletionCreateParams | OpenAI.Responses.ResponseCreateParams;

/** What a client has, whichever of the SDK's declarations it is of. */
export interface OpenAIClient {
  chat: { completions: object };
  responses: object;
  post(path: string, options?: never): unknown;
  withOptions(options: never): unknown;
}

/** Options of {@link withPalimpsest}: all of `createSession`, and how a request finds its session. */
export interface OpenAIOptions extends IntegrationOptions<OpenAIRequest> {}

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
 * @param client made by `new OpenAI()`; copied with `client.withOptions()`
 * @param options options; or one session, for a client that serves one conversation. Default: conversations are found by their messages, and
 *   the model gives the window.
 * @throws {TypeError} `client` is not such a client, or an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function withPalimpsest<C extends OpenAIClient>(client: C, options?: OpenAIOptions | AnySession | null): C;

/**
 * Creates the tool with which the model looks up what was cut from its conversation, for `runTools` of Chat Completions or, with `api: 'responses'`, for requests of Responses. In loops of your own, call `execute` with the arguments as the model wrote them and the id of the call, by which the conversation is found.
 *
 * From then on, the marks of removed messages have their numbers: create it before the first request.
 *
 * @param from a client that `withPalimpsest` returned, or one session
 * @throws {TypeError} `from` is neither
 */
export function recallTool(from: OpenAIClient | AnySession, options?: { api?: 'chat' | null } | null): RecallChatTool;
export function recallTool(from: OpenAIClient | AnySession, options: { api: 'responses' }): RecallResponsesTool;

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
