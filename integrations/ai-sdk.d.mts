// Written by scripts/entries.mjs: ai-sdk.d.ts for ES modules.
import type { LanguageModel, LanguageModelUsage, wrapLanguageModel } from 'ai';
import type { ModelMessage, SystemModelMessage, Tool, UserModelMessage } from 'ai';
import type { AnySession, IntegrationOptions } from './options.js';

export type { AnySession, IntegrationOptions } from './options.js';

/** A middleware of `wrapLanguageModel`. The first versions 5 of `ai` have no name for it. */
export type LanguageModelMiddleware = Exclude<Parameters<typeof wrapLanguageModel>[0]['middleware'], readonly unknown[]>;

/** Parameters of a request, as a middleware gets them. */
export type LanguageModelParams = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];

/** Options of {@link palimpsestMiddleware}. */
export type MiddlewareOptions = IntegrationOptions<LanguageModelParams>;

/**
 * Returns a middleware for `wrapLanguageModel`. The model then gets the messages that a session chooses; everything else goes through: the
 * application's own history stays whole, streams are passed on part by part.
 *
 * The request gives the system prompt, the tools, the maximum number of tokens of the answer, and the name of the model. The usage of each
 * answer goes back to the session. Works with prompts of the versions 2 to 4 of the interface, so with `ai` 5 to 7.
 *
 * With a fixed budget for Claude's thinking (`{ type: 'enabled', budgetTokens }`), pass `thinking: 'leave'`: such a request must not lose the
 * thinking of the turn that is open.
 *
 * @throws {TypeError} an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function palimpsestMiddleware(options: MiddlewareOptions): LanguageModelMiddleware;

/** What `prepareStep` is called with, as far as it is read here. */
export interface StepParams {
  messages: ModelMessage[];
  model: LanguageModel;
  steps: readonly {
    usage: LanguageModelUsage;
    response: { messages: readonly ModelMessage[] };
    experimental_steeringMessages?: readonly UserModelMessage[] | undefined;
  }[];
  instructions?: string | SystemModelMessage | SystemModelMessage[] | undefined;
  initialMessages?: readonly ModelMessage[] | undefined;
  responseMessages?: readonly ModelMessage[] | undefined;
  experimental_steeringMessages?: readonly UserModelMessage[] | undefined;
  runtimeContext?: unknown;
}

/** Options of {@link prepareStep}. */
export type PrepareStepOptions = IntegrationOptions<StepParams, ModelMessage>;

/**
 * Returns a function for the option `prepareStep` of `generateText`, `streamText` and `ToolLoopAgent`. Each step then sends the messages that
 * a session chooses from all messages of the run; the result of the run has all of them.
 *
 * The SDK gives the name of the model and, from version 7 on, the instructions. Before, name these in `system`, so that they are counted, and
 * explain the marks there yourself. It doesn't give the tools: name them in `tools`. The usage of a step goes back to the session before the next step; that of the last step does not, with which {@link palimpsestMiddleware}
 * differs.
 *
 * @param options options, or a session to use for all requests. A session counts the `system` and `tools` of its own options.
 * @throws {TypeError} an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function prepareStep(options: PrepareStepOptions | AnySession): PrepareStep;

/** A function that fits `prepareStep` of the AI SDK with any tools and context. */
export type PrepareStep = (
  params: StepParams,
) => Promise<{ messages: ModelMessage[]; instructions?: string | SystemModelMessage | SystemModelMessage[] } | undefined>;

/**
 * Creates the tool with which the model looks up what was cut from its conversation, for `tools: { recall: recallTool(middleware) }`. The conversation is found by the id of the call (middleware) or the messages that the SDK gives to tools (`prepareStep`).
 *
 * From then on, the marks of removed messages have their numbers: create it before the first request.
 *
 * @param from what `palimpsestMiddleware` or `prepareStep` returned, or one session
 * @throws {TypeError} `from` is neither
 */
export function recallTool(
  from: LanguageModelMiddleware | PrepareStep | AnySession,
): Tool<{ query?: string; from?: number; to?: number }, string>;
