// @ts-check
'use strict';

/** @import { Foreign, Part, PartReader, Path, Role } from '../types.d.ts' */
// Items as the Responses API takes them and as OpenAI's Agents SDK keeps them differ in names alone: what both share is here.

const { pace } = require('../steps.js');
const { copyOf } = require('./copy.js');
const { Reader } = require('./reader.js');
const { isMessage, MEDIA, ROLES } = require('./recognises/openai-items.js');
const { elementsWithout } = require('./write.js');

const TEXTS = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['text', 'text'],
  ['refusal', 'refusal'],
]);
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
  without,
};
