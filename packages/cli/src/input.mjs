// @ts-check
// What a verb works on: the messages of a file or of standard input, as they are there.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { Misuse, Problem } from './errors.mjs';
import { plain } from './terminal.mjs';
import { HISTORY } from './transcripts/cline.mjs';
import { isOfAgent, read } from './transcripts/index.mjs';
import { kindOf } from './transcripts/lines.mjs';
import { isMessage, isUnknownKind, unknownKind } from './transcripts/messages.mjs';
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

/** Thrown inside to leave the reader of messages. */
class IsTranscript extends Error {}

/** @param {any} value @returns {'messages' | 'input' | 'contents' | undefined} */
const keyOf = (value) =>
  /** @type {const} */ (['messages', 'input', 'contents']).find((key) => isObject(value) && Array.isArray(value[key]));

/** @param {string} name @param {any[]} messages @throws {Problem} one is of an unknown kind */
function refuseUnknown(name, messages) {
  const unknown = messages.findIndex(isUnknownKind);
  if (unknown !== -1) throw new Problem(`${name}: ${unknownKind(unknown)}`);
}

/**
 * The conversations of JSON.
 *
 * @param {string} name
 * @param {any[]} values
 * @param {boolean} isArray whether they are the elements of one
 * @returns {Input[]}
 */
function conversationsOf(name, values, isArray) {
  if (values.length > 0 && values.every((value) => keyOf(value) !== undefined && typeof value.role !== 'string')) {
    return values.map((object) => {
      const key = /** @type {'messages'} */ (keyOf(object));
      refuseUnknown(name, object[key]);
      return { name, shape: 'object', messages: object[key], object, key, format: undefined };
    });
  }
  if (!isArray && values.length === 1 && !isMessage(values[0])) throw new Problem(`${name}: is an object without messages`);
  refuseUnknown(name, values);
  const wrong = values.findIndex((value) => !isObject(value));
  if (wrong !== -1) throw new Problem(`${name}: message ${wrong + 1} is an array, expected an object`);
  return [{ name, shape: isArray ? 'array' : 'lines', messages: values, format: undefined }];
}

/**
 * Reads messages from parts of a text.
 *
 * @param {string} name
 * @param {AsyncIterable<Buffer>} chunks
 * @param {(bytes: number) => void} onBytes
 * @param {() => void} onMessages called once it is clear that it is no transcript
 * @returns {Promise<Input[]>}
 * @throws {IsTranscript}
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
      if (isOfAgent(value)) throw new IsTranscript();
      isDecided = (isObject(value) && typeof value.role === 'string') || values.length >= MAX_FIRST;
      if (isDecided) onMessages();
    }
  };
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && kindOf(chunk) !== undefined) throw new IsTranscript();
    isFirst = false;
    if (!isDecided && chunk.includes(0)) throw new Problem(`${name}: is binary`);
    onBytes(chunk.length);
    take(decoder.write(chunk));
  }
  take(decoder.end());
  reader.end();
  return conversationsOf(name, values, reader.isArray);
}

/** @param {string} name @param {string} path @returns {Promise<Input[]>} */
async function readTranscripts(name, path) {
  /** @type {Input[]} */
  const all = [];
  for await (const transcript of read(path)) {
    const { messages, from = 0, format } = transcript;
    // What the agent replaced is sent no more.
    all.push({
      name,
      shape: 'transcript',
      messages: from > 0 && from < messages.length ? messages.slice(from) : messages,
      transcript,
      format,
    });
  }
  if (all.length === 0) throw new Unreadable('contains no messages');
  return all;
}

/** @param {Input} input @param {number} index */
const idOf = ({ transcript, object }, index) => String(transcript?.id ?? object?.id ?? index + 1);

/**
 * Chooses a conversation.
 *
 * @param {Input[]} inputs
 * @param {string | undefined} session id, or number from 1
 * @returns {Input}
 */
export function oneOf(inputs, session) {
  const [{ name }] = inputs;
  const ids = inputs.map(idOf);
  if (session !== undefined) {
    const found = ids.includes(session) ? ids.indexOf(session) : /^\d+$/.test(session) ? Number(session) - 1 : -1;
    if (inputs[found] === undefined) throw new Misuse(`${name} has no session ${JSON.stringify(plain(session))}`);
    return inputs[found];
  }
  if (inputs.length > 1) {
    const shown = ids.slice(0, 3).map(plain).join(', ') + (ids.length > 3 ? ', …' : '');
    throw new Misuse(`${name} holds ${inputs.length} conversations; choose one by number or id with --session: ${shown}`);
  }
  return inputs[0];
}

/** Yields what was read already, and then the rest. @param {Buffer[]} first @param {AsyncIterator<Buffer>} rest */
async function* joined(first, rest) {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/**
 * Transcripts are read from files: a stream is kept in a file that only the user can read, until it was read.
 *
 * @template T
 * @param {AsyncIterable<Buffer>} chunks
 * @param {(path: string) => Promise<T>} use
 */
async function throughFile(chunks, use) {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
  try {
    const path = join(folder, 'stdin');
    await pipeline(chunks, createWriteStream(path, { mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} name @param {AsyncIterable<any>} stream @param {(bytes: number) => void} onBytes */
async function readStream(name, stream, onBytes) {
  /** @type {Buffer[]} */
  let seen = [];
  let isKept = true;
  const source = stream[Symbol.asyncIterator]();
  const tee = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const next = await source.next();
        if (next.done) return next;
        const chunk = Buffer.from(next.value);
        if (isKept) seen.push(chunk);
        return { done: false, value: chunk };
      },
    }),
  };
  try {
    return await readMessages(name, tee, onBytes, () => {
      isKept = false;
      seen = [];
    });
  } catch (error) {
    if (!(error instanceof IsTranscript)) throw error;
    return await throughFile(joined(seen, source), (path) => readTranscripts(name, path));
  }
}

/**
 * Reads the conversations of a file, or of standard input.
 *
 * @param {string | undefined} file `-` or undefined for standard input
 * @param {Io} io
 * @param {{ onBytes?: (bytes: number) => void, onSize?: (bytes: number) => void }} [more]
 * @returns {Promise<Input[]>} at least one
 * @throws {Problem | Misuse}
 */
export async function readInputs(file, io, { onBytes = () => {}, onSize = () => {} } = {}) {
  const isStandard = file === undefined || file === '-';
  if (isStandard && io.stdin.isTTY) throw new Misuse('needs a FILE, or messages on standard input');
  const name = isStandard ? 'standard input' : plain(file);
  try {
    if (isStandard) return await readStream(name, io.stdin, onBytes);
    const path = resolve(io.cwd, file);
    const info = await stat(path);
    if (info.isDirectory()) throw new Unreadable('is a folder');
    // A pipe, such as that of `<(command)`.
    if (!info.isFile()) return await readStream(name, createReadStream(path), onBytes);
    if (info.size === 0) throw new Unreadable('is empty');
    onSize(info.size);
    if (basename(path) === HISTORY) return await readTranscripts(name, path);
    try {
      return await readMessages(name, createReadStream(path, { highWaterMark: CHUNK }), onBytes, () => {});
    } catch (error) {
      if (!(error instanceof IsTranscript)) throw error;
      return await readTranscripts(name, path);
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof Misuse) throw error;
    throw new Problem(`${name}: ${reasonOf(error)}`);
  }
}
