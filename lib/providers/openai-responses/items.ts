// Items as the Responses API takes them and as OpenAI's Agents SDK keeps them differ in names alone: what both share is here.

import { pace } from '../../steps.js';
import { compactionOf } from '../shared/compaction.js';
import { copyOf } from '../shared/copy.js';
import { Reader } from '../shared/reader.js';
import { isMessage, MEDIA, ROLES } from './recognise.js';
import { elementsWithout } from '../shared/write.js';
import type { Fields } from '../shared/shapes.js';
import type { Adapter, Part, Path, Provider } from '../../types.js';

const TEXTS = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['text', 'text'],
  ['refusal', 'refusal'],
]);
/** Returns the `reading` of a format whose items `readItem` reads. */
export const readingWith = (readItem: (reader: Reader, item: Fields, locked?: string) => unknown) =>
  function* (items: readonly Fields[], to?: Provider, adapter?: Adapter) {
    const reader = new Reader(to, adapter);
    const bound = boundToReasoning(items);
    for (const [index, item] of items.entries()) {
      if (pace.isDue) yield;
      reader.start(item);
      const before = reader.parts.length;
      readItem(reader, item, bound.has(index) ? 'belongs to the reasoning before it' : undefined);
      if (bound.has(index)) for (const part of reader.parts.slice(before)) part.goes ??= 'withPrevious';
    }
    return reader.parts;
  };

export function readMessage(reader: Reader, item: Fields, locked?: string) {
  const role = ROLES.get(item.role);
  const { content } = item;
  if (role === undefined) return reader.roleless(item.role);
  if (typeof content === 'string') reader.add('text', role, ['content'], content, locked);
  else {
    reader.array(content, ['content']).forEach((part: Fields, index) => {
      const path = ['content', index];
      const type = reader.string(reader.object(part, path).type, [...path, 'type']);
      const key = TEXTS.get(type);
      if (key !== undefined) reader.add('text', role, [...path, key], reader.string(part[key], [...path, key]), locked);
      else if (MEDIA.has(type)) reader.file(role, path, part, locked);
      else reader.opaque(role, path, 'part of type', type);
    });
  }
  reader.end(role, ['content']);
}

/**
 * Reads the output of a call: a text, or parts.
 *
 * @param id of the call
 */
export function readOutput(reader: Reader, output: unknown, id: unknown) {
  if (typeof output === 'string') return reader.result(['output'], output, id);
  const parts = reader.array(output, ['output']);
  if (parts.length === 0) return reader.result(['output'], '', id);
  parts.forEach((part: Fields, index) => readOutputPart(reader, part, ['output', index], id));
}

export function readOutputPart(reader: Reader, part: Fields, path: Path, id: unknown) {
  const type = reader.string(reader.object(part, path).type, [...path, 'type']);
  if (TEXTS.get(type) === 'text') reader.result([...path, 'text'], reader.string(part.text, [...path, 'text']), id);
  else if (MEDIA.has(type) || type === 'file') reader.resultFile(path, part, id);
  else reader.answers(reader.known('tool', path, `part of type ${type}`), id);
}

/** Reads reasoning, whose texts are in the lists under `keys`. */
export function readReasoning(reader: Reader, item: Fields, keys: string[]) {
  const said = keys.flatMap((key) => reader.array(item[key] ?? [], [key]));
  const texts = said.map((part: Fields | null) => part?.text).filter((text) => typeof text === 'string');
  return reader.reasoning('assistant', [], texts.join('\n'));
}

/** Reads the call of a shell. Its commands are a list, so that it can't be edited. */
export function readShellCall(reader: Reader, { action }: Fields, id: string) {
  const commands = reader.array(reader.object(action, ['action']).commands, ['action', 'commands']);
  return reader.call(['action'], JSON.stringify({ command: commands.join('\n') }), 'shell', id, 'commands of a shell');
}

interface ShellOutput extends Fields {
  outcome?: { type?: unknown; exitCode?: number | null; exit_code?: number | null } | null;
}

/** Reads what the commands of a shell wrote. */
export function readShellOutput(reader: Reader, { output }: Fields, id: string) {
  const before = reader.parts.length;
  reader.array(output, ['output']).forEach((part: ShellOutput, index) => {
    const { outcome } = reader.object(part, ['output', index]);
    const exitCode = outcome?.exitCode ?? outcome?.exit_code ?? 0;
    const status = outcome?.type === 'timeout' || exitCode > 0 ? 'error' : 'ok';
    for (const key of ['stdout', 'stderr']) {
      const path = ['output', index, key];
      if (part[key] !== '') reader.result(path, reader.string(part[key], path), id, status);
    }
  });
  if (reader.parts.length === before) reader.answers(reader.known('tool', ['output'], 'it has no text'), id);
}

/** Reads a call whose input is no text, so that it can't be edited. */
export function readCall(reader: Reader, input: unknown, path: Path, name: string, id: string) {
  return reader.call(path, reader.json(input ?? {}, path), name, id, `input of ${name}`);
}

/** Reads a screenshot, which answers a call and can't be replaced by a text. */
export function readScreenshot(reader: Reader, item: Fields, id: string) {
  return reader.answers(reader.add('media', 'tool', ['output'], '', `item of type ${item.type}`), id);
}

