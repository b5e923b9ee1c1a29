import { countOf } from './transcripts/values.mjs';
import type { Json } from './transcripts/values.mjs';
import type { Usage } from './types.mjs';

/** Input tokens of a request, wherever they were read from. */
export const inputTokens = ({ input, cacheRead, cacheWrite }: Usage) => input + cacheRead + cacheWrite;

/** Reads usage as Anthropic's API reports it. */
export function anthropicUsage({
  input_tokens,
  cache_read_input_tokens,
  cache_creation_input_tokens,
  cache_creation,
  output_tokens,
}: Json): Usage {
  const cacheWrite = countOf(cache_creation_input_tokens);
  const cacheWriteHour = Math.min(cacheWrite, countOf(cache_creation?.ephemeral_1h_input_tokens));
  return {
    input: countOf(input_tokens),
    cacheRead: countOf(cache_read_input_tokens),
    cacheWrite,
    ...(cacheWriteHour > 0 && { cacheWriteHour }),
    output: countOf(output_tokens),
  };
}
