import { isObject } from '../checks.js';

/** Where Anthropic compacts if the request doesn't say it, as its SDK documents. */
const COMPACTS_AT = 150_000;

/** What is read of an entry. */
interface Edit {
  type?: unknown;
  trigger?: { type?: unknown; value?: unknown } | null;
  compact_threshold?: unknown;
  compactThreshold?: unknown;
}

/**
 * Returns the input tokens from which a provider compacts or clears by itself, as a request says it; 0 where it doesn't say from where, undefined
 * if the provider does nothing.
 *
 * @param given `context_management` of a request, or `contextManagement` of an SDK: OpenAI's entries, or Anthropic's `edits`
 */
export function compactThresholdIn(given: unknown): number | undefined {
  const edits = Array.isArray(given) ? given : (given as { edits?: unknown } | null | undefined)?.edits;
  if (!Array.isArray(edits)) return undefined;
  const found = edits.filter(isObject).flatMap(({ type, trigger, compact_threshold: api, compactThreshold: sdk }: Edit): unknown[] => {
    if (type === 'compaction') return [api ?? sdk ?? 0];
    if (type === 'compact_20260112') return [trigger?.value ?? COMPACTS_AT];
    if (type === 'clear_tool_uses_20250919') return [trigger?.type === 'input_tokens' ? trigger.value : 0];
    return [];
  });
  const known = found.map((tokens) => (typeof tokens === 'number' && tokens >= 0 && tokens < Infinity ? tokens : 0));
  return known.length === 0 ? undefined : Math.min(...known);
}
