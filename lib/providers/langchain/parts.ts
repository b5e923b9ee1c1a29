import { isDeepStrictEqual } from 'node:util';
import { describe } from '../../checks.js';
import { alternation } from '../shared/alternation.js';
import { compactionOf } from '../shared/compaction.js';
import { copyOf, getIn } from '../shared/copy.js';
import { documentTexts, hostedTexts } from '../shared/documents.js';
import { misplaced } from '../../places.js';
import { pace } from '../../steps.js';
import { isObject, Reader } from '../shared/reader.js';
import { isCachePoint, recognises } from './recognise.js';
import { isSigned } from '../shared/signature.js';
import { isSignedFor } from '../shared/unsent.js';
import { fileAs, parseArguments } from '../shared/write.js';
import type { Adapter, Foreign, FormatModule, Part, Path, Provider, Role, Status } from '../../types.js';

const ROLES = new Map(
  Object.entries({
    human: 'user',
    ai: 'assistant',
    system: 'system',
    developer: 'system',
    tool: 'tool',
    function: 'tool',
  }),
) as Map<string, Role>;
const TEXT_ROLES = new Map(Object.entries({ user: 'user', assistant: 'assistant', system: 'system', developer: 'system' })) as Map<
  string,
  Role
>;
const STATUSES: Map<string, Status> = new Map([
  ['success', 'ok'],
  ['error', 'error'],
]);
/** Files that Gemini made. */
const GOOGLE_FILES = ['inlineData', 'fileData'];
const MEDIA = new Set([
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
const REASONING = new Set(['thinking', 'redacted_thinking', 'reasoning', 'reasoning_content']);

/** Message instances of LangChain and LangGraph. They stay instances. */
const langchain: FormatModule = { reading, replace, without, isMixed: true, alternating: alternation(roleOf, asMark) };

const typeOf = (message: Foreign) => (typeof message.getType === 'function' ? message.getType() : message._getType());

function roleOf(message: Foreign): Role | undefined {
  const type = typeOf(message);
  return type === 'generic' ? TEXT_ROLES.get(message.role) : ROLES.get(type);
}

function* reading(messages: readonly Foreign[], to?: Provider, adapter?: Adapter) {
  const reader = new Reader(to, adapter);
  for (const [index, message] of messages.entries()) {
    if (pace.mayPause) yield;
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
  }
  return reader.parts;
}

/** Items of the Responses API that its adapter keeps beside the content, and sends. */
const BESIDE = new Set(['computer_call', 'mcp_call', 'code_interpreter_call', 'image_generation_call', 'shell_call', 'local_shell_call']);

/** Reads what the adapters send from `additional_kwargs`. */
function readBeside(reader: Reader, { additional_kwargs: extra, response_metadata: metadata }: Foreign) {
  if (!isObject(extra)) return;
  const at = 'additional_kwargs';
  if (isSigned(extra.reasoning_details)) {
    const path = [at, 'reasoning_details'];
    // OpenRouter's, which none of these providers' adapters sends.
    if (reader.to === undefined) reader.reasoning('assistant', path, '', true);
    else reader.dropped('assistant', path, { type: 'reasoning' });
  }
  // The output of that version is in the content.
  if (metadata?.output_version === 'v1') return;
  const add = (path: Path, why: string) =>
    (reader.to ?? 'openai') === 'openai' ? reader.known('assistant', path, why) : reader.unsent('assistant', path, why);
  if (isObject(extra.reasoning)) add([at, 'reasoning'], 'reasoning');
  if (typeof extra.refusal === 'string') add([at, 'refusal'], 'refusal');
  if (!Array.isArray(extra.tool_outputs)) return;
  extra.tool_outputs.forEach((item, index) => {
    if (BESIDE.has(item?.type)) add([at, 'tool_outputs', index], 'run by the provider');
  });
}

/** Removes the calls that it reads in blocks from `waiting`, the indices of calls in `tool_calls`. */
function readContent(reader: Reader, message: Foreign, role: Role, waiting: Set<number>) {
  const { content, tool_call_id: id, status } = message;
  const said = STATUSES.get(status);
  const text = (path: Path, value: string) =>
    role === 'tool' ? reader.result(path, value, id, said) : reader.add('text', role, path, value);
  const belongs = (part: Part) => (role === 'tool' ? reader.answers(part, id) : part);
  if (typeof content === 'string') {
    // Beside calls, empty content means no content.
    if (content !== '' || !(message.tool_calls?.length > 0)) text(['content'], content);
    return;
  }
  const standing = new Map(Array.from(waiting, (place) => [message.tool_calls[place]?.id, place]));
  const called = functionCallsOf(message);
  reader.array(content, ['content']).forEach((block, index) => {
    const path = ['content', index];
    if (typeof block === 'string') return text(path, block);
    if (isCachePoint(reader.object(block, path))) return undefined;
    const type = reader.string(block.type, [...path, 'type']);
    const place = type === 'functionCall' ? called.get(index) : isCallBlock(block) ? standing.get(block.id) : undefined;
    if (place !== undefined) {
      if (waiting.delete(place)) readCall(reader, message, place);
    } else if (role === 'assistant' && isOfGoogle(block) && (reader.to ?? 'gemini') !== 'gemini') reader.dropped(role, path, block);
    else if (CODE.has(type) && isObject(block[type])) readCode(reader, role, content, index);
    else if (type === 'text') text([...path, 'text'], reader.string(block.text, [...path, 'text']));
    else if (compactionOf(block, reader.to) !== undefined)
      reader.summary(role, path, block, ...(block.type === 'compaction' ? [] : ([[...path, 'value'], block.value] as const)));
    else if (isReasoning(block)) {
      if (isDropped(block, message, reader.to)) reader.dropped(role, path, { type: 'reasoning' });
      else reader.reasoning(role, path, reasoningOf(block), isSignedFor(block, reader.to));
    } else if (MEDIA.has(type)) {
      const texts = textsOf(block);
      if (texts === undefined && role === 'tool') {
        const part = reader.resultFile(path, block, id, said);
        if (reader.adapter?.api === 'struct' && part.kind === 'media') part.sent = () => JSON.stringify(block);
      }
      if (texts === undefined && role !== 'tool') reader.file(role, path, block, block.thoughtSignature && 'thought signature');
      for (const { path: at, text: value, locked } of texts ?? []) {
        if (role === 'tool') reader.result([...path, ...at], value, id, said, locked);
        else reader.document(role, [...path, ...at], value, locked);
      }
    } else {
      const other = readOther(reader, role, block, path);
      if (other !== undefined) belongs(other);
    }
  });
  if (content.every(isCachePoint) && role === 'tool') text(['content'], '');
}

/** Code that ran at Google, and what it wrote. */
const CODE = new Set(['executableCode', 'codeExecutionResult']);

/** Whether a block is one that Gemini alone makes, and gets back. */
const isOfGoogle = ({ type }: Foreign) => CODE.has(type) || GOOGLE_FILES.includes(type);

/** Reads code that ran at Google, or what it wrote, which follows it. */
function readCode(reader: Reader, role: Role, content: Foreign, index: number) {
  const { type, codeExecutionResult: result, thoughtSignature } = content[index];
  if (type === 'executableCode') return reader.known(role, ['content', index], 'run by the provider');
  const at = ['content', index, type, 'output'];
  const locked = thoughtSignature === undefined ? undefined : 'thought signature';
  const part = reader.add('result', 'tool', at, reader.string(result.output ?? '', at), locked);
  part.status = result.outcome === 'OUTCOME_OK' ? 'ok' : 'error';
  return reader.answers(part, undefined, content[index - 1]?.type === 'executableCode' ? reader.parts.length - 2 : -1);
}

/** Calls of tools that a provider runs, in its own blocks or in LangChain's. */
const HOSTED_CALLS = new Set(['server_tool_use', 'mcp_tool_use', 'server_tool_call']);

/** The texts of a document that is made of them: LangChain's own, of two versions, or Anthropic's. */
function textsOf(block: Foreign) {
  const isText = block.type === 'text-plain' || block.source_type === 'text';
  if (isText && typeof block.text === 'string') return [{ path: ['text'], text: block.text, locked: undefined }];
  return block.type === 'document' ? documentTexts(block) : undefined;
}

function readOther(reader: Reader, role: Role, block: Foreign, path: Path) {
  const { type, id, tool_use_id, toolCallId } = block;
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
function isDropped({ type }: Foreign, { response_metadata: metadata }: Foreign, to: Provider | undefined) {
  const isV1 = metadata?.output_version === 'v1';
  if (to === 'openai') return type === 'thinking' || (type === 'reasoning' && !isV1);
  return to === 'anthropic' && type === 'reasoning' && !(isV1 && metadata.model_provider === 'anthropic');
}

/** LangChain has no block of its own for redacted thinking. */
const isReasoning = ({ type, value }: Foreign) => REASONING.has(type) || (type === 'non_standard' && value?.type === 'redacted_thinking');

/** Index of a block that repeats a call as Gemini made it → index of the call. They have the same order, and not always an id. */
function functionCallsOf({ content, tool_calls: calls }: Foreign): Map<number, number> {
  if (!Array.isArray(content) || !Array.isArray(calls) || calls.length === 0) return new Map();
  const blocks = [...content.keys()].filter((index) => content[index]?.type === 'functionCall' && isObject(content[index].functionCall));
  return new Map(blocks.length === calls.length ? blocks.map((index, place) => [index, place]) : []);
}

const isCallBlock = ({ type }: Foreign) => type === 'tool_use' || type === 'tool_call';
const reasoningOf = ({ thinking, reasoning }: Foreign) => [thinking, reasoning].find((text) => typeof text === 'string') ?? '';

function readCall(reader: Reader, message: Foreign, place: number) {
  const path = ['tool_calls', place];
  const call = reader.object(message.tool_calls[place], path);
  const args = reader.object(call.args, [...path, 'args']);
  const text = reader.json(args, [...path, 'args']);
  const differs = mirrors(message, call.id).some(({ path: other }) => !isDeepStrictEqual(parsed(getIn(message, other)), args));
  const isSigned = reader.to !== 'openai' && reader.to !== 'anthropic' && isSignedByGoogle(message, call);
  const locked = isSigned ? 'thought signature' : differs ? 'stands twice and differs' : lostBy(text);
  return reader.call([...path, 'args'], text, call.name, call.id, locked);
}

/** Whether a call has a thought signature, in a place of either of the adapters for Google. */
const isSignedByGoogle = ({ additional_kwargs: extra }: Foreign, call: Foreign) =>
  (call.thoughtSignature ?? extra?.__gemini_function_call_thought_signatures__?.[call.id]) !== undefined;

/**
 * LangChain's `toJSON` drops a member named `__proto__`. Fingerprints see a message as its JSON, so they would miss what is cut there.
 *
 * @returns why the arguments are locked
 */
const lostBy = (json: string): string | undefined =>
  json.includes('"__proto__":') ? 'has a member that LangChain drops from JSON' : undefined;

function parsed(value: Foreign) {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Returns the places that repeat the arguments of a call: an object in a content block, JSON text in the provider's own fields. */
function mirrors(message: Foreign, id: string | undefined) {
  if (typeof id !== 'string') return [];
  const found: Foreign[] = [];
  const add = (list: Foreign, path: Path, key: (entry: Foreign) => Path) => {
    if (!Array.isArray(list)) return;
    list.forEach((entry, index) => {
      if (entry?.id === id && getIn(entry, key(entry)) !== undefined) found.push({ path: [...path, index, ...key(entry)] });
    });
  };
  const { content, additional_kwargs: extra, tool_call_chunks: chunks } = message;
  if (Array.isArray(content))
    add(
      content.map((block) => (isObject(block) && isCallBlock(block) ? block : undefined)),
      ['content'],
      ({ type }: Foreign) => [type === 'tool_use' ? 'input' : 'args'],
    );
  for (const [index, place] of functionCallsOf(message))
    if (message.tool_calls[place]?.id === id) found.push({ path: ['content', index, 'functionCall', 'args'] });
  add(extra?.tool_calls, ['additional_kwargs', 'tool_calls'], () => ['function', 'arguments']);
  add(chunks, ['tool_call_chunks'], () => ['args']);
  return found;
}

function replace(message: Foreign, part: Part, text: string) {
  const value = part.kind === 'call' ? parseArguments(part, text) : (fileAs(part, getIn(message, part.path), text) ?? text);
  const edits = [{ path: part.path, value }];
  if (part.kind === 'call') {
    for (const { path } of mirrors(message, part.callId)) {
      edits.push({ path, value: typeof getIn(message, path) === 'string' ? text : value });
    }
  }
  // `lc_kwargs` holds the constructor's arguments: values shared with the message are edited there too.
  for (const { path, value: set } of edits.slice()) {
    const before = getIn(message.lc_kwargs, path);
    if (before !== undefined && before === getIn(message, path)) edits.push({ path: ['lc_kwargs', ...path], value: set });
  }
  return edits;
}

function without(message: Foreign, parts: Part[]) {
  const calls = new Set(parts.filter(({ kind }) => kind === 'call').map(({ callId }) => callId));
  const places = new Set(parts.filter(({ kind }) => kind === 'call').map(({ path }) => path[1]));
  const blocks = new Set(parts.filter(({ kind, path }) => kind !== 'call' && path.length > 1).map(({ path }) => path[1]));
  const whole = parts.some(({ kind, path }) => kind !== 'call' && path.length < 2);
  const details = parts.some(({ path }) => path[1] === 'reasoning_details');
  const keep = (entry: Foreign) => !(calls.has(entry?.id) && entry?.id !== undefined);
  const strip = (fields: Foreign) => {
    const copy = copyOf(fields);
    if (Array.isArray(fields.tool_calls)) copy.tool_calls = fields.tool_calls.filter((_: unknown, index: number) => !places.has(index));
    if (Array.isArray(fields.tool_call_chunks)) copy.tool_call_chunks = fields.tool_call_chunks.filter(keep);
    if (Array.isArray(fields.additional_kwargs?.tool_calls)) {
      copy.additional_kwargs = { ...fields.additional_kwargs, tool_calls: fields.additional_kwargs.tool_calls.filter(keep) };
    }
    if (details && isObject(copy.additional_kwargs)) {
      copy.additional_kwargs = { ...copy.additional_kwargs };
      delete copy.additional_kwargs.reasoning_details;
    }
    if (whole) copy.content = '';
    else if (Array.isArray(fields.content)) {
      let stays = true;
      const called = functionCallsOf(fields);
      copy.content = fields.content.filter((block: Foreign, index: number) => {
        if (!isCachePoint(block))
          stays = !blocks.has(index) && !places.has(called.get(index) ?? -1) && (!isObject(block) || !isCallBlock(block) || keep(block));
        return stays;
      });
      const leads = copy.tool_calls?.length > 0;
      const last = () => copy.content.findLastIndex((block: Foreign) => !isCachePoint(block));
      while (!leads && isObject(copy.content[last()]) && isReasoning(copy.content[last()])) copy.content.splice(last());
      if (last() < 0) copy.content = [];
      if (copy.content.length === 0) copy.content = '';
    }
    return copy;
  };
  const copy = strip(message);
  if (isObject(message.lc_kwargs)) copy.lc_kwargs = strip(message.lc_kwargs);
  return copy.content || copy.tool_calls?.length > 0 || copy.invalid_tool_calls?.length > 0 ? copy : undefined;
}

/** An instance of the same class with a text in the place of all it says. */
function asMark(message: Foreign, content: string) {
  const { tool_calls: calls, invalid_tool_calls: invalid, tool_call_chunks: chunks } = message;
  const said = {
    content,
    additional_kwargs: {},
    response_metadata: {},
    ...(calls && { tool_calls: [] }),
    ...(invalid && { invalid_tool_calls: [] }),
    ...(chunks && { tool_call_chunks: [] }),
  };
  const copy = Object.assign(copyOf(message), said);
  if (isObject(message.lc_kwargs)) copy.lc_kwargs = { ...message.lc_kwargs, ...said };
  return copy;
}

export default langchain;
