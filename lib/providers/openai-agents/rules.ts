import { isObject } from '../../checks.js';
// OpenAI's Agents SDK: it throws for types that it doesn't know, and the Responses API refuses the rest.

import { checkParts, checker, isMessage } from '../openai-responses/item-rules.js';
import { show } from '../shared/shapes.js';
import type { Fields } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { Problems } from '../shared/problems.js';

const CALL_OF = new Map<unknown, string>([
  ['function_call_result', 'function_call'],
  ['computer_call_result', 'computer_call'],
  ['shell_call_output', 'shell_call'],
  ['apply_patch_call_output', 'apply_patch_call'],
]);
const ITEMS = new Set([
  'message',
  'reasoning',
  'compaction',
  'hosted_tool_call',
  'tool_search_call',
  'tool_search_output',
  'program',
  'program_output',
  'unknown',
  ...[...CALL_OF].flat(),
]);

const INPUT = new Set(['input_text', 'input_image', 'input_file', 'audio']);
const OUTPUT = new Set(['output_text', 'refusal', 'audio', 'image']);
/** Parts of the list that an output may be, and the outputs that are one part alone. */
const RESULT = new Set(['input_text', 'input_image', 'input_file']);
const ONE_RESULT = new Set<unknown>(['text', 'image', 'file']);

function checkContent({ role, content }: Fields, index: number, problems: Problems) {
  // The model's words are parts, always.
  if (typeof content === 'string' && role !== 'assistant') return;
  const right = role === 'assistant' ? OUTPUT : INPUT;
  checkParts(content, (type) => !right.has(type), `a message of the role ${role}`, [index, 'content'], problems);
  checkImages(content, [index, 'content'], problems);
}

/** The SDK asks an image that is no string for its id. */
function checkImages(parts: unknown, path: Path, problems: Problems) {
  if (!Array.isArray(parts)) return;
  parts.forEach((part: Fields | null, index) => {
    const image = part?.type === 'input_image' ? part.image : undefined;
    if (image && typeof image !== 'string' && typeof image !== 'object')
      problems.add('content-shape', [...path, index, 'image'], `an image has to be a string or an object with an id, not ${show(image)}`);
  });
}

function checkOutput({ type, output }: Fields, index: number, problems: Problems) {
  if (type !== 'function_call_result' || typeof output === 'string') return;
  if (!isObject(output)) {
    checkParts(output, (part) => !RESULT.has(part), 'an output', [index, 'output'], problems, 'tool-result-shape');
    return checkImages(output, [index, 'output'], problems);
  }
  if (!ONE_RESULT.has(output.type) || (output.type === 'text' && typeof output.text !== 'string')) {
    problems.add('tool-result-shape', [index, 'output'], `a single output has to be a text, an image or a file, not ${show(output.type)}`);
  }
}

export const check = checker({
  roles: new Set(['system', 'user', 'assistant']),
  callOf: CALL_OF,
  callId: 'callId',
  answered: ({ callId }) => callId,
  summary: 'content',
  isItem: (type) => ITEMS.has(type),
  isInput: (item) => (isMessage(item) ? item.role !== 'assistant' : CALL_OF.has(item.type)),
  checkContent,
  checkOutput,
});
