import { describe, isCount } from '../checks.js';
import { isUnawaited } from '../promises.js';
import { measure } from './measure.js';
import { toolSchemas } from './schemas.js';
import { systemPrompts } from './system.js';

/**
 * The tokens that belong to no message: what the provider adds to a request, the schemas of tools, and the system's instructions. A
 * caller's counter counts all that a message takes, so with one only what the caller hands over beside the messages is added.
 *
 * @param at what errors call the options
 * @throws {TypeError} `system` or a tool is of no known shape
 */
export function requestTokens(
  provider: 'openai' | 'anthropic' | 'gemini',
  tokenizer: 'o200k_base' | 'cl100k_base' | 'estimate',
  { tokenCounter, system, tools }: { tokenCounter?: ((message: object) => unknown) | null | undefined; system?: unknown; tools?: unknown },
  at: string,
) {
  const schemas = toolSchemas(tools, `${at}.tools`);
  const beside = { schemas, prompts: systemPrompts(system, `${at}.system`) };
  const { request, system: ofSystem, guessed } = measure([], [], provider, tokenizer, beside);
  return { tokens: (tokenCounter && schemas.length === 0 ? 0 : request) + ofSystem, isGuessed: guessed.length > 0, schemas };
}

/**
 * The tokens of a message, as a caller's counter counts them.
 *
 * @param name what errors call the counter
 * @throws {TypeError} the counter answers with something else than a number from 0
 */
export function askCounter(tokenCounter: (message: object) => unknown, message: object, name: string) {
  const count = tokenCounter(message);
  if (isCount(count)) return count;
  isUnawaited(count);
  throw new TypeError(`${name} must return a number of tokens from 0, got ${typeof count === 'number' ? count : describe(count)}`);
}
