import { isDeepStrictEqual } from 'node:util';
import { describe, isObject } from '../../checks.js';
import { alternation } from '../shared/alternation.js';
import { compactionOf } from '../shared/compaction.js';
import { copyOf, getIn } from '../shared/copy.js';
import { documentTexts, hostedTexts } from '../shared/documents.js';
import { misplaced } from '../../places.js';
import { pace } from '../../steps.js';
import { itemOf } from '../shared/json.js';
import { Reader } from '../shared/reader.js';
import { isCachePoint, recognises } from './recognise.js';
import { isSigned } from '../shared/signature.js';
import { isSignedFor } from '../shared/unsent.js';
import { fileAs, parseArguments } from '../shared/write.js';
import type { Adapter, FormatModule, Part, Path, Provider, Role, Status } from '../../types.js';

/** Members of a message, the arguments of its constructor, or a block. */
type Fields = Record<string, unknown>;

/** What the metadata of an answer say of its shape. */
interface Metadata {
  output_version?: unknown;
  model_provider?: unknown;
}

const ROLES: ReadonlyMap<unknown, Role> = new Map(
  Object.entries({
    human: 'user',
    ai: 'assistant',
    system: 'system',
    developer: 'system',
    tool: 'tool',
    function: 'tool',
  } as const),
);
const TEXT_ROLES: ReadonlyMap<unknown, Role> = new Map(
  Object.entries({ user: 'user', assistant: 'assistant', system: 'system', developer: 'system' } as const),
);
const STATUSES: ReadonlyMap<unknown, Status> = new Map([
  ['success', 'ok'],
  ['error', 'error'],
]);
/** Files that Gemini made. */
const GOOGLE_FILES: readonly unknown[] = ['inlineData', 'fileData'];
const MEDIA: ReadonlySet<unknown> = new Set([
  'image_url',
  'input_image',
  'computer_screenshot',
  'input_file',
  'image',
  'audio',
  'input_audio',
  'video',
  'file',
  'document',
  'media',
  'text-plain',
  ...GOOGLE_FILES,
]);
const REASONING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning', 'reasoning_content']);

/** Message instances of LangChain and LangGraph. They stay instances. */
const langchain: FormatModule = { reading, replace, without, isMixed: true, alternating: alternation(roleOf, asMark) };

/** An instance of a message, by its version. */
interface Instance {
  getType?(): unknown;
  _getType(): unknown;
}

const typeOf = (message: Instance) => (typeof message.getType === 'function' ? message.getType() : message._getType());

const hasSome = (list: unknown) => ((list as ArrayLike<unknown> | null | undefined)?.length ?? 0) > 0;

const metadataOf = ({ response_metadata: metadata }: Fields) => metadata as Metadata | null | undefined;

function roleOf(message: Instance & Fields): Role | undefined {
  const type = typeOf(message);
  return type === 'generic' ? TEXT_ROLES.get(message.role) : ROLES.get(type);
}

function* reading(messages: readonly (Instance & Fields)[], to?: Provider, adapter?: Adapter) {
  const reader = new Reader(to, adapter);
  for (const [index, message] of messages.entries()) {
    if (pace.isDue) yield;
    reader.start(message);
    if (recognises(message) === 'no') throw misplaced(`messages[${index}] must be an instance of a LangChain message`);
    reader.checkNested(message);
    const role = roleOf(message);
    if (role === undefined) {
      const type = typeOf(message);
      reader.opaque('user', [], 'message of type', typeof type === 'string' ? type : describe(type));
      continue;
    }
    if (role === 'assistant') readBeside(reader, message);
    const waiting = new Set<number>(Array.isArray(message.tool_calls) ? message.tool_calls.keys() : []);
    readContent(reader, message, role, waiting);
    for (const place of waiting) readCall(reader, message, place);
    reader.end(role, ['content']);
    if (adapter !== undefined) noteSent(reader.parts.slice(reader.first), message, role, adapter);
  }
  return reader.parts;
}

