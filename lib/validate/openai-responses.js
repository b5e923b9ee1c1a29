// @ts-check
'use strict';

/** @import { Foreign, OpenCalls, Path, Problems, RuleName } from '../types.d.ts' */
// OpenAI Responses: a flat list of items; a call and its output have the same `call_id`, in any place.

const { Pairs } = require('./pairs.js');
const { isJsonObject, isObject, isText, show } = require('./shapes.js');

const ROLES = new Set(['system', 'developer', 'user', 'assistant']);

/** The item that answers a call → the call. */
const CALL_OF = new Map([
  ['function_call_output', 'function_call'],
  ['custom_tool_call_output', 'custom_tool_call'],
  ['local_shell_call_output', 'local_shell_call'],
  ['shell_call_output', 'shell_call'],
  ['apply_patch_call_output', 'apply_patch_call'],
  ['computer_call_output', 'computer_call'],
]);
const CALLS = new Set(CALL_OF.values());

/** Items that cannot follow reasoning: the caller's messages, and results. */
const isInput = (item) => (isMessage(item) ? item.role !== 'assistant' : CALL_OF.has(item.type) || item.type === 'mcp_approval_response');

const isMessage = (item) => item.type === undefined || item.type === 'message';

/** Parts of input messages, and parts of output messages. */
const INPUT = ['input_text', 'input_image', 'input_file', 'input_audio'];
const OUTPUT = ['output_text', 'refusal'];
const TEXT_PARTS = new Set(['input_text', 'output_text']);

/** Parts of other providers' messages, which are no items either. */
const FOREIGN = ['text', 'image_url', 'file', 'image', 'document', 'tool_use', 'tool_result', 'thinking', 'tool-call', 'tool-result'];
const ITEMS = ['message', 'reasoning', 'web_search_call', 'file_search_call', 'item_reference', 'compaction', ...CALL_OF.keys(), ...CALLS];

/** Types that parts of either side, and types that items cannot have. A type that is not here may be newer than this file, and passes. */
const NOT_INPUT = new Set([...OUTPUT, ...FOREIGN, ...ITEMS]);
const NOT_OUTPUT = new Set([...INPUT, ...FOREIGN, ...ITEMS]);
const NOT_ITEM = new Set([...INPUT, ...OUTPUT, ...FOREIGN]);

/**
 * @param {Foreign[]} parts
 * @param {Foreign} wrong
 * @param {Foreign} holder
 * @param {Path} path
 * @param {Problems} problems
 * @param {RuleName} [rule]
 */
function checkParts(parts, wrong, holder, path, problems, rule = 'content-shape') {
  if (typeof parts === 'string') return;
  if (!Array.isArray(parts)) return problems.add(rule, path, `it has to be a string or an array of parts, not ${show(parts)}`);
  parts.forEach((part, index) => {
    const at = [...path, index];
    if (!isObject(part) || !isText(part.type)) problems.add(rule, at, 'a part has to be an object with a type');
    else if (wrong.has(part.type)) problems.add('part-role', at, `${holder} can't hold ${show(part.type)}`);
    else if (TEXT_PARTS.has(part.type) && typeof part.text !== 'string') {
      problems.add(rule, [...at, 'text'], `the text of a part has to be a string, not ${show(part.text)}`);
    }
  });
}

/**
 * @param {Foreign} item
 * @param {number} index
 * @param {Problems} problems
 */
function checkMessage(item, index, problems) {
  const { role } = item;
  if (!ROLES.has(role)) return problems.add('unknown-role', [index, 'role'], `there is no role ${show(role)}`);
  const wrong = role === 'assistant' ? NOT_OUTPUT : NOT_INPUT;
  checkParts(item.content, wrong, `a message of the role ${role}`, [index, 'content'], problems);
}

/**
 * @param {Foreign} item
 * @param {number} index
 * @param {Problems} problems
 * @param {OpenCalls} pairs
 */
function checkCall(item, index, problems, pairs) {
  if (isText(item.call_id)) pairs.call(`${item.type} ${item.call_id}`, [index]);
  else problems.add('tool-call-shape', [index, 'call_id'], `a call has to have a call_id, not ${show(item.call_id)}`);
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return;
  if (!isText(item.name)) problems.add('tool-call-shape', [index, 'name'], 'a call has to name its function');
  if (item.type === 'custom_tool_call') {
    if (typeof item.input !== 'string') problems.add('tool-call-shape', [index, 'input'], 'the input of a custom call has to be a string');
  } else if (!isJsonObject(item.arguments)) {
    problems.add('arguments-not-object', [index, 'arguments'], `the arguments of ${show(item.name)} are no JSON object`);
  }
}

/**
 * @param {Foreign} item
 * @param {number} index
 * @param {Problems} problems
 * @param {OpenCalls} pairs
 */
function checkOutput(item, index, problems, pairs) {
  // The types say that a local shell's output names its call by `id`; the API's own examples have a `call_id`.
  const id = item.call_id ?? (item.type === 'local_shell_call_output' ? item.id : undefined);
  if (isText(id)) pairs.answer(`${CALL_OF.get(item.type)} ${id}`, [index]);
  else problems.add('tool-result-shape', [index, 'call_id'], `an output has to name the call it answers, not ${show(id)}`);
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
    checkParts(item.output, NOT_INPUT, 'an output', [index, 'output'], problems, 'tool-result-shape');
  }
}

/**
 * Checks that an item of the model follows reasoning; several reasoning items may come together.
 *
 * @param {Foreign} item
 * @param {number} index
 * @param {readonly Foreign[]} items
 * @param {Problems} problems
 */
function checkReasoning(item, index, items, problems) {
  if (!Array.isArray(item.summary)) {
    problems.add('reasoning-summary', [index, 'summary'], `the summary has to be an array, if an empty one, not ${show(item.summary)}`);
  }
  const next = items[index + 1];
  if (index + 1 === items.length || (isObject(next) && isInput(next))) {
    problems.add('reasoning-without-item', [index], `nothing that the model did follows the reasoning ${show(item.id)}`);
  }
}

/**
 * @param {readonly Foreign[]} items
 * @param {Problems} problems
 */
function check(items, problems) {
  const pairs = new Pairs(problems);
  const ids = new Set();
  let lastInput = -1; // the last message that isn't the model's
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (!isObject(item) || (item.type !== undefined && !isText(item.type)) || NOT_ITEM.has(item.type)) {
      problems.add(
        'message-shape',
        [index],
        isObject(item) ? `no item has the type ${show(item.type)}` : `an item has to be an object, not ${show(item)}`,
      );
      continue;
    }
    if (isText(item.id) && item.type !== 'item_reference' && !CALL_OF.has(item.type)) {
      if (ids.has(item.id)) problems.add('duplicate-item', [index, 'id'], `an item before it has the id ${show(item.id)}`);
      ids.add(item.id);
    }
    if (isMessage(item)) {
      checkMessage(item, index, problems);
      if (item.role !== 'assistant') lastInput = index;
    } else if (CALLS.has(item.type)) checkCall(item, index, problems, pairs);
    else if (CALL_OF.has(item.type)) checkOutput(item, index, problems, pairs);
    else if (item.type === 'reasoning') checkReasoning(item, index, items, problems);
  }
  pairs.close(([index]) => (Number(index) < lastInput ? 'tool-call-without-result' : 'tool-call-at-end'));
}

module.exports = { check };
