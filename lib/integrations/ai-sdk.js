// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

const { Integration } = require('./core.js');
const { isRecall, recallToolOf, withRecall } = require('./recall.js');

/** What marks a JSON schema for the SDK. */
const SCHEMA = Symbol.for('vercel.ai.schema');

/** See `integrations/ai-sdk.d.ts`. */
function palimpsestMiddleware(options) {
  const integration = new Integration('palimpsestMiddleware()', options, { format: 'ai-sdk-model' });
  /** The turn of each request, by the parameters that go to the model. */
  const turns = new WeakMap();
  const middleware = {
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
      const turn = turns.get(params);
      if (turn === undefined) return result;
      turn.observe(result.usage);
      for (const part of result.content) look(part, turn);
      return result;
    },

    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const turn = turns.get(params);
      if (turn === undefined) return result;
      const observing = new TransformStream({
        transform(part, controller) {
          if (part.type === 'finish') turn.observe(part.usage);
          look(part, turn);
          controller.enqueue(part);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(observing) };
    },
  };
  return withRecall(middleware, integration);
}

/** Passes on a call of the recall tool. */
function look({ type, toolName, toolCallId }, turn) {
  if (type === 'tool-call' && isRecall(toolName)) turn.called(toolCallId);
}

/** See `recallTool` in `integrations/ai-sdk.d.ts`. */
function recallTool(from) {
  const { description, parameters, execute } = recallToolOf(from, 'what palimpsestMiddleware() or prepareStep() returned');
  return {
    description,
    inputSchema: { [SCHEMA]: true, _type: undefined, jsonSchema: parameters, validate: undefined },
    execute: (input, { toolCallId, messages }) => execute(input, toolCallId, messages?.at(-1)),
  };
}

/** See `integrations/ai-sdk.d.ts`. */
function prepareStep(options) {
  const integration = new Integration('prepareStep()', options, { format: 'ai-sdk-model' });
  /** The turn of each request, by the last message of its history. */
  const turns = new WeakMap();
  return withRecall(async (params) => {
    const { model, instructions, steps } = params;
    const history = historyOf(params);
    if (steps.length > 0) turns.get(history.findLast((message) => turns.has(message)))?.observe(steps.at(-1).usage);
    const system = integration.explain(instructions);
    const turn = await integration.turn({ messages: history, system, model: typeof model === 'string' ? model : model.modelId, params });
    // The last request's messages and those that followed, as `params.messages` has them, are the smaller request.
    if (turn.step === undefined) return undefined;
    turns.set(history.at(-1), turn);
    // A tool is given the messages that were sent before its call.
    turn.called(turn.messages.at(-1));
    return { messages: turn.messages, ...(system === instructions ? {} : { instructions: system }) };
  }, integration);
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

module.exports = { palimpsestMiddleware, prepareStep, recallTool };
