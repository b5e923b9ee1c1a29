// Counts tokens for the options that need their number.

import { defaultTokenCounter } from '../analysis.js';
import { describe } from '../../checks.js';
import { isUnawaited } from '../../promises.js';
import type { Message } from '../../messages.js';
import type { Tokenizer } from '../../types.js';

/** Options that say how tokens are counted. */
export interface Counting {
  tokenizer?: Tokenizer | null | undefined;
  tokenCounter?: ((message: Message) => unknown) | null | undefined;
}

export type Counts = { tokens: Float64Array; others?: Float64Array; ofRequest?: number };

/** Counts the tokens of each message, with the tokenizer of the options if they name one, else with their counter or the default one. */
export function countTokens(messages: Message[], { tokenizer, tokenCounter }: Counting): Counts {
  if (tokenizer) return (require('../../tokens/sent.js') as typeof import('../../tokens/sent.js')).sentTokens(messages, tokenizer);
  const counter = tokenCounter ?? defaultTokenCounter;
  const tokens = new Float64Array(messages.length);
  // `Float64Array.from` takes three times as long as a simple counter.
  for (let index = 0; index < tokens.length; index++) tokens[index] = countOne(messages[index], counter);
  return { tokens };
}

export function countOne(message: Message, tokenCounter: (message: Message) => unknown) {
  const count = tokenCounter(message);
  if (typeof count !== 'number') {
    isUnawaited(count);
    throw new TypeError(`compress(): options.tokenCounter must return a number, got ${describe(count)}`);
  }
  return count;
}

export const sumOf = ({ tokens, ofRequest }: Counts) => tokens.reduce((sum, count) => sum + count, ofRequest ?? 0);
