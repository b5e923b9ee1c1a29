// @ts-check
'use strict';

/** A block's type, in Anthropic's API and in the AI SDK 4, that says of its thinking that it is encrypted. */
const REDACTED = new Set(['redacted_thinking', 'redacted-reasoning', 'redacted']);

/** As deep as a signature stands: `providerOptions.openrouter.reasoning_details[0].signature`. */
const MAX_DEPTH = 6;

/**
 * Whether reasoning is signed as Claude signs it: with a `signature`, or encrypted as a whole. Whoever passes it on puts that in
 * a place of its own: in the block (Anthropic, LangChain), in `providerOptions` or `providerMetadata` (AI SDK, where Anthropic's
 * and Bedrock's `redactedData` stand too), in `reasoningText` (Bedrock through LangChain), in `reasoning_details` (OpenRouter)
 * or `thinking_blocks` (LiteLLM). Gemini's `thoughtSignature` and OpenAI's encrypted reasoning are something else: they are not
 * checked against what stands before them.
 */
function isSigned(value, depth = MAX_DEPTH) {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || depth === 0) return false;
  const { type, signature, redactedData, redactedContent, format } = value;
  if (REDACTED.has(type) || (typeof signature === 'string' && signature !== '')) return true;
  if ((redactedData ?? redactedContent ?? '') !== '') return true;
  // OpenRouter says whose it is.
  if (type === 'reasoning.encrypted') return typeof format === 'string' && format.startsWith('anthropic');
  return Object.values(value).some((inner) => isSigned(inner, depth - 1));
}

module.exports = { isSigned };
