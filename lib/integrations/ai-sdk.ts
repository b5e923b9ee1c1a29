import { isObject } from '../checks.js';
import { toldBy } from '../providers/ai-sdk-model/call.js';
import { adapterOf } from './adapters.js';
import { belonging, callable, checkCall, checkOptionsGiven } from './belonging.js';
import { Integration } from './core.js';
import { checkPeers } from './peer.js';
import { withNote, withNoteIn } from './note.js';
import { isOwn, pinToolOf, recallToolOf } from './recall.js';
import type { NeutralTool } from './recall.js';
import type { LanguageModel, LanguageModelUsage, wrapLanguageModel } from 'ai' with { 'resolution-mode': 'import' };
import type { ModelMessage, SystemModelMessage, Tool, UserModelMessage } from 'ai' with { 'resolution-mode': 'import' };
import type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool } from './options.js';
import type { AiModel } from './adapters.js';
import type { Turn } from './core.js';

export type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool } from './options.js';

checkPeers('ai-sdk');

const MIDDLEWARE = ['palimpsestMiddleware()', 'ai-sdk'] as const;

/** A middleware of `wrapLanguageModel`. The first versions 5 of `ai` have no name for it. */
export type LanguageModelMiddleware = Exclude<Parameters<typeof wrapLanguageModel>[0]['middleware'], readonly unknown[]>;

/** Parameters of a request, as a middleware gets them. */
export type LanguageModelParams = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];

/** Options of {@link palimpsestMiddleware}. */
export type MiddlewareOptions = IntegrationOptions<LanguageModelParams>;

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

/**
 * The recall tool for `tools: { recall }`. It finds the conversation of a call by its id, or in `prepareStep` by the messages that the SDK gives to
 * tools.
 */
export type RecallTool = Tool<{ query?: string; from?: number; to?: number }, string>;

/** The tool for `tools: { pin }`, with which the model pins a text. It finds the conversation of a call as {@link RecallTool} does. */
export type PinTool = Tool<{ text: string; label?: string; until?: number }, string>;

/** Options of {@link prepareStep}. */
export type PrepareStepOptions = IntegrationOptions<StepParams, ModelMessage>;

/** A function that fits `prepareStep` of the AI SDK with any tools and context. */
export type PrepareStep = (
  params: StepParams,
) => Promise<{ messages: ModelMessage[]; instructions?: string | SystemModelMessage | SystemModelMessage[] } | undefined>;

/** What marks a JSON schema for the SDK; version 5 asks for the second mark, too, before it validates arguments. */
const SCHEMA = Symbol.for('vercel.ai.schema');
const VALIDATOR = Symbol.for('vercel.ai.validator');

/** What is read of a request, in any version of the interface. */
interface Params {
  prompt: object[];
  tools?: unknown;
  maxOutputTokens?: number;
  providerOptions?: object;
  reasoning?: string;
}

/** What is read of an answer. */
interface Generated {
  content: readonly AnswerPart[];
  usage?: object;
}

interface AnswerPart {
  type: string;
  toolName?: string;
  toolCallId?: string;
  usage?: object;
}

/**
 * Returns a middleware for `wrapLanguageModel`. The model then gets the messages that a session chooses; everything else goes through: the
 * application's own history stays whole, streams are passed on part by part.
 *
 * The request gives the system prompt, the tools, the maximum number of tokens of the answer, and the name of the model. The usage of each
 * answer goes back to the session. Works with prompts of the versions 2 to 4 of the interface, so with `ai` 5 to 7.
 *
 * @example
 * import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
 *
 * const model = wrapLanguageModel({ model: openai('gpt-5.5'), middleware: palimpsestMiddleware() });
 *
 * @throws {TypeError} an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function palimpsestMiddleware(
  options?: MiddlewareOptions | null,
): LanguageModelMiddleware & WithRecallTool<RecallTool> & WithPinTool<PinTool> {
  const integration = new Integration('palimpsestMiddleware()', options, { format: 'ai-sdk-model' });
  /** The turn of each request, by the parameters that go to the model. */
  const turns: WeakMap<object, Turn> = new WeakMap();
  const middleware = {
    specificationVersion: 'v4',

    async transformParams(call: { params: Params; model?: AiModel }) {
      const params = call?.params;
      const turn = await integration.turn(() => {
        const { prompt, tools, maxOutputTokens } = params;
        const model = call.model?.modelId;
        const write = (messages: readonly object[]): Params => (messages === prompt ? params : { ...params, prompt: messages as object[] });
        return {
          messages: withNoteIn(prompt, integration.note),
          tools,
          ...named(call.model),
          maxOutputTokens,
          ...toldBy(params, model),
          write,
        };
      }, params);
      const sent = turn.sent ?? params;
      if (isObject(sent)) turns.set(sent, turn);
      return sent;
    },

    async wrapGenerate({ doGenerate, params }: { doGenerate: () => PromiseLike<Generated>; params: object }) {
      const result = await doGenerate();
      const turn = turns.get(params);
      turn?.look(() => {
        turn.observe(result.usage);
        for (const part of result.content) look(part, turn);
      });
      return result;
    },

    async wrapStream({ doStream, params }: { doStream: () => PromiseLike<{ stream: ReadableStream<AnswerPart> }>; params: object }) {
      const result = await doStream();
      const turn = turns.get(params);
      const observing = (turn: Turn) =>
        new TransformStream<AnswerPart, AnswerPart>({
          transform(part, controller) {
            turn.look(() => {
              if (part.type === 'finish') turn.observe(part.usage);
              look(part, turn);
            });
            controller.enqueue(part);
          },
        });
      return turn?.look(() => ({ ...result, stream: result.stream.pipeThrough(observing(turn)) })) ?? result;
    },
  };
  return belonging(middleware as unknown as LanguageModelMiddleware, MIDDLEWARE, toolsOf(integration));
}