/** Notes what an adapter writes for parts where that is not their text, and which are items of their own. */
function noteSent(parts: readonly Part[], { content, status }: Fields, role: Role, { api }: Adapter) {
  if (role !== 'tool') {
    if (api === 'responses') for (const part of parts) if (part.kind === 'call') part.further = 1;
    return;
  }
  if (typeof content === 'string' && api === 'struct' && status === 'error') parts[0].sent = () => JSON.stringify({ details: content });
  if (!Array.isArray(content) || !isJson(content, api)) return;
  const seen = new Set<unknown>();
  for (const part of parts) {
    const index = part.path[1] as number;
    const isFurther = seen.has(index);
    part.sent = () => (isFurther ? '' : (itemOf(api === 'struct' ? content.map(asPart) : content, index) ?? part.text));
    seen.add(index);
  }
}

/** Whether an adapter writes the list that a result is as JSON: for the Responses API, if it has no image. */
function isJson(content: readonly Fields[], api: Adapter['api']) {
  if (api !== 'responses') return api === 'struct';
  return !content.some(({ type }) => /image/.test(String(type))) && !content.every(({ type }) => /^input_/.test(String(type)));
}

/** A block of text as Google's adapter writes it. Of others, what is read here is the data of files. */
const asPart = (block: Fields) => (block?.type === 'text' ? { text: block.text } : block);

/** Items of the Responses API that its adapter keeps beside the content, and sends. */
const BESIDE: ReadonlySet<unknown> = new Set([
  'computer_call',
  'mcp_call',
  'code_interpreter_call',
  'image_generation_call',
  'shell_call',
  'local_shell_call',
]);

/** Reads what the adapters send from `additional_kwargs`. */
function readBeside(reader: Reader, message: Fields) {
  const extra = message.additional_kwargs;
  if (!isObject(extra)) return;
  const at = 'additional_kwargs';
  if (isSigned(extra.reasoning_details)) {
    const path = [at, 'reasoning_details'];
    // OpenRouter's, which none of these providers' adapters sends.
    if (reader.to === undefined) reader.reasoning('assistant', path, '', true);
    else reader.dropped('assistant', path, { type: 'reasoning' });
  }
  // The output of that version is in the content.
  if (metadataOf(message)?.output_version === 'v1') return;
  const add = (path: Path, why: string) =>
    (reader.to ?? 'openai') === 'openai' ? reader.known('assistant', path, why) : reader.unsent('assistant', path, why);
  if (isObject(extra.reasoning)) add([at, 'reasoning'], 'reasoning');
  if (typeof extra.refusal === 'string') add([at, 'refusal'], 'refusal');
  if (!Array.isArray(extra.tool_outputs)) return;
  extra.tool_outputs.forEach((item: { type?: unknown } | null | undefined, index) => {
    if (BESIDE.has(item?.type)) add([at, 'tool_outputs', index], 'run by the provider');
  });
}

/** Removes the calls that it reads in blocks from `waiting`, the indices of calls in `tool_calls`. */
function readContent(reader: Reader, message: Fields, role: Role, waiting: Set<number>) {
  const { content, tool_call_id: id, status } = message;
  const calls = message.tool_calls as readonly (Fields | undefined)[];
  const said = STATUSES.get(status);
  const text = (path: Path, value: string) =>
    role === 'tool' ? reader.result(path, value, id, said) : reader.add('text', role, path, value);
  const belongs = (part: Part) => (role === 'tool' ? reader.answers(part, id) : part);
  if (typeof content === 'string') {
    // Beside calls, empty content means no content.
    if (content !== '' || !hasSome(calls)) text(['content'], content);
    return;
  }
  const standing = new Map(Array.from(waiting, (place) => [calls[place]?.id, place]));
  const called = functionCallsOf(message);
  const blocks: unknown[] = reader.array(content, ['content']);
  blocks.forEach((given, index) => {
    const path = ['content', index];
    if (typeof given === 'string') return text(path, given);
    const block: Fields = reader.object(given, path);
    if (isCachePoint(block)) return undefined;
    const type = reader.string(block.type, [...path, 'type']);
    const place = type === 'functionCall' ? called.get(index) : isCallBlock(block) ? standing.get(block.id) : undefined;
    if (place !== undefined) {
      if (waiting.delete(place)) readCall(reader, message, place);
    } else if (role === 'assistant' && isOfGoogle(block) && (reader.to ?? 'gemini') !== 'gemini') reader.dropped(role, path, block);
    else if (CODE.has(type) && isObject(block[type])) readCode(reader, role, blocks, index);
    else if (type === 'text') text([...path, 'text'], reader.string(block.text, [...path, 'text']));
    else if (compactionOf(block, reader.to) !== undefined) {
      if (type === 'compaction') reader.summary(role, path, block);
      else reader.summary(role, path, block, [...path, 'value'], block.value);
    } else if (isReasoning(block)) {
      if (isDropped(block, message, reader.to)) reader.dropped(role, path, { type: 'reasoning' });
      else reader.reasoning(role, path, reasoningOf(block), isSignedFor(block, reader.to));
    } else if (MEDIA.has(type)) {
      const texts = textsOf(block);
      if (texts === undefined && role === 'tool') reader.resultFile(path, block, id, said);
      else if (texts === undefined) reader.file(role, path, block, block.thoughtSignature ? 'thought signature' : undefined);
      for (const { path: at, text: value, locked } of texts ?? []) {
        if (role === 'tool') reader.result([...path, ...at], value, id, said, locked);
        else reader.document(role, [...path, ...at], value, locked);
      }
    } else {
      const other = readOther(reader, role, block, type, path);
      if (other !== undefined) belongs(other);
    }
  });
  if (blocks.every(isCachePoint) && role === 'tool') text(['content'], '');
}

