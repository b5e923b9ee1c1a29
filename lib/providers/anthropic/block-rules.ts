import { isObject } from '../../checks.js';
// The shape of one Anthropic content block, and which role may hold it.

import { isFunctionName, isText, show } from '../shared/shapes.js';
import type { Fields } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { Problems } from '../shared/problems.js';

const ID = /^[a-zA-Z0-9_-]+$/; // the API's own pattern of tool_use.id
const LONGEST_NAME = 128; // characters of tool_use.name

/** Blocks that only one role may hold. A type that is not here may be newer than this file, and passes. */
const BLOCK_ROLE = new Map([
  ['tool_use', 'assistant'],
  ['server_tool_use', 'assistant'],
  ['mcp_tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['tool_result', 'user'],
  ['tool_addition', 'system'],
  ['tool_removal', 'system'],
  // Parts of other providers' messages.
  ...['image_url', 'input_text', 'input_image', 'output_text', 'tool-call', 'tool-result'].map(
    (type) => [type, 'none'] as [string, string],
  ),
]);

/** Blocks of instructions in the middle of a conversation. */
const OF_SYSTEM = new Set(['text', 'tool_addition', 'tool_removal']);

/** Types of blocks that the result of a tool cannot hold. */
const NOT_IN_RESULT = new Set([...BLOCK_ROLE.keys()]);

/** The result of a tool that runs at the provider: `web_search_tool_result`, `mcp_tool_result` and more to come. */
export const isServerResult = (type: string) => type.endsWith('_tool_result');

export const isBlank = (text: string) => text.trim() === '';

function checkText(block: Fields, path: Path, problems: Problems) {
  if (typeof block.text !== 'string') {
    problems.add('content-shape', [...path, 'text'], `the text of a block has to be a string, not ${show(block.text)}`);
  } else if (isBlank(block.text)) problems.add('empty-text', path, 'the text block holds nothing but blanks');
}

function checkToolUse(block: Fields, path: Path, problems: Problems) {
  if (!isText(block.id) || !ID.test(block.id)) {
    problems.add('tool-call-shape', [...path, 'id'], `the id has to consist of letters, digits, _ and -: ${show(block.id)}`);
  }
  if (!isText(block.name)) problems.add('tool-call-shape', [...path, 'name'], `the call has to name its tool, not ${show(block.name)}`);
  else if (!isFunctionName(block.name, LONGEST_NAME))
    problems.add('function-name', [...path, 'name'], `there can't be a tool ${show(block.name)}`);
  if (!isObject(block.input))
    problems.add('arguments-not-object', [...path, 'input'], `the input has to be an object, not ${show(block.input)}`);
}

function checkToolResult(block: Fields, path: Path, problems: Problems) {
  if (!isText(block.tool_use_id)) {
    problems.add('tool-result-shape', [...path, 'tool_use_id'], `a result has to name the call it answers, not ${show(block.tool_use_id)}`);
  }
  const { content, is_error: isError } = block;
  if (isError != null && typeof isError !== 'boolean') {
    problems.add('tool-result-shape', [...path, 'is_error'], `is_error has to be a boolean, not ${show(isError)}`);
  }
  if (content === undefined || typeof content === 'string') return; // a tool may have nothing to say
  if (!Array.isArray(content)) {
    return problems.add('tool-result-shape', [...path, 'content'], `a result's content has to be a string or blocks, not ${show(content)}`);
  }
  content.forEach((inner: unknown, index) => {
    const at = [...path, 'content', index];
    if (!isObject(inner) || !isText(inner.type)) problems.add('tool-result-shape', at, 'a block has to be an object with a type');
    else if (NOT_IN_RESULT.has(inner.type) || isServerResult(inner.type))
      problems.add('tool-result-shape', at, `a result can't hold a ${show(inner.type)}`);
    else if (isError === true && inner.type !== 'text') {
      problems.add('tool-result-shape', at, `a result with is_error can hold text only, not ${show(inner.type)}`);
    } else if (inner.type === 'text') checkText(inner, at, problems);
  });
}

function checkThinking(block: Fields, path: Path, problems: Problems) {
  if (block.cache_control != null) problems.add('cache-control-on-thinking', path, `a ${block.type} block has a cache_control`);
  if (block.type === 'redacted_thinking') {
    if (!isText(block.data)) problems.add('thinking-signature', path, 'the redacted thinking has no data');
    // Other providers that take Anthropic's messages sign with an empty text.
  } else if (typeof block.thinking !== 'string' || typeof block.signature !== 'string') {
    problems.add('thinking-signature', path, 'the thinking has no signature');
  }
}

const CHECKS = new Map([
  ['text', checkText],
  ['tool_use', checkToolUse],
  ['tool_result', checkToolResult],
  ['thinking', checkThinking],
  ['redacted_thinking', checkThinking],
]);

export interface Block extends Fields {
  type: string;
}

/** Checks one block; returns whether its content can be checked too. */
export function checkBlock(block: unknown, role: unknown, path: Path, problems: Problems): block is Block {
  if (!isObject(block) || !isText(block.type)) {
    problems.add('content-shape', path, 'a block has to be an object with a type');
    return false;
  }
  const only = isServerResult(block.type) ? 'assistant' : BLOCK_ROLE.get(block.type);
  if ((only !== undefined && only !== role) || (role === 'system' && !OF_SYSTEM.has(block.type))) {
    problems.add('part-role', path, `a message of the role ${role} can't hold a ${show(block.type)}`);
    return false;
  }
  CHECKS.get(block.type)?.(block, path, problems);
  return true;
}
