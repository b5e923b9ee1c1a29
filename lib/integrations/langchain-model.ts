import { hasBudget, isSummary } from '../providers/anthropic/request.js';
import type { Adapter, Foreign } from '../types.js';

/** What a chat model was made with: an instance, one with bound options, or what `initChatModel` makes of `openai:gpt-5.5`. */
const configOf = (model: Foreign) => model?._defaultConfig ?? model?.bound ?? model;

/** Returns the name of a chat model, if it has one. */
export function nameOf(model: Foreign | undefined): string | undefined {
  const { model: name, modelName } = configOf(model) ?? {};
  return [name, modelName].find((one) => typeof one === 'string');
}

/** Returns what a model of Anthropic's is told of thinking, summaries and compacting by itself. */
export function toldBy(model: Foreign) {
  const { contextManagement, thinking, invocationKwargs } = configOf(model) ?? {};
  const request = { model: nameOf(model), thinking, ...invocationKwargs };
  return { contextManagement, hasBudget: hasBudget(request), isSummary: isSummary(request) };
}

/** Returns what writes the requests to a model, where that is known to make something else of messages: `@langchain/google-genai`. */
export function adapterOf(model: Foreign): Adapter | undefined {
  const { lc_namespace: names } = configOf(model) ?? {};
  return Array.isArray(names) && names.includes('google_genai') ? { api: 'struct', wrapsErrors: false } : undefined;
}

/** Returns the most tokens of an answer, if the model says it. */
export function maxTokensOf(model: Foreign) {
  const { maxTokens } = configOf(model) ?? {};
  return maxTokens > 0 ? maxTokens : undefined;
}
