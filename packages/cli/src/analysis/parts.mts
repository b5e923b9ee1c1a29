// The parts of messages as the report shows them: the library's, but a result is one part, and what has no text shows what it is.
import { readParts } from 'palimpsest/internal';
import { isObject, parsed } from '../transcripts/values.mjs';
import type { MessagePart } from 'palimpsest/internal';
import type { Json } from '../transcripts/values.mjs';
import type { MessageData, MessageFormat, PartData } from '../types.mjs';

export interface Part {
  label: PartData['label'];
  text: string;
  /** places inside the message */
  paths: (string | number)[][];
  /** name, in calls and some results */
  tool?: string;
  callId?: string;
  /** path that a call names */
  file?: string;
  /** of a result, where it is known */
  call?: Part;
}

/** Keys of arguments that name a file. */
const FILE_KEYS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path', 'filename', 'file', 'target_file', 'uri'];
/** The first file of a patch. */
const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m;

/** The file that a call's arguments name. @param text the arguments: JSON, or free-form */
function fileOf(text: string): string | undefined {
  const input = parsed(text) ?? text;
  if (typeof input === 'string') return PATCHED.exec(input)?.[1];
  if (!isObject(input)) return undefined;
  for (const key of FILE_KEYS) if (typeof input[key] === 'string' && input[key] !== '') return input[key];
  const patch = input.patch ?? input.input;
  return typeof patch === 'string' ? PATCHED.exec(patch)?.[1] : undefined;
}

/** A message as it was read. */
export interface ReadMessage {
  role: MessageData['role'];
  parts: Part[];
}

const LABELS = { text: 'text', call: 'call', result: 'result', reasoning: 'thinking', media: 'media', opaque: 'other' } as const;

const valueIn = (message: object, path: MessagePart['path']) => path.reduce((value: Json | undefined, step) => value?.[step], message);

/** A part as it is shown. What has no text, such as encrypted thinking, shows what stands in its place; a call that the provider runs is a call. */
function partOf({ kind, path, text, name, callId }: MessagePart, message: object): Part {
  const label = LABELS[kind];
  const file = kind === 'call' ? fileOf(text) : undefined;
  const part = {
    paths: [path],
    ...(name !== undefined && { tool: name }),
    ...(callId !== undefined && { callId }),
    ...(file !== undefined && { file }),
  };
  if (text !== '' || kind === 'text' || kind === 'call' || kind === 'result') return { ...part, label, text };
  const value = valueIn(message, path);
  if (kind === 'reasoning') return { ...part, label, text: String(value?.data ?? value?.encrypted_content ?? '') };
  if (kind === 'media') return { ...part, label, text: `[${value?.type ?? 'media'}]` };
  const [, hosted] = /^(.*)_call$/.exec(value?.type ?? '') ?? [];
  if (hosted !== undefined) return { ...part, label: 'call', tool: hosted, text: JSON.stringify(value?.action ?? value?.queries ?? {}) };
  return { ...part, label, text: JSON.stringify(value) ?? '' };
}

/**
 * Reads messages.
 *
 * @throws {TypeError} they don't have the shape of the format
 */
export function readMessages(messages: object[], format: MessageFormat | 'auto'): ReadMessage[] {
  const read: ReadMessage[] = messages.map(() => ({ role: 'tool', parts: [] }));
  const made: Part[] = [];
  let result: { part: Part; of: string } | undefined;
  for (const one of readParts(messages, format)) {
    const { message, role, kind, path, callId } = one;
    const { parts } = read[message];
    const part = partOf(one, messages[message]);
    made.push(part);
    if (role !== 'tool' || kind === 'call') {
      result = undefined;
      if (role !== 'tool') read[message].role = role;
      // A message without parts has an empty text, so that it can be edited.
      if (kind !== 'text' || part.text !== '' || path.length > 1) parts.push(part);
      continue;
    }
    const of = `${message} ${callId ?? path.slice(0, 2).join()}`;
    if (result?.of === of) {
      result.part.text = [result.part.text, part.text].filter((text) => text !== '').join('\n');
      result.part.paths.push(path);
    } else {
      const answered = made[one.call ?? -1];
      const { tool, file } = answered ?? {};
      const ofCall = { ...(answered && { call: answered }), ...(tool !== undefined && { tool }), ...(file !== undefined && { file }) };
      result = { part: { ...part, ...ofCall, label: 'result' }, of };
      parts.push(result.part);
    }
  }
  return read;
}

/** All that can be read in a message: texts, calls and results, but not what a model thought. */
export const wordsOf = (parts: Part[]) =>
  parts
    .flatMap(({ label, text, tool }) => (label === 'thinking' || label === 'media' ? [] : [label === 'call' ? `${tool} ${text}` : text]))
    .join('\n');
