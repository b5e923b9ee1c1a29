import { checkObject, describe, isCount, isObject } from '../checks.js';
import { modelUsage, usage as aiSdk } from './ai-sdk-model/usage.js';
import { usage as anthropic } from './anthropic/usage.js';
import { usage as gemini } from './gemini/usage.js';
import { usage as openaiAgents } from './openai-agents/usage.js';
import { usage as openaiChat } from './openai-chat/usage.js';
import { usage as openaiResponses } from './openai-responses/usage.js';
import type { UsageShape } from './provider.js';
import type { Fields } from './shared/shapes.js';

/** All shapes of usage; the first that knows one reads it. */
const USAGES: UsageShape[] = [openaiChat, gemini, anthropic, openaiResponses, modelUsage, openaiAgents, aiSdk];

/** Tokens of a request and its answer; undefined where the usage does not say them. */
export interface Usage {
  /** of the whole request */
  input: number;
  /** those of them that were read from the cache */
  cached: number | undefined;
  /** those of them that were written to it */
  written: number | undefined;
  /** of the answer */
  output: number | undefined;
}

/**
 * Reads the tokens of a request from a provider's usage.
 *
 * @param given usage in any provider's or SDK's shape
 * @returns undefined where it says no number of the request
 * @throws {TypeError} it is of no known shape
 */
export function readUsage(given: unknown): Usage | undefined {
  checkObject('observe(): usage', given);
  // The AI SDK adds up the iterations, and compactions with them.
  const { raw } = given as { raw?: Fields | null };
  const usage = (Array.isArray(raw?.iterations) ? raw : given) as Fields;
  const shape = USAGES.find(({ known }) => known(usage));
  if (shape === undefined) {
    const name = ['usage', 'usageMetadata', 'usage_metadata'].find((one) => isObject(usage[one]));
    const got = name === undefined ? describe(usage) : `an answer: pass its ${name}`;
    throw new TypeError(`observe(): usage must be a provider's usage with its input tokens, got ${got}`);
  }
  const input = shape.input(usage);
  // The AI SDK leaves the numbers out if the provider gives none, and a compacted request has none.
  if (input === undefined) return undefined;
  // Sums of what is larger would be no numbers, and a state with them could not be read again.
  if (!isCount(input) || input > Number.MAX_SAFE_INTEGER)
    throw new TypeError('observe(): usage must have numbers of tokens from 0 up to 2 ** 53 - 1');
  const known = (tokens: number | null | undefined) => (isCount(tokens) && tokens <= Number.MAX_SAFE_INTEGER ? tokens : undefined);
  return { input, cached: known(shape.cached(usage)), written: known(shape.written?.(usage)), output: known(shape.output(usage)) };
}
