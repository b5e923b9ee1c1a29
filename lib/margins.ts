// How far counts may be below the provider's. `research/fit.md` has the measurements behind the numbers.

/** Formats of OpenAI's requests, whose tokenizers are public. */
const EXACT = new Set(['openai-chat', 'openai-responses', 'openai-agents', 'message']);

/** Share of a limit that stays free where counts are approximate. `claude`: the tokenizer since Opus 4.7; `other`: those before, and Gemini's. */
export const MARGINS = { claude: 0.4, other: 0.2 };
/** The same with a factor from an earlier request's usage. The factor changes as messages are cut. */
export const CALIBRATED_MARGIN = 0.05;

/** Maximum factor between the provider's usage and our count of what both count; tokenizers differ by less. */
const MAX_FACTOR = 4;

/**
 * Returns whether counts are the provider's own.
 *
 * @param format its name
 * @param model the model that they name
 */
export function isExact(
  format: string,
  { tokenizer, tokenCounter }: { tokenizer?: string | null | undefined; tokenCounter?: unknown },
  model?: { margin: number },
) {
  return tokenCounter != null || (EXACT.has(format) && tokenizer !== 'estimate' && !model?.margin);
}

/**
 * Returns the share that stays free where counts are approximate.
 *
 * @param format its name
 * @param model the model that they name
 */
export function marginOf(format: string, { tokenizer }: { tokenizer?: string | null | undefined }, model?: { margin: number }) {
  const margin = model?.margin ?? (format === 'anthropic' ? MARGINS.claude : MARGINS.other);
  return tokenizer === 'estimate' ? Math.max(margin, MARGINS.other) : margin;
}

/** Returns how many tokens the provider counts for each token that is counted here; undefined if the numbers can't be of the same texts. */
export function factorOf(counted: number, actual: number) {
  const factor = actual / counted;
  return factor > 1 / MAX_FACTOR && factor < MAX_FACTOR ? factor : undefined;
}
