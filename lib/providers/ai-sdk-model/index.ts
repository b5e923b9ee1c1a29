import { defineProvider } from '../provider.js';
import { BREAKPOINTS, recognises } from './recognise.js';
import { isPlainId } from '../shared/bookkeeping.js';

export const aiSdkModel = defineProvider({
  name: 'ai-sdk-model',
  recognises,
  answers: { roles: ['assistant'] },
  bookkeeping: { message: { id: isPlainId } },
  breakpoints: BREAKPOINTS,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
