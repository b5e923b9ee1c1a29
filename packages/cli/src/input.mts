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
import type { Io } from './commands/index.mjs';
import type { Json } from './transcripts/values.mjs';
import type { MessageFormat, Transcript } from './types.mjs';

/** Messages as they came, so that the result can be written in the same way. */
export interface Input {
  /** of the file, for errors */
  name: string;
  /** JSON array, JSONL, an object with messages, or what an agent recorded */
  shape: 'array' | 'lines' | 'object' | 'transcript';
  messages: object[];
  /** that holds the messages, such as a request to a provider */
  object?: Json;
  /** where it holds them */
  key?: 'messages' | 'input' | 'contents';
  transcript?: Transcript;
  /** that is known without looking at the messages */
  format: MessageFormat | undefined;
}

/** Number of values that are looked at to tell a transcript. */
const MAX_FIRST = 50;
/** Bytes read at once. */
const CHUNK = 1 << 18;

/** Thrown inside to leave the reader of messages. */
class IsTranscript extends Error {}

const keyOf = (value: unknown): 'messages' | 'input' | 'contents' | undefined =>
  (['messages', 'input', 'contents'] as const).find((key) => isObject(value) && Array.isArray(value[key]));

/** @throws {Problem} one is of an unknown kind */
function refuseUnknown(name: string, messages: unknown[]) {
  const unknown = messages.findIndex(isUnknownKind);
  if (unknown !== -1) throw new Problem(`${name}: ${unknownKind(unknown)}`);
}

/**
 * The conversations of JSON.
 *
 * @param isArray whether they are the elements of one
 */
function conversationsOf(name: string, values: Json[], isArray: boolean): Input[] {
  if (values.length > 0 && values.every((value) => keyOf(value) !== undefined && typeof value.role !== 'string')) {
    return values.map((object) => {
      const key = keyOf(object) as 'messages';
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
 * @param onMessages called once it is clear that it is no transcript
 * @throws {IsTranscript}
 */
async function readMessages(
  name: string,
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
  onMessages: () => void,
): Promise<Input[]> {
  const reader = new ValueReader(name);
  const decoder = new StringDecoder('utf8');
  const values: Json[] = [];
  let isDecided = false;
  const take = (text: string) => {
    for (const value of reader.push(text)) {
      values.push(value as Json);
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

async function readTranscripts(name: string, path: string): Promise<Input[]> {
  const all: Input[] = [];
  for await (const transcript of read(path)) {
    const { messages, from = 0, format } = transcript;
    // There may be nothing but what was paid.
    if (messages.length === 0) continue;
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

const idOf = ({ transcript, object }: Input, index: number) => String(transcript?.id ?? object?.id ?? index + 1);

/**
 * Chooses a conversation.
 *
 * @param session id, or number from 1
 */
export function oneOf(inputs: Input[], session: string | undefined): Input {
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

/** Yields what was read already, and then the rest. */
async function* joined(first: Buffer[], rest: AsyncIterator<Buffer | string>) {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** Transcripts are read from files: a stream is kept in a file that only the user can read, until it was read. */
async function throughFile<T>(chunks: AsyncIterable<Buffer | string>, use: (path: string) => Promise<T>) {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
  try {
    const path = join(folder, 'stdin');
    await pipeline(chunks, createWriteStream(path, { mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readStream(name: string, stream: AsyncIterable<Buffer | string>, onBytes: (bytes: number) => void) {
  let seen: Buffer[] = [];
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
 * @param file `-` or undefined for standard input
 * @returns at least one
 * @throws {Problem | Misuse}
 */
export async function readInputs(
  file: string | undefined,
  io: Io,
  { onBytes = () => {}, onSize = () => {} }: { onBytes?: (bytes: number) => void; onSize?: (bytes: number) => void } = {},
): Promise<Input[]> {
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
