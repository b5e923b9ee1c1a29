import { Integration } from './core.js';
import { recallToolOf, withRecall } from './recall.js';
import { chooserFor } from './requests.js';

/** See `palimpsestPlugin` in `integrations/google-adk.d.ts`. */
export function palimpsestPlugin(options) {
  const integration = new Integration('palimpsestPlugin()', options, { format: 'gemini' });
  const choose = chooserFor(integration, 'gemini');
  /** What takes the usage of a call to the model, by the actions of its event: the only thing that both callbacks of a call get. */
  const waiting = new WeakMap();
  const plugin = idling({
    name: 'palimpsest',
    async beforeModelCallback(call) {
      const { request, observe, called } = await choose(() => wholeOf(call.llmRequest), call);
      await integration.guard.run(() => {
        const { callbackContext, llmRequest } = call;
        if (request !== undefined) {
          // The request is made for this call alone. Models append to its contents.
          llmRequest.contents = [...request.contents];
          llmRequest.config = request.config;
        }
        called(keyOf(callbackContext), true);
        waiting.set(callbackContext.eventActions, observe);
      }, call);
    },
    async afterModelCallback(call) {
      integration.guard.late(() => {
        const { callbackContext, llmResponse } = call;
        if (!llmResponse.partial) waiting.get(callbackContext.eventActions)?.(llmResponse.usageMetadata);
      }, call);
    },
  });
  return withRecall(plugin, integration);
}

/** A request; undefined if the rest of its conversation is at the provider. */
const wholeOf = (request) => (request.previousInteractionId == null ? request : undefined);

/** What identifies the conversation that an agent has in an invocation. */
const keyOf = (context) => context && `${context.invocationId} ${context.agentName}`;

/** See `recallTool` in `integrations/google-adk.d.ts`. */
export function recallTool(from) {
  const { name, description, parameters, execute } = recallToolOf(from, 'a plugin that palimpsestPlugin() returned');
  const { FunctionTool } = require('@google/adk') as typeof import('@google/adk');
  return new FunctionTool({
    name,
    description,
    parameters: upperTypes(parameters),
    execute: (input, context) => execute(input, keyOf(context)),
  });
}

/** A schema with types as Gemini's `Schema` writes them. */
function upperTypes({ additionalProperties, type, properties, ...rest }) {
  const inner = properties && Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, upperTypes(schema)]));
  return { ...rest, type: type.toUpperCase(), ...(inner && { properties: inner }) };
}

const CALLBACK = /^(?:before|after|on)[A-Z]/;
const idle = async () => undefined;

/** Adds all other callbacks, which ADK calls of every plugin. Its base class is not extended: its package takes seconds to load. */
function idling(plugin) {
  return new Proxy(plugin, {
    get: (target, key) => target[key] ?? (typeof key === 'string' && CALLBACK.test(key) ? idle : undefined),
  });
}
