import { hasBudget, isSummary } from '../providers/anthropic/request.js';
import type { Adapter } from '../types.js';

/** What a chat model was made with, as far as it is read. */
interface Config {
  model?: unknown;
  modelName?: unknown;
  contextManagement?: unknown;
  thinking?: Told['thinking'];
  invocationKwargs?: Told;
  lc_namespace?: unknown;
  _useResponsesApi?(): unknown;
  maxTokens?: number | null;
}

type Told = Parameters<typeof hasBudget>[0] & Parameters<typeof isSummary>[0];

/** What a chat model was made with: an instance, one with bound options, or what `initChatModel` makes of `openai:gpt-5.5`. */
function configOf(model: unknown): Config {
  const { _defaultConfig: own, bound } = (model ?? {}) as { _defaultConfig?: Config; bound?: Config };
  return own ?? bound ?? model ?? {};
}

/** Returns the name of a chat model, if it has one. */
export function nameOf(model: unknown): string | undefined {
  const { model: name, modelName } = configOf(model);
  return [name, modelName].find((one): one is string => typeof one === 'string');
}

/** Returns what a model of Anthropic's is told of thinking, summaries and compacting by itself. */
export function toldBy(model: unknown) {
  const { contextManagement, thinking, invocationKwargs } = configOf(model);
  const request: Told = { model: nameOf(model), thinking, ...invocationKwargs };
  return { contextManagement, hasBudget: hasBudget(request), isSummary: isSummary(request) };
}

/**
 * Returns what writes the requests to a model, where that is known to make something else of messages: `@langchain/google-genai`, and
 * `@langchain/openai` for the Responses API.
 */
export function adapterOf(model: unknown): Adapter | undefined {
  const config = configOf(model);
  const names = Array.isArray(config.lc_namespace) ? config.lc_namespace : [];
  if (names.includes('google_genai')) return { api: 'struct', wrapsErrors: false };
  return names.includes('openai') && config._useResponsesApi?.() ? { api: 'responses', wrapsErrors: false } : undefined;
}

/** Returns the most tokens of an answer, if the model says it. */
export function maxTokensOf(model: unknown) {
  const { maxTokens } = configOf(model);
  return maxTokens && maxTokens > 0 ? maxTokens : undefined;
}
