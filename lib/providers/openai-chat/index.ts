import { defineProvider } from '../provider.js';
import { counts, limits } from './figures.js';
import { hasBudget } from '../anthropic/request.js';
import { recognises } from './recognise.js';
import { isPlainId } from '../shared/bookkeeping.js';
import type { OpenAI } from 'openai';

export const openaiChat = defineProvider<OpenAI.ChatCompletionCreateParams>({
  name: 'openai-chat',
  vendor: 'openai',
  recognises,
  answers: { roles: ['assistant'] },
  bookkeeping: { message: { id: isPlainId } },
  breakpoints: { keys: ['prompt_cache_breakpoint'] },
  limits,
  counts,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
  request: {
    messages: 'messages',
    system: [],
    tools: ['tools', 'functions'],
    output: ['max_completion_tokens', 'max_tokens'],
    stored: [],
    // Gateways hand it on to Anthropic.
    hasBudget,
  },
  answer: () => require('./answer.js').ChatAnswer,
});
