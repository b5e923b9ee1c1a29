import { isObject } from '../../checks.js';
// AI SDK UIMessage: the checks of `validateUIMessages`, and of the calls and results that `convertToModelMessages` makes.

import { AiSdkCalls } from '../ai-sdk-model/call-rules.js';
import { isText, show } from '../shared/shapes.js';
import type { Fields } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { Problems } from '../shared/problems.js';

const ROLES = new Set<unknown>(['system', 'user', 'assistant']);
const STATES = new Set<unknown>([
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
]);
const ANSWERED = new Set<unknown>(['output-available', 'output-error', 'output-denied']);

interface Part extends Fields {
  type: string;
}

const isTool = ({ type }: Part) => type === 'dynamic-tool' || type.startsWith('tool-');

/** Returns whether a part becomes content of a model message; sources and incomplete calls do not. */
const isSent = (part: Part) => ['text', 'reasoning', 'file'].includes(part.type) || (isTool(part) && part.state !== 'input-streaming');

/**
 * Returns whether the SDK leaves out a part of a message: until the user speaks again, an approval may still be given. Before version 7 it
 * refused such a call.
 *
 * @param index of its message
 * @param lastUser index of the user's last message
 */
const isDropped = (part: Part, index: number, lastUser: number) => isTool(part) && part.state === 'approval-requested' && index < lastUser;

const STATES_OF_4 = new Map<unknown, string>([
  ['partial-call', 'input-streaming'],
  ['call', 'input-available'],
  ['result', 'output-available'],
]);

/** A part as versions since 5 name it: until 4, calls stood in `toolInvocation`. */
function modern(part: Fields | null | undefined): Fields | null | undefined {
  if (part?.type !== 'tool-invocation' || !isObject(part.toolInvocation)) return part;
  const { toolCallId, toolName, args, state } = part.toolInvocation;
  return { type: 'dynamic-tool', toolCallId, toolName, input: args, state: STATES_OF_4.get(state) ?? state };
}

/** Checks a call; returns whether the part also has a result, which is sent as the caller's. */
function checkTool(part: Part, path: Path, problems: Problems, calls: AiSdkCalls) {
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
  if (!isText(name)) problems.add('tool-call-shape', path, `a call has to name its tool, not ${show(name)}`);
  if (!STATES.has(part.state)) problems.add('tool-call-shape', [...path, 'state'], `there is no state ${show(part.state)}`);
  if (!STATES.has(part.state) || part.state === 'input-streaming') return false; // the latter is not sent
  calls.call(part.toolCallId, part.providerExecuted, path);
  if (part.state !== 'output-error' && !isObject(part.input)) {
    problems.add('arguments-not-object', [...path, 'input'], `the input of ${show(name)} has to be an object, not ${show(part.input)}`);
  }
  if (part.state === 'output-error' && typeof part.errorText !== 'string') {
    problems.add('tool-result-shape', [...path, 'errorText'], `the text of an error has to be a string, not ${show(part.errorText)}`);
  }
  if (isObject(part.approval)) {
    calls.request(part.approval.id, part.toolCallId);
    if (typeof part.approval.approved === 'boolean') calls.response(part.approval.id, path);
  }
  return part.providerExecuted !== true && ANSWERED.has(part.state) && isText(part.toolCallId);
}

type Message = { role?: unknown; parts?: unknown } | null | undefined;

/** Checks that an assistant message has parts that are sent; without them it becomes no model message. */
const isMessageSent = (message: Message, index: number, lastUser: number) =>
  message?.role !== 'assistant' ||
  !Array.isArray(message.parts) ||
  message.parts.map(modern).some((part) => !isText(part?.type) || (isSent(part as Part) && !isDropped(part as Part, index, lastUser)));

function checkPart(part: unknown, path: Path, problems: Problems): part is Part {
  if (!isObject(part) || !isText(part.type)) {
    problems.add('content-shape', path, 'a part has to be an object with a type');
    return false;
  }
  const text = part.text ?? part.reasoning; // `reasoning` until version 4
  if ((part.type === 'text' || part.type === 'reasoning') && typeof text !== 'string') {
    problems.add('content-shape', [...path, 'text'], `the text of a part has to be a string, not ${show(text)}`);
  }
  return true;
}

function checkParts(parts: Fields[], role: unknown, index: number, lastUser: number, problems: Problems, calls: AiSdkCalls) {
  let newStep = true; // a step is a model message of its own, if it has anything to send
  const results: Map<unknown, Path> = new Map(); // of the present step: toolCallId → path
  const endStep = () => {
    results.forEach((path, id) => calls.result(id, path));
    results.clear();
  };
  parts.map(modern).forEach((part, position) => {
    const path = [index, 'parts', position];
    if (!checkPart(part, path, problems) || isDropped(part, index, lastUser)) return;
    if (part.type === 'step-start') {
      endStep();
      newStep = true;
    } else if (role === 'assistant' && newStep && isSent(part)) {
      calls.message('assistant');
      newStep = false;
    }
    // In a message of another role the SDK passes calls over.
    if (role === 'assistant' && isTool(part) && checkTool(part, path, problems, calls)) results.set(part.toolCallId, path);
  });
  endStep();
}

export function check(messages: readonly Message[], problems: Problems) {
  const calls = new AiSdkCalls(problems);
  const lastUser = messages.findLastIndex((message) => message?.role === 'user');
  for (const [index, message] of problems.objects(messages)) {
    const { id, role, parts } = message;
    if (typeof id !== 'string') problems.add('missing-id', [index, 'id'], `the id of a message has to be a string, not ${show(id)}`);
    if (role !== 'assistant') calls.message(role);
    if (!ROLES.has(role)) problems.add('unknown-role', [index, 'role'], `there is no role ${show(role)}`);
    else if (!Array.isArray(parts)) problems.add('content-shape', [index, 'parts'], `parts has to be an array, not ${show(parts)}`);
    else {
      if (parts.length === 0 && role !== 'assistant') problems.add('empty-content', [index, 'parts'], 'the message has no part');
      checkParts(parts, role, index, lastUser, problems, calls);
    }
  }
  calls.close();
  if (!messages.some((message, index) => isMessageSent(message, index, lastUser)))
    problems.add('no-messages', [], 'the messages hold nothing that is sent');
}
