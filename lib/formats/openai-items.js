// @ts-check
'use strict';

/** @import { Foreign, Part, PartReader, Path, Role } from '../types.d.ts' */
// Items as the Responses API takes them and as OpenAI's Agents SDK keeps them differ in names alone: what both share is here.

const { pace } = require('../steps.js');
const { copyOf } = require('./copy.js');
const { Reader } = require('./reader.js');
const { elementsWithout } = require('./write.js');

const ROLES = /** @type {Map<string, Role>} */ (
  new Map(Object.entries({ system: 'system', developer: 'system', user: 'user', assistant: 'assistant' }))
);
const TEXTS = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['text', 'text'],
  ['refusal', 'refusal'],
]);
/** Types of parts that hold media. The last two are the Agents SDK's. */
const MEDIA = new Set(['input_image', 'input_file', 'input_audio', 'computer_screenshot', 'audio', 'image']);

/** Endings of the item types of built-in tools. */
const BUILT_IN = /_(call|output|list_tools|approval_request|approval_response)$/;
/** Items of built-in tools that both have. */
const SHARED = new Set([
  'function_call',
  'computer_call',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'tool_search_call',
  'tool_search_output',
  'program_output',
]);
const AGENTS_ITEMS = new Set(['function_call_result', 'hosted_tool_call', 'computer_call_result', 'unknown']);
const AGENTS_PARTS = new Set(['audio', 'image']);
const RESPONSES_PARTS = new Set(['input_audio', 'text']);
/** Keys that only one of them has, in items and in the parts of messages. */
const AGENTS_KEYS = ['callId', 'providerData', 'promptCacheBreakpoint', 'image', 'file', 'rawContent'];
const RESPONSES_KEYS = ['annotations', 'logprobs', 'image_url', 'file_id', 'file_data', 'file_url', 'prompt_cache_breakpoint', 'summary'];
/** Number of parts of a message that detection looks at. */
const MAX_PARTS = 32;

/** @param {Foreign} item */
const isMessage = ({ type }) => type === undefined || type === 'message';

/**
 * Returns which of the two wrote an item; undefined if it reads the same in both.
 *
 * @param {Foreign} item
 * @returns {'agents' | 'responses' | undefined}
 */
function dialectOf(item) {
  if (AGENTS_KEYS.some((key) => key in item)) return 'agents';
  if (isMessage(item)) return item.role === 'developer' ? 'responses' : dialectOfParts(item.content);
  const { type } = item;
  if (AGENTS_ITEMS.has(type)) return 'agents';
  if (type === 'reasoning' && Array.isArray(item.content) && !('summary' in item)) return 'agents';
  // The SDK writes the id of a search as the API does.
  if (SHARED.has(type)) return 'call_id' in item && !type.startsWith('tool_search') ? 'responses' : undefined;
  const isOfApi = BUILT_IN.test(type) || type === 'item_reference' || 'call_id' in item || 'summary' in item;
  return isOfApi ? 'responses' : undefined;
}

/** @param {Foreign} content */
function dialectOfParts(content) {
  if (!Array.isArray(content)) return undefined;
  for (const part of content.slice(0, MAX_PARTS)) {
    if (part === null || typeof part !== 'object') continue;
    if (AGENTS_PARTS.has(part.type) || AGENTS_KEYS.some((key) => key in part)) return 'agents';
    if (RESPONSES_PARTS.has(part.type) || RESPONSES_KEYS.some((key) => key in part)) return 'responses';
  }
  return undefined;
}

/**
 * Returns whether an item is of a dialect.
 *
 * @param {Foreign} item
 * @param {'agents' | 'responses'} own
 * @returns {'yes' | 'maybe' | 'no'}
 */
