import { defineProvider } from '../provider.js';
import { BREAKPOINTS } from '../ai-sdk-model/recognise.js';
import { recognises } from './recognise.js';
import { hasParts, isSaid } from './bookkeeping.js';

export const aiSdkUi = defineProvider({
  name: 'ai-sdk-ui',
  recognises,
  answers: { roles: ['assistant'] },
  // As `convertToModelMessages` makes messages of them.
  bookkeeping: { message: { id: hasParts }, part: { state: isSaid } },
  breakpoints: BREAKPOINTS,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
