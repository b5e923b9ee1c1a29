import { defineProvider } from '../provider.js';
import { counts, limits } from './figures.js';
import { recognises } from './recognise.js';
import { isPlainId } from '../shared/bookkeeping.js';
import { request } from './request.js';
import type { Anthropic } from '@anthropic-ai/sdk';

export const anthropic = defineProvider<Anthropic.Beta.MessageCreateParams>({
  name: 'anthropic',
  vendor: 'anthropic',
  recognises,
  answers: { roles: ['assistant'] },
  bookkeeping: { message: { id: isPlainId } },
  breakpoints: { keys: ['cache_control'] },
  limits,
  counts,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
  request,
  answer: () => require('./answer.js').AnthropicAnswer,
});
