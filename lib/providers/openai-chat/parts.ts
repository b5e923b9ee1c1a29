import { isObject } from '../../checks.js';
import { pace } from '../../steps.js';
import { alternation, joining } from '../shared/alternation.js';
import { copyOf } from '../shared/copy.js';
import { Reader, roleKind } from '../shared/reader.js';
import { MEDIA } from './recognise.js';
import { isSigned } from '../shared/signature.js';
import { elementsWithout, replaceText } from '../shared/write.js';
import { misplaced } from '../../places.js';
import type { Fields } from '../shared/shapes.js';
import type { FormatModule, Part, Path, Role } from '../../types.js';

export const ROLES = new Map(
  Object.entries({
    system: 'system',
    developer: 'system',
    user: 'user',
    assistant: 'assistant',
    tool: 'tool',
    function: 'tool',
  }),
) as Map<unknown, Role>;
const TEXTS = new Map([
  ['text', 'text'],
  ['refusal', 'refusal'],
]);
/** Keys of the reasoning that DeepSeek, Qwen, OpenRouter and LiteLLM add. */
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];

/** What differs between APIs whose messages are like those of chat completions. */
export interface Dialect {
  /** Key of the calls in a message of the assistant's. */
  calls: string;
  /** Key of the call's id in a message with its result. */
  answers: string;
  /** Types of parts that hold media. */
  media: ReadonlySet<string>;
  /** Content of a message without any. */
  nothing: null | '';
}

const OPENAI: Dialect = { calls: 'tool_calls', answers: 'tool_call_id', media: MEDIA, nothing: null };

/** Messages of OpenAI's chat completions and compatible APIs. */
const openaiChat: FormatModule = {
  reading,
  replace: replaceText,
  freeForm,
  without: (message, parts) => withoutParts(message, parts, OPENAI),
  alternating: { ...alternation(({ role }: Fields) => ROLES.get(role), asMark), ...joining },
};

const notOpenai = (index: number) => `messages[${index}] has toolCalls or toolCallId, as AG-UI has them: its format is ag-ui`;

function* reading(messages: readonly Fields[]) {
  const reader = new Reader();
  for (const [index, message] of messages.entries()) {
    if (pace.isDue) yield;
    reader.start(message);
    if (Array.isArray(message.toolCalls) || typeof message.toolCallId === 'string') throw misplaced(notOpenai(index));
    readMessage(reader, message, OPENAI);
  }
  return reader.parts;
}

export function readMessage(reader: Reader, message: Fields, dialect: Dialect) {
  // Messages with an unknown role are read, and never edited.
  const role = ROLES.get(message.role) ?? 'user';
  const locked = ROLES.has(message.role) ? undefined : roleKind(message.role).join(' ');
  if (hasReasoning(message)) readReasoning(reader, message, role);
  readContent(reader, message, role, dialect, locked);
  if (typeof message.refusal === 'string') reader.add('text', role, ['refusal'], message.refusal);
  if (Array.isArray(message.images)) readImages(reader, message.images, role);
  if (isObject(message.audio)) reader.add('media', role, ['audio'], '', 'audio of the model');
  readCalls(reader, message, dialect.calls);
  reader.end(role, ['content'], locked);
  if (locked === undefined) return;
  for (const part of reader.parts.slice(reader.first)) part.goes = 'withTurn';
  (reader.parts[reader.first as number] as Part).unknown = locked;
}

/** Whether there is something under a key of {@link REASONING}. Names that are written out are found faster than those of a list. */
function hasReasoning({ reasoning_content: content, reasoning, reasoning_details: details, thinking_blocks: blocks }: Fields) {
  return (content ?? reasoning ?? details ?? blocks ?? undefined) !== undefined;
}

function readReasoning(reader: Reader, message: Fields, role: Role) {
  for (const key of REASONING) {
    const value = message[key];
    if (value !== undefined && value !== null) reader.reasoning(role, [key], typeof value === 'string' ? value : '', isSigned(value));
  }
}

