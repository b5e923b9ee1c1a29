import { isObject } from '../../checks.js';
// AI SDK ModelMessage: the checks of `generateText` and `streamText` before the request.

import { AiSdkCalls } from './call-rules.js';
import { isText, show } from '../shared/shapes.js';
import type { Fields } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { Problems } from '../shared/problems.js';

/** Content that a role may have: a text, parts, or either. */
const CONTENT = new Map<unknown, { text: boolean; parts: boolean }>([
  ['system', { text: true, parts: false }],
  ['user', { text: true, parts: true }],
  ['assistant', { text: true, parts: true }],
  ['tool', { text: false, parts: true }],
]);

/** The roles that may hold a part. A type that is not here may be newer than this file, and passes. */
const PART_ROLES = new Map<string, unknown[]>([
  ['text', ['user', 'assistant']],
  ['image', ['user']],
  ['file', ['user', 'assistant']],
  ['reasoning', ['assistant']],
  ['tool-call', ['assistant']],
  ['tool-approval-request', ['assistant']],
  ['tool-result', ['assistant', 'tool']],
  ['tool-approval-response', ['tool']],
]);

const TEXT_OUTPUTS = new Set<unknown>(['text', 'error-text']);

function checkCall(part: Fields, path: Path, problems: Problems, calls: AiSdkCalls) {
  calls.call(part.toolCallId, part.providerExecuted, path);
  if (!isText(part.toolName))
    problems.add('tool-call-shape', [...path, 'toolName'], `a call has to name its tool, not ${show(part.toolName)}`);
  const input = part.input ?? part.args; // `args` until version 4
  if (!isObject(input))
    problems.add('arguments-not-object', [...path, 'input'], `the input of ${show(part.toolName)} has to be an object, not ${show(input)}`);
}

function checkResult(part: Fields, role: unknown, path: Path, problems: Problems, calls: AiSdkCalls) {
  if (role === 'tool') calls.result(part.toolCallId, path);
  else calls.providerResult(part.toolCallId, path);
  if (!isText(part.toolName))
    problems.add('tool-result-shape', [...path, 'toolName'], `a result has to name its tool, not ${show(part.toolName)}`);
  if (part.output === undefined && part.result !== undefined) return; // `result` until version 4
  const at = [...path, 'output'];
  if (!isObject(part.output) || !isText(part.output.type)) {
    problems.add('tool-result-shape', at, `an output has to be an object with a type, not ${show(part.output)}`);
  } else if (TEXT_OUTPUTS.has(part.output.type) && typeof part.output.value !== 'string') {
    problems.add('tool-result-shape', at, `the value of ${show(part.output.type)} has to be a string, not ${show(part.output.value)}`);
  } else if (part.output.type === 'content' && !Array.isArray(part.output.value)) {
    problems.add('tool-result-shape', at, `the value of "content" has to be an array, not ${show(part.output.value)}`);
  }
}

function checkPart(part: unknown, role: unknown, path: Path, problems: Problems, calls: AiSdkCalls) {
  if (!isObject(part) || !isText(part.type)) return problems.add('content-shape', path, 'a part has to be an object with a type');
  const { type } = part;
  if (PART_ROLES.get(type)?.includes(role) === false) {
    return problems.add('part-role', path, `a message of the role ${role} can't hold ${show(type)}`);
  }
  if ((type === 'text' || type === 'reasoning') && typeof part.text !== 'string') {
    problems.add('content-shape', [...path, 'text'], `the text of a part has to be a string, not ${show(part.text)}`);
  } else if (type === 'tool-call') checkCall(part, path, problems, calls);
  else if (type === 'tool-result') checkResult(part, role, path, problems, calls);
  else if (type === 'tool-approval-request') calls.request(part.approvalId, part.toolCallId);
  else if (type === 'tool-approval-response') calls.response(part.approvalId, path);
}

export function check(messages: readonly unknown[], problems: Problems) {
  const calls = new AiSdkCalls(problems);
  for (const [index, message] of problems.objects(messages)) {
    const { role, content } = message;
    const path = [index, 'content'];
    calls.message(role);
    const allowed = CONTENT.get(role);
    if (allowed === undefined) problems.add('unknown-role', [index, 'role'], `there is no role ${show(role)}`);
    else if (!(typeof content === 'string' ? allowed.text : Array.isArray(content) && allowed.parts)) {
      problems.add('content-shape', path, `a message of the role ${role} can't have ${show(content)} as content`);
    } else if (Array.isArray(content))
      content.forEach((part: unknown, position) => checkPart(part, role, [...path, position], problems, calls));
  }
  calls.close();
}
