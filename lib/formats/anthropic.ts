import { pace } from '../steps.js';
import { copyOf, getIn } from './copy.js';
import { Reader } from './reader.js';
import { THINKING } from './recognises/anthropic.js';
import { isSigned } from './signature.js';
import { parseArguments, textBlock } from './write.js';
import type { Foreign, FormatModule, Part, Path, Role } from '../types.js';

const MEDIA = new Set(['image', 'document']);

/** Messages of Anthropic's Messages API. */
const anthropic: FormatModule = { reading, replace, without, leads, turn, join };

function* reading(messages: readonly Foreign[]) {
  const reader = new Reader();
  for (const message of messages) {
    if (pace.mayPause) yield;
    reader.start(message);
    const { role, content } = message;
    if (role !== 'user' && role !== 'assistant' && role !== 'system') reader.opaque('user', [], 'unknown role');
    else if (typeof content === 'string') reader.add('text', role, ['content'], content);
    else if (Array.isArray(content)) content.forEach((block, index) => readBlock(reader, role, block, ['content', index]));
    else reader.fail(['content'], 'a string or an array of blocks', content);
    reader.end(role, ['content']);
  }
  return reader.parts;
}

function readBlock(reader: Reader, role: Role, block: Foreign, path: Path) {
  const type = reader.string(reader.object(block, path).type, path, 'type');
  if (type === 'text') reader.add('text', role, [...path, 'text'], reader.string(block.text, path, 'text'));
  else if (type === 'tool_use') {
    const input = reader.object(block.input, path, 'input');
    const locked = (block.caller?.type ?? 'direct') === 'direct' ? undefined : 'called by code that runs at the provider';
    reader.call([...path, 'input'], reader.json(input, [...path, 'input']), block.name, reader.string(block.id, path, 'id'), locked);
  } else if (type === 'tool_result') readResult(reader, block, path);
  else if (type === 'thinking') reader.reasoning(role, path, reader.string(block.thinking, path, 'thinking'), isSigned(block));
  else if (type === 'redacted_thinking') reader.reasoning(role, path, '', true);
  else if (MEDIA.has(type)) reader.add('media', role, path, '');
  else reader.opaque(role, path, `unknown block type ${type}`);
}

function readResult(reader: Reader, block: Foreign, path: Path) {
  const { content, is_error: failed } = block;
  const id = reader.string(block.tool_use_id, path, 'tool_use_id');
  const status = typeof failed === 'boolean' ? (failed ? 'error' : 'ok') : undefined;
  const at = [...path, 'content'];
  if (content === undefined || content === null || (Array.isArray(content) && content.length === 0))
    return reader.result(at, '', id, status);
  if (typeof content === 'string') return reader.result(at, content, id, status);
  reader.array(content, at).forEach((inner, index) => {
    const innerPath = [...at, index];
    const type = reader.string(reader.object(inner, innerPath).type, innerPath, 'type');
    if (type === 'text') reader.result([...innerPath, 'text'], reader.string(inner.text, innerPath, 'text'), id, status);
    else if (MEDIA.has(type)) reader.answers(reader.add('media', 'tool', innerPath, ''), id);
    else reader.answers(reader.opaque('tool', innerPath, `unknown block type ${type}`), id);
  });
}

function replace(message: Foreign, part: Part, text: string) {
  if (part.kind === 'call') return [{ path: part.path, value: parseArguments(part, text) }];
  return [{ path: part.path, value: part.kind === 'media' ? textBlock(getIn(message, part.path), text) : text }];
}

function without(message: Foreign, parts: Part[]) {
  if (!Array.isArray(message.content) || parts.some(({ path }) => path.length === 1)) return undefined;
  const gone = new Set();
  const nested = new Map();
  for (const { path } of parts) {
    if (path.length < 4) gone.add(path[1]);
    else if (!nested.has(path[1])) nested.set(path[1], new Set([path[3]]));
    else nested.get(path[1]).add(path[3]);
  }
  const content: Foreign[] = [];
  message.content.forEach((block: Foreign, index: number) => {
    const inner = nested.get(index);
    const left = inner && block.content.filter((_: unknown, place: number) => !inner.has(place));
    if (left?.length > 0) content.push(Object.assign(copyOf(block), { content: left }));
    else if (!left && !gone.has(index)) content.push(block);
  });
  // An assistant's last block must not be thinking: it is removed with the block that it led to.
  while (message.role === 'assistant' && content.length > 0 && THINKING.has(content.at(-1).type)) content.pop();
  return content.length > 0 ? Object.assign(copyOf(message), { content }) : undefined;
}

/** A turn may have several messages. One with thinking alone belongs to the message after it. */
function leads({ role, content }: Foreign) {
  return role === 'assistant' && Array.isArray(content) && content.length > 0 && content.every((block) => THINKING.has(block?.type));
}

/** Roles alternate. */
function turn({ role }: Foreign) {
  return role;
}

/** Joins several messages of a turn, as the API itself does. */
function join(messages: readonly Foreign[]) {
  const blocks = ({ content }: Foreign) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
  return Object.assign(copyOf(messages[0]), { content: messages.flatMap(blocks) });
}

export default anthropic;
