import { isObject } from '../../checks.js';
import type { UsageShape } from '../provider.js';

/** Of version 7's models. */
export const modelUsage: UsageShape<{
  inputTokens: { total?: number; cacheRead?: number; cacheWrite?: number };
  outputTokens?: { total?: number };
}> = {
  known: ({ inputTokens: tokens }) => isObject(tokens),
  input: ({ inputTokens: tokens }) => tokens.total,
  cached: ({ inputTokens: tokens }) => tokens.cacheRead,
  written: ({ inputTokens: tokens }) => tokens.cacheWrite,
  output: ({ outputTokens: tokens }) => tokens?.total,
};

export const usage: UsageShape<{
  inputTokens?: number;
  outputTokens?: number;
  inputTokenDetails?: { cacheReadTokens?: number; cacheWriteTokens?: number };
  cachedInputTokens?: number;
}> = {
  known: (given) => 'inputTokens' in given,
  input: ({ inputTokens: tokens }) => tokens,
  cached: ({ inputTokenDetails: details, cachedInputTokens: tokens }) => details?.cacheReadTokens ?? tokens,
  written: ({ inputTokenDetails: details }) => details?.cacheWriteTokens,
  output: ({ outputTokens: tokens }) => tokens,
};
