import { isCount } from '../../checks.js';
import { sum } from '../shared/sum.js';
import type { GenerateContentResponseUsageMetadata } from '@google/genai';
import type { UsageShape } from '../provider.js';

export const usage: UsageShape<GenerateContentResponseUsageMetadata> = {
  known: ({ promptTokenCount: tokens }) => isCount(tokens),
  input: ({ promptTokenCount: prompt, toolUsePromptTokenCount: tools }) => sum(prompt, tools),
  cached: ({ cachedContentTokenCount: tokens }) => tokens,
  // Thinking is beside what is said.
  output: ({ candidatesTokenCount: said, thoughtsTokenCount: thought }) =>
    said == null && thought == null ? undefined : sum(said, thought),
};
