import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';

export const agUi = defineProvider({
  name: 'ag-ui',
  recognises,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
