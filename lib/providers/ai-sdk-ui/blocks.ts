// Reads the parts of the AI SDK's UI messages, of version 5 and of 4. Mastra's messages hold those of version 4.

import { compactionOf } from '../shared/compaction.js';
import { BY_PROVIDER, readHosted } from '../ai-sdk-model/output.js';
import { readTold } from '../shared/documents.js';
import { hasThoughtSignature, isAnswerUnsent, isSignedFor, isUnsent } from '../shared/unsent.js';
import type { Fields } from '../shared/shapes.js';
import type { SdkPart } from '../shared/unsent.js';
import type { Part, Path, Provider, Role, Status } from '../../types.js';
import type { Reader } from '../shared/reader.js';

/** Parts that the SDK shows to the user, and doesn't send. */
const SHOWN = /^(?:source|source-url|source-document|data-.*)$/;

/** Why the beginning of a step is not edited. */
const STEP = 'step';

/** States of a call of which more is to come. */
const OPEN = new Set<unknown>(['partial-call', 'input-streaming', 'approval-requested', 'approval-responded']);

/** What holds the parts of a message. */
export interface Body {
  parts?: unknown;
  content?: unknown;
  toolInvocations?: unknown;
}

/**
 * Reads `parts`, or what stood for them in early messages of version 4.
 *
 * @param body the message, or what holds its parts
 * @param at path of the body
 */
export function readBody(reader: Reader, role: Role, { parts, content, toolInvocations }: Body, at: Path) {
  if (parts !== undefined) {
    const path = [...at, 'parts'];
    let last: Part | undefined;
    for (const [index, part] of (reader.array(parts, path) as SdkPart[]).entries()) {
      const first = reader.parts.length;
      readPart(reader, role, part, [...path, index], last);
      last = reader.parts.slice(first).findLast(({ unsent }) => !unsent) ?? last;
    }
    if (last?.locked === STEP) last.unsent = true;
    return;
  }
  const path = [...at, 'toolInvocations'];
  reader.array(toolInvocations ?? [], path).forEach((tool: unknown, index) => readInvocation(reader, {}, tool, [...path, index]));
  if (content !== undefined) reader.add('text', role, [...at, 'content'], reader.string(content, [...at, 'content']));
}

/** @param last the last part of the message so far that is sent */
function readPart(reader: Reader, role: Role, part: SdkPart, path: Path, last: Part | undefined) {
  const type = reader.string(reader.object(part, path).type, [...path, 'type']);
  if (isUnsent(part)) return;
  if (role === 'assistant' && isUnsent(part, reader.to)) return reader.dropped(role, path, part);
  const compaction = compactionOf(part, reader.to);
  if (type === 'text') {
    reader.add('text', role, [...path, 'text'], reader.string(part.text, [...path, 'text']), compaction && 'compaction');
    reader.compacted(part);
  } else if (compaction !== undefined) {
    reader.known(role, path, 'compaction');
    reader.compacted(part);
  } else if (type === 'reasoning')
    reader.reasoning(role, path, reader.string(thoughtsOf(part), path, 'text'), isSignedFor(part, reader.to));
  else if (type === 'file')
    reader.file(role, path, part, hasThoughtSignature(part.providerMetadata, reader.to) ? 'thought signature' : undefined);
  else if (type === 'tool-invocation') readInvocation(reader, part, part.toolInvocation, [...path, 'toolInvocation']);
  else if (type === 'dynamic-tool') readTool(reader, part, path, part.toolName);
  else if (type.startsWith('tool-')) readTool(reader, part, path, type.slice('tool-'.length));
  else if (type === 'step-start') readStep(reader, role, path, last);
  else if (SHOWN.test(type)) reader.unsent(role, path, `part of type ${type}`);
  else reader.opaque(role, path, 'part of type', type);
  readTold(reader, role, part, path);
}

