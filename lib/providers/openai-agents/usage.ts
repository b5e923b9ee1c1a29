import { isObject } from '../../checks.js';
import type { UsageShape } from '../provider.js';

interface Usage {
  inputTokens: number;
  inputTokensDetails: Details | Details[];
  requestUsageEntries?: Usage[];
}
type Details = Record<string, number>;

/** Of a run, the last request is meant. */
const lastRequest = (usage: Usage): Usage => usage.requestUsageEntries?.at(-1) ?? usage;

export const usage: UsageShape<Usage> = {
  known: ({ inputTokensDetails: details }) => isObject(details),
  input: (given) => lastRequest(given).inputTokens,
  cached: (given) => [lastRequest(given).inputTokensDetails].flat().at(-1)?.cached_tokens,
};
