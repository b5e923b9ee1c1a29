// Reads conversations from a user's file, and converts them to the message shape that `compress` takes.
import { readFileSync, statSync } from 'node:fs';
import { inspect } from 'node:util';

/** An unreadable file, described in one line. Any other error thrown here is a bug. */
export class UnreadableFile extends Error {}

/**
 * @param {string} path a JSON or JSONL file, see `npm run demo -- --help`
 * @returns {{ conversations: { id: string | undefined, messages: object[] }[], format: string, notes: string[] }}
 *   `notes` list what the conversion added or left out
 * @throws {UnreadableFile}
 */
export function readSession(path) {
  const { values, nameOf, lines } = parse(readText(path), path);
  const fail = (problem, index) => {
    throw new UnreadableFile(index === undefined ? `${path}: ${problem}` : `${path}, ${nameOf(index)}: ${problem}`);
  };
  const layout = lines ? 'JSONL' : 'JSON';
  const changes = new Changes();

  let conversations;
  let format;
  if (values.some(isClaudeCodeLine)) {
    format = 'Claude Code session';
    const messages = values.flatMap((value, index) => {
      if (!isObject(value)) fail(`expected an object, got ${describe(value)}`, index);
      if (isClaudeCodeLine(value)) {
        const { role = value.type, content } = value.message;
        // Not the message's own id, which the lines of one answer share.
        return toMessages({ id: value.uuid, role, content }, changes);
      }
      changes.skip(typeof value.type === 'string' ? value.type : 'without a type');
      return [];
    });
    conversations = [{ id: undefined, messages }];
  } else if (values.length > 0 && values.every(isConversation)) {
    format = values.length === 1 ? `${layout}, one conversation` : `${layout}, ${values.length} conversations`;
    conversations = values.map(({ id, messages }, at) => ({
      id: id === undefined ? undefined : String(id),
      messages: messages.flatMap((message, index) => {
        if (!isMessage(message)) fail(`messages[${index}] ${notAMessage(message)}`, at);
        return toMessages(message, changes);
      }),
    }));
  } else {
    format = lines ? 'JSONL, one message per line' : 'JSON, an array of messages';
    const messages = values.flatMap((value, index) => {
      if (!isMessage(value)) fail(notAMessage(value), index);
      return toMessages(value, changes);
    });
    conversations = [{ id: undefined, messages }];
  }

  if (conversations.every(({ messages }) => messages.length === 0)) fail('holds no messages');
  for (const conversation of conversations) conversation.messages = conversation.messages.map(identify);
  return { conversations, format, notes: changes.notes() };
}

function readText(path) {
  let bytes;
  try {
    if (statSync(path).isDirectory()) throw new UnreadableFile(`${path}: is a directory, expected a file`);
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const known = { ENOENT: 'no such file', EACCES: 'permission denied', ERR_FS_FILE_TOO_LARGE: 'is larger than 2 GB' };
    throw new UnreadableFile(`${path}: ${known[error.code] ?? oneLine(error.message)}`);
  }
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile(`${path}: is not text (invalid UTF-8)`);
  }
  if (text.includes('\0')) throw new UnreadableFile(`${path}: is not text (holds NUL bytes)`);
  if (text.trim() === '') throw new UnreadableFile(`${path}: is empty`);
  return text;
}

/** Returns the top-level values of a file, and a function that names the one at an index in errors. */
function parse(text, path) {
  let whole;
  try {
    whole = JSON.parse(text);
  } catch (error) {
    return parseLines(text, path, error);
  }
  if (Array.isArray(whole)) return { values: whole, nameOf: (index) => `element ${index}`, lines: false };
  if (isConversation(whole)) return { values: [whole], nameOf: () => 'the object', lines: false };
  // JSONL with a single line is also valid JSON.
  if (isMessage(whole) || isClaudeCodeLine(whole)) return { values: [whole], nameOf: () => 'line 1', lines: true };
  throw new UnreadableFile(`${path}: expected an array of messages or an object with "messages", got ${describe(whole)}`);
}

function parseLines(text, path, jsonError) {
  const numbered = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const values = numbered.map(({ line, number }, index) => {
    try {
      return JSON.parse(line);
    } catch (error) {
      // If not even the first line is JSON, the file is not JSONL.
      if (index === 0 && !/\.(jsonl|ndjson)$/i.test(path)) {
        throw new UnreadableFile(`${path}: is not JSON (${oneLine(jsonError.message)})`);
      }
      throw new UnreadableFile(`${path}, line ${number}: is not JSON (${oneLine(error.message)})`);
    }
  });
  return { values, nameOf: (index) => `line ${numbered[index].number}`, lines: true };
}

