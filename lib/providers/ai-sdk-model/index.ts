import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';

export const aiSdkModel = defineProvider({
  name: 'ai-sdk-model',
  recognises,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