/** Reads the beginning of a step. What follows becomes a message of its own if something stands before it. */
function readStep(reader: Reader, role: Role, path: Path, last: Part | undefined) {
  if (last !== undefined && last.locked !== STEP) reader.known(role, path, STEP);
  else reader.unsent(role, path, STEP);
}

/** Returns the text of reasoning, which version 4 calls `reasoning` and repeats in `details`, or has only there. */
function thoughtsOf({ text, reasoning, details }: Fields) {
  const said = text ?? reasoning ?? '';
  if (said !== '' || !Array.isArray(details)) return said;
  return details.map((detail: Fields | null) => (typeof detail?.text === 'string' ? detail.text : '')).join('');
}

/**
 * Returns why a call may not be edited. Streaming input is incomplete, a call that waits for approval may still be refused or run, and
 * a preliminary result will be replaced.
 */
function lockOf(part: SdkPart, state: unknown, to: Provider | undefined) {
  if (part.providerExecuted) return BY_PROVIDER;
  const metadata = part.callProviderMetadata ?? part.providerMetadata;
  if (hasThoughtSignature(metadata, to)) return 'thought signature';
  const isOpen = OPEN.has(state) || part.preliminary === true;
  return isOpen ? `state ${state}` : undefined;
}

function readTool(reader: Reader, part: SdkPart, path: Path, name: unknown) {
  const { state, toolCallId: id, input, output } = part;
  reader.string(id, [...path, 'toolCallId']);
  // A call of which only the beginning came is not sent.
  if (state === 'input-streaming') return reader.unsent('assistant', path, `state ${state}`);
  const locked = lockOf(part, state, reader.to);
  const at = [...path, 'input'];
  reader.call(at, reader.shown(input, at), name, id, locked);
  const answer = state === 'output-error' ? 'errorText' : 'output';
  const isHosted = locked === BY_PROVIDER && part[answer] !== undefined && part.preliminary !== true;
  if (isHosted && isAnswerUnsent(part, reader.to)) {
    reader.answers(reader.unsent('tool', [...path, answer], 'result of another provider'), id);
  } else if (state === 'output-available') {
    const to = [...path, 'output'];
    const before = reader.parts.length;
    readResult(reader, output, to, id, 'ok', locked, part.preliminary === true);
    if (part.preliminary === true) for (const result of reader.parts.slice(before)) result.goes = 'never';
  } else readFailure(reader, part, path, locked);
}

/** @param part what the call stands in */
function readInvocation(reader: Reader, part: SdkPart, tool: unknown, path: Path) {
  const given = reader.object(tool, path);
  const { state, toolCallId, toolName, args, result, isError } = given;
  const id = reader.string(toolCallId, [...path, 'toolCallId']);
  const locked = lockOf(part, state, reader.to);
  const at = [...path, 'args'];
  reader.call(at, reader.shown(args, at), toolName, id, locked);
  if (state === 'result') {
    const to = [...path, 'result'];
    const status = isError === true ? 'error' : undefined;
    readResult(reader, result, to, id, status, locked);
  } else readFailure(reader, given, path, locked);
}

function readResult(
  reader: Reader,
  output: unknown,
  path: Path,
  id: unknown,
  status: Status | undefined,
  locked: string | undefined,
  isPreliminary: boolean = false,
) {
  if (locked === BY_PROVIDER && readHosted(reader, output, path, id, status, isPreliminary ? locked : undefined)) return;
  reader.result(path, reader.shown(output, path), id, status, locked);
}

/** Reads the end of a call that has no result. */
function readFailure(reader: Reader, { state, errorText, toolCallId }: Fields, path: Path, locked: string | undefined) {
  const at = [...path, 'errorText'];
  if (state === 'output-error') reader.result(at, reader.string(errorText ?? '', at), toolCallId, 'error', locked);
  else if (state === 'output-denied') reader.result(path, '', toolCallId, undefined, 'execution denied');
}
