import { isCount } from '../../checks.js';
import type { OpenAI } from 'openai';
import type { UsageShape } from '../provider.js';

export const usage: UsageShape<OpenAI.CompletionUsage> = {
  known: ({ prompt_tokens: tokens }) => isCount(tokens),
  input: ({ prompt_tokens: tokens }) => tokens,
  cached: ({ prompt_tokens_details: details }) => details?.cached_tokens,
  written: ({ prompt_tokens_details: details }) => details?.cache_write_tokens,
  output: ({ completion_tokens: tokens }) => tokens,
};