function recognises(item, own) {
  const { type, role, content } = item;
  if (typeof item.getType === 'function' || typeof item._getType === 'function' || 'parts' in item) return 'no';
  if (typeof item.id === 'string' && typeof item.index === 'number') return 'no';
  if (!isMessage(item)) {
    if (typeof type !== 'string' || role !== undefined) return 'no';
    return answer(dialectOf(item), own);
  }
  if (!ROLES.has(role) || 'stop_reason' in item || item.tool_calls || item.toolInvocations) return 'no';
  let isItem = type === 'message';
  if (typeof content !== 'string') {
    if (!Array.isArray(content)) return 'no';
    for (const part of content.slice(0, MAX_PARTS)) {
      if (isOwnPart(part)) isItem = true;
      else if (type !== 'message' && part?.type !== 'refusal') return 'no';
    }
  }
  const dialect = dialectOf(item);
  // A message without anything of an item's is of other formats too.
  return isItem || dialect === 'agents' ? answer(dialect, own) : 'maybe';
}

/** Whether no other format has such a part: images without an underscore are the AI SDK's, and Anthropic's. */
const isOwnPart = (part) => (MEDIA.has(part?.type) && part.type !== 'image') || part?.type === 'input_text' || part?.type === 'output_text';

function answer(dialect, own) {
  if (dialect === undefined) return 'maybe';
  return dialect === own ? 'yes' : 'no';
}

/**
 * Returns the `reading` of a format whose items `readItem` reads.
 *
 * @param {(reader: PartReader, item: Foreign, locked?: string) => unknown} readItem
 */
const readingWith = (readItem) =>
  /** @param {readonly Foreign[]} items */
  function* (items) {
    const reader = new Reader();
    const bound = boundToReasoning(items);
    for (const [index, item] of items.entries()) {
      if (pace.mayPause) yield;
      reader.start(item);
      readItem(reader, item, bound.has(index) ? 'belongs to the reasoning before it' : undefined);
    }
    return reader.parts;
  };

/**
 * @param {PartReader} reader
 * @param {Foreign} item
 * @param {string} [locked]
 */
function readMessage(reader, item, locked) {
  const role = ROLES.get(item.role);
  const { content } = item;
  if (role === undefined) return reader.opaque('user', [], 'unknown role');
  if (typeof content === 'string') reader.add('text', role, ['content'], content, locked);
  else {
    reader.array(content, ['content']).forEach((part, index) => {
      const path = ['content', index];
      const type = reader.string(reader.object(part, path).type, [...path, 'type']);
      const key = TEXTS.get(type);
      if (key !== undefined) reader.add('text', role, [...path, key], reader.string(part[key], [...path, key]), locked);
      else if (MEDIA.has(type)) reader.add('media', role, path, '', locked);
      else reader.opaque(role, path, `unknown part type ${type}`);
    });
  }
  reader.end(role, ['content']);
}

/**
 * Reads the output of a call: a text, or parts.
 *
 * @param {PartReader} reader
 * @param {Foreign} output
 * @param {string} id of the call
 */
function readOutput(reader, output, id) {
  if (typeof output === 'string') return reader.result(['output'], output, id);
  if (reader.array(output, ['output']).length === 0) return reader.result(['output'], '', id);
  output.forEach((part, index) => readOutputPart(reader, part, ['output', index], id));
}

/**
 * @param {PartReader} reader
 * @param {Foreign} part
 * @param {Path} path
 * @param {string} id
 */
function readOutputPart(reader, part, path, id) {
  const type = reader.string(reader.object(part, path).type, [...path, 'type']);
  if (TEXTS.get(type) === 'text') reader.result([...path, 'text'], reader.string(part.text, [...path, 'text']), id);
  else if (MEDIA.has(type) || type === 'file') reader.answers(reader.add('media', 'tool', path, ''), id);
  else reader.answers(reader.opaque('tool', path, `unknown part type ${type}`), id);
}

/**
 * Reads reasoning, whose texts are in the lists under `keys`.
 *
 * @param {PartReader} reader
 * @param {Foreign} item
 * @param {string[]} keys
 */
