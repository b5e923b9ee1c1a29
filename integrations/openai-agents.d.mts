// Written by scripts/entries.mjs: openai-agents.d.ts for ES modules.
// The types of `palimpsest/openai-agents`.
import type { Agent, AgentInputItem, FunctionTool, Model, ModelProvider, ModelRequest } from '@openai/agents';
import type { AnySession, IntegrationOptions } from './options.js';

export type { AnySession, IntegrationOptions } from './options.js';

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
export type PalimpsestFilterOptions = IntegrationOptions<FilterArgs, AgentInputItem>;

/**
 * Wraps a model so that each of its requests fits the limit. It sees the whole request: the input, the instructions, the schemas of tools and
 * handoffs, and the usage of the answer. What the SDK stores (`result.history`, its sessions) stays whole.
 *
 * A request that continues a conversation that the API keeps (`conversationId`, `previousResponseId`) goes through as it is.
 *
 * @param model any `Model`. It does not tell its name, so the options have to give `limit`, `window` or `model`
 * @throws {TypeError} `model` is not a model, an option is wrong, or none of `limit`, `window`, `model` and `session` is given
 * @throws {RangeError} an option is out of range
 */
export function palimpsestModel(model: Model, options?: PalimpsestModelOptions | null): Model;
/**
 * The same for all models of a runner: `new Runner({ modelProvider: palimpsestModel(new OpenAIProvider(), options) })`. Their names give the
 * windows. Agents whose `model` is an object do not ask the provider. A conversation that is handed to another agent goes on.
 *
 * @param provider any `ModelProvider`
 * @throws {TypeError} `provider` is not a provider, or an option is wrong
 * @throws {RangeError} an option is out of range
 */
export function palimpsestModel(provider: ModelProvider, options?: PalimpsestModelOptions | null): ModelProvider;

/**
 * Returns a function for `callModelInputFilter` of `run()` or of a runner. It counts the instructions, the agent's own tools and its handoffs,
 * but not the tools of MCP servers, and it sees no usage: {@link palimpsestModel} sees both.
 *
 * A session of the SDK stores the input of a run as the filter returns it. The messages of the user and the system that end this input are
 * therefore never shortened in their own run; a request is longer than the limit if they alone are. For a run whose input has calls and
 * results as well, take {@link palimpsestModel}.
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} an option is out of range
 * @throws {Error} `@openai/agents` is older than 0.3, which calls no filter; with the code `ERR_PALIMPSEST_PEER`
 */
export function palimpsestFilter(
  options?: PalimpsestFilterOptions | null,
): ((args: FilterArgs) => Promise<FilteredInput>) & { preserveInputIdentity: true };

/**
 * Creates the tool with which the model looks up what was cut from its conversation, for agents. The conversation is found by the id of the call. {@link palimpsestFilter} sees no answers, so it has no such tool.
 *
 * From then on, the marks of removed messages have their numbers: create it before the first request.
 *
 * @param from a model or a provider that `palimpsestModel` returned, or one session
 * @throws {TypeError} `from` is neither
 */
export function recallTool(from: Model | ModelProvider | AnySession): FunctionTool;
