// @ts-check
'use strict';

/** @import { Foreign, FormatModule, Part, PartReader, Role } from '../types.d.ts' */

const { copyOf } = require('./copy.js');
const { Reader } = require('./reader.js');
const { elementsWithout, replaceText } = require('./write.js');

const ROLES = /** @type {Map<string, Role>} */ (
  new Map(Object.entries({ system: 'system', developer: 'system', user: 'user', assistant: 'assistant' }))
);
const TEXTS = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['text', 'text'],
  ['refusal', 'refusal'],
]);
const MEDIA = new Set(['input_image', 'input_file', 'input_audio', 'computer_screenshot']);
const CALLS = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
]);
const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output']);
/** Endings of the item types of built-in tools. */
const BUILT_IN = /_(call|output|list_tools|approval_request|approval_response)$/;

/**
 * Items of OpenAI's Responses API, as `input` takes them and `output` gives them.
 *
 * @type {FormatModule}
 */
const openaiResponses = {
  name: 'openai-responses',
  recognises,
  reading,
  replace: replaceText,
  resultText: 'input_text',
  freeForm,
  without,
  leads,
};

/** @param {Foreign} message */
function recognises(message) {
  const { type, role, content } = message;
  if (typeof message.getType === 'function' || typeof message._getType === 'function' || 'parts' in message) return 'no';
  if (typeof message.id === 'string' && typeof message.index === 'number') return 'no';
  if (type !== undefined && type !== 'message') {
    if (typeof type !== 'string' || role !== undefined) return 'no';
    const known = BUILT_IN.test(type) || type === 'reasoning' || type === 'item_reference' || type === 'compaction';
    return known ? 'yes' : 'maybe';
  }
  if (!ROLES.has(role) || 'stop_reason' in message || message.tool_calls || message.toolInvocations) return 'no';
  /** @type {'yes' | 'maybe'} */
  let answer = type === 'message' ? 'yes' : 'maybe';
  if (typeof content === 'string') return answer;
  if (!Array.isArray(content)) return 'no';
  for (const part of content.slice(0, 32)) {
    if (MEDIA.has(part?.type) || part?.type === 'input_text' || part?.type === 'output_text') answer = 'yes';
    else if (type !== 'message' && part?.type !== 'refusal') return 'no';
  }
  return answer;
}

/** @param {readonly Foreign[]} items */
function* reading(items) {
  const reader = new Reader();
  const bound = boundToReasoning(items);
  for (const [index, item] of items.entries()) {
    yield;
    reader.start(item);
    readItem(reader, item, bound.has(index) ? 'belongs to the reasoning before it' : undefined);
  }
  return reader.parts;
}

/**
 * @param {PartReader} reader
 * @param {Foreign} item
 * @param {string} [locked]
 */
function readItem(reader, item, locked) {
  const { type, role } = item;
  if (type === undefined || type === 'message') return readMessage(reader, item, locked);
  const key = CALLS.get(type);
  if (key !== undefined) {
    const [text, id] = [reader.string(item[key], [key]), reader.string(item.call_id, ['call_id'])];
    return key === 'input' ? reader.input([key], text, item.name, id, locked) : reader.call([key], text, item.name, id, locked);
  }
  if (OUTPUTS.has(type)) return readOutput(reader, item);
  if (type === 'reasoning') {
    const said = ['summary', 'content'].flatMap((key) => reader.array(item[key] ?? [], [key]));
    const texts = said.map((part) => part?.text).filter((text) => typeof text === 'string');
    return reader.reasoning('assistant', [], texts.join('\n'));
  }
  return reader.opaque(ROLES.get(role) ?? 'assistant', [], `item of type ${reader.string(type, ['type'])}`);
}

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
 * @param {PartReader} reader
 * @param {Foreign} value
 */
function readOutput(reader, { output, call_id: id }) {
  reader.string(id, ['call_id']);
  if (typeof output === 'string') return reader.result(['output'], output, id);
  if (reader.array(output, ['output']).length === 0) return reader.result(['output'], '', id);
  output.forEach((part, index) => {
    const path = ['output', index];
    const type = reader.string(reader.object(part, path).type, [...path, 'type']);
    if (TEXTS.get(type) === 'text') reader.result([...path, 'text'], reader.string(part.text, [...path, 'text']), id);
    else if (MEDIA.has(type)) reader.answers(reader.add('media', 'tool', path, ''), id);
    else reader.answers(reader.opaque('tool', path, `unknown part type ${type}`), id);
  });
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
const isOfModel = (item) =>
  item?.role === 'assistant' || CALLS.has(item?.type) || (typeof item?.type === 'string' && item.type.endsWith('_call'));

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
 * The input of a custom tool is any text.
 *
 * @param {Part} part
 */
function freeForm({ path }) {
  return path[0] === 'input';
}

/**
 * @param {Foreign} item
 * @param {Part[]} parts
 */
function without(item, parts) {
  const key = OUTPUTS.has(item.type) ? 'output' : 'content';
  if (parts.some(({ path }) => path.length < 2)) return undefined;
  const left = elementsWithout(item, key, parts);
  return left.length > 0 ? Object.assign(copyOf(item), { [key]: left }) : undefined;
}

module.exports = openaiResponses;
