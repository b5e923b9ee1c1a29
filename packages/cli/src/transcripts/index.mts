// Transcripts of agents, found in their usual places or in files that are named, and read whatever wrote them.
import { basename } from 'node:path';
import * as amp from './amp.mjs';
import { named } from './answers.mjs';
import * as chatgpt from './chatgpt.mjs';
import * as claudeAi from './claude-ai.mjs';
import * as claudeCode from './claude-code.mjs';
import { filesBeside, HISTORY, readCline } from './cline.mjs';
import * as codex from './codex.mjs';
import * as copilotCli from './copilot-cli.mjs';
import * as cursor from './cursor.mjs';
import { readDatabase } from './databases.mjs';
import * as droid from './droid.mjs';
import * as geminiCli from './gemini-cli.mjs';
import * as goose from './goose.mjs';
import * as grok from './grok.mjs';
import * as kimi from './kimi.mjs';
import { readHead, readJson, readLines } from './lines.mjs';
import * as messages from './messages.mjs';
import * as opencode from './opencode.mjs';
import * as pi from './pi.mjs';
import * as qwenCode from './qwen-code.mjs';
import { refusalOf } from './refused.mjs';
import { reasonOf, Unreadable } from './unreadable.mjs';
import { isObject, parsed } from './values.mjs';
import type { SkippedFile, Transcript } from '../types.mjs';
import type { Json } from './values.mjs';

export { find, listFiles, usualPlaces } from './places.mjs';
export { Unreadable } from './unreadable.mjs';

/** Number of lines at the start of a file that are looked at to tell what wrote it. */
export const MAX_FIRST_LINES = 50;

/** The values of the first whole lines. @param isAll whether it is the whole file */
function firstValues(head: string, isAll: boolean) {
  const lines = head.split('\n');
  if (!isAll) lines.pop();
  return lines
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_FIRST_LINES)
    .map(parsed)
    .filter((value) => value !== undefined);
}

/** Lines of an unknown kind that start with a long line: what they are shows line by line. */
async function firstLines(file: string, kind: 'zstd' | 'text'): Promise<unknown[]> {
  const values = [];
  for await (const line of readLines(file, kind)) {
    const value = parsed(line);
    if (value !== undefined) values.push(value);
    if (values.length >= MAX_FIRST_LINES) break;
  }
  return values;
}

/**
 * Forms of lines. The lines of one may look like another's, so that what is told apart for certain comes first: whatever has a type and a session may
 * be Claude Code's.
 */
const LINES = [codex, qwenCode, geminiCli, copilotCli, pi, droid, kimi, goose, claudeCode, cursor, grok];
/** Forms of a value that is a whole conversation. */
const WHOLE = [geminiCli, opencode, amp, chatgpt, claudeAi];

const formOf = (value: unknown) => WHOLE.find(({ isWhole }) => isWhole(value));

/** Whether a value is part of an agent's transcript, read or not. */
export const isOfAgent = (value: unknown) =>
  LINES.some(({ isLine }) => isLine(value)) || formOf(value) !== undefined || refusalOf(value) !== undefined;

