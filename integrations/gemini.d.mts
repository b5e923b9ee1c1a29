// Written by scripts/entries.mjs: gemini.d.ts for ES modules.
import type { CallableTool, Chats, GenerateContentParameters, Models } from '@google/genai';
import type { AnySession, IntegrationOptions } from './options.js';

export type { AnySession, IntegrationOptions };

/** A request of `generateContent`, as the functions in the options get it. */
export type GeminiRequest = GenerateContentParameters;

/** What a client has. */
export interface GeminiClient {
  readonly models: Models;
  readonly chats: Chats;
}

/** Options of {@link withPalimpsest}: all of `createSession`, and how a request finds its session. */
export interface GeminiOptions extends IntegrationOptions<GeminiRequest> {}

/**
 * Returns a copy of a client whose requests send what a session chooses; the client that is given stays as it is. It covers
 * `models.generateContent`, `models.generateContentStream` and `chats`, and every request that automatic function calling makes. What they
 * return is what it was, and the usage of the answers goes to the session.
 *
 * Each request is read whole: contents, system instruction, tools, model and the maximum number of tokens of the answer. Requests with
 * `cachedContent`, whose start is stored at the provider, and all other requests go through as they are.
 *
 * @param client made by `new GoogleGenAI()`
 * @param options options; or one session, for a client that serves one conversation. Default: conversations are found by their contents, and
 *   the model gives the window.
 * @throws {TypeError} `client` is not such a client, or an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function withPalimpsest<C extends GeminiClient>(client: C, options?: GeminiOptions | AnySession | null): C;

/**
 * Creates the tool with which the model looks up what was cut from its conversation, for automatic function calling. In loops of your own, call `callTool` with the very `functionCalls` of the answer, by which the conversation is found.
 *
 * From then on, the marks of removed messages have their numbers: create it before the first request.
 *
 * @param from a client that `withPalimpsest` returned, or one session
 * @throws {TypeError} `from` is neither
 */
export function recallTool(from: GeminiClient | AnySession): CallableTool;
