import { pace } from '../../steps.js';
import { copyOf, getIn } from '../shared/copy.js';
import { isObject, Reader } from '../shared/reader.js';
import { ROLES } from './recognise.js';
import { readBody } from './blocks.js';
import { isUnsent } from '../shared/unsent.js';
import { elementsWithout, fileAs, parseArguments, structured } from '../shared/write.js';
import type { Foreign, FormatModule, Part, Provider } from '../../types.js';

/** Part types without content of their own: a message with nothing else is empty. */
const SILENT = new Set(['step-start', 'reasoning']);

/** `UIMessage` of the Vercel AI SDK 5 to 7, and of version 4 with its `toolInvocations`. */
const aiSdkUi: FormatModule = { reading, replace, without, isMixed: true };

function* reading(messages: readonly Foreign[], to?: Provider) {
  const reader = new Reader(to);
  for (const message of messages) {
    if (pace.mayPause) yield;
    reader.start(message);
    const { role, parts } = message;
    if (ROLES.has(role)) readBody(reader, role, message, []);
    else reader.roleless(message.role);
    reader.end(role, parts === undefined ? ['content'] : ['parts']);
  }
  return reader.parts;
}

/** Returns the places where version 4 repeats a part: `content`, and `toolInvocations` beside `parts`. */
function mirrors(message: Foreign, part: Part) {
  if (part.path[0] !== 'parts') return [];
  if (part.kind === 'text') return message.content === part.text && part.text !== '' ? [['content']] : [];
  if (part.path[2] !== 'toolInvocation') return [];
  const index = (message.toolInvocations ?? []).findIndex((tool: Foreign) => tool?.toolCallId === part.callId);
  return index < 0 ? [] : [['toolInvocations', index, ...part.path.slice(3)]];
}

function replace(message: Foreign, part: Part, text: string) {
  const file = fileAs(part, getIn(message, part.path), text);
  if (file !== undefined) return [{ path: part.path, value: file }];
  const value = part.kind === 'call' ? parseArguments(part, text) : structured(getIn(message, part.path), text);
  return [part.path, ...mirrors(message, part)].map((path) => ({ path, value }));
}

function without(message: Foreign, parts: Part[]) {
  const copy = copyOf(message);
  const calls = new Set(parts.map(({ callId }) => callId).filter((id) => id !== undefined));
  if (Array.isArray(message.toolInvocations)) {
    copy.toolInvocations = message.toolInvocations.filter((tool: Foreign) => !calls.has(tool?.toolCallId));
  }
  if (parts.some((part) => part.path[0] === 'content' || mirrors(message, part).some(([key]) => key === 'content'))) copy.content = '';
  if (!Array.isArray(message.parts)) return copy.content || copy.toolInvocations?.length > 0 ? copy : undefined;
  copy.parts = partsLeft(message.parts, elementsWithout(message, 'parts', parts));
  return copy.parts.some((part: Foreign) => isObject(part) && !SILENT.has(part.type) && !isUnsent(part)) ? copy : undefined;
}

/** Returns whether the model sees the part, not only the user. */
function isShown({ type }: Foreign) {
  return typeof type === 'string' && (type === 'text' || type === 'file' || type.startsWith('tool-') || type === 'dynamic-tool');
}

/** Returns the remaining parts, without the reasoning of steps of which everything else was removed. */
function partsLeft(parts: Foreign[], left: Foreign[]) {
  const stays = new Set(left);
  const result: Foreign[] = [];
  let ends = true; // whether a step ends after the current part
  let cut = false; // whether a part of this step was removed
  for (const part of parts.toReversed()) {
    if (part === undefined) continue; // a hole
    if (!stays.has(part)) cut = true;
    else if ((part.type !== 'reasoning' && !isUnsent(part)) || !ends || !cut) {
      result.push(part);
      if (isShown(part)) ends = false;
      else if (part.type === 'step-start') [ends, cut] = [true, false];
    }
  }
  return result.reverse();
}

export default aiSdkUi;
