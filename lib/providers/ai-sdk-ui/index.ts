import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';

export const aiSdkUi = defineProvider({
  name: 'ai-sdk-ui',
  recognises,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
