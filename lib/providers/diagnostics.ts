import { describe, isObject } from '../checks.js';
import type { CacheMissCause } from '../../index.js';
import type { Foreign } from '../types.js';

/** The causes that providers' words mean, of Anthropic's `cache_miss_reason` and of OpenAI's `prompt_cache_diagnostics`. */
const CAUSES: Record<string, CacheMissCause> = {
  model_changed: 'model',
  tools_changed: 'tools',
  system_changed: 'system',
  messages_changed: 'messages',
  input_changed: 'messages',
  context_compacted: 'compaction',
  // They say that the provider doesn't know.
  previous_message_not_found: 'unknown',
  comparison_response_not_found: 'unknown',
  unavailable: 'unknown',
};
/** A word of theirs: whatever else stands in its place is no reason. */
const WORD = /^[a-z_]{1,64}$/;

/**
 * Reads what a provider says of its cache.
 *
 * @param given `diagnostics` of an answer of Anthropic's, or `prompt_cache_diagnostics` of a response of OpenAI's
 * @returns its word and the cause that it means; undefined where it says none
 * @throws {TypeError} it is neither
 */
export function readDiagnostics(given: unknown): { word: string; cause: CacheMissCause } | undefined {
  if (given === undefined || given === null) return undefined;
  const isAnthropic = isObject(given) && 'cache_miss_reason' in given;
  if (!isAnthropic && !(isObject(given) && typeof given.type === 'string' && given.usage === undefined)) {
    const got = isObject(given) && given.usage !== undefined ? 'the whole answer' : describe(given);
    throw new TypeError(
      `observe(): diagnostics must be those of an answer, its diagnostics (Anthropic) or prompt_cache_diagnostics (OpenAI), got ${got}`,
    );
  }
  const { type, reason } = (isAnthropic ? (given.cache_miss_reason ?? {}) : given) as { type?: unknown; reason?: unknown };
  const word = !isAnthropic && type === 'cache_miss' ? reason : type;
  if (word === 'cache_hit' || typeof word !== 'string' || !WORD.test(word)) return undefined;
  return { word, cause: Object.hasOwn(CAUSES, word) ? CAUSES[word] : 'provider' };
}

/** Returns what an answer, or an event of a stream, says of the provider's cache; undefined if nothing. */
export function diagnosticsIn(value: Foreign): object | undefined {
  const answer = value?.message ?? value?.response ?? value;
  const { diagnostics: anthropic, prompt_cache_diagnostics: openai } = answer ?? {};
  if (isObject(anthropic) && 'cache_miss_reason' in anthropic) return anthropic;
  return isObject(openai) && typeof openai.type === 'string' ? openai : undefined;
}
