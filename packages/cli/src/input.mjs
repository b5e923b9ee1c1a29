// @ts-check
// What a verb works on: the messages of a file or of standard input, as they are there.
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { Misuse, Problem } from './errors.mjs';
import { plain } from './terminal.mjs';
import * as claudeCode from './transcripts/claude-code.mjs';
import { HISTORY } from './transcripts/cline.mjs';
import * as codex from './transcripts/codex.mjs';
import * as geminiCli from './transcripts/gemini-cli.mjs';
import { read } from './transcripts/index.mjs';
import { openRegular } from './transcripts/lines.mjs';
import * as opencode from './transcripts/opencode.mjs';
import { reasonOf, Unreadable } from './transcripts/unreadable.mjs';
import { isObject } from './transcripts/values.mjs';
import { ValueReader } from './values.mjs';

/** @typedef {import('./commands/index.mjs').Io} Io */
/** @typedef {import('./types.d.ts').Transcript} Transcript */

/**
 * Messages as they came, so that the result can be written in the same way.
 *
 * @typedef {object} Input
 * @property {string} name of the file, for errors
 * @property {'array' | 'lines' | 'object' | 'transcript'} shape JSON array, JSONL, an object with messages, or what an agent recorded
 * @property {object[]} messages
 * @property {Record<string, any>} [object] that holds the messages, such as a request to a provider
 * @property {'messages' | 'input' | 'contents'} [key] where it holds them
 * @property {Transcript} [transcript]
 * @property {string | undefined} format that is known without looking at the messages
 */

/** Number of values that are looked at to tell a transcript. */
const MAX_FIRST = 50;
/** Bytes read at once. */
const CHUNK = 1 << 18;
const SQLITE = Buffer.from('SQLite format 3\0');
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Thrown inside to leave the reader of messages. */
class IsTranscript extends Error {}

/** @param {any} value */
const isOfTranscript = (value) => codex.isLine(value) || claudeCode.isLine(value) || geminiCli.isChat(value) || opencode.isSession(value);

/** @param {any} value @returns {'messages' | 'input' | 'contents' | undefined} */
const keyOf = (value) =>
  /** @type {const} */ (['messages', 'input', 'contents']).find((key) => isObject(value) && Array.isArray(value[key]));

/**
 * Reads messages from parts of a text.
 *
 * @param {string} name
 * @param {AsyncIterable<Buffer>} chunks
 * @param {(bytes: number) => void} onBytes
 * @param {() => void} onMessages called once it is clear that it is no transcript
 * @returns {Promise<Input>}
 */
async function readMessages(name, chunks, onBytes, onMessages) {
  const reader = new ValueReader(name);
  const decoder = new StringDecoder('utf8');
  /** @type {any[]} */
  const values = [];
  let isDecided = false;
  /** @param {string} text */
  const take = (text) => {
    for (const value of reader.push(text)) {
      values.push(value);
      if (isDecided) continue;
      if (isOfTranscript(value)) throw new IsTranscript();
      isDecided = (isObject(value) && typeof value.role === 'string') || values.length >= MAX_FIRST;
      if (isDecided) onMessages();
    }
  };
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && (chunk.subarray(0, 16).equals(SQLITE) || chunk.subarray(0, 4).equals(ZSTD))) throw new IsTranscript();
    isFirst = false;
    if (!isDecided && chunk.includes(0)) throw new Problem(`${name}: is binary`);
    onBytes(chunk.length);
    take(decoder.write(chunk));
  }
  take(decoder.end());
  reader.end();
  const key = !reader.isArray && values.length === 1 ? keyOf(values[0]) : undefined;
  if (key !== undefined) return { name, shape: 'object', messages: values[0][key], object: values[0], key, format: undefined };
  if (!reader.isArray && values.length === 1 && typeof values[0].role !== 'string' && typeof values[0].type !== 'string')
    throw new Problem(`${name}: is an object without messages`);
  const wrong = values.findIndex((value) => !isObject(value));
  if (wrong !== -1) throw new Problem(`${name}: message ${wrong + 1} is an array, expected an object`);
  if (values.length > 1 && keyOf(values[0]) !== undefined) throw new Problem(`${name}: holds ${values.length} conversations, expected one`);
  return { name, shape: reader.isArray ? 'array' : 'lines', messages: values, format: undefined };
}

