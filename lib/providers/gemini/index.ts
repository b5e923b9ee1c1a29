import { defineProvider } from '../provider.js';
import { counts, limits } from './figures.js';
import { recognises } from './recognise.js';
import type { GenerateContentParameters } from '@google/genai';

export const gemini = defineProvider<GenerateContentParameters>({
  name: 'gemini',
  vendor: 'gemini',
  recognises,
  answers: { roles: ['model'] },
  limits,
  counts,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
  // As the SDK takes it, and as the REST API does, whose names may be in snake case, too.
  request: {
    messages: 'contents',
    system: ['config.systemInstruction', 'systemInstruction', 'system_instruction'],
    tools: ['config.tools', 'tools'],
    output: [
      'config.maxOutputTokens',
      'generationConfig.maxOutputTokens',
      'generation_config.max_output_tokens',
      'generationConfig.max_output_tokens',
      'generation_config.maxOutputTokens',
    ],
    stored: ['config.cachedContent', 'cachedContent', 'cached_content'],
  },
  answer: () => require('./answer.js').GeminiAnswer,
});
