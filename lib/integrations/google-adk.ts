import { belonging, callable } from './belonging.js';
import { Integration } from './core.js';
import { checkPeers } from './peer.js';
import { geminiSchema, pinToolOf, recallToolOf } from './recall.js';
import type { NeutralTool } from './recall.js';
import { choose } from './requests.js';
import type { BasePlugin, Context, FunctionTool, LlmRequest, LlmResponse } from '@google/adk' with { 'resolution-mode': 'import' };
import type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool } from './options.js';
import type { Turn } from './core.js';
import type { Whole } from './requests.js';

checkPeers('google-adk');

const OWN = ['palimpsestPlugin()', 'google-adk'] as const;

export type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool };

/** A request to the model, as the functions in the options get it. `callbackContext.sessionId` is the id of ADK's session. */
export interface AdkRequest {
  callbackContext: Context;
  llmRequest: LlmRequest;
}

interface AdkAnswer {
  callbackContext: Context;
  llmResponse: LlmResponse;
}

/** Options of {@link palimpsestPlugin}: all of `createSession`, and how a request finds its session. */
export type AdkOptions = IntegrationOptions<AdkRequest>;

/**
 * Returns a plugin for a `Runner` of ADK: each request to a model sends what a session chooses, and the usage of the answers goes to it. The
 * events of ADK's session stay whole; only the request that was made of them changes.
 *
 * Each request is read whole: contents, system instruction, tools, model and the maximum number of tokens of the answer. Requests whose
 * history is stored at the provider (`previousInteractionId`, `cachedContent`) go through as they are.
 *
 * `recallTool()` of the plugin is for the agents of the runner. The conversation is that of the agent in its invocation.
 *
 * @example
 * import { palimpsestPlugin } from 'palimpsest/google-adk';
 *
 * const runner = new InMemoryRunner({ agent, plugins: [palimpsestPlugin()] });
 *
 * @param options options; or one session, for a runner that serves one conversation. Default: conversations are found by their contents, and
 *   the model gives the window.
 * @throws {TypeError} an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function palimpsestPlugin(
  options?: AdkOptions | AnySession | null,
): BasePlugin & WithRecallTool<FunctionTool> & WithPinTool<FunctionTool> {
  const integration = new Integration('palimpsestPlugin()', options, { format: 'gemini' });
  /** What takes the usage of a call to the model, by the actions of its event: the only thing that both callbacks of a call get. */
  const waiting: WeakMap<object, Turn['observe']> = new WeakMap();
  const plugin = {
    name: 'palimpsest',
    async beforeModelCallback(call: AdkRequest) {
      const { request, observe, called } = await choose({ integration, format: 'gemini' }, () => wholeOf(call.llmRequest), call);
      await integration.guard.run(() => {
        const { callbackContext, llmRequest } = call;
        if (request !== undefined) {
          // The request is made for this call alone. Models append to its contents.
          llmRequest.contents = [...(request.contents as LlmRequest['contents'])];
          llmRequest.config = request.config as NonNullable<LlmRequest['config']>;
        }
        called(keyOf(callbackContext), true);
        waiting.set(callbackContext.eventActions, observe);
      }, call);
    },
    async afterModelCallback(call: AdkAnswer) {
      integration.guard.late(() => {
        const { callbackContext, llmResponse } = call;
        if (!llmResponse.partial) waiting.get(callbackContext.eventActions)?.(llmResponse.usageMetadata);
      }, call);
    },
  };
  return idling(
    belonging(plugin, OWN, { recallTool: () => toolOf(recallToolOf(integration)), pinTool: () => toolOf(pinToolOf(integration)) }),
  );
}

callable(palimpsestPlugin, OWN);

/** A request; undefined if the rest of its conversation is at the provider. */
const wholeOf = (request: LlmRequest) => (request.previousInteractionId == null ? (request as unknown as Whole) : undefined);

/** What identifies the conversation that an agent has in an invocation. */
const keyOf = (context: Context | undefined) => context && `${context.invocationId} ${context.agentName}`;

/** A tool as the SDK takes it. */
function toolOf({ name, description, parameters, execute }: NeutralTool): FunctionTool {
  const { FunctionTool } = require('@google/adk') as typeof import('@google/adk');
  return new FunctionTool({
    name,
    description,
    parameters: geminiSchema(parameters),
    execute: (input, context) => execute(input, keyOf(context)),
  });
}

const CALLBACK = /^(?:before|after|on)[A-Z]/;
const idle = async () => undefined;

/** Adds all other callbacks, which ADK calls of every plugin. Its base class is not extended: its package takes seconds to load. */
function idling<Plugin extends object>(plugin: Plugin): BasePlugin & Plugin {
  return new Proxy(plugin, {
    get: (target, key) => target[key as keyof Plugin] ?? (typeof key === 'string' && CALLBACK.test(key) ? idle : undefined),
  }) as BasePlugin & Plugin;
}
