// OpenAI Responses.

import { checkParts, checker, isMessage } from './item-rules.js';
import type { Fields } from '../shared/shapes.js';
import type { Problems } from '../shared/problems.js';

const CALL_OF = new Map<unknown, string>([
  ['function_call_output', 'function_call'],
  ['custom_tool_call_output', 'custom_tool_call'],
  ['local_shell_call_output', 'local_shell_call'],
  ['shell_call_output', 'shell_call'],
  ['apply_patch_call_output', 'apply_patch_call'],
  ['computer_call_output', 'computer_call'],
]);

/** Parts of input messages, and parts of output messages. */
const INPUT = ['input_text', 'input_image', 'input_file', 'input_audio'];
const OUTPUT = ['output_text', 'refusal'];

/** Parts of other providers' messages, which are no items either. */
const FOREIGN = ['text', 'image_url', 'file', 'image', 'document', 'tool_use', 'tool_result', 'thinking', 'tool-call', 'tool-result'];
const ITEMS = ['message', 'reasoning', 'web_search_call', 'file_search_call', 'item_reference', 'compaction', ...[...CALL_OF].flat()];

/** Types that parts of either side, and types that items cannot have. A type that is not here may be newer than this file, and passes. */
const NOT_INPUT = new Set([...OUTPUT, ...FOREIGN, ...ITEMS]);
const NOT_OUTPUT = new Set([...INPUT, ...FOREIGN, ...ITEMS]);
const NOT_ITEM = new Set([...INPUT, ...OUTPUT, ...FOREIGN]);

function checkContent({ role, content }: Fields, index: number, problems: Problems) {
  if (typeof content === 'string') return;
  const wrong = role === 'assistant' ? NOT_OUTPUT : NOT_INPUT;
  checkParts(content, (type) => wrong.has(type), `a message of the role ${role}`, [index, 'content'], problems);
}

function checkOutput({ type, output }: Fields, index: number, problems: Problems) {
  if ((type !== 'function_call_output' && type !== 'custom_tool_call_output') || typeof output === 'string') return;
  checkParts(output, (part) => NOT_INPUT.has(part), 'an output', [index, 'output'], problems, 'tool-result-shape');
}

export const check = checker({
  roles: new Set(['system', 'developer', 'user', 'assistant']),
  callOf: CALL_OF,
  callId: 'call_id',
  // The types say that a local shell's output names its call by `id`; the API's own examples have a `call_id`.
  answered: ({ type, call_id: callId, id }) => callId ?? (type === 'local_shell_call_output' ? id : undefined),
  summary: 'summary',
  isItem: (type) => !NOT_ITEM.has(type),
  isInput: (item) => (isMessage(item) ? item.role !== 'assistant' : CALL_OF.has(item.type) || item.type === 'mcp_approval_response'),
  checkContent,
  checkOutput,
});