callable(palimpsestMiddleware, MIDDLEWARE);

/** A model as the integration takes it: its name, and what writes its requests. */
function named(model: AiModel | string | null | undefined) {
  return typeof model === 'string' ? { model } : { model: model?.modelId, adapter: adapterOf(model) };
}

/** Passes on a call of the recall tool. */
function look({ type, toolName, toolCallId }: AnswerPart, turn: Turn) {
  if (type === 'tool-call' && isOwn(toolName)) turn.called(toolCallId);
}

const toolsOf = (integration: Integration) => ({
  recallTool: () => toolOf<RecallTool>(recallToolOf(integration)),
  pinTool: () => toolOf<PinTool>(pinToolOf(integration)),
});

/** A tool as the SDK takes it. */
function toolOf<T extends RecallTool | PinTool>({ description, parameters, execute }: NeutralTool): T {
  return {
    description,
    inputSchema: {
      [SCHEMA]: true,
      [VALIDATOR]: true,
      _type: undefined,
      jsonSchema: parameters,
      validate: undefined,
    } as unknown as RecallTool['inputSchema'],
    execute: (input: unknown, call?: { toolCallId?: string; messages?: readonly unknown[] }) =>
      execute(input, call?.toolCallId, call?.messages?.at(-1)),
  } as unknown as T;
}

/**
 * Returns a function for the option `prepareStep` of `generateText`, `streamText` and `ToolLoopAgent`. Each step then sends the messages that
 * a session chooses from all messages of the run; the result of the run has all of them.
 *
 * The SDK gives the name of the model and, from version 7 on, the instructions. Before, name these in `system`, so that they are counted, and
 * explain the marks there yourself. It doesn't give the tools: name them in `tools`. The usage of a step goes back to the session before the next step; that of the last step does not, with which {@link palimpsestMiddleware}
 * differs. Nor does it tell a fixed budget for Claude's thinking (`{ type: 'enabled', budgetTokens }`): pass `thinking: 'leave'` with one.
 *
 * @example
 * import { prepareStep } from 'palimpsest/ai-sdk';
 *
 * const choose = prepareStep({ model: 'gpt-5.5', tools });
 * const { text } = await generateText({ model: openai('gpt-5.5'), tools, prompt, stopWhen: stepCountIs(50), prepareStep: choose });
 *
 * @param options options, or a session to use for all requests. A session counts the `system` and `tools` of its own options.
 * @throws {TypeError} an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function prepareStep(options: PrepareStepOptions | AnySession): PrepareStep & WithRecallTool<RecallTool> & WithPinTool<PinTool> {
  const own = ['prepareStep()', 'ai-sdk'] as const;
  checkOptionsGiven(own, [options]);
  const integration = new Integration('prepareStep()', options, { format: 'ai-sdk-model' });
  /** The last turn of each run, by its list of steps: messages are not the same objects in each step of a run. */
  const turns: WeakMap<object, Turn> = new WeakMap();
  const step = async (...given: [StepParams]) => {
    checkCall(own, given);
    const [params] = given;
    const { sent } = await integration.turn(() => {
      const { model, instructions, steps } = params;
      const last = turns.get(steps);
      last?.look(() => last.observe((steps.at(-1) as StepParams['steps'][number]).usage));
      // Before version 7, the SDK doesn't tell its instructions, and what takes their place has another name.
      const system = params.initialMessages === undefined ? instructions : withNote(instructions, integration.note);
      const write = (messages: readonly ModelMessage[], turn: Turn) => {
        turns.set(steps, turn);
        // A tool is given the messages that were sent before its call.
        turn.called(messages.at(-1));
        return { messages: messages as ModelMessage[], ...(system === instructions ? {} : { instructions: system }) };
      };
      return { messages: historyOf(params), system, ...named(model), write };
    }, params);
    // Without it: the last request's messages and those that followed, as `params.messages` has them, are the smaller request.
    return sent;
  };
  return belonging(step as PrepareStep, own, toolsOf(integration));
}

/** Returns all messages of a run, of which `messages` has only what earlier steps sent. */
function historyOf({
  messages,
  initialMessages,
  responseMessages,
  steps,
  experimental_steeringMessages: steering = [],
}: StepParams): readonly ModelMessage[] {
  // Before version 7, what a step sends is not carried on.
  if (initialMessages === undefined) return messages;
  const responses = responseMessages as readonly ModelMessage[];
  const answers = steps.flatMap(({ response }) => response.messages);
  return [
    ...initialMessages,
    // Results of tools that were approved before the run.
    ...responses.slice(0, responses.length - answers.length),
    ...steps.flatMap((step) => [...(step.experimental_steeringMessages ?? []), ...step.response.messages]),
    ...steering,
  ];
}
