import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';

export const mastra = defineProvider({
  name: 'mastra',
  recognises,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
