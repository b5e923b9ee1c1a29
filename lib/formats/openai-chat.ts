import { pace } from '../steps.js';
import { copyOf } from './copy.js';
import { isObject, Reader } from './reader.js';
import { MEDIA } from './recognises/openai-chat.js';
import { isSigned } from './signature.js';
import { elementsWithout, replaceText } from './write.js';
import type { Foreign, FormatModule, Part, Role } from '../types.js';

const ROLES = new Map(
  Object.entries({
    system: 'system',
    developer: 'system',
    user: 'user',
    assistant: 'assistant',
    tool: 'tool',
    function: 'tool',
  }),
) as Map<string, Role>;
const TEXTS = new Map([
  ['text', 'text'],
  ['refusal', 'refusal'],
]);
/** Keys of the reasoning that DeepSeek, Qwen, OpenRouter and LiteLLM add. */
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];

/** Messages of OpenAI's chat completions and compatible APIs. */
const openaiChat: FormatModule = { reading, replace: replaceText, freeForm, without };

function* reading(messages: readonly Foreign[]) {
  const reader = new Reader();
  for (const message of messages) {
    if (pace.mayPause) yield;
    reader.start(message);
    readMessage(reader, message);
  }
  return reader.parts;
}

function readMessage(reader: Reader, message: Foreign) {
  // Messages with an unknown role are read, and never edited.
  const role = ROLES.get(message.role) ?? 'user';
  const locked = ROLES.has(message.role) ? undefined : 'unknown role';
  if (hasReasoning(message)) readReasoning(reader, message, role);
  readContent(reader, message, role, locked);
  if (typeof message.refusal === 'string') reader.add('text', role, ['refusal'], message.refusal);
  if (Array.isArray(message.images)) readImages(reader, message.images, role);
  if (isObject(message.audio)) reader.add('media', role, ['audio'], '', 'audio of the model');
  readCalls(reader, message);
  reader.end(role, ['content'], locked);
  if (locked !== undefined) for (const part of reader.parts.slice(reader.first)) part.goes = 'withTurn';
}

/** Whether there is something under a key of {@link REASONING}. Names that are written out are found faster than those of a list. */
function hasReasoning({ reasoning_content: content, reasoning, reasoning_details: details, thinking_blocks: blocks }: Foreign) {
  return (content ?? reasoning ?? details ?? blocks ?? undefined) !== undefined;
}

function readReasoning(reader: Reader, message: Foreign, role: Role) {
  for (const key of REASONING) {
    const value = message[key];
    if (value !== undefined && value !== null) reader.reasoning(role, [key], typeof value === 'string' ? value : '', isSigned(value));
  }
}

function readContent(reader: Reader, message: Foreign, role: Role, locked?: string) {
  const { content } = message;
  const { parts } = reader;
  const from = parts.length;
  const call = message.role === 'function' ? openFunctionCall(parts, message.name) : undefined;
  const kind = role === 'tool' ? 'result' : 'text';
  if (typeof content === 'string') reader.add(kind, role, ['content'], content, locked);
  else if (Array.isArray(content)) {
    content.forEach((part, index) => {
      const path = ['content', index];
      const type = reader.string(reader.object(part, path).type, path, 'type');
      const key = TEXTS.get(type);
      if (key !== undefined) reader.add(kind, role, [...path, key], reader.string(part[key], path, key), locked);
      else if (MEDIA.has(type)) reader.add('media', role, path, '', locked);
      else reader.opaque(role, path, `unknown part type ${type}`);
    });
    if (content.length === 0 && role === 'tool') reader.add(kind, role, ['content'], '');
  } else if (content !== undefined && content !== null) reader.fail(['content'], 'a string or an array of parts', content);
  else if (role === 'tool') reader.add(kind, role, ['content'], '');
  if (role === 'tool') for (let index = from; index < parts.length; index++) reader.answers(parts[index], message.tool_call_id, call);
}

/** Reads the images that a model made, as OpenRouter gives and takes them. */
function readImages(reader: Reader, images: readonly Foreign[], role: Role) {
  images.forEach((_, index) => reader.add('media', role, ['images', index], '', 'image of the model'));
}

/** The call that a `function` message answers: the last open one of that function, because there is no id. */
function openFunctionCall(parts: Part[], name: unknown) {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    if (part.kind === 'result') return -1;
    if (part.kind === 'call') return part.callId === undefined && part.name === name ? index : -1;
  }
  return -1;
}

function readCalls(reader: Reader, message: Foreign) {
  const { tool_calls: calls, function_call: legacy } = message;
  if (legacy !== undefined && legacy !== null) {
    const { name, arguments: text } = reader.object(legacy, ['function_call']);
    reader.call(['function_call', 'arguments'], reader.string(text, ['function_call', 'arguments']), name);
  }
  if (calls === undefined || calls === null) return;
  reader.array(calls, ['tool_calls']).forEach((call, index) => {
    const path = ['tool_calls', index];
    const { id, type } = reader.object(call, path);
    if (type === 'custom') {
      const { name, input } = reader.object(call.custom, path, 'custom');
      reader.input(['tool_calls', index, 'custom', 'input'], reader.string(input, path, 'custom', 'input'), name, id);
    } else if (type === 'function' || type === undefined) {
      const { name, arguments: text } = reader.object(call.function, path, 'function');
      reader.call(['tool_calls', index, 'function', 'arguments'], reader.string(text, path, 'function', 'arguments'), name, id);
    } else reader.call(path, '', undefined, id, `unknown tool call type ${reader.string(type, path, 'type')}`);
  });
}

/** The input of a custom tool is any text. */
function freeForm({ path }: Part) {
  return path.at(-1) === 'input';
}

function without(message: Foreign, parts: Part[]) {
  const gone = new Set<string | number>();
  for (const { path } of parts) if (path.length === 1 || path[0] === 'function_call') gone.add(path[0]);
  const calls = elementsWithout(message, 'tool_calls', parts);
  // The API refuses an empty list of calls, and requires null for an assistant message without content.
  let content = gone.has('content') ? null : message.content;
  if (Array.isArray(content)) {
    content = elementsWithout(message, 'content', parts);
    if (content.length === 0) content = null;
  }
  const images = elementsWithout(message, 'images', parts);
  const stays = (key: string) => message[key] && !gone.has(key);
  if (!content && !(calls?.length > 0) && !stays('function_call') && !stays('refusal') && !stays('audio') && !(images?.length > 0))
    return undefined;
  const copy = copyOf(message);
  if (content !== message.content) copy.content = content;
  if (images !== message.images) copy.images = images;
  for (const key of gone) if (key !== 'content') delete copy[key];
  if (calls !== message.tool_calls && calls.length === 0) delete copy.tool_calls;
  else if (calls !== message.tool_calls) copy.tool_calls = calls;
  return copy;
}

export default openaiChat;
