// @ts-check
// Transcripts of agents, found in their usual places or in files that are named, and read whatever wrote them.
import { basename } from 'node:path';
import * as claudeCode from './claude-code.mjs';
import { HISTORY, readCline } from './cline.mjs';
import * as codex from './codex.mjs';
import * as geminiCli from './gemini-cli.mjs';
import { readHead, readJson, readLines } from './lines.mjs';
import { isConversation, isMessage, MessagesReader, readConversations } from './messages.mjs';
import * as opencode from './opencode.mjs';
import { reasonOf, Unreadable } from './unreadable.mjs';
import { isObject, parsed } from './values.mjs';

export { find, listFiles, usualPlaces } from './places.mjs';
export { Unreadable } from './unreadable.mjs';

/** @typedef {import('../types.d.ts').Transcript} Transcript */
/** @typedef {import('../types.d.ts').SkippedFile} SkippedFile */

/** Number of lines at the start of a file that are looked at to tell what wrote it. */
export const MAX_FIRST_LINES = 50;

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

/** The reader of lines, by the values of the first ones; undefined if none knows them. @param {unknown[]} first */
export function readerOf(first) {
  if (first.some(codex.isLine)) return codex.CodexReader;
  if (first.some(claudeCode.isLine)) return claudeCode.ClaudeCodeReader;
  if (geminiCli.isChat(first[0]) && !isConversation(first[0])) return geminiCli.ChatReader;
  if (first.some((value) => isMessage(value) || isConversation(value))) return MessagesReader;
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
 * Tells how a file is read: line by line, or as a whole.
 *
 * @param {string} file
 * @returns {Promise<{ lines: 'zstd' | 'text', first: unknown[] } | { whole: () => AsyncGenerator<Transcript>, isNewestFirst?: boolean }>} `first`:
 *   values of the first lines
 * @throws {Unreadable | Error} it can't be read, or is empty or binary
 */
export async function sourceOf(file) {
  const { head, bytes, kind } = await readHead(file);
  if (kind === 'sqlite') return { whole: () => opencode.readDatabase(file), isNewestFirst: true };
  if (basename(file) === HISTORY) return { whole: () => readCline(file) };
  if (kind === 'zstd') return { lines: kind, first: await firstLines(file, kind) };
  const isAll = bytes === Buffer.byteLength(head);
  const start = head.trimStart();
  const first = firstValues(head, isAll);
  // A file of JSON may be one line, too. The first line of an object of several lines is no JSON, but a later one may be: the last item of a list.
  const isLines = /\.(?:jsonl|ndjson)$/i.test(file) || (first.length > 1 && parsed(start.split('\n', 1)[0]) !== undefined);
  if (!isLines && (start.startsWith('[') || start.startsWith('{'))) return { whole: () => readWhole(file) };
  return { lines: kind, first: first.length > 0 ? first : await firstLines(file, kind) };
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
    const source = await sourceOf(file);
    if ('whole' in source) {
      yield* source.whole();
      return;
    }
    const { lines, first } = source;
    const Reader = readerOf(first);
    if (!Reader) throw new Unreadable(first.length > 0 || lines === 'zstd' ? 'is no transcript' : 'is not JSON');
    const reader = new Reader(file);
    for await (const line of readLines(file, lines)) reader.add(line);
    yield* reader.transcripts();
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
