import type { BasePlugin, Context, FunctionTool, LlmRequest } from '@google/adk' with { 'resolution-mode': 'import' };
import type { AnySession, IntegrationOptions } from './options.js';

export type { AnySession, IntegrationOptions };

/** A request to the model, as the functions in the options get it. `callbackContext.sessionId` is the id of ADK's session. */
export interface AdkRequest {
  callbackContext: Context;
  llmRequest: LlmRequest;
}

/** Options of {@link palimpsestPlugin}: all of `createSession`, and how a request finds its session. */
export interface AdkOptions extends IntegrationOptions<AdkRequest> {}

/**
 * Returns a plugin for a `Runner` of ADK: each request to a model sends what a session chooses, and the usage of the answers goes to it. The
 * events of ADK's session stay whole; only the request that was made of them changes.
 *
 * Each request is read whole: contents, system instruction, tools, model and the maximum number of tokens of the answer. Requests whose
 * history is stored at the provider (`previousInteractionId`, `cachedContent`) go through as they are.
 *
 * @param options options; or one session, for a runner that serves one conversation. Default: conversations are found by their contents, and
 *   the model gives the window.
 * @throws {TypeError} an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function palimpsestPlugin(options?: AdkOptions | AnySession | null): BasePlugin;

/**
 * Creates the tool with which the model looks up what was cut from its conversation, for the agents of a runner. The conversation is that of the agent in its invocation.
 *
 * From then on, the marks of removed messages have their numbers: create it before the first request.
 *
 * @param from a plugin that `palimpsestPlugin` returned, or one session
 * @throws {TypeError} `from` is neither
 */
export function recallTool(from: BasePlugin | AnySession): FunctionTool;
