import { isObject } from '../checks.js';
import { Integration } from './core.js';
import { isRecall, recallToolOf, withRecall } from './recall.js';
import type { Foreign } from '../types.js';

/** What marks a JSON schema for the SDK; version 5 asks for the second mark, too, before it validates arguments. */
const SCHEMA = Symbol.for('vercel.ai.schema');
const VALIDATOR = Symbol.for('vercel.ai.validator');

/** See `integrations/ai-sdk.d.ts`. */
export function palimpsestMiddleware(options) {
  const integration = new Integration('palimpsestMiddleware()', options, { format: 'ai-sdk-model' });
  /** The turn of each request, by the parameters that go to the model. */
  const turns = new WeakMap();
  const middleware = {
    specificationVersion: 'v4',

    async transformParams(call) {
      const params = call?.params;
      const turn = await integration.turn(() => {
        const { prompt, tools, maxOutputTokens } = params;
        const write = ({ messages }) => (messages === prompt ? params : { ...params, prompt: messages });
        return { messages: integration.explainIn(prompt), tools, model: call.model?.modelId, maxOutputTokens, write };
      }, params);
      const sent = turn.sent ?? params;
      if (isObject(sent)) turns.set(sent, turn);
      return sent;
    },

    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const turn = turns.get(params);
      turn?.look(() => {
        turn.observe(result.usage);
        for (const part of result.content) look(part, turn);
      });
      return result;
    },

    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const turn = turns.get(params);
      const observing = () =>
        new TransformStream({
          transform(part, controller) {
            turn.look(() => {
              if (part.type === 'finish') turn.observe(part.usage);
              look(part, turn);
            });
            controller.enqueue(part);
          },
        });
      return turn?.look(() => ({ ...result, stream: result.stream.pipeThrough(observing()) })) ?? result;
    },
  };
  return withRecall(middleware, integration);
}

/** Passes on a call of the recall tool. */
function look({ type, toolName, toolCallId }, turn) {
  if (type === 'tool-call' && isRecall(toolName)) turn.called(toolCallId);
}

/** See `recallTool` in `integrations/ai-sdk.d.ts`. */
export function recallTool(from) {
  const { description, parameters, execute } = recallToolOf(from, 'what palimpsestMiddleware() or prepareStep() returned');
  return {
    description,
    inputSchema: { [SCHEMA]: true, [VALIDATOR]: true, _type: undefined, jsonSchema: parameters, validate: undefined },
    execute: (input, call) => execute(input, call?.toolCallId, call?.messages?.at(-1)),
  };
}

/** See `integrations/ai-sdk.d.ts`. */
export function prepareStep(options) {
  const integration = new Integration('prepareStep()', options, { format: 'ai-sdk-model' });
  /** The last turn of each run, by its list of steps: messages are not the same objects in each step of a run. */
  const turns = new WeakMap();
  return withRecall(async (params) => {
    const { sent } = await integration.turn(() => {
      const { model, instructions, steps } = params;
      const last = turns.get(steps);
      last?.look(() => last.observe(steps.at(-1).usage));
      const system = integration.explain(instructions);
      const write = (turn) => {
        turns.set(steps, turn);
        // A tool is given the messages that were sent before its call.
        turn.called(turn.messages.at(-1));
        return { messages: turn.messages, ...(system === instructions ? {} : { instructions: system }) };
      };
      return { messages: historyOf(params), system, model: typeof model === 'string' ? model : model?.modelId, write };
    }, params);
    // Without it: the last request's messages and those that followed, as `params.messages` has them, are the smaller request.
    return sent;
  }, integration);
}

/** Returns all messages of a run, of which `messages` has only what earlier steps sent. */
function historyOf({
  messages,
  initialMessages,
  responseMessages,
  steps,
  experimental_steeringMessages: steering = [],
}: Foreign): Foreign[] {
  // Before version 7, what a step sends is not carried on.
  if (initialMessages === undefined) return messages;
  const answers = steps.flatMap(({ response }) => response.messages);
  return [
    ...initialMessages,
    // Results of tools that were approved before the run.
    ...responseMessages.slice(0, responseMessages.length - answers.length),
    ...steps.flatMap((step) => [...(step.experimental_steeringMessages ?? []), ...step.response.messages]),
    ...steering,
  ];
}
