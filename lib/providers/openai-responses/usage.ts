import { isCount } from '../../checks.js';
import type { OpenAI } from 'openai';
import type { UsageShape } from '../provider.js';

/** LangChain's `usage_metadata` has other details. */
type Usage = Pick<OpenAI.Responses.ResponseUsage, 'input_tokens' | 'output_tokens'> & {
  input_tokens_details?: { cached_tokens?: number; cache_write_tokens?: number };
  input_token_details?: { cache_read?: number; cache_creation?: number };
};

export const usage: UsageShape<Usage> = {
  known: ({ input_tokens: tokens }) => isCount(tokens),
  input: ({ input_tokens: tokens }) => tokens,
  cached: ({ input_tokens_details: api, input_token_details: langchain }) => api?.cached_tokens ?? langchain?.cache_read,
  written: ({ input_tokens_details: api, input_token_details: langchain }) => api?.cache_write_tokens ?? langchain?.cache_creation,
  output: ({ output_tokens: tokens }) => tokens,
};
