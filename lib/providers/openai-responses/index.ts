import { defineProvider } from '../provider.js';
import { counts, limits } from '../openai-chat/figures.js';
import { recognises } from './recognise.js';
import type { OpenAI } from 'openai';

export const openaiResponses = defineProvider<OpenAI.Responses.ResponseCreateParams>({
  name: 'openai-responses',
  vendor: 'openai',
  recognises: (item) => recognises(item, 'responses'),
  answers: {
    roles: ['assistant'],
    types: [
      'reasoning',
      'function_call',
      'custom_tool_call',
      'file_search_call',
      'web_search_call',
      'computer_call',
      'tool_search_call',
      'code_interpreter_call',
      'image_generation_call',
      'local_shell_call',
      'shell_call',
      'apply_patch_call',
      'mcp_list_tools',
      'mcp_approval_request',
      'mcp_call',
      'program',
    ],
  },
  breakpoints: { keys: ['prompt_cache_breakpoint'] },
  limits,
  counts,
  parts: () => require('./parts.js').default,
  rules: () => require('./rules.js'),
  request: {
    messages: 'input',
    system: ['instructions'],
    tools: ['tools'],
    output: ['max_output_tokens'],
    stored: ['previous_response_id', 'conversation', 'prompt'],
    // Of the whole context, where it is the final item.
    isSummary: ({ input }) => Array.isArray(input) && input.at(-1)?.type === 'compaction_trigger',
  },
  answer: () => require('./answer.js').ResponsesAnswer,
});