/** Code that ran at Google, and what it wrote. */
const CODE: ReadonlySet<unknown> = new Set(['executableCode', 'codeExecutionResult']);

/** Whether a block is one that Gemini alone makes, and gets back. */
const isOfGoogle = ({ type }: Fields) => CODE.has(type) || GOOGLE_FILES.includes(type);

/** Reads code that ran at Google, or what it wrote, which follows it. */
function readCode(reader: Reader, role: Role, content: readonly unknown[], index: number) {
  const { type, codeExecutionResult, thoughtSignature } = content[index] as Fields & { type: string };
  if (type === 'executableCode') return reader.known(role, ['content', index], 'run by the provider');
  const result = codeExecutionResult as Fields;
  const at = ['content', index, type, 'output'];
  const locked = thoughtSignature === undefined ? undefined : 'thought signature';
  const part = reader.add('result', 'tool', at, reader.string(result.output ?? '', at), locked);
  part.status = result.outcome === 'OUTCOME_OK' ? 'ok' : 'error';
  return reader.answers(
    part,
    undefined,
    (content[index - 1] as Fields | undefined)?.type === 'executableCode' ? reader.parts.length - 2 : -1,
  );
}

/** Calls of tools that a provider runs, in its own blocks or in LangChain's. */
const HOSTED_CALLS = new Set(['server_tool_use', 'mcp_tool_use', 'server_tool_call']);

/** The texts of a document that is made of them: LangChain's own, of two versions, or Anthropic's. */
function textsOf(block: Fields) {
  const isText = block.type === 'text-plain' || block.source_type === 'text';
  if (isText && typeof block.text === 'string') return [{ path: ['text'], text: block.text, locked: undefined }];
  return block.type === 'document' ? documentTexts(block) : undefined;
}

function readOther(reader: Reader, role: Role, block: Fields, type: string, path: Path) {
  const { id, tool_use_id, toolCallId } = block;
  const hosted = `block of type ${type}`;
  if (HOSTED_CALLS.has(type)) {
    const call = reader.known(role, path, hosted);
    if (typeof id === 'string') reader.named(id);
    return call;
  }
  const answered = tool_use_id ?? toolCallId;
  if (answered === undefined) return reader.opaque(role, path, 'block of type', type);
  // Blocks of Anthropic's have `content`, LangChain's own `output`.
  const key = type === 'server_tool_call_result' ? 'output' : 'content';
  const texts = hostedTexts(block[key]);
  for (const { path: at, text, locked } of texts) reader.result([...path, key, ...at], text, answered, undefined, locked);
  return texts.length > 0 ? undefined : reader.answers(reader.known('tool', path, hosted), answered);
}

/**
 * Returns whether the adapter of a provider drops reasoning: `@langchain/anthropic` what Claude didn't sign, `@langchain/openai` what Claude did.
 * OpenAI's own stands beside the content, but in version 1 of the output.
 */
