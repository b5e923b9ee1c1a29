import { pace } from '../../steps.js';
import { copyOf, getIn } from '../shared/copy.js';
import { documentTexts, hostedTexts } from '../shared/documents.js';
import { Reader } from '../shared/reader.js';
import { THINKING } from './recognise.js';
import { isSigned } from '../shared/signature.js';
import { fileAs, parseArguments } from '../shared/write.js';
import type { Fields } from '../shared/shapes.js';
import type { FormatModule, Part, Path, Role, Status } from '../../types.js';

const MEDIA = new Set<unknown>(['image', 'document']);
/** Calls of tools that the provider runs. Their results have names such as `web_search_tool_result`. */
const HOSTED_CALLS = new Set(['server_tool_use', 'mcp_tool_use']);
const HOSTED_RESULT = /^\w+_tool_result$/;
/** Blocks that nothing else refers to. */
const ALONE = new Set(['container_upload']);

interface Message {
  role?: unknown;
  content?: unknown;
}

interface Block extends Fields {
  caller?: { type?: unknown; tool_id?: unknown } | null;
  citations?: { enabled?: unknown } | null;
}

/** What a tool gave that ran at the provider, where it is an object. */
interface Hosted {
  type?: string;
  return_code?: number;
  content?: { type?: unknown } | null;
}

/** Messages of Anthropic's Messages API. */
const anthropic: FormatModule = { reading, replace, without, leads, turn, join, follows, marked };

function* reading(messages: readonly Message[]) {
  const reader = new Reader();
  for (const message of messages) {
    if (pace.isDue) yield;
    reader.start(message);
    const { role, content } = message;
    if (role !== 'user' && role !== 'assistant' && role !== 'system') reader.roleless(message.role);
    else if (typeof content === 'string') reader.add('text', role, ['content'], content);
    else if (Array.isArray(content)) content.forEach((block: Block, index) => readBlock(reader, role, block, ['content', index]));
    else reader.fail(['content'], 'a string or an array of blocks', content);
    reader.end(role as Role, ['content']);
  }
  return reader.parts;
}

function readBlock(reader: Reader, role: Role, block: Block, path: Path) {
  const type = reader.string(reader.object(block, path).type, path, 'type');
  if (type === 'text') reader.add('text', role, [...path, 'text'], reader.string(block.text, path, 'text'));
  else if (type === 'tool_use') {
    const input = reader.object(block.input, path, 'input');
    const isDirect = (block.caller?.type ?? 'direct') === 'direct';
    const locked = isDirect ? undefined : 'called by code that runs at the provider';
    const id = reader.string(block.id, path, 'id');
    const call = reader.call([...path, 'input'], reader.json(input, [...path, 'input']), block.name, id, locked);
    if (!isDirect) goWithCaller(reader, call, block.caller?.tool_id);
  } else if (type === 'tool_result') readResult(reader, block, path);
  else if (HOSTED_CALLS.has(type)) readHostedCall(reader, block, path);
  else if (HOSTED_RESULT.test(type)) readHostedResult(reader, block, path);
  else if (type === 'compaction') reader.summary(role, path, block);
  else if (type === 'search_result') readSearchResult(block, path, reader, (at, text) => reader.document(role, at, text));
  else if (ALONE.has(type)) reader.known(role, path, type);
  else if (type === 'thinking') reader.reasoning(role, path, reader.string(block.thinking, path, 'thinking'), isSigned(block));
  else if (type === 'redacted_thinking') reader.reasoning(role, path, '', true);
  else if (MEDIA.has(type)) {
    const addFile = () => reader.file(role, path, block);
    readMedia(block, path, addFile, (at, text, locked) => reader.document(role, at, text, locked));
  } else reader.opaque(role, path, 'block of type', type);
}

/** Reads an image or a document. One that consists of texts has them. */
function readMedia(block: Block, path: Path, addFile: () => void, addText: (path: Path, text: string, locked?: string) => void) {
  const texts = block.type === 'document' ? documentTexts(block) : undefined;
  if (texts === undefined) addFile();
  for (const { path: at, text, locked } of texts ?? []) addText([...path, ...at], text, locked);
}

function readResult(reader: Reader, block: Block, path: Path) {
  const { content, is_error: failed } = block;
  const id = reader.string(block.tool_use_id, path, 'tool_use_id');
  const status = typeof failed === 'boolean' ? (failed ? 'error' : 'ok') : undefined;
  const at = [...path, 'content'];
  if (content === undefined || content === null || (Array.isArray(content) && content.length === 0))
    return reader.result(at, '', id, status);
  if (typeof content === 'string') return reader.result(at, content, id, status);
  readInner(reader, reader.array(content, at), at, id, status);
}

