import { recognises } from '../openai-responses/recognise.js';
import { defineProvider } from '../provider.js';

export const openaiAgents = defineProvider({
  name: 'openai-agents',
  vendor: 'openai',
  recognises: (item) => recognises(item, 'agents'),
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