function isDropped({ type }: Fields, message: Fields, to: Provider | undefined) {
  const metadata = metadataOf(message);
  const isV1 = metadata?.output_version === 'v1';
  if (to === 'openai') return type === 'thinking' || (type === 'reasoning' && !isV1);
  return to === 'anthropic' && type === 'reasoning' && !(isV1 && metadata?.model_provider === 'anthropic');
}

/** LangChain has no block of its own for redacted thinking. */
const isReasoning = ({ type, value }: Fields) =>
  REASONING.has(type) || (type === 'non_standard' && (value as Fields | null | undefined)?.type === 'redacted_thinking');

/** Index of a block that repeats a call as Gemini made it → index of the call. They have the same order, and not always an id. */
function functionCallsOf({ content, tool_calls: calls }: Fields): Map<number, number> {
  if (!Array.isArray(content) || !Array.isArray(calls) || calls.length === 0) return new Map();
  const isCall = (block: Fields | null | undefined) => block?.type === 'functionCall' && isObject(block.functionCall);
  const blocks = [...content.keys()].filter((index) => isCall(content[index]));
  return new Map(blocks.length === calls.length ? blocks.map((index, place) => [index, place]) : []);
}

const isCallBlock = ({ type }: Fields) => type === 'tool_use' || type === 'tool_call';
const reasoningOf = ({ thinking, reasoning }: Fields) =>
  [thinking, reasoning].find((text): text is string => typeof text === 'string') ?? '';

function readCall(reader: Reader, message: Fields, place: number) {
  const path = ['tool_calls', place];
  const call: Fields = reader.object((message.tool_calls as unknown[])[place], path);
  const args: Fields = reader.object(call.args, [...path, 'args']);
  const text = reader.json(args, [...path, 'args']);
  const differs = mirrors(message, call.id).some(({ path: other }) => !isDeepStrictEqual(parsed(getIn(message, other)), args));
  const isSigned = reader.to !== 'openai' && reader.to !== 'anthropic' && isSignedByGoogle(message, call);
  const locked = isSigned ? 'thought signature' : differs ? 'stands twice and differs' : lostBy(text);
  return reader.call([...path, 'args'], text, call.name, call.id, locked);
}

/** Whether a call has a thought signature, in a place of either of the adapters for Google. */
function isSignedByGoogle({ additional_kwargs: extra }: Fields, { thoughtSignature, id }: Fields) {
  const signatures = (extra as Fields | null | undefined)?.__gemini_function_call_thought_signatures__ as Fields | null | undefined;
  return (thoughtSignature ?? signatures?.[id as string]) !== undefined;
}

/**
 * LangChain's `toJSON` drops a member named `__proto__`. Fingerprints see a message as its JSON, so they would miss what is cut there.
 *
 * @returns why the arguments are locked
 */
const lostBy = (json: string): string | undefined =>
  json.includes('"__proto__":') ? 'has a member that LangChain drops from JSON' : undefined;

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Returns the places that repeat the arguments of a call: an object in a content block, JSON text in the provider's own fields. */
function mirrors(message: Fields, id: unknown) {
  if (typeof id !== 'string') return [];
  const found: { path: Path }[] = [];
  const add = (list: unknown, path: Path, key: (entry: Fields) => Path) => {
    if (!Array.isArray(list)) return;
    list.forEach((entry: Fields | null | undefined, index) => {
      if (entry?.id === id && getIn(entry, key(entry)) !== undefined) found.push({ path: [...path, index, ...key(entry)] });
    });
  };
  const { content, additional_kwargs: extra, tool_call_chunks: chunks } = message;
  if (Array.isArray(content))
    add(
      content.map((block: unknown) => (isObject(block) && isCallBlock(block) ? block : undefined)),
      ['content'],
      ({ type }) => [type === 'tool_use' ? 'input' : 'args'],
    );
  for (const [index, place] of functionCallsOf(message))
    if ((message.tool_calls as (Fields | undefined)[])[place]?.id === id) found.push({ path: ['content', index, 'functionCall', 'args'] });
  add((extra as Fields | null | undefined)?.tool_calls, ['additional_kwargs', 'tool_calls'], () => ['function', 'arguments']);
  add(chunks, ['tool_call_chunks'], () => ['args']);
  return found;
}

