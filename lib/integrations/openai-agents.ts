import { shown } from '../checks.js';
import { adapterOfAgents } from './adapters.js';
import { belonging, checkCall, checkOptionsGiven, checkGiven } from './belonging.js';
import { Integration } from './core.js';
import { withNote } from './note.js';
import { OwnMessages } from './openai-agents-own.js';
import { checkPeerOf, checkPeers } from './peer.js';
import { CALLS_FILTER } from './peers.js';
import { isOwn, pinToolOf, recallToolOf } from './recall.js';
import type { NeutralTool } from './recall.js';
import type { Agent, AgentInputItem, FunctionTool, Model, ModelProvider, ModelRequest } from '@openai/agents';
import type { Adapter } from '../types.js';
import type { IntegrationOptions, WithPinTool, WithRecallTool } from './options.js';

export type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool } from './options.js';

checkPeers('openai-agents');

/** Options of {@link palimpsestModel}. `session`, `onStep` and `onError` get the model's request. */
export type PalimpsestModelOptions = IntegrationOptions<ModelRequest, AgentInputItem>;

/** What a filter returns: the input of a request, and its instructions. */
export interface FilteredInput {
  input: AgentInputItem[];
  instructions?: string;
}

/** What a filter is called with. Versions before 0.3 of the SDK know no filters, and have no types of them. */
export interface FilterArgs {
  modelData: FilteredInput;
  agent: Agent<any, any>;
  context: any;
}

/** Options of {@link palimpsestFilter}. `session`, `onStep` and `onError` get the filter's arguments. */
export type PalimpsestFilterOptions = IntegrationOptions<FilterArgs, AgentInputItem> & { recall?: null | undefined };

const FILTER = ['palimpsestFilter()', 'openai-agents'] as const;
const MODEL = ['palimpsestModel()', 'openai-agents'] as const;
const FORMAT = { format: 'openai-agents' } as const;

/**
 * Returns a function for `callModelInputFilter` of `run()` or of a runner. It counts the instructions, the agent's own tools and its handoffs,
 * but not the tools of MCP servers, and it sees no usage: {@link palimpsestModel} sees both.
 *
 * A session of the SDK stores the input of a run as the filter returns it. The messages of the user and the system that end this input are
 * therefore never shortened in their own run; a request is longer than the limit if they alone are. For a run whose input has calls and
 * results as well, take {@link palimpsestModel}.
 *
 * @example
 * import { palimpsestFilter } from 'palimpsest/openai-agents';
 *
 * const { finalOutput } = await run(agent, 'Why do exports fail?', { callModelInputFilter: palimpsestFilter({ limit: 100_000 }) });
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} an option is out of range
 * @throws {Error} `@openai/agents` is older than 0.3, which calls no filter; with the code `ERR_PALIMPSEST_PEER`
 */
export function palimpsestFilter(
  options?: PalimpsestFilterOptions | null,
): ((args: FilterArgs) => Promise<FilteredInput>) & { preserveInputIdentity: true } {
  checkOptionsGiven(FILTER, [options]);
  checkPeerOf('palimpsestFilter()', '@openai/agents', CALLS_FILTER);
  const integration = new Integration('palimpsestFilter()', options, FORMAT);
  // The SDK would store the user's words with what was recalled behind them.
  if (integration.options.recall != null) throw new TypeError('palimpsestFilter(): options.recall is for palimpsestModel()');
  const own = new OwnMessages();

  async function filter(...given: [FilterArgs]): Promise<FilteredInput> {
    checkCall(FILTER, given);
    const [args] = given;
    const { sent } = await integration.turn(() => {
      const { modelData, agent } = args;
      const { input, instructions } = modelData;
      own.learn(input);
      const system = withNote(instructions, integration.note);
      return {
        messages: input,
        system,
        tools: schemasOf(agent?.tools, agent?.handoffs),
        // Empty: the SDK's default.
        model: agent?.model || undefined,
        maxOutputTokens: agent?.modelSettings?.maxTokens,
        contextManagement: agent?.modelSettings?.contextManagement,
        write: (messages) => ({ ...modelData, input: own.putBack(input, messages), instructions: system }) as FilteredInput,
      };
    }, args);
    return sent ?? args?.modelData;
  }
  // The SDK gives the items themselves, not copies of them.
  return belonging(Object.assign(filter, { preserveInputIdentity: true } as const), FILTER);
}

