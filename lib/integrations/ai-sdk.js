// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

const { Integration } = require('./core.js');

/** See `integrations/ai-sdk.d.ts`. */
function palimpsestMiddleware(options) {
  const integration = new Integration('palimpsestMiddleware()', options, { format: 'ai-sdk-model' });
  /** The turn of each request, by the parameters that go to the model. */
  const turns = new WeakMap();
  return {
    specificationVersion: 'v4',

    async transformParams({ params, model }) {
      const { prompt, tools, maxOutputTokens } = params;
      const messages = integration.explainIn(prompt);
      const turn = await integration.turn({ messages, tools, model: model.modelId, maxOutputTokens, params });
      if (turn.step === undefined) return params;
      const sent = turn.messages === prompt ? params : { ...params, prompt: turn.messages };
      turns.set(sent, turn);
      return sent;
    },

    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      turns.get(params)?.observe(result.usage);
      return result;
    },

    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const turn = turns.get(params);
      if (turn === undefined) return result;
      const observing = new TransformStream({
        transform(part, controller) {
          if (part.type === 'finish') turn.observe(part.usage);
          controller.enqueue(part);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(observing) };
    },
  };
}

/** See `integrations/ai-sdk.d.ts`. */
function prepareStep(options) {
  const integration = new Integration('prepareStep()', options, { format: 'ai-sdk-model' });
  /** The turn of each request, by the last message of its history. */
  const turns = new WeakMap();
  return async (params) => {
    const { model, instructions, steps } = params;
    const history = historyOf(params);
    if (steps.length > 0) turns.get(history.findLast((message) => turns.has(message)))?.observe(steps.at(-1).usage);
    const system = integration.explain(instructions);
    const turn = await integration.turn({ messages: history, system, model: typeof model === 'string' ? model : model.modelId, params });
    // The last request's messages and those that followed, as `params.messages` has them, are the smaller request.
    if (turn.step === undefined) return undefined;
    turns.set(history.at(-1), turn);
    return { messages: turn.messages, ...(system === instructions ? {} : { instructions: system }) };
  };
}

/**
 * Returns all messages of a run, of which `messages` has only what earlier steps sent.
 *
 * @param {Foreign} params
 * @returns {Foreign[]}
 */
function historyOf({ messages, initialMessages, responseMessages, steps, experimental_steeringMessages: steering = [] }) {
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

module.exports = { palimpsestMiddleware, prepareStep };
