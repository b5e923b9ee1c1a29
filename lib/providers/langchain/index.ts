import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';

export const langchain = defineProvider({
  name: 'langchain',
  recognises,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
