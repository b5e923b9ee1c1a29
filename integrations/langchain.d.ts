// Types of palimpsest/langchain.
import type { AgentMiddleware, BaseMessage, ContextEdit, ModelRequest, StructuredTool } from 'langchain';
import type { FitOptions, FitResult, Originals } from '../index.js';
import type { AnySession, IntegrationOptions } from './options.js';

/** Options of {@link palimpsestMiddleware}. */
export interface PalimpsestMiddlewareOptions extends IntegrationOptions<ModelRequest, BaseMessage> {}

/**
 * Middleware for `createAgent`: each request to the model has the messages that a session chooses. The graph's state keeps the whole history
 * and is never changed.
 *
 * The session's state is part of the graph's, under the private key `_palimpsest`, as plain JSON of at most 5 % of the history's size and
 * 2 KB. With a checkpointer it is saved with the thread, so that another process continues the conversation with the same next request.
 * Without one, the session of a conversation is found by its messages, in this process. Results of `invoke` don't have the key, streams of
 * `updates` and `values` do.
 *
 * Tools, the system message and the model's name are those of the request, after the middleware before this one: place it last. The
 * usage of each answer corrects the counts.
 *
 * @example
 * import { MemorySaver } from '@langchain/langgraph';
 * import { createAgent } from 'langchain';
 * import { palimpsestMiddleware } from 'palimpsest/langchain';
 *
 * const agent = createAgent({ model: 'openai:gpt-5.5', tools, checkpointer: new MemorySaver(), middleware: [palimpsestMiddleware()] });
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} a number is out of range
 */
export function palimpsestMiddleware(
  options?: PalimpsestMiddlewareOptions | null,
): AgentMiddleware<undefined, undefined, unknown, readonly [], readonly []>;

/** Options of {@link palimpsestEdit}: those of `fit`, where `system` and `tools` have to be given to be counted. */
export interface PalimpsestEditOptions extends Omit<FitOptions<BaseMessage>, 'format' | 'originals' | 'signal'> {
  /**
   * Share of the budget that an edit leaves, above 0 and below 1. The next edit comes when the budget is exceeded again; until then the cached
   * prefix holds. Default 0.5.
   */
  low?: number | null | undefined;
  /**
   * Object of yours to which each edit adds what it takes out, and from which the next one puts it back before it chooses; one may serve all
   * conversations. `restore` gives the messages back with it. It holds instances: `load(JSON.stringify(originals))` of
   * `@langchain/core/load` revives a stored one. Default none: what an edit takes out is lost.
   */
  originals?: Originals | null | undefined;
  /** Called after each edit; a promise is waited for. Default none. */
  onFit?: ((result: FitResult<BaseMessage>) => void | Promise<void>) | null | undefined;
  /**
   * Called with each failure of palimpsest, after which the messages are as they were; a promise is waited for. Errors that it throws reach the
   * caller. Default none: one warning.
   */
  onError?: ((error: unknown, context: { params: Parameters<ContextEdit['apply']>[0] }) => void | Promise<void>) | null | undefined;
}

/**
 * Edit for `contextEditingMiddleware`, to use with others of its kind: `fit` to a budget, which the model's name may give.
 *
 * LangChain hands its edits the array of the graph's state, so the state keeps what they leave: with `ClearToolUsesEdit` as with this one.
 * {@link palimpsestMiddleware} leaves the state whole. The messages themselves are never changed.
 *
 * @example
 * import { contextEditingMiddleware, createAgent } from 'langchain';
 * import { palimpsestEdit } from 'palimpsest/langchain';
 *
 * const originals = {};
 * const middleware = [contextEditingMiddleware({ edits: [palimpsestEdit({ budget: 100_000, originals })] })];
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} a number is out of range
 */
export function palimpsestEdit(options?: PalimpsestEditOptions | null): ContextEdit;

/**
 * Creates the tool with which the model looks up what was cut from its conversation, for agents. The conversation is found by the id of the call. A run that another process goes on with between a call and its result can look up nothing in that call.
 *
 * From then on, the marks of removed messages have their numbers: create it before the first request.
 *
 * @param from a middleware that `palimpsestMiddleware` returned, or one session
 * @throws {TypeError} `from` is neither
 */
export function recallTool(from: AgentMiddleware | AnySession): StructuredTool;
