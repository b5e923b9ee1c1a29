import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';
import type { OpenAI } from 'openai';

export const openaiResponses = defineProvider<OpenAI.Responses.ResponseCreateParams>({
  name: 'openai-responses',
  vendor: 'openai',
  recognises: (item) => recognises(item, 'responses'),
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
  request: {
    messages: 'input',
    system: ['instructions'],
    tools: ['tools'],
    output: ['max_output_tokens'],
    stored: ['previous_response_id', 'conversation', 'prompt'],
    // Of the whole context, where it is the final item.
    isSummary: ({ input }) => Array.isArray(input) && input.at(-1)?.type === 'compaction_trigger',
  },
  answer: () => require('./answer.js').ResponsesAnswer,
});