/**
 * Wraps a model so that each of its requests fits the limit. It sees the whole request: the input, the instructions, the schemas of tools and
 * handoffs, and the usage of the answer. What the SDK stores (`result.history`, its sessions) stays whole.
 *
 * A request that continues a conversation that the API keeps (`conversationId`, `previousResponseId`) goes through as it is.
 *
 * `recallTool()` of what is returned is for agents. The conversation is found by the id of the call. {@link palimpsestFilter} sees no answers, so it has
 * no such tool.
 *
 * @example
 * import { palimpsestModel } from 'palimpsest/openai-agents';
 *
 * const runner = new Runner({ modelProvider: palimpsestModel(new OpenAIProvider()) });
 *
 * @param model any `Model`. It does not tell its name, so the options have to give `limit`, `window` or `model`
 * @throws {TypeError} `model` is not a model, an option is wrong, or none of `limit`, `window`, `model` and `session` is given
 * @throws {RangeError} an option is out of range
 */
export function palimpsestModel(
  model: Model,
  options?: PalimpsestModelOptions | null,
): Model & WithRecallTool<FunctionTool> & WithPinTool<FunctionTool>;
/**
 * The same for all models of a runner: `new Runner({ modelProvider: palimpsestModel(new OpenAIProvider(), options) })`. Their names give the
 * windows. Agents whose `model` is an object do not ask the provider. A conversation that is handed to another agent goes on.
 *
 * @param provider any `ModelProvider`
 * @throws {TypeError} `provider` is not a provider, or an option is wrong
 * @throws {RangeError} an option is out of range
 */
export function palimpsestModel(
  provider: ModelProvider,
  options?: PalimpsestModelOptions | null,
): ModelProvider & WithRecallTool<FunctionTool> & WithPinTool<FunctionTool>;
export function palimpsestModel(given: Model | ModelProvider, options?: PalimpsestModelOptions | null): Model | ModelProvider {
  checkGiven(MODEL, 'model', given);
  const { model, provider } = kindOf(given);
  const integration = new Integration('palimpsestModel()', options, FORMAT);
  if (provider === undefined) {
    // A model does not tell its name: without a limit, no request could be fitted.
    if (!integration.options.session) integration.create({ messages: [] });
    return wrapped(model, integration);
  }
  const getModel = async (name: string | undefined) => wrapped(await provider.getModel(name), integration, name);
  return overridden(provider, { getModel }, integration);
}

/** @throws {TypeError} it is neither a model nor a provider */
function kindOf(given: Partial<Model & ModelProvider> | undefined) {
  if (typeof given?.getModel === 'function') return { provider: given as ModelProvider };
  if (typeof given?.getResponse === 'function' && typeof given.getStreamedResponse === 'function') return { model: given as Model };
  throw new TypeError(`palimpsestModel(): model must be a Model or a ModelProvider of @openai/agents, got ${shown(given)}`);
}

/** A tool as the SDK takes it. */
function toolOf({ name, description, parameters, execute }: NeutralTool): FunctionTool {
  return {
    type: 'function',
    name,
    description,
    parameters: parameters as unknown as FunctionTool['parameters'],
    strict: false,
    invoke: async (_context, input, details) => execute(argumentsOf(input), details?.toolCall, details?.toolCall?.callId),
    needsApproval: async () => false,
    isEnabled: async () => true,
  };
}

