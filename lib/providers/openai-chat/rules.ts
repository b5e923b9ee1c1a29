import { isObject } from '../../checks.js';
// OpenAI chat completions: calls in `tool_calls`, each answered by a `tool` message directly behind. AG-UI's messages differ in names.

import { Pairs } from '../shared/pairs.js';
import { isFunctionName, isJsonObject, isText, show } from '../shared/shapes.js';
import type { Fields } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { RuleName } from '../shared/rules.js';
import type { Problems } from '../shared/problems.js';

/** Part types that belong to another place or to another provider's messages. */
const FOREIGN = [
  'function',
  'custom',
  'input_text',
  'input_image',
  'input_file',
  'output_text',
  'image',
  'document',
  'tool_use',
  'tool_result',
  'tool-call',
  'tool-result',
];

const LONGEST_NAME = 64; // characters of a function's name

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

const PART_ROLES: Map<string, Set<string>> = new Map([
  ...FOREIGN.map((type) => [type, new Set()] as [string, Set<string>]),
  ['image_url', new Set(['user'])],
  ['input_audio', new Set(['user'])],
  ['file', new Set(['user'])],
  ['refusal', new Set(['assistant'])],
  // Mistral's
  ['thinking', new Set(['assistant', 'system'])],
]);

/** What differs between APIs whose messages are like those of chat completions. */
export interface Dialect {
  roles: ReadonlySet<unknown>;
  /** The parts that only some roles may hold. A type that is not here may be newer than this file, and passes. */
  partRoles: ReadonlyMap<unknown, ReadonlySet<unknown>>;
  /** Key of the calls in a message of the assistant's, and of the call's id in a message with its result. */
  calls: string;
  answers: string;
  /** Roles of messages that may stand between a call and its result. */
  between: ReadonlySet<unknown>;
}

const OPENAI: Dialect = { roles: ROLES, partRoles: PART_ROLES, calls: 'tool_calls', answers: 'tool_call_id', between: new Set() };

function checkPart(part: unknown, role: unknown, path: Path, problems: Problems, { partRoles }: Dialect) {
  if (!isObject(part) || !isText(part.type)) {
    return problems.add('content-shape', path, 'a part has to be an object with a type');
  }
  if (part.type === 'text' && typeof part.text !== 'string') {
    problems.add('content-shape', [...path, 'text'], `the text of a part has to be a string, not ${show(part.text)}`);
  }
  if (part.type === 'thinking' && !Array.isArray(part.thinking) && partRoles.get('thinking')?.has(role)) {
    problems.add('content-shape', [...path, 'thinking'], `the thinking of a part has to be an array, not ${show(part.thinking)}`);
  }
  if (partRoles.get(part.type)?.has(role) === false) {
    problems.add('part-role', path, `a message of the role ${role} can't hold ${show(part.type)}`);
  }
}

/** `rule` is the one that wrong content of this message breaks. */
function checkContent(content: unknown, role: unknown, path: Path, problems: Problems, dialect: Dialect, rule: RuleName = 'content-shape') {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) return problems.add(rule, path, `content has to be a string or an array of parts, not ${show(content)}`);
  if (content.length === 0) return problems.add('empty-content', path, 'an array of parts has to hold one');
  content.forEach((part: unknown, index) => checkPart(part, role, [...path, index], problems, dialect));
}

function checkName(name: string, path: Path, problems: Problems) {
  if (!isFunctionName(name, LONGEST_NAME)) problems.add('function-name', path, `there can't be a function ${show(name)}`);
}

/** Checks the name and the arguments of a call, or of the older `function_call`. */
function checkFunction(call: unknown, path: Path, problems: Problems) {
  if (!isObject(call) || !isText(call.name)) problems.add('tool-call-shape', path, 'a call has to name its function');
  else {
    checkName(call.name, [...path, 'name'], problems);
    if (!isJsonObject(call.arguments))
      problems.add('arguments-not-object', [...path, 'arguments'], `the arguments of ${show(call.name)} are no JSON object`);
  }
}

function checkCall(call: unknown, path: Path, problems: Problems, pairs: Pairs) {
  if (!isObject(call)) return problems.add('tool-call-shape', path, `a call has to be an object, not ${show(call)}`);
  if (isText(call.id)) pairs.call(call.id, path);
  else problems.add('tool-call-shape', path, `the id of a call has to be a text, not ${show(call.id)}`);
  if (call.type === 'function') checkFunction(call.function, [...path, 'function'], problems);
  else if (call.type !== 'custom') problems.add('tool-call-shape', path, `the type of a call can't be ${show(call.type)}`);
  else if (!isObject(call.custom) || !isText(call.custom.name) || typeof call.custom.input !== 'string') {
    problems.add('tool-call-shape', [...path, 'custom'], 'a custom call has to have a name and an input');
  } else checkName(call.custom.name, [...path, 'custom', 'name'], problems);
}

function checkAssistant(message: Fields, index: number, problems: Problems, pairs: Pairs, dialect: Dialect) {
  const { content, [dialect.calls]: calls, function_call: call } = message;
  const speaksOtherwise = calls != null || call != null || message.audio != null || message.refusal != null;
  if (content != null) checkContent(content, 'assistant', [index, 'content'], problems, dialect);
  else if (!speaksOtherwise) problems.add('empty-content', [index, 'content'], 'an assistant message without calls has to have content');
  if (call != null) checkFunction(call, [index, 'function_call'], problems);
  if (calls == null) return;
  const path = [index, dialect.calls];
  if (!Array.isArray(calls)) problems.add('tool-call-shape', path, `${dialect.calls} has to be an array, not ${show(calls)}`);
  else if (calls.length === 0) problems.add('empty-content', path, `${dialect.calls} has to hold a call or to be left out`);
  else calls.forEach((one: unknown, position) => checkCall(one, [...path, position], problems, pairs));
}

function checkTool(message: Fields, index: number, problems: Problems, pairs: Pairs, dialect: Dialect) {
  const id = message[dialect.answers];
  if (isText(id)) pairs.answer(id, [index]);
  else problems.add('tool-result-shape', [index, dialect.answers], `a tool message has to name the call it answers, not ${show(id)}`);
  checkContent(message.content, 'tool', [index, 'content'], problems, dialect, 'tool-result-shape');
}

export const check = (messages: readonly unknown[], problems: Problems) => checkMessages(messages, problems, OPENAI);

/** Checks messages of a dialect; what is in `between` is the caller's to check. */
export function checkMessages(messages: readonly unknown[], problems: Problems, dialect: Dialect) {
  const pairs = new Pairs(problems);
  for (const [index, message] of problems.objects(messages)) {
    const { role } = message;
    if (dialect.between.has(role)) continue;
    if (role !== 'tool') pairs.close('tool-call-without-result');
    if (!dialect.roles.has(role)) problems.add('unknown-role', [index, 'role'], `there is no role ${show(role)}`);
    else if (role === 'tool') checkTool(message, index, problems, pairs, dialect);
    else if (role === 'assistant') checkAssistant(message, index, problems, pairs, dialect);
    else if (role !== 'function') checkContent(message.content, role, [index, 'content'], problems, dialect);
    else if (!isText(message.name) || (message.content !== null && typeof message.content !== 'string')) {
      problems.add('tool-result-shape', [index], 'a function message has to have a name, and a text or null as content');
    }
  }
  pairs.close('tool-call-at-end');
}
