import { isCount, isObject } from '../../checks.js';
import { sum } from '../shared/sum.js';
import type { Anthropic } from '@anthropic-ai/sdk';
import type { UsageShape } from '../provider.js';

type Usage = Pick<Anthropic.Usage, 'input_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens' | 'output_tokens'>;

/**
 * The usage of the request that was sent, where the provider ran several iterations of it, which the usage adds up: the first one. Those after it
 * read what its own tools gave, too, and that after a compaction reads less. Undefined if it was compacted at once.
 */
function firstIteration(usage: Usage & { iterations?: unknown }): Usage | undefined {
  const list: (Usage & { type?: unknown })[] = Array.isArray(usage.iterations)
    ? usage.iterations.filter((one: unknown) => isObject(one) && one.type !== 'advisor_message')
    : [];
  if (list.length === 0) return usage;
  return list[0].type === 'compaction' ? undefined : list[0];
}

/**
 * Anthropic alone counts what is cached beside `input_tokens`; `cache_read_input_tokens` tells it from OpenAI's Responses, which may come without
 * details.
 */
export const usage: UsageShape<Usage> = {
  known: (given) => isCount(given.input_tokens) && ('cache_read_input_tokens' in given || 'cache_creation_input_tokens' in given),
  input: (given) => {
    const sent = firstIteration(given);
    return sent && sum(sent.input_tokens, sent.cache_read_input_tokens, sent.cache_creation_input_tokens);
  },
  cached: (given) => firstIteration(given)?.cache_read_input_tokens,
  written: (given) => firstIteration(given)?.cache_creation_input_tokens,
  output: ({ output_tokens: tokens }) => tokens,
};
