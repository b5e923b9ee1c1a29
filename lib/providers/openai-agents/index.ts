import { recognises } from '../openai-responses/recognise.js';
import { defineProvider } from '../provider.js';
import { counts, limits } from '../openai-chat/figures.js';

export const openaiAgents = defineProvider({
  name: 'openai-agents',
  vendor: 'openai',
  recognises: (item) => recognises(item, 'agents'),
  answers: {
    roles: ['assistant'],
    types: [
      'reasoning',
      'function_call',
      'hosted_tool_call',
      'computer_call',
      'tool_search_call',
      'shell_call',
      'apply_patch_call',
      'program',
    ],
  },
  breakpoints: { keys: ['promptCacheBreakpoint'] },
  limits,
  counts,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
});
