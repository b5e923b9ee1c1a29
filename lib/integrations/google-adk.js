// @ts-check
'use strict';

const { Integration } = require('./core.js');
const { chooserFor } = require('./requests.js');

/** See `palimpsestPlugin` in `integrations/google-adk.d.ts`. */
function palimpsestPlugin(options) {
  const choose = chooserFor(new Integration('palimpsestPlugin()', options, { format: 'gemini' }), 'gemini');
  /** What takes the usage of a call to the model, by the actions of its event: the only thing that both callbacks of a call get. */
  const waiting = new WeakMap();
  return idling({
    name: 'palimpsest',
    async beforeModelCallback({ callbackContext, llmRequest }) {
      // The rest of the conversation is at the provider.
      if (llmRequest.previousInteractionId != null) return;
      const { request, observe } = await choose(llmRequest, { callbackContext, llmRequest });
      waiting.set(callbackContext.eventActions, observe);
      if (request === llmRequest) return;
      // The request is made for this call alone. Models append to its contents.
      llmRequest.contents = [...request.contents];
      llmRequest.config = request.config;
    },
    async afterModelCallback({ callbackContext, llmResponse }) {
      if (llmResponse.partial) return;
      waiting.get(callbackContext.eventActions)?.(llmResponse.usageMetadata);
    },
  });
}

const CALLBACK = /^(?:before|after|on)[A-Z]/;
const idle = async () => undefined;

/** Adds all other callbacks, which ADK calls of every plugin. Its base class is not extended: its package takes seconds to load. */
function idling(plugin) {
  return new Proxy(plugin, {
    get: (target, key) => target[key] ?? (typeof key === 'string' && CALLBACK.test(key) ? idle : undefined),
  });
}

module.exports = { palimpsestPlugin };