/** Reads values of which each is a whole conversation. */
class WholeReader {
  #file;
  #values: unknown[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  add(value: unknown) {
    this.#values.push(value);
  }

  async *transcripts(): AsyncGenerator<Transcript> {
    let skipped = this.#values.filter((value) => formOf(value) === undefined).length;
    for (const value of this.#values)
      for await (const transcript of formOf(value)?.readWhole(this.#file, value as Json) ?? []) {
        yield { ...transcript, skipped: transcript.skipped + skipped };
        skipped = 0;
      }
  }
}

/**
 * The reader of values, by the first of them.
 *
 * @throws {Unreadable} none knows them
 */
export function readerOf(first: unknown[]) {
  const refusal = refusalOf(first[0]);
  if (refusal) throw new Unreadable(refusal);
  const form = LINES.find(({ isLine }) => first.some(isLine));
  if (form) return form.Reader;
  if (first.some(formOf)) return WholeReader;
  if (first.some((value) => messages.isMessage(value) || messages.isConversation(value))) return messages.Reader;
  const unknown = first.findIndex(messages.isUnknownKind);
  throw new Unreadable(unknown === -1 ? 'is no transcript' : messages.unknownKind(unknown));
}

async function* readWhole(file: string): AsyncGenerator<Transcript> {
  const value = await readJson(file);
  if (Array.isArray(value) && !value.some(isObject)) throw new Unreadable('contains no messages');
  const values = Array.isArray(value) ? value : [value];
  if (!Array.isArray(value) && !isOfAgent(value) && !messages.isConversation(value))
    throw new Unreadable(`is ${isObject(value) ? 'an object' : 'a value'}, expected messages or a transcript`);
  const reader = new (readerOf(values.slice(0, MAX_FIRST_LINES)))(file);
  for (const one of values) reader.add(one);
  yield* reader.transcripts();
}

/**
 * Tells how a file is read: line by line, or as a whole.
 *
 * @returns `first`: values of the first lines
 * @throws {Unreadable | Error} it can't be read, or is empty or binary
 */
export async function sourceOf(
  file: string,
): Promise<{ lines: 'zstd' | 'text'; first: unknown[] } | { whole: () => AsyncGenerator<Transcript>; isNewestFirst?: boolean }> {
  const { head, bytes, kind } = await readHead(file);
  if (kind === 'sqlite') return { whole: () => readDatabase(file), isNewestFirst: true };
  if (basename(file) === HISTORY) return { whole: () => readCline(file) };
  if (kind === 'zstd') return { lines: kind, first: await firstLines(file, kind) };
  const isAll = bytes === Buffer.byteLength(head);
  const start = head.trimStart();
  const first = firstValues(head, isAll);
  // A file of JSON may be one line, too. The first line of an object of several lines is no JSON, but a later one may be: the last item of a list.
  const [line] = start.split('\n', 1);
  const isNamed = /\.(?:jsonl|ndjson)$/i.test(file) && !/^[[{\s]+$/.test(line);
  const isLines = isNamed || (first.length > 1 && parsed(line) !== undefined);
  if (!isLines && (start.startsWith('[') || start.startsWith('{'))) return { whole: () => readWhole(file) };
  return { lines: kind, first: first.length > 0 ? first : await firstLines(file, kind) };
}

/**
 * The files, whether they are there or not, on which it depends what a file's conversations are: the file, what SQLite has not written into it yet,
 * and what is read beside it.
 *
 * @param agents that wrote the conversations
 * @returns undefined if they can't be told: OpenCode's older storage has a file for each part of a message
 */
export function filesWith(file: string, agents: Iterable<string>): string[] | undefined {
  if (/\.json$/i.test(file) && [...agents].includes('opencode')) return undefined;
  return [...new Set([file, `${file}-wal`, grok.summaryOf(file), droid.settingsOf(file), ...filesBeside(file)])];
}

/**
 * Reads the conversations of a file, whatever wrote it: an agent, or a program that keeps messages in a format of the library. Lines are read
 * one at a time.
 *
 * @throws {Unreadable} it can't be read, or is no transcript
 */
export async function* read(file: string): AsyncGenerator<Transcript> {
  try {
    const source = await sourceOf(file);
    if ('whole' in source) {
      yield* source.whole();
      return;
    }
    const { lines, first } = source;
    if (first.length === 0) throw new Unreadable('is not JSON');
    const reader = new (readerOf(first))(file);
    for await (const line of readLines(file, lines)) reader.add(parsed(line));
    yield* reader.transcripts();
  } catch (error) {
    throw new Unreadable(reasonOf(error));
  }
}

/**
 * Reads files one behind the other, with names of all answers that can be told from others. Files that can't be read are added to `skipped`, as are
 * those without a conversation.
 */
export async function* readAll(files: Iterable<string>, skipped: SkippedFile[]): AsyncGenerator<Transcript> {
  for (const file of files) {
    let count = 0;
    try {
      for await (const transcript of read(file)) {
        count++;
        yield named(transcript);
      }
      if (count === 0) skipped.push({ file, reason: 'contains no messages' });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      skipped.push({ file, reason: error.message });
    }
  }
}
