// Tokens of messages and texts, counted by the library.
import { createRequire } from 'node:module';
import type { MessageFormat } from '../types.mjs';

const { countTokens, fit }: typeof import('palimpsest') = createRequire(import.meta.url)('palimpsest');

export interface Counter {
  /** tokens of a message, without those that a request adds */
  ofMessage: (message: object) => number;
  ofText: (text: string) => number;
  /** the model, if the library knows it */
  model: string | undefined;
  /** whether the counts are those of the model's own tokenizer */
  isExact: boolean;
  tokenizer: 'o200k_base' | 'cl100k_base';
}

/** @returns whether the library knows the model */
function isKnown(model: string | undefined): boolean {
  if (model === undefined) return false;
  try {
    countTokens('', { model });
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}

/** A text that the two tokenizers count differently. */
const DIFFERENT = '灯台守は毎晩霧笛を鳴らした';

/** @param name of the model */
export function createCounter(format: MessageFormat, name: string | undefined): Counter {
  const model = isKnown(name) ? name : undefined;
  const options = { format, ...(model !== undefined && { model }) };
  const ofRequest = countTokens([], options);
  const isO200k = countTokens(DIFFERENT, { model }) === countTokens(DIFFERENT, { tokenizer: 'o200k_base' });
  return {
    ofMessage: (message) => Math.max(0, countTokens([message], options) - ofRequest),
    ofText: (text) => countTokens(text, { model }),
    model,
    isExact: model !== undefined && fit([], { ...options, limit: 1_000 }).exact,
    tokenizer: isO200k ? 'o200k_base' : 'cl100k_base',
  };
}
