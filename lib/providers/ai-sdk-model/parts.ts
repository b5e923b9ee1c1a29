import { pace } from '../../steps.js';
import { BY_PROVIDER, readToolResult, replaceResult } from './output.js';
import { alternation, joining } from '../shared/alternation.js';
import { compactionOf } from '../shared/compaction.js';
import { copyOf, getIn } from '../shared/copy.js';
import { readTold } from '../shared/documents.js';
import { Reader } from '../shared/reader.js';
import { REASONING, ROLES } from './recognise.js';
import { hasThoughtSignature, isSignedFor, isUnsent } from '../shared/unsent.js';
import { parseArguments } from '../shared/write.js';
import type { Fields } from '../shared/shapes.js';
import type { SdkPart } from '../shared/unsent.js';
import type { Adapter, FormatModule, Part, Path, Provider, Role } from '../../types.js';

interface Message {
  /** read only where it is one of {@link ROLES} */
  role: Role;
  content?: unknown;
}

interface Block extends SdkPart {
  data?: { type?: unknown; text?: unknown } | null;
}

/** `ModelMessage` of the Vercel AI SDK 5 to 7 and of its provider prompts, and `CoreMessage` of version 4. */
const aiSdkModel: FormatModule = {
  reading,
  replace,
  without,
  isMixed: true,
  alternating: { ...alternation(({ role }: Message) => (ROLES.has(role) ? role : undefined), asMark), ...joining },
};

function* reading(messages: readonly Message[], to?: Provider, adapter?: Adapter) {
  const reader = new Reader(to, adapter);
  const asked = callsWithApproval(messages);
  for (const [at, message] of messages.entries()) {
    if (pace.isDue) yield;
    const approvals = { asked, isAnswered: hasApprovalResponse(messages[at - 1]) };
    reader.start(message);
    const { role, content } = message;
    if (!ROLES.has(role)) reader.roleless(message.role);
    else if (typeof content === 'string') reader.add('text', role, ['content'], content);
    else if (Array.isArray(content)) content.forEach((part: Block, index) => readPart(reader, role, part, ['content', index], approvals));
    else reader.fail(['content'], 'a string or an array of parts', content);
    reader.end(role, ['content']);
    if (role === 'assistant') countFurther(reader, adapter?.api);
  }
  return reader.parts;
}

function readPart(reader: Reader, role: Role, part: Block, path: Path, approvals: Approvals) {
  const type = reader.string(reader.object(part, path).type, [...path, 'type']);
  if (isUnsent(part)) return;
  if (role === 'assistant' && isUnsent(part, reader.to)) {
    const unsent = reader.dropped(role, path, part);
    // The call may be sent, and goes with it.
    if (reader.calls.has(part.toolCallId as string)) reader.answers(unsent, part.toolCallId);
    return unsent;
  }
  const locked = lockOf(part, reader.to);
  const compaction = compactionOf(part, reader.to);
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
    const isAsked = approvals.asked.has(id);
    // A call of the provider's waits for no result: once it is approved, it comes again, with its result, and with OpenAI's id if not with the same.
    if (isAsked && part.providerExecuted && !reader.calls.has(id)) {
      reader.known(role, path, 'approval');
      return reader.named(id);
    }
    const call = reader.call(at, reader.shown(part[key], at), part.toolName, id, locked ?? (isAsked ? 'approval' : undefined));
    if (part.providerExecuted && (isAsked || approvals.isAnswered)) call.goes = 'withPrevious';
  } else if (type === 'tool-result') {
    reader.string(part.toolCallId, [...path, 'toolCallId']);
    readToolResult(reader, part, path, role === 'assistant' ? BY_PROVIDER : locked);
  } else if (type === 'reasoning') reader.reasoning(role, path, reader.string(part.text, [...path, 'text']), isSignedFor(part, reader.to));
  else if (type === 'redacted-reasoning') reader.reasoning(role, path, '', isSignedFor(part, reader.to));
  // A document that is given as a text.
  else if (type === 'file' && part.data?.type === 'text' && typeof part.data.text === 'string')
    reader.document(role, [...path, 'data', 'text'], part.data.text, locked);
  else if (type === 'image' || type === 'file') reader.file(role, path, part, locked);
  else if (type === 'reasoning-file') reader.reasoning(role, path, '', isSignedFor(part, reader.to));
  else if (type === 'tool-approval-request') reader.known(role, path, 'approval');
  // It follows the call.
  else if (type === 'tool-approval-response') reader.known(role, path, 'approval', 'withPrevious');
  else reader.opaque(role, path, 'part of type', type);
  readTold(reader, role, part, path);
}