/** Arguments as the model wrote them; undefined if they are no JSON. */
function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is read of an answer. */
interface Answer {
  usage?: { inputTokens: number } | undefined;
  output?: readonly { type?: unknown; name?: string | undefined; callId?: unknown }[] | undefined;
}

/** @param name of the model */
function wrapped(model: Model, integration: Integration, name?: string) {
  const adapter = adapterOfAgents(model);
  const methods = {
    async getResponse(request: ModelRequest) {
      const { sent, answered } = await prepared(integration, request, adapter, name);
      const response = await model.getResponse(sent);
      answered(() => response);
      return response;
    },
    async *getStreamedResponse(request: ModelRequest) {
      const { sent, answered } = await prepared(integration, request, adapter, name);
      for await (const event of model.getStreamedResponse(sent)) {
        answered(() => (event.type === 'response_done' ? event.response : undefined));
        yield event;
      }
    },
  };
  return overridden(model, methods, integration);
}

/**
 * Chooses what to send for a request of a model.
 *
 * @param name of the model
 */
async function prepared(integration: Integration, request: ModelRequest, adapter: Adapter | undefined, name?: string) {
  const turn = await integration.turn(() => {
    const { input, systemInstructions, previousResponseId, conversationId, modelSettings } = request;
    // The API keeps the conversation, and only what is new is sent.
    if (previousResponseId || conversationId) return undefined;
    const items: AgentInputItem[] = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
    const system = withNote(systemInstructions, integration.note);
    return {
      messages: items,
      system,
      tools: schemasOf(request.tools, request.handoffs),
      model: name || undefined,
      adapter,
      maxOutputTokens: modelSettings?.maxTokens,
      contextManagement: modelSettings?.contextManagement,
      write: (messages) => {
        if (messages === items && system === systemInstructions) return request;
        return { ...request, input: messages === items ? input : messages, systemInstructions: system } as ModelRequest;
      },
    };
  }, request);
  /** @param read returns the response, if it is there */
  const answered = (read: () => Answer | undefined) =>
    turn.look(() => {
      const { usage, output } = read() ?? {};
      // An API that says nothing of usage is given zeros by the SDK.
      if (usage && usage.inputTokens > 0) turn.observe(usage);
      for (const call of output ?? [])
        if (call.type === 'function_call' && isOwn(call.name)) for (const key of [call, call.callId]) turn.called(key);
    });
  return { sent: turn.sent ?? request, answered };
}

/**
 * The schemas of tools and of handoffs, which the model sees as tools.
 *
 * @param handoffs of a request, or of an agent: then agents too
 */
function schemasOf(tools: readonly unknown[] = [], handoffs: readonly unknown[] = []) {
  return [...tools, ...(handoffs as Handoff[]).map(handoffSchema)];
}

/** A handoff of a request, or an agent. */
interface Handoff {
  toolName?: string;
  toolDescription?: string;
  inputJsonSchema?: unknown;
  name?: string;
  handoffDescription?: string;
}

function handoffSchema({ toolName, toolDescription, inputJsonSchema, name, handoffDescription }: Handoff) {
  if (toolName !== undefined) return { name: toolName, description: toolDescription, parameters: inputJsonSchema };
  // As the SDK describes an agent.
  return {
    name: `transfer_to_${name}`,
    description: `Handoff to the ${name} agent to handle the request. ${handoffDescription ?? ''}`,
    parameters: { type: 'object', properties: {} },
  };
}

/** An object with other methods, whose rest is the original's. Private fields are found on the original alone. */
function overridden<T extends object>(
  object: T,
  methods: Partial<T>,
  integration: Integration,
): T & WithRecallTool<FunctionTool> & WithPinTool<FunctionTool> {
  const own = belonging(methods, MODEL, {
    recallTool: () => toolOf(recallToolOf(integration)),
    pinTool: () => toolOf(pinToolOf(integration)),
  });
  return new Proxy(object, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof typeof own];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as T & WithRecallTool<FunctionTool> & WithPinTool<FunctionTool>;
}