function replace(message: Fields, part: Part, text: string) {
  const value: unknown = part.kind === 'call' ? parseArguments(part, text) : (fileAs(part, getIn(message, part.path), text) ?? text);
  const edits = [{ path: part.path, value }];
  if (part.kind === 'call') {
    for (const { path } of mirrors(message, part.callId)) {
      edits.push({ path, value: typeof getIn(message, path) === 'string' ? text : value });
    }
  }
  // `lc_kwargs` holds the constructor's arguments: values shared with the message are edited there too.
  for (const { path, value: set } of edits.slice()) {
    const before: unknown = getIn(message.lc_kwargs, path);
    if (before !== undefined && before === getIn(message, path)) edits.push({ path: ['lc_kwargs', ...path], value: set });
  }
  return edits;
}

function without(message: Fields, parts: Part[]) {
  const calls = new Set(parts.filter(({ kind }) => kind === 'call').map(({ callId }) => callId));
  const places = new Set(parts.filter(({ kind }) => kind === 'call').map(({ path }) => path[1]));
  const blocks = new Set(parts.filter(({ kind, path }) => kind !== 'call' && path.length > 1).map(({ path }) => path[1]));
  const whole = parts.some(({ kind, path }) => kind !== 'call' && path.length < 2);
  const details = parts.some(({ path }) => path[1] === 'reasoning_details');
  const keep = (entry: Fields | null | undefined) => !(calls.has(entry?.id as string | undefined) && entry?.id !== undefined);
  const strip = (fields: Fields) => {
    const copy: Fields = copyOf(fields);
    const extra = fields.additional_kwargs;
    if (Array.isArray(fields.tool_calls)) copy.tool_calls = fields.tool_calls.filter((_, index) => !places.has(index));
    if (Array.isArray(fields.tool_call_chunks)) copy.tool_call_chunks = fields.tool_call_chunks.filter(keep);
    if (isObject(extra) && Array.isArray(extra.tool_calls)) {
      copy.additional_kwargs = { ...extra, tool_calls: extra.tool_calls.filter(keep) };
    }
    if (details && isObject(copy.additional_kwargs)) {
      const { reasoning_details: _gone, ...rest } = copy.additional_kwargs;
      copy.additional_kwargs = rest;
    }
    if (whole) copy.content = '';
    else if (Array.isArray(fields.content)) {
      let stays = true;
      const called = functionCallsOf(fields);
      const left: unknown[] = fields.content.filter((block: unknown, index) => {
        if (!isCachePoint(block))
          stays = !blocks.has(index) && !places.has(called.get(index) ?? -1) && (!isObject(block) || !isCallBlock(block) || keep(block));
        return stays;
      });
      const leads = hasSome(copy.tool_calls);
      const last = () => left.findLastIndex((block) => !isCachePoint(block));
      const isThought = (block: unknown) => isObject(block) && isReasoning(block);
      while (!leads && isThought(left[last()])) left.splice(last());
      copy.content = last() < 0 ? '' : left;
    }
    return copy;
  };
  const copy = strip(message);
  if (isObject(message.lc_kwargs)) copy.lc_kwargs = strip(message.lc_kwargs);
  return copy.content || hasSome(copy.tool_calls) || hasSome(copy.invalid_tool_calls) ? copy : undefined;
}

/** An instance of the same class with a text in the place of all it says. */
function asMark(message: Fields, content: string) {
  const { tool_calls: calls, invalid_tool_calls: invalid, tool_call_chunks: chunks } = message;
  const said = {
    content,
    additional_kwargs: {},
    response_metadata: {},
    ...(calls ? { tool_calls: [] } : {}),
    ...(invalid ? { invalid_tool_calls: [] } : {}),
    ...(chunks ? { tool_call_chunks: [] } : {}),
  };
  const copy: Fields = Object.assign(copyOf(message), said);
  if (isObject(message.lc_kwargs)) copy.lc_kwargs = { ...message.lc_kwargs, ...said };
  return copy;
}

export default langchain;