export const HOSTED = 'run by the provider';

/**
 * Reads a search for tools. One that ran at the provider has no id: the tools that it loaded follow it.
 *
 * @param id of the call
 */
export function readToolSearch(reader: Reader, item: Fields, id: unknown) {
  if (typeof id === 'string') return readCall(reader, item.arguments, ['arguments'], 'tool_search', id);
  return reader.known('assistant', [], HOSTED);
}

export function readLoadedTools(reader: Reader, id: unknown) {
  if (typeof id === 'string') return reader.answers(reader.known('tool', [], 'loaded tools'), id);
  return reader.known('tool', [], 'loaded tools', 'withPrevious');
}

/** What a tool gave that ran at OpenAI, and stands in one item with the call: a call of MCP, a search in files, or code. */
const HOSTED_ITEMS: Map<unknown, typeof readMcpCall> = new Map([
  ['mcp_call', readMcpCall],
  ['file_search_call', readFileSearch],
  ['code_interpreter_call', readCodeInterpreter],
]);

/**
 * Reads an item of a tool that ran at OpenAI. The texts of its results may be changed.
 *
 * @param data of the item
 * @param at its path
 * @param id of the item
 * @returns false if it has no texts that are known here
 */
export function readHosted(reader: Reader, data: Fields, at: Path, id: string) {
  const read = HOSTED_ITEMS.get(data.type);
  if (read === undefined) return false;
  const before = reader.parts.length + 1;
  const key = read(reader, data, at, id);
  if (reader.parts.length === before) reader.answers(reader.known('tool', [...at, key], HOSTED), id);
  return true;
}

/** An approved call comes right after the approval. */
function readMcpCall(reader: Reader, data: Fields, at: Path, id: string) {
  const path = [...at, 'arguments'];
  const call = reader.call(path, reader.string(data.arguments, path), data.name, id, HOSTED);
  if (data.approval_request_id != null) call.goes = 'withPrevious';
  if (typeof data.output === 'string') reader.result([...at, 'output'], data.output, id, 'ok');
  else if (data.error != null) reader.answers(reader.known('tool', [...at, 'error'], HOSTED), id).status = 'error';
  return 'output';
}

function readFileSearch(reader: Reader, data: Fields, at: Path, id: string) {
  readCall(reader, data.queries, [...at, 'queries'], 'file_search', id);
  reader.array(data.results ?? [], [...at, 'results']).forEach(({ text }: Fields, index) => {
    if (typeof text === 'string') reader.result([...at, 'results', index, 'text'], text, id, 'ok');
  });
  return 'results';
}

function readCodeInterpreter(reader: Reader, data: Fields, at: Path, id: string) {
  const path = [...at, 'code'];
  reader.input(path, reader.string(data.code ?? '', path), 'code_interpreter', id, HOSTED);
  reader.array(data.outputs ?? [], [...at, 'outputs']).forEach(({ logs }: Fields, index) => {
    const place = [...at, 'outputs', index];
    if (typeof logs === 'string') reader.result([...place, 'logs'], logs, id, 'ok');
    else reader.answers(reader.known('tool', place, HOSTED), id);
  });
  return 'outputs';
}

/** Items that nothing else refers to. */
const ALONE = new Set(['web_search_call', 'image_generation_call', 'mcp_list_tools', 'item_reference']);

/** Reads an item that has no text of its own, or whose type is not known. */
export function readOther(reader: Reader, item: Fields, path: Path = []) {
  const type = reader.string(item.type, ['type']);
  const role = ROLES.get(item.role) ?? 'assistant';
  if (compactionOf(item) === undefined && !ALONE.has(type)) return reader.opaque(role, path, 'item of type', type);
  reader.known(role, path, `item of type ${type}`);
  return reader.compacted(item);
}

/** Reasoning is removed with the item that it led to. */
export function leads(item?: Fields | null) {
  return item?.type === 'reasoning';
}

/** Returns whether the model made the item; reading reports broken items. */
const isOfModel = (item?: Fields | null) => item?.role === 'assistant' || (typeof item?.type === 'string' && item.type.endsWith('_call'));

/**
 * Returns the items that must stay because reasoning must keep the items that it led to. A single item is removed together
 * with its reasoning. Several items of one response all stay: without the others, the last one could be removed the next time.
 */
function boundToReasoning(items: readonly Fields[]) {
  const bound = new Set();
  for (let index = 0; index < items.length; index++) {
    if (!leads(items[index])) continue;
    const first = index + 1;
    while (isOfModel(items[index + 1])) index++;
    for (let item = first; index > first && item <= index; item++) bound.add(item);
  }
  return bound;
}

/** Whether an element says anything: commands of a shell may write nothing. */
const isSaid = ({ stdout, stderr }: Fields) => stdout !== '' || stderr !== '';

export function without(item: Fields, parts: Part[]) {
  const key = isMessage(item) ? 'content' : 'output';
  // Without a place in a list, a part is all that the item says.
  if (parts.some(({ path }) => typeof path[1] !== 'number')) return undefined;
  const left = elementsWithout(item[key] as Fields[], key, parts);
  return left.some(isSaid) ? Object.assign(copyOf(item), { [key]: left }) : undefined;
}