/** Converts an input message to one or more messages: one made of parts can contain several tool results. */
function toMessages(message, changes) {
  if (!Array.isArray(message.content)) return [message];
  const { content, ...rest } = message;
  const texts = [];
  const calls = [];
  const results = [];
  let others = 0;
  for (const part of content) {
    if (part?.type === 'tool_use') {
      calls.push({ id: part.id, type: 'function', function: { name: part.name, arguments: JSON.stringify(part.input ?? {}) } });
    } else if (part?.type === 'tool_result') {
      const { text, dropped } = joinText(part.content);
      others += dropped;
      results.push({ role: 'tool', content: text, tool_call_id: part.tool_use_id });
    } else {
      const { text, dropped } = joinText([part]);
      others += dropped;
      if (!dropped) texts.push(text);
    }
  }
  changes.join(others);

  const spoken = texts.join('\n\n');
  const main = { ...rest, content: spoken };
  if (calls.length > 0) main.tool_calls = [...(rest.tool_calls ?? []), ...calls];
  // Results precede the text of the same message, because they answer the calls of the message before.
  if (results.length === 0) return [main];
  const messages = spoken === '' && calls.length === 0 ? results : [...results, main];
  if (rest.id === undefined || rest.id === null) return messages;
  return messages.map((one, index) => ({ ...one, id: index === 0 ? rest.id : `${rest.id}.${index}` }));
}

function joinText(content) {
  if (typeof content === 'string') return { text: content, dropped: 0 };
  if (!Array.isArray(content)) return { text: '', dropped: 0 };
  const texts = content.map((part) => (typeof part === 'string' ? part : (part?.text ?? part?.thinking)));
  const kept = texts.filter((text) => typeof text === 'string');
  return { text: kept.join('\n\n'), dropped: texts.length - kept.length };
}

function identify(message, index) {
  if (message.id !== undefined && message.id !== null && message.index !== undefined) return message;
  return { ...message, id: message.id ?? `m${index}`, index: message.index ?? index };
}

/** Counts what the conversion changed, so that nothing is dropped silently. */
class Changes {
  #joined = 0;
  #others = 0;
  #skipped = new Map();

  join(others) {
    this.#joined += 1;
    this.#others += others;
  }

  skip(type) {
    this.#skipped.set(type, (this.#skipped.get(type) ?? 0) + 1);
  }

  notes() {
    const notes = [];
    const skipped = [...this.#skipped].sort((a, b) => b[1] - a[1]);
    if (skipped.length > 0) {
      const total = skipped.reduce((sum, [, count]) => sum + count, 0);
      const types = skipped.map(([type, count]) => `${count} ${type}`).join(', ');
      notes.push(`skipped ${count(total, 'line')} that ${total === 1 ? 'is no message' : 'are no messages'}: ${types}`);
    }
    if (this.#joined > 0) notes.push(`${count(this.#joined, 'message')} made of parts: text parts joined for this demo`);
    if (this.#others > 0) notes.push(`${count(this.#others, 'part')} without text (images and the like) left out`);
    return notes;
  }
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isMessage = (value) => isObject(value) && (typeof value.role === 'string' || Object.hasOwn(value, 'content'));
const isConversation = (value) => isObject(value) && Array.isArray(value.messages);
const isClaudeCodeLine = (value) => isObject(value) && (value.type === 'user' || value.type === 'assistant') && isMessage(value.message);
const notAMessage = (value) =>
  isObject(value) ? 'is no message: it has neither "role" nor "content"' : `is no message: expected an object, got ${describe(value)}`;

function describe(value) {
  if (isObject(value)) {
    const keys = Object.keys(value);
    return keys.length === 0
      ? 'an empty object'
      : `an object with ${keys
          .slice(0, 4)
          .map((key) => `"${key}"`)
          .join(', ')}${keys.length > 4 ? ', …' : ''}`;
  }
  if (Array.isArray(value)) return 'an array';
  return value === null ? 'null' : `${typeof value} ${inspect(value).slice(0, 40)}`;
}

// Error messages quote the file, which may contain anything, including terminal control sequences.
const oneLine = (text) => text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 120);
