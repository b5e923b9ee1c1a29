import { checkObject, describe, isCount, isObject } from '../checks.js';
import type { Foreign } from '../types.js';

const sum = (...counts: (number | null | undefined)[]) => counts.reduce<number>((total, count) => total + (count ?? 0), 0);

/**
 * The usage of the request that was sent, where the provider ran several iterations of it, which the usage adds up: the first one. Those after it
 * read what its own tools gave, too, and that after a compaction reads less. Undefined if it was compacted at once.
 */
function firstIteration(usage: Foreign) {
  const list = Array.isArray(usage.iterations)
    ? usage.iterations.filter((one: Foreign) => isObject(one) && one.type !== 'advisor_message')
    : [];
  if (list.length === 0) return usage;
  return list[0].type === 'compaction' ? undefined : list[0];
}

const lastRequest = (usage: Foreign) => usage.requestUsageEntries?.at(-1) ?? usage;

/**
 * Shapes of usage: the field that identifies it, the tokens of the request, and those of them that were read from the cache.
 * Anthropic alone counts what is cached beside `input_tokens`; `cache_read_input_tokens` tells it from OpenAI's Responses, which
 * may come without details.
 */
const SHAPES = [
  // OpenAI chat
  {
    known: ({ prompt_tokens: tokens }: Foreign) => isCount(tokens),
    input: (usage: Foreign) => usage.prompt_tokens,
    cached: (usage: Foreign) => usage.prompt_tokens_details?.cached_tokens,
  },
  // Gemini
  {
    known: ({ promptTokenCount: tokens }: Foreign) => isCount(tokens),
    input: (usage: Foreign) => sum(usage.promptTokenCount, usage.toolUsePromptTokenCount),
    cached: (usage: Foreign) => usage.cachedContentTokenCount,
  },
  // Anthropic
  {
    known: (usage: Foreign) =>
      isCount(usage.input_tokens) && ('cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage),
    input: (usage: Foreign) => {
      const sent = firstIteration(usage);
      return sent && sum(sent.input_tokens, sent.cache_read_input_tokens, sent.cache_creation_input_tokens);
    },
    cached: (usage: Foreign) => firstIteration(usage)?.cache_read_input_tokens,
  },
  // OpenAI Responses, and LangChain's `usage_metadata`
  {
    known: ({ input_tokens: tokens }: Foreign) => isCount(tokens),
    input: (usage: Foreign) => usage.input_tokens,
    cached: (usage: Foreign) => usage.input_tokens_details?.cached_tokens ?? usage.input_token_details?.cache_read,
  },
  // AI SDK 7's models
  {
    known: ({ inputTokens: tokens }: Foreign) => tokens !== null && typeof tokens === 'object',
    input: (usage: Foreign) => usage.inputTokens.total,
    cached: (usage: Foreign) => usage.inputTokens.cacheRead,
  },
  // OpenAI's Agents SDK: of a run, the last request is meant
  {
    known: ({ inputTokensDetails: details }: Foreign) => details !== null && typeof details === 'object',
    input: (usage: Foreign) => lastRequest(usage).inputTokens,
    cached: (usage: Foreign) => [lastRequest(usage).inputTokensDetails].flat().at(-1)?.cached_tokens,
  },
  // AI SDK
  {
    known: (usage: Foreign) => 'inputTokens' in usage,
    input: (usage: Foreign) => usage.inputTokens,
    cached: (usage: Foreign) => usage.inputTokenDetails?.cacheReadTokens ?? usage.cachedInputTokens,
  },
];

/**
 * Reads the tokens of a request from a provider's usage.
 *
 * @param given usage in any provider's or SDK's shape
 * @returns tokens of the whole request; those read from the cache, where it is
 * said; undefined where it says no number of it
 * @throws {TypeError} it is of no known shape
 */
export function readUsage(given: Foreign): { input: number; cached: number | undefined } | undefined {
  checkObject('observe(): usage', given);
  // The AI SDK adds up the iterations, and compactions with them.
  const usage = Array.isArray(given.raw?.iterations) ? given.raw : given;
  const shape = SHAPES.find(({ known }) => known(usage));
  if (shape === undefined) {
    const name = ['usage', 'usageMetadata', 'usage_metadata'].find((one) => isObject(usage[one]));
    const got = name === undefined ? describe(usage) : `an answer: pass its ${name}`;
    throw new TypeError(`observe(): usage must be a provider's usage with its input tokens, got ${got}`);
  }
  const input = shape.input(usage);
  // The AI SDK leaves the numbers out if the provider gives none, and a compacted request has none.
  if (input === undefined) return undefined;
  const cached = shape.cached(usage) ?? undefined;
  if (!isCount(input)) throw new TypeError('observe(): usage must have finite numbers of tokens from 0');
  return { input, cached: isCount(cached) ? cached : undefined };
}
