// How the AI SDK's providers write messages into requests, as far as that changes what they cost. Read in the sources of version 2 to 4 of
// `@ai-sdk/openai` and `@ai-sdk/google`, and of `openai-compatible`, `mistral`, `groq`, `xai`, `deepseek` and `cohere`.

import type { Adapter } from '../types.js';

/** Names of providers: that of the service and of its API, as in `openai.chat`. Google's `google.vertex.chat` has an API of its own. */
const PROVIDER = /^(?!google\b)(?<service>.+)\.(?<api>chat|responses)$/;
/** Google's own API, by the name that its providers have if they were given no other. */
const GOOGLE = /^google\.(?:generative-ai|vertex\.chat)$/;
/** Models that take files in results, by `usesGemini3Features` of `@ai-sdk/google`: all but those that are known to be older. */
const GEMINI = /(?:^|[/.])gemini-/i;
const OLDER = /(?:^|[/.])gemini-(?:[12](?:[.-]|$)|pro(?:-vision)?$|robotics-er-1\.5(?:[.-]|$))/i;
/** Those whose errors are JSON, by the adapters of the interface's version 4. */
const WRAPPING = /^(?:openai|azure)\b/;

/** What a model of the AI SDK tells of itself. */
export interface AiModel {
  modelId?: string;
  provider?: unknown;
  specificationVersion?: unknown;
}

/** Returns what writes the requests to a model of the AI SDK; undefined where all goes out as the messages have it, or that isn't known. */
export function adapterOf(model: AiModel | null | undefined): Adapter | undefined {
  const { modelId = '', provider, specificationVersion } = model ?? {};
  const name = typeof provider === 'string' ? provider : '';
  if (GOOGLE.test(name)) return { api: GEMINI.test(modelId) && !OLDER.test(modelId) ? 'gemini-3' : 'gemini-2', wrapsErrors: false };
  const { service, api } = PROVIDER.exec(name)?.groups ?? {};
  if (service === undefined) return undefined;
  return { api: api as Adapter['api'], wrapsErrors: WRAPPING.test(service) && specificationVersion === 'v4' };
}

/** Returns what writes the requests to a model of OpenAI's Agents SDK, where that is Chat Completions. */
export function adapterOfAgents(model: object): Adapter | undefined {
  for (let at: object | null = model; at !== null; at = Object.getPrototypeOf(at))
    if (at.constructor?.name === 'OpenAIChatCompletionsModel') return { api: 'chat', wrapsErrors: false };
  return undefined;
}
