import { isObject } from '../../checks.js';
import type { UsageShape } from '../provider.js';

/** Of version 7's models. */
export const modelUsage: UsageShape<{ inputTokens: { total?: number; cacheRead?: number } }> = {
  known: ({ inputTokens: tokens }) => isObject(tokens),
  input: ({ inputTokens: tokens }) => tokens.total,
  cached: ({ inputTokens: tokens }) => tokens.cacheRead,
};

export const usage: UsageShape<{
  inputTokens?: number;
  inputTokenDetails?: { cacheReadTokens?: number };
  cachedInputTokens?: number;
}> = {
  known: (given) => 'inputTokens' in given,
  input: ({ inputTokens: tokens }) => tokens,
  cached: ({ inputTokenDetails: details, cachedInputTokens: tokens }) => details?.cacheReadTokens ?? tokens,
};
