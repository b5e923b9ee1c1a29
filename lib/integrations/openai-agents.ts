import { shown } from '../checks.js';
import { Integration } from './core.js';
import { OwnMessages } from './openai-agents-own.js';
import { checkPeerOf } from './peer.js';
import { CALLS_FILTER } from './peers.js';
import { isRecall, recallToolOf, withRecall } from './recall.js';

const FORMAT = { format: 'openai-agents' };

/** A function for `callModelInputFilter`; see `integrations/openai-agents.d.ts`. */
export function palimpsestFilter(options?: any) {
  checkPeerOf('palimpsestFilter()', '@openai/agents', CALLS_FILTER);
  const integration = new Integration('palimpsestFilter()', options, FORMAT);
  // The SDK would store the user's words with what was recalled behind them.
  if (integration.options.recall != null) throw new TypeError('palimpsestFilter(): options.recall is for palimpsestModel()');
  const own = new OwnMessages();

  async function filter(args: any) {
    const { sent } = await integration.turn(() => {
      const { modelData, agent } = args;
      const { input, instructions } = modelData;
      own.learn(input);
      const system = integration.explain(instructions);
      return {
        messages: input,
        system,
        tools: schemasOf(agent?.tools, agent?.handoffs),
        // Empty: the SDK's default.
        model: agent?.model || undefined,
        maxOutputTokens: agent?.modelSettings?.maxTokens,
        write: ({ messages }) => ({ ...modelData, input: own.putBack(input, messages), instructions: system }),
      };
    }, args);
    return sent ?? args?.modelData;
  }
  // The SDK gives the items themselves, not copies of them.
  return Object.assign(filter, { preserveInputIdentity: true });
}

/** Wraps a model, or the provider of all models of a `Runner`; see `integrations/openai-agents.d.ts`. */
export function palimpsestModel(model: any, options?: any) {
  const isProvider = typeof model?.getModel === 'function';
  if (!isProvider && (typeof model?.getResponse !== 'function' || typeof model.getStreamedResponse !== 'function')) {
    throw new TypeError(`palimpsestModel(): model must be a Model or a ModelProvider of @openai/agents, got ${shown(model)}`);
  }
  const integration = new Integration('palimpsestModel()', options, FORMAT);
  if (!isProvider) {
    // A model does not tell its name: without a limit, no request could be fitted.
    if (!integration.options.session) integration.create({ messages: [] });
    return withRecall(wrapped(model, integration), integration);
  }
  const provider = overridden(model, {
    getModel: async (name: string | undefined) => wrapped(await model.getModel(name), integration, name),
  });
  return withRecall(provider, integration);
}

/** The recall tool; see `integrations/openai-agents.d.ts`. */
export function recallTool(from: any) {
  const { name, description, parameters, execute } = recallToolOf(from, 'what palimpsestModel() returned');
  return {
    type: 'function',
    name,
    description,
    parameters,
    strict: false,
    invoke: async (_context: any, input: string, details?: any) =>
      execute(argumentsOf(input), details?.toolCall, details?.toolCall?.callId),
    needsApproval: async () => false,
    isEnabled: async () => true,
  };
}

/** Arguments as the model wrote them; undefined if they are no JSON. */
function argumentsOf(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param name of the model */
function wrapped(model: any, integration: Integration, name?: string) {
  return overridden(model, {
    async getResponse(request: any) {
      const { sent, answered } = await prepared(integration, request, name);
      const response = await model.getResponse(sent);
      answered(() => response);
      return response;
    },
    async *getStreamedResponse(request: any) {
      const { sent, answered } = await prepared(integration, request, name);
      for await (const event of model.getStreamedResponse(sent)) {
        answered(() => (event.type === 'response_done' ? event.response : undefined));
        yield event;
      }
    },
  });
}

/**
 * Chooses what to send for a request of a model.
 *
 * @param name of the model
 */
async function prepared(integration: Integration, request: any, name?: string) {
  const turn = await integration.turn(() => {
    const { input, systemInstructions, previousResponseId, conversationId, modelSettings } = request;
    // The API keeps the conversation, and only what is new is sent.
    if (previousResponseId || conversationId) return undefined;
    const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
    const system = integration.explain(systemInstructions);
    return {
      messages: items,
      system,
      tools: schemasOf(request.tools, request.handoffs),
      model: name || undefined,
      maxOutputTokens: modelSettings?.maxTokens,
      write: ({ messages }) => {
        if (messages === items && system === systemInstructions) return request;
        return { ...request, input: messages === items ? input : messages, systemInstructions: system };
      },
    };
  }, request);
  /** @param read returns the response, if it is there */
  const answered = (read: () => any) =>
    turn.look(() => {
      const response = read();
      // An API that says nothing of usage is given zeros by the SDK.
      if (response?.usage?.inputTokens > 0) turn.observe(response.usage);
      const calls = (response?.output ?? []).filter(({ type, name: tool }) => type === 'function_call' && isRecall(tool));
      for (const call of calls) for (const key of [call, call.callId]) turn.called(key);
    });
  return { sent: turn.sent ?? request, answered };
}

/**
 * The schemas of tools and of handoffs, which the model sees as tools.
 *
 * @param handoffs of a request, or of an agent: then agents too
 */
function schemasOf(tools: any[] = [], handoffs: any[] = []) {
  return [...tools, ...handoffs.map(handoffSchema)];
}

function handoffSchema({ toolName, toolDescription, inputJsonSchema, name, handoffDescription }: any) {
  if (toolName !== undefined) return { name: toolName, description: toolDescription, parameters: inputJsonSchema };
  // As the SDK describes an agent.
  return {
    name: `transfer_to_${name}`,
    description: `Handoff to the ${name} agent to handle the request. ${handoffDescription ?? ''}`,
    parameters: { type: 'object', properties: {} },
  };
}

/** An object with other methods, whose rest is the original's. Private fields are found on the original alone. */
function overridden(object: any, methods: Record<string, Function>) {
  return new Proxy(object, {
    get(target, key) {
      if (typeof key === 'string' && Object.hasOwn(methods, key)) return methods[key];
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
