import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';

export const message = defineProvider({
  name: 'message',
  recognises,
  // Calls are as in OpenAI's chat completions.
  parts: () => require('../openai-chat/parts.js').default,
  rules: () => require('./rules.js'),
});
