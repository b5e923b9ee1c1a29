import type { UsageShape } from '../provider.js';

interface Usage {
  inputTokens: number;
  outputTokens?: number;
  inputTokensDetails: Details | Details[];
  requestUsageEntries?: Usage[];
}
type Details = Record<string, number>;

/** Of a run, the last request is meant. */
const lastRequest = (usage: Usage): Usage => usage.requestUsageEntries?.at(-1) ?? usage;

export const usage: UsageShape<Usage> = {
  // Of a run, they are a list.
  known: ({ inputTokensDetails: details }) => details !== null && typeof details === 'object',
  input: (given) => lastRequest(given).inputTokens,
  cached: (given) => [lastRequest(given).inputTokensDetails].flat().at(-1)?.cached_tokens,
  output: (given) => lastRequest(given).outputTokens,
};