/** Reads the blocks of a result. What isn't known goes with it. */
function readInner(reader: Reader, blocks: readonly Block[], at: Path, id: string, status: Status | undefined) {
  const add = (place: Path, text: string, locked?: string) => reader.result(place, text, id, status, locked);
  blocks.forEach((inner, index) => {
    const path = [...at, index];
    const type = reader.string(reader.object(inner, path).type, path, 'type');
    if (type === 'text') reader.result([...path, 'text'], reader.string(inner.text, path, 'text'), id, status);
    else if (MEDIA.has(type)) readMedia(inner, path, () => reader.resultFile(path, inner, id, status), add);
    else if (type === 'search_result') readSearchResult(inner, path, reader, add);
    else reader.answers(reader.known('tool', path, `block of type ${type}`), id);
  });
}

function readSearchResult(block: Block, path: Path, reader: Reader, add: (path: Path, text: string) => void) {
  const at = [...path, 'content'];
  const before = reader.parts.length;
  reader
    .array(block.content, at)
    .forEach((inner: Fields | null, index) => add([...at, index, 'text'], reader.string(inner?.text, at, index, 'text')));
  if (reader.parts.length === before) add(at, '');
}

function readHostedCall(reader: Reader, block: Block, path: Path) {
  const at = [...path, 'input'];
  const call = reader.call(at, reader.json(block.input ?? {}, at), block.name, reader.string(block.id, path, 'id'), 'run by the provider');
  if ((block.caller?.type ?? 'direct') !== 'direct') goWithCaller(reader, call, block.caller?.tool_id);
}

/** The calls of a program go with it: their messages are in one piece. */
function goWithCaller(reader: Reader, call: Part, caller: unknown) {
  const program = reader.parts[reader.calls.get(caller as string) ?? -1];
  if (program?.message !== call.message) call.goes = program === undefined ? 'withTurn' : 'withPrevious';
}

/** Reads the result of a tool that the provider ran. Its texts can be edited, unless they are encrypted. */
function readHostedResult(reader: Reader, block: Block, path: Path) {
  const id = reader.string(block.tool_use_id, path, 'tool_use_id');
  const at = [...path, 'content'];
  const { content } = block;
  const before = reader.parts.length;
  const hosted = content as Hosted | null | undefined;
  const failed = block.is_error === true || (hosted?.return_code ?? 0) > 0 || /_error$/.test(hosted?.type ?? '');
  const status = failed ? 'error' : 'ok';
  if (typeof content === 'string') reader.result(at, content, id, status);
  else if (Array.isArray(content)) readInner(reader, content, at, id, status);
  else {
    for (const { path: place, text, locked } of hostedTexts(content)) reader.result([...at, ...place], text, id, status, locked);
    const isFile = reader.parts.length === before && MEDIA.has(hosted?.content?.type);
    if (isFile) reader.answers(reader.add('media', 'tool', [...at, 'content'], '', 'fetched by the provider'), id);
  }
  if (reader.parts.length === before) reader.answers(reader.known('tool', path, block.type as string), id);
}

function replace(message: Message, part: Part, text: string) {
  if (part.kind === 'call') return [{ path: part.path, value: parseArguments(part, text) }];
  return [{ path: part.path, value: fileAs(part, getIn(message, part.path), text) ?? text }];
}

function without(message: Message, parts: Part[]) {
  if (!Array.isArray(message.content) || parts.some(({ path }) => path.length === 1)) return undefined;
  const gone = new Set();
  const nested: Map<unknown, Set<unknown>> = new Map();
  for (const { path } of parts) {
    if (typeof path[3] !== 'number') gone.add(path[1]);
    else if (!nested.get(path[1])?.add(path[3])) nested.set(path[1], new Set([path[3]]));
  }
  const content: Block[] = [];
  message.content.forEach((block: Block, index) => {
    const inner = nested.get(index);
    const left = inner && (block.content as unknown[]).filter((_, place) => !inner.has(place));
    if (left && left.length > 0) content.push(Object.assign(copyOf(block), { content: left }));
    else if (!left && !gone.has(index)) content.push(block);
  });
  // An assistant's last block must not be thinking: it is removed with the block that it led to.
  while (message.role === 'assistant' && content.length > 0 && THINKING.has(content[content.length - 1].type)) content.pop();
  return content.length > 0 ? Object.assign(copyOf(message), { content }) : undefined;
}

/** A turn may have several messages. One with thinking alone belongs to the message after it. */
function leads({ role, content }: Message) {
  return (
    role === 'assistant' &&
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((block: Fields | null) => THINKING.has(block?.type))
  );
}

/** Roles alternate. */
function turn({ role }: Message) {
  return role;
}

/** Joins several messages of a turn, as the API itself does. */
function join(messages: readonly Message[]) {
  const blocks = ({ content }: Message): unknown => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
  return Object.assign(copyOf(messages[0]), { content: messages.flatMap(blocks) });
}

/** A message of the role `system` stands behind one of the user's, and in front of one of the assistant's. */
function follows(before: Message | undefined, { role }: Message) {
  if (role === 'system') return before?.role === 'user';
  return before?.role !== 'system' || role === 'assistant';
}

function marked({ role }: Message, text: string) {
  return role === 'user' || role === 'assistant' ? { role, content: text } : undefined;
}

export default anthropic;
