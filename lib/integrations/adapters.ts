// How the AI SDK's providers write messages into requests, as far as that changes what they cost. Read in the sources of version 2 to 4 of
// `@ai-sdk/openai`, and of `openai-compatible`, `mistral`, `groq`, `xai`, `deepseek` and `cohere`.

import type { Adapter } from '../types.js';

/** Names of providers: that of the service and of its API, as in `openai.chat`. Google's `google.vertex.chat` has an API of its own. */
const PROVIDER = /^(?!google\b)(?<service>.+)\.(?<api>chat|responses)$/;
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
  const { provider, specificationVersion } = model ?? {};
  const { service, api } = PROVIDER.exec(typeof provider === 'string' ? provider : '')?.groups ?? {};
  if (service === undefined) return undefined;
  return { api: api as Adapter['api'], wrapsErrors: WRAPPING.test(service) && specificationVersion === 'v4' };
}