function readContent(reader: Reader, message: Fields, role: Role, { answers, media }: Dialect, locked?: string) {
  const { content } = message;
  const { parts } = reader;
  const from = parts.length;
  const call = message.role === 'function' ? openFunctionCall(parts, message.name) : undefined;
  const kind = role === 'tool' ? 'result' : 'text';
  if (typeof content === 'string') reader.add(kind, role, ['content'], content, locked);
  else if (Array.isArray(content)) {
    content.forEach((part: Fields, index) => {
      const path = ['content', index];
      const type = reader.string(reader.object(part, path).type, path, 'type');
      const key = TEXTS.get(type);
      if (key !== undefined) reader.add(kind, role, [...path, key], reader.string(part[key], path, key), locked);
      else if (media.has(type) && role === 'tool') reader.resultFile(path, part, message[answers]);
      else if (media.has(type)) reader.file(role, path, part, locked);
      else if (type === 'thinking') reader.reasoning(role, path, thoughtsOf(reader, part, path), isSigned(part));
      else reader.opaque(role, path, 'part of type', type);
    });
    if (content.length === 0 && role === 'tool') reader.add(kind, role, ['content'], '');
  } else if (content !== undefined && content !== null) reader.fail(['content'], 'a string or an array of parts', content);
  else if (role === 'tool') reader.add(kind, role, ['content'], '');
  if (role === 'tool') for (let index = from; index < parts.length; index++) reader.answers(parts[index], message[answers], call);
}

/** Reads the images that a model made, as OpenRouter gives and takes them. */
function readImages(reader: Reader, images: readonly unknown[], role: Role) {
  images.forEach((_, index) => reader.add('media', role, ['images', index], '', 'image of the model'));
}

/** The texts of Mistral's reasoning, which stands in a list of parts among the content. */
const thoughtsOf = (reader: Reader, { thinking }: Fields, path: Path) =>
  reader
    .array(thinking, path, 'thinking')
    .map((part: Fields | null) => (typeof part?.text === 'string' ? part.text : ''))
    .join('\n');

/** The call that a `function` message answers: the last open one of that function, because there is no id. */
function openFunctionCall(parts: Part[], name: unknown) {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    if (part.kind === 'result') return -1;
    if (part.kind === 'call') return part.callId === undefined && part.name === name ? index : -1;
  }
  return -1;
}

function readCalls(reader: Reader, message: Fields, key: string) {
  const { [key]: calls, function_call: legacy } = message;
  if (legacy !== undefined && legacy !== null) {
    const { name, arguments: text } = reader.object(legacy, ['function_call']);
    reader.call(['function_call', 'arguments'], reader.string(text, ['function_call', 'arguments']), name);
  }
  if (calls === undefined || calls === null) return;
  reader.array(calls, [key]).forEach((call: Fields, index) => {
    const path = [key, index];
    const { id, type } = reader.object(call, path);
    if (type === 'custom') {
      const { name, input } = reader.object(call.custom, path, 'custom');
      reader.input([key, index, 'custom', 'input'], reader.string(input, path, 'custom', 'input'), name, id);
    } else if (type === 'function' || type === undefined) {
      const { name, arguments: text } = reader.object(call.function, path, 'function');
      reader.call([key, index, 'function', 'arguments'], reader.string(text, path, 'function', 'arguments'), name, id);
    } else reader.call(path, '', undefined, id, `unknown tool call type ${reader.string(type, path, 'type')}`);
  });
}

/** The input of a custom tool is any text. */
function freeForm({ path }: Part) {
  return path.at(-1) === 'input';
}

type List = unknown[] | null | undefined;

export function withoutParts(message: Fields, parts: Part[], { calls: key, nothing }: Dialect) {
  const gone = new Set<string | number>();
  for (const { path } of parts) if (path.length === 1 || path[0] === 'function_call') gone.add(path[0]);
  const calls = elementsWithout(message[key] as List, key, parts);
  const hasCalls = calls != null && calls.length > 0;
  // The API refuses an empty list of calls, and requires null for an assistant message without content.
  let content = gone.has('content') ? nothing : message.content;
  if (Array.isArray(content)) {
    const left: (Fields | null)[] = elementsWithout(content, 'content', parts);
    // Reasoning goes with what it led to.
    content = left.length === 0 || (!hasCalls && left.every((part) => part?.type === 'thinking')) ? nothing : left;
  }
  const images = elementsWithout(message.images as List, 'images', parts);
  const stays = (name: string) => message[name] && !gone.has(name);
  const hasImages = images != null && images.length > 0;
  if (!content && !hasCalls && !stays('function_call') && !stays('refusal') && !stays('audio') && !hasImages) return undefined;
  const copy = copyOf(message);
  if (content !== message.content) copy.content = content;
  if (images !== message.images) copy.images = images;
  for (const name of gone) if (name !== 'content') delete copy[name];
  if (calls !== message[key] && !hasCalls) delete copy[key];
  else if (calls !== message[key]) copy[key] = calls;
  return copy;
}

/** Those of `compress` have an id. */
function asMark({ role, id, index }: Fields, content: string) {
  return { ...(id === undefined ? {} : { id, index }), role, content };
}

export default openaiChat;
