import { defineProvider } from '../provider.js';
import { recognises } from './recognise.js';
import type { Fields } from '../shared/shapes.js';

/** Members by which a memory finds the message. */
const isOwn = (_: unknown, message: Fields) => recognises(message) === 'yes';

export const mastra = defineProvider({
  name: 'mastra',
  recognises,
  answers: { roles: ['assistant'] },
  bookkeeping: { message: { id: isOwn, threadId: isOwn, resourceId: isOwn } },
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
