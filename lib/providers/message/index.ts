import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';
import { isPlainId } from '../shared/bookkeeping.js';

export const message = defineProvider({
  name: 'message',
  recognises,
  answers: { roles: ['assistant'] },
  bookkeeping: { message: { id: isPlainId } },
  // Calls are as in OpenAI's chat completions.
  parts: () => require('../openai-chat/parts.js').default,
  rules: () => require('./rules.js'),
});
