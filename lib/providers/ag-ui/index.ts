import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';
import { isPlainId } from '../shared/bookkeeping.js';

export const agUi = defineProvider({
  name: 'ag-ui',
  recognises,
  answers: { roles: ['assistant', 'reasoning'] },
  bookkeeping: { message: { id: isPlainId } },
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