/**
 * Notes what the adapter writes beside one message for what the model said. All results of its calls are one message of the SDK, but not of the API:
 * what those behind the first take is with their calls, because both go together.
 */
function countFurther(reader: Reader, api: Adapter['api'] | undefined) {
  if (api !== 'chat' && api !== 'responses') return;
  const own = reader.parts.slice(reader.first).filter(({ kind, unsent }) => !unsent && (kind === 'text' || kind === 'call'));
  const [, ...laterCalls] = own.filter(({ kind }) => kind === 'call');
  for (const call of laterCalls) call.further = 1;
  if (api === 'responses') for (const part of own.slice(1)) part.further = (part.further ?? 0) + 1;
}

interface Approvals {
  /** ids of calls with an approval request */
  asked: Set<unknown>;
  /** whether the message before says what the user decided */
  isAnswered: boolean;
}

const hasApprovalResponse = (message?: Message) =>
  Array.isArray(message?.content) && message.content.some((part: Fields | null) => part?.type === 'tool-approval-response');

/** Returns the ids of calls with an approval request: the request names the call, the response names the request. */
function callsWithApproval(messages: readonly Message[]) {
  const ids = new Set<unknown>();
  for (const message of messages) {
    if (!Array.isArray(message?.content)) continue;
    for (const part of message.content as (Fields | null)[]) if (part?.type === 'tool-approval-request') ids.add(part.toolCallId);
  }
  return ids;
}

const optionsOf = (part: SdkPart) => part.providerOptions ?? part.providerMetadata ?? part.experimental_providerMetadata;

function lockOf(part: SdkPart, to: Provider | undefined) {
  if (part.providerExecuted) return BY_PROVIDER;
  return hasThoughtSignature(optionsOf(part), to) ? 'thought signature' : undefined;
}

function replace(message: Message, part: Part, text: string) {
  if (part.kind === 'call') return [{ path: part.path, value: parseArguments(part, text) }];
  return replaceResult(part, getIn(message, part.path), text);
}

function without(message: Message, parts: Part[]) {
  if (!Array.isArray(message.content) || parts.some(({ path }) => path.length === 1)) return undefined;
  const gone = new Set<string | number>();
  const nested: Map<unknown, Set<number>> = new Map();
  for (const { path } of parts) {
    const item = path[4]; // ['content', 2, 'output', 'value', 0, …]
    if (typeof item !== 'number') gone.add(path[1]);
    else if (!nested.get(path[1])?.add(item)) nested.set(path[1], new Set([item]));
  }
  const content: Block[] = [];
  message.content.forEach((part: Block, index) => {
    const inner = nested.get(index);
    const output = part.output as { value: unknown[] };
    const value = inner && output.value.filter((_, place) => !inner.has(place));
    if (value && value.length > 0) content.push(Object.assign(copyOf(part), { output: Object.assign(copyOf(output), { value }) }));
    else if (!value && !gone.has(index)) content.push(part);
  });
  // Reasoning is removed with the part that it led to.
  while (REASONING.has(content.at(-1)?.type) && parts.some(({ kind }) => kind !== 'reasoning')) content.pop();
  return content.every((part) => isUnsent(part)) ? undefined : Object.assign(copyOf(message), { content });
}

/** The prompt of a provider has parts only. */
function asMark({ role, content }: Message, text: string) {
  return { role, content: typeof content === 'string' ? text : [{ type: 'text', text }] };
}

export default aiSdkModel;
