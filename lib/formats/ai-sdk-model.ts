import { pace } from '../steps.js';
import { BY_PROVIDER, readToolResult, replaceResult } from './ai-sdk-output.js';
import { compactionOf } from './compaction.js';
import { copyOf, getIn } from './copy.js';
import { Reader } from './reader.js';
import { REASONING, ROLES } from './recognises/ai-sdk-model.js';
import { isSigned } from './signature.js';
import { isUnsent } from './unsent.js';
import { parseArguments } from './write.js';
import type { Foreign, FormatModule, Part, Path, Role } from '../types.js';

/** `ModelMessage` of the Vercel AI SDK 5 to 7 and of its provider prompts, and `CoreMessage` of version 4. */
const aiSdkModel: FormatModule = { reading, replace, without };

function* reading(messages: readonly Foreign[]) {
  const reader = new Reader();
  const approvals = callsWithApproval(messages);
  for (const message of messages) {
    if (pace.mayPause) yield;
    reader.start(message);
    const { role, content } = message;
    if (!ROLES.has(role)) reader.opaque('user', [], 'unknown role');
    else if (typeof content === 'string') reader.add('text', role, ['content'], content);
    else if (Array.isArray(content)) content.forEach((part, index) => readPart(reader, role, part, ['content', index], approvals));
    else reader.fail(['content'], 'a string or an array of parts', content);
    reader.end(role, ['content']);
  }
  return reader.parts;
}

function readPart(reader: Reader, role: Role, part: Foreign, path: Path, approvals: Set<string>) {
  const type = reader.string(reader.object(part, path).type, [...path, 'type']);
  if (isUnsent(part)) return;
  const locked = lockOf(part);
  const compaction = compactionOf(part);
  if (type === 'text') {
    reader.add('text', role, [...path, 'text'], reader.string(part.text, [...path, 'text']), locked ?? (compaction && 'compaction'));
    reader.compacted(part);
  } else if (compaction !== undefined) {
    reader.known(role, path, 'compaction');
    reader.compacted(part);
  } else if (type === 'tool-call') {
    const key = 'input' in part || !('args' in part) ? 'input' : 'args';
    const at = [...path, key];
    const id = reader.string(part.toolCallId, [...path, 'toolCallId']);
    const isAsked = approvals.has(id);
    // A call of the provider's waits for no result: once it is approved, it comes again, with its result.
    if (isAsked && part.providerExecuted && !reader.calls.has(id)) {
      reader.known(role, path, 'approval');
      return reader.named(id);
    }
    const call = reader.call(at, reader.shown(part[key], at), part.toolName, id, locked ?? (isAsked ? 'approval' : undefined));
    if (isAsked && part.providerExecuted) call.goes = 'withPrevious';
  } else if (type === 'tool-result') {
    reader.string(part.toolCallId, [...path, 'toolCallId']);
    readToolResult(reader, part, path, role === 'assistant' ? BY_PROVIDER : locked);
  } else if (type === 'reasoning') reader.reasoning(role, path, reader.string(part.text, [...path, 'text']), isSigned(part));
  else if (type === 'redacted-reasoning') reader.reasoning(role, path, '', true);
  else if (type === 'image' || type === 'file') reader.add('media', role, path, '', locked);
  else if (type === 'reasoning-file') reader.reasoning(role, path, '', isSigned(part));
  else if (type === 'tool-approval-request') reader.known(role, path, 'approval');
  // It follows the call.
  else if (type === 'tool-approval-response') reader.known(role, path, 'approval', 'withPrevious');
  else reader.opaque(role, path, `unknown part type ${type}`);
}

/** Returns the ids of calls with an approval request: the request names the call, the response names the request. */
function callsWithApproval(messages: readonly Foreign[]) {
  const ids = new Set<string>();
  for (const message of messages) {
    if (!Array.isArray(message?.content)) continue;
    for (const part of message.content) if (part?.type === 'tool-approval-request') ids.add(part.toolCallId);
  }
  return ids;
}

const optionsOf = (part: Foreign) => part.providerOptions ?? part.providerMetadata ?? part.experimental_providerMetadata;

function lockOf(part: Foreign) {
  if (part.providerExecuted) return BY_PROVIDER;
  const options = optionsOf(part);
  return Object.values<Foreign>(options ?? {}).some((provider) => provider?.thoughtSignature !== undefined)
    ? 'thought signature'
    : undefined;
}

function replace(message: Foreign, part: Part, text: string) {
  if (part.kind === 'call') return [{ path: part.path, value: parseArguments(part, text) }];
  return replaceResult(part, getIn(message, part.path), text);
}

function without(message: Foreign, parts: Part[]) {
  if (!Array.isArray(message.content) || parts.some(({ path }) => path.length === 1)) return undefined;
  const gone = new Set<string | number>();
  const nested = new Map();
  for (const { path } of parts) {
    const item = path[4]; // ['content', 2, 'output', 'value', 0, …]
    if (typeof item !== 'number') gone.add(path[1]);
    else if (nested.has(path[1])) nested.get(path[1]).add(item);
    else nested.set(path[1], new Set([item]));
  }
  const content: Foreign[] = [];
  message.content.forEach((part: Foreign, index: number) => {
    const inner = nested.get(index);
    const value = inner && part.output.value.filter((_: unknown, place: number) => !inner.has(place));
    if (value?.length > 0) content.push(Object.assign(copyOf(part), { output: Object.assign(copyOf(part.output), { value }) }));
    else if (!value && !gone.has(index)) content.push(part);
  });
  // Reasoning is removed with the part that it led to.
  while (REASONING.has(content.at(-1)?.type) && parts.some(({ kind }) => kind !== 'reasoning')) content.pop();
  return content.every(isUnsent) ? undefined : Object.assign(copyOf(message), { content });
}

export default aiSdkModel;
