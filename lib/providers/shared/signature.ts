import type { Fields } from './shapes.js';

/** Block types of encrypted thinking, in Anthropic's API and in the AI SDK 4. */
const REDACTED = new Set<unknown>(['redacted_thinking', 'redacted-reasoning', 'redacted']);

/** Depth of the deepest signature: `providerOptions.openrouter.reasoning_details[0].signature`. */
const MAX_DEPTH = 6;

/**
 * Returns whether reasoning is signed by Claude: with a `signature`, or encrypted as a whole. Each API puts that in a place of its
 * own: in the block (Anthropic, LangChain), in `providerOptions` or `providerMetadata` (AI SDK, where Anthropic's
 * and Bedrock's `redactedData` stand too), in `reasoningText` (Bedrock through LangChain), in `reasoning_details` (OpenRouter)
 * or `thinking_blocks` (LiteLLM). Gemini's `thoughtSignature` and OpenAI's encrypted reasoning are something else: they are not
 * checked against what stands before them.
 */
export function isSigned(value: unknown, depth: number = MAX_DEPTH): boolean {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || depth === 0) return false;
  const { type, signature, redactedData, redactedContent, format } = value as Fields;
  if (REDACTED.has(type) || (typeof signature === 'string' && signature !== '')) return true;
  if ((redactedData ?? redactedContent ?? '') !== '') return true;
  // OpenRouter names the provider.
  if (type === 'reasoning.encrypted') return typeof format === 'string' && format.startsWith('anthropic');
  return Object.values(value).some((inner: unknown) => isSigned(inner, depth - 1));
}
