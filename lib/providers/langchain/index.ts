import { defineProvider } from '../provider.js';
import { CACHE_POINT, recognises } from './recognise.js';
import { id, lc_kwargs, response_metadata, usage_metadata } from './bookkeeping.js';

export const langchain = defineProvider({
  name: 'langchain',
  recognises,
  answers: { types: ['ai'] },
  bookkeeping: { message: { id, lc_kwargs, response_metadata, usage_metadata } },
  breakpoints: { keys: ['cache_control', CACHE_POINT], extras: ['extras', 'metadata'] },
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
