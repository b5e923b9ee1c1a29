// @ts-check
// Transcripts of agents, found in their usual places or in files that are named, and read whatever wrote them.
import { basename } from 'node:path';
import * as claudeCode from './claude-code.mjs';
import { HISTORY, readCline } from './cline.mjs';
import * as codex from './codex.mjs';
import * as geminiCli from './gemini-cli.mjs';
import { readHead, readJson, readLines } from './lines.mjs';
import { isConversation, isMessage, readConversations } from './messages.mjs';
import * as opencode from './opencode.mjs';
import { reasonOf, Unreadable } from './unreadable.mjs';
import { isObject, parsed } from './values.mjs';

export { find, listFiles, usualPlaces } from './places.mjs';
export { Unreadable } from './unreadable.mjs';

/** @typedef {import('../types.d.ts').Transcript} Transcript */
/** @typedef {import('../types.d.ts').SkippedFile} SkippedFile */

/** Number of lines at the start of a file that are looked at to tell what wrote it. */
const MAX_FIRST_LINES = 50;

/** The values of the first whole lines. @param {string} head @param {boolean} isAll whether it is the whole file */
function firstValues(head, isAll) {
  const lines = head.split('\n');
  if (!isAll) lines.pop();
  return lines
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_FIRST_LINES)
    .map(parsed)
    .filter((value) => value !== undefined);
}

/** Messages or conversations, one a line. @param {string} file @param {AsyncIterable<string>} lines @returns {AsyncGenerator<Transcript>} */
async function* readMessageLines(file, lines) {
  const messages = [];
  const conversations = [];
  let skipped = 0;
  for await (const line of lines) {
    const value = parsed(line);
    if (isConversation(value)) conversations.push(value);
    else if (isMessage(value)) messages.push(value);
    else skipped++;
  }
  const all = [...conversations, ...(messages.length > 0 ? [messages] : [])];
  if (all.length === 0) throw new Unreadable('contains no messages');
  for (const transcript of readConversations(file, all)) {
    yield { ...transcript, skipped: transcript.skipped + skipped };
    skipped = 0;
  }
}

/**
 * Lines of an unknown kind that start with a long line: what they are shows line by line.
 *
 * @param {string} file
 * @param {'zstd' | 'text'} kind
 * @returns {Promise<unknown[]>}
 */
async function firstLines(file, kind) {
  const values = [];
  for await (const line of readLines(file, kind)) {
    const value = parsed(line);
    if (value !== undefined) values.push(value);
    if (values.length >= MAX_FIRST_LINES) break;
  }
  return values;
}

/** @param {string} file @param {'zstd' | 'text'} kind @param {unknown[]} first @returns {AsyncGenerator<Transcript> | undefined} */
function readerOfLines(file, kind, first) {
  const lines = () => readLines(file, kind);
  if (first.some(codex.isLine)) return codex.readCodex(file, lines());
  if (first.some(claudeCode.isLine)) return claudeCode.readClaudeCode(file, lines());
  if (geminiCli.isChat(first[0]) && !isConversation(first[0])) return geminiCli.readChatLines(file, lines());
  if (first.some((value) => isMessage(value) || isConversation(value))) return readMessageLines(file, lines());
  return undefined;
}

/** @param {string} file @returns {AsyncGenerator<Transcript>} */
async function* readWhole(file) {
  const value = await readJson(file);
  if (geminiCli.isChat(value)) yield* geminiCli.readChat(file, /** @type {any} */ (value));
  else if (opencode.isSession(value)) yield* opencode.readSessionFile(file, /** @type {any} */ (value));
  else if (isConversation(value)) yield* readConversations(file, [value]);
  else if (!Array.isArray(value))
    throw new Unreadable(`is ${isObject(value) ? 'an object' : 'a value'}, expected messages or a transcript`);
  else if (value.length === 0) throw new Unreadable('contains no messages');
  else if (value.every(isConversation)) yield* readConversations(file, value);
  else yield* readConversations(file, [value]);
}

/**
 * Reads the conversations of a file, whatever wrote it: an agent, or a program that keeps messages in a format of the library. Lines are read
 * one at a time.
 *
 * @param {string} file
 * @returns {AsyncGenerator<Transcript>}
 * @throws {Unreadable} it can't be read, or is no transcript
 */
export async function* read(file) {
  try {
    const { head, bytes, kind } = await readHead(file);
    if (kind === 'sqlite') {
      yield* opencode.readDatabase(file);
      return;
    }
    if (basename(file) === HISTORY) {
      yield* readCline(file);
      return;
    }
    if (kind === 'zstd') {
      const reader = readerOfLines(file, kind, await firstLines(file, kind));
      if (!reader) throw new Unreadable('is no transcript');
      yield* reader;
      return;
    }
    const isAll = bytes === Buffer.byteLength(head);
    const start = head.trimStart();
    const first = firstValues(head, isAll);
    // A file of JSON may be one line, too; an object of several lines is no line of JSON at first.
    const isLines = /\.(?:jsonl|ndjson)$/i.test(file) || first.length > 1;
    if (!isLines && (start.startsWith('[') || start.startsWith('{'))) {
      yield* readWhole(file);
      return;
    }
    const reader = readerOfLines(file, kind, first.length > 0 ? first : await firstLines(file, kind));
    if (!reader) throw new Unreadable(first.length > 0 ? 'is no transcript' : 'is not JSON');
    yield* reader;
  } catch (error) {
    throw new Unreadable(reasonOf(error));
  }
}

/**
 * Reads files one behind the other. Files that can't be read are added to `skipped`, as are those without a conversation.
 *
 * @param {Iterable<string>} files
 * @param {SkippedFile[]} skipped
 * @returns {AsyncGenerator<Transcript>}
 */
export async function* readAll(files, skipped) {
  for (const file of files) {
    let count = 0;
    try {
      for await (const transcript of read(file)) {
        count++;
        yield transcript;
      }
      if (count === 0) skipped.push({ file, reason: 'contains no messages' });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      skipped.push({ file, reason: error.message });
    }
  }
}