function readReasoning(reader, item, keys) {
  const said = keys.flatMap((key) => reader.array(item[key] ?? [], [key]));
  const texts = said.map((part) => part?.text).filter((text) => typeof text === 'string');
  return reader.reasoning('assistant', [], texts.join('\n'));
}

/**
 * Reads the call of a shell. Its commands are a list, so that it can't be edited.
 *
 * @param {PartReader} reader
 * @param {Foreign} item
 * @param {string} id
 */
function readShellCall(reader, { action }, id) {
  const commands = reader.array(reader.object(action, ['action']).commands, ['action', 'commands']);
  return reader.call(['action'], JSON.stringify({ command: commands.join('\n') }), 'shell', id, 'commands of a shell');
}

/**
 * Reads what the commands of a shell wrote.
 *
 * @param {PartReader} reader
 * @param {Foreign} item
 * @param {string} id
 */
function readShellOutput(reader, { output }, id) {
  const before = reader.parts.length;
  reader.array(output, ['output']).forEach((part, index) => {
    const { outcome } = reader.object(part, ['output', index]);
    const exitCode = outcome?.exitCode ?? outcome?.exit_code;
    const status = outcome?.type === 'timeout' || exitCode > 0 ? 'error' : 'ok';
    for (const key of ['stdout', 'stderr']) {
      const path = ['output', index, key];
      if (part[key] !== '') reader.result(path, reader.string(part[key], path), id, status);
    }
  });
  if (reader.parts.length === before) reader.answers(reader.opaque('tool', ['output'], 'it has no text'), id);
}

/**
 * Reads a screenshot, which answers a call and can't be replaced by a text.
 *
 * @param {PartReader} reader
 * @param {Foreign} item
 */
function readScreenshot(reader, item) {
  return reader.add('media', 'tool', ['output'], '', `item of type ${item.type}`);
}

/**
 * Reads an item of a built-in tool, or of a type that is not known.
 *
 * @param {PartReader} reader
 * @param {Foreign} item
 * @param {Path} path
 */
function readOther(reader, item, path = []) {
  return reader.opaque(ROLES.get(item.role) ?? 'assistant', path, `item of type ${reader.string(item.type, ['type'])}`);
}

/**
 * Reasoning is removed with the item that it led to.
 *
 * @param {Foreign} item
 */
function leads(item) {
  return item?.type === 'reasoning';
}

/** Returns whether the model made the item; reading reports broken items. */
const isOfModel = (item) => item?.role === 'assistant' || (typeof item?.type === 'string' && item.type.endsWith('_call'));

/**
 * Returns the items that must stay because reasoning must keep the items that it led to. A single item is removed together
 * with its reasoning. Several items of one response all stay: without the others, the last one could be removed the next time.
 *
 * @param {readonly Foreign[]} items
 */
function boundToReasoning(items) {
  const bound = new Set();
  for (let index = 0; index < items.length; index++) {
    if (!leads(items[index])) continue;
    const first = index + 1;
    while (isOfModel(items[index + 1])) index++;
    for (let item = first; index > first && item <= index; item++) bound.add(item);
  }
  return bound;
}

/**
 * @param {Foreign} item
 * @param {Part[]} parts
 */
function without(item, parts) {
  const key = isMessage(item) ? 'content' : 'output';
  // Without a place in a list, a part is all that the item says.
  if (parts.some(({ path }) => typeof path[1] !== 'number')) return undefined;
  const left = elementsWithout(item, key, parts);
  return left.length > 0 ? Object.assign(copyOf(item), { [key]: left }) : undefined;
}

module.exports = {
  isMessage,
  leads,
  readingWith,
  readMessage,
  readOther,
  readOutput,
  readOutputPart,
  readReasoning,
  readScreenshot,
  readShellCall,
  readShellOutput,
  recognises,
  without,
};
