import { isObject } from '../../checks.js';
import { pace } from '../../steps.js';
import { copyOf, getIn } from '../shared/copy.js';
import { Reader } from '../shared/reader.js';
import { ROLES } from './recognise.js';
import { readBody } from './blocks.js';
import { isUnsent } from '../shared/unsent.js';
import { elementsWithout, fileAs, parseArguments, structured } from '../shared/write.js';
import type { Body } from './blocks.js';
import type { Fields } from '../shared/shapes.js';
import type { SdkPart } from '../shared/unsent.js';
import type { FormatModule, Part, Provider, Role } from '../../types.js';

/** Part types without content of their own: a message with nothing else is empty. */
const SILENT = new Set<unknown>(['step-start', 'reasoning']);

interface Message extends Body {
  /** read only where it is one of {@link ROLES} */
  role: Role;
}

/** `UIMessage` of the Vercel AI SDK 5 to 7, and of version 4 with its `toolInvocations`. */
const aiSdkUi: FormatModule = { reading, replace, without, isMixed: true };

function* reading(messages: readonly Message[], to?: Provider) {
  const reader = new Reader(to);
  for (const message of messages) {
    if (pace.isDue) yield;
    reader.start(message);
    const { role, parts } = message;
    if (ROLES.has(role)) readBody(reader, role, message, []);
    else reader.roleless(message.role);
    reader.end(role, parts === undefined ? ['content'] : ['parts']);
  }
  return reader.parts;
}

/** Returns the places where version 4 repeats a part: `content`, and `toolInvocations` beside `parts`. */
function mirrors(message: Message, part: Part) {
  if (part.path[0] !== 'parts') return [];
  if (part.kind === 'text') return message.content === part.text && part.text !== '' ? [['content']] : [];
  if (part.path[2] !== 'toolInvocation') return [];
  const tools = (message.toolInvocations ?? []) as (Fields | null)[];
  const index = tools.findIndex((tool) => tool?.toolCallId === part.callId);
  return index < 0 ? [] : [['toolInvocations', index, ...part.path.slice(3)]];
}

function replace(message: Message, part: Part, text: string) {
  const file = fileAs(part, getIn(message, part.path), text);
  if (file !== undefined) return [{ path: part.path, value: file }];
  const value = part.kind === 'call' ? parseArguments(part, text) : structured(getIn(message, part.path), text);
  return [part.path, ...mirrors(message, part)].map((path) => ({ path, value }));
}

function without(message: Message, parts: Part[]) {
  const copy: Message = copyOf(message);
  const calls = new Set<unknown>(parts.map(({ callId }) => callId).filter((id) => id !== undefined));
  if (Array.isArray(message.toolInvocations)) {
    copy.toolInvocations = message.toolInvocations.filter((tool: Fields | null) => !calls.has(tool?.toolCallId));
  }
  if (parts.some((part) => part.path[0] === 'content' || mirrors(message, part).some(([key]) => key === 'content'))) copy.content = '';
  if (!Array.isArray(message.parts)) return copy.content || (copy.toolInvocations as unknown[] | undefined)?.length ? copy : undefined;
  const left = partsLeft(message.parts, elementsWithout(message.parts, 'parts', parts));
  copy.parts = left;
  return left.some((part) => isObject(part) && !SILENT.has(part.type) && !isUnsent(part)) ? copy : undefined;
}

/** Returns whether the model sees the part, not only the user. */
function isShown({ type }: SdkPart) {
  return typeof type === 'string' && (type === 'text' || type === 'file' || type.startsWith('tool-') || type === 'dynamic-tool');
}

/** Returns the remaining parts, without the reasoning of steps of which everything else was removed. */
function partsLeft(parts: SdkPart[], left: SdkPart[]) {
  const stays = new Set(left);
  const result: SdkPart[] = [];
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