/** @param {string} name @param {string} path @param {string | undefined} session @returns {Promise<Input>} */
async function readTranscript(name, path, session) {
  /** @type {Transcript[]} */
  const all = [];
  for await (const transcript of read(path)) if (session === undefined || transcript.id === session) all.push(transcript);
  if (all.length === 0)
    throw new Problem(`${name}: ${session === undefined ? 'contains no messages' : `has no session ${JSON.stringify(session)}`}`);
  if (all.length > 1) {
    const ids = all.map(({ id }) => plain(id));
    const shown = ids.slice(0, 5).join(', ') + (ids.length > 5 ? ', …' : '');
    throw new Misuse(`${name} holds ${all.length} sessions; choose one with --session: ${shown}`);
  }
  const [transcript] = all;
  return { name, shape: 'transcript', messages: transcript.messages, transcript, format: transcript.format };
}

/** Yields what was read already, and then the rest. @param {Buffer[]} first @param {AsyncIterator<Buffer>} rest */
async function* joined(first, rest) {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/**
 * Transcripts are read from files: standard input is kept in one of the user's alone until it was read.
 *
 * @param {AsyncIterable<Buffer>} chunks
 * @param {(path: string) => Promise<Input>} use
 */
async function throughFile(chunks, use) {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
  try {
    const path = join(folder, 'stdin');
    const file = createWriteStream(path, { mode: 0o600 });
    for await (const chunk of chunks) if (!file.write(chunk)) await once(file, 'drain');
    file.end();
    await once(file, 'close');
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reads the messages of a file, or of standard input.
 *
 * @param {string | undefined} file `-` or undefined for standard input
 * @param {Io} io
 * @param {{ session?: string, onBytes?: (bytes: number) => void, onSize?: (bytes: number) => void }} [more]
 * @returns {Promise<Input>}
 * @throws {Problem | Misuse}
 */
export async function readInput(file, io, { session, onBytes = () => {}, onSize = () => {} } = {}) {
  if (file === undefined || file === '-') {
    if (io.stdin.isTTY) throw new Misuse('needs a FILE, or messages on standard input');
    const name = 'standard input';
    /** @type {Buffer[]} */
    let seen = [];
    let isKept = true;
    const source = /** @type {AsyncIterator<Buffer>} */ (io.stdin[Symbol.asyncIterator]());
    const tee = (async function* () {
      for (let next = await source.next(); !next.done; next = await source.next()) {
        const chunk = Buffer.from(next.value);
        if (isKept) seen.push(chunk);
        yield chunk;
      }
    })();
    try {
      return await readMessages(name, tee, onBytes, () => {
        isKept = false;
        seen = [];
      });
    } catch (error) {
      if (!(error instanceof IsTranscript)) throw error;
      return await named(name, () => throughFile(joined(seen, source), (path) => readTranscript(name, path, session)));
    }
  }
  const path = resolve(io.cwd, file);
  const name = plain(file);
  return named(name, async () => {
    const { handle, info } = await openRegular(path);
    await handle.close();
    if (info.size === 0) throw new Unreadable('is empty');
    onSize(info.size);
    if (basename(path) === HISTORY) return readTranscript(name, path, session);
    try {
      return await readMessages(name, createReadStream(path, { highWaterMark: CHUNK }), onBytes, () => {});
    } catch (error) {
      if (!(error instanceof IsTranscript)) throw error;
      return readTranscript(name, path, session);
    }
  });
}

/** Names the file in errors of the file system and of readers. @template T @param {string} name @param {() => Promise<T>} work */
async function named(name, work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || error instanceof Misuse) throw error;
    throw new Problem(`${name}: ${reasonOf(error)}`);
  }
}
