// Files as texts: a line at a time, or as a whole.
import { constants, createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import * as zlib from 'node:zlib';
import { reasonOf, Unreadable } from './unreadable.mjs';
import type { Duplex } from 'node:stream';

/** Maximum size of a file of one JSON value, in bytes: strings of V8 have at most 2^29 - 24 UTF-16 code units. */
const MAX_WHOLE = 500_000_000;
/** Maximum length of a line in bytes, for the same reason. */
const MAX_LINE = 500_000_000;
/** Number of bytes at the start of a file that are looked at. */
const HEAD = 65_536;

const NEWLINE = 10;
const SQLITE = Buffer.from('SQLite format 3\0');
const ZSTANDARD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The kind of a file that is no text, by its first bytes. */
export const kindOf = (start: Buffer): 'sqlite' | 'zstd' | undefined =>
  start.subarray(0, SQLITE.length).equals(SQLITE) ? 'sqlite' : start.subarray(0, ZSTANDARD.length).equals(ZSTANDARD) ? 'zstd' : undefined;

/** Opens a file only if it is a regular one: a pipe or a device would never end. */
export async function openRegular(path: string) {
  // Without O_NONBLOCK, opening a pipe waits for its writer. Windows has no such flag.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const info = await handle.stat();
  if (info.isFile()) return { handle, info };
  await handle.close();
  throw new Unreadable(info.isDirectory() ? 'is a folder' : 'is no regular file');
}

/**
 * Reads the start of a file.
 *
 * @returns `head` is empty for SQLite and Zstandard
 * @throws {Unreadable} it is empty or binary
 */
export async function readHead(path: string): Promise<{ head: string; bytes: number; kind: 'sqlite' | 'zstd' | 'text' }> {
  const { handle, info } = await openRegular(path);
  try {
    const buffer = Buffer.alloc(Math.min(HEAD, info.size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const start = buffer.subarray(0, bytesRead);
    if (start.length === 0) throw new Unreadable('is empty');
    const kind = kindOf(start);
    if (kind !== undefined) return { head: '', bytes: info.size, kind };
    if (start.includes(0)) throw new Unreadable('is binary');
    const head = start.toString('utf8').replace(/^\uFEFF/, '');
    if (head.trim() === '' && info.size <= HEAD) throw new Unreadable('is empty');
    return { head, bytes: info.size, kind: 'text' };
  } finally {
    await handle.close();
  }
}

/** Divides chunks of bytes into lines. A chunk may end anywhere, even inside a character. */
export class LineSplitter {
  /** The line that has not ended yet. */
  #parts: Buffer[] = [];
  #length = 0;
  #isFirst = true;

  /**
   * @returns the lines that end in it and are not blank
   * @throws {Unreadable} a line is too long
   */
  *add(chunk: Buffer): Generator<string> {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE, from); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      this.#parts.push(chunk.subarray(from, to));
      from = to + 1;
      const line = this.take();
      if (line.trim() !== '') yield line;
    }
    if (from === chunk.length) return;
    this.#parts.push(chunk.subarray(from));
    this.#length += chunk.length - from;
    if (this.#length > MAX_LINE) throw new Unreadable(`has a line of more than ${MAX_LINE / 1_000_000} MB`);
  }

  /** The line that has not ended yet. */
  rest() {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    const text = this.#parts[0]?.toString('utf8') ?? '';
    return this.#isFirst ? text.replace(/^\uFEFF/, '') : text;
  }

  /** Last byte of the line that has not ended yet. */
  get lastByte() {
    return this.#parts.at(-1)?.at(-1);
  }

  /** Ends the line, and returns it. */
  take() {
    const line = this.rest();
    this.#parts = [];
    this.#length = 0;
    this.#isFirst = false;
    return line;
  }
}

/**
 * Yields the lines of a file that are not blank. Memory is bounded by the longest line.
 *
 * @throws {Unreadable} a line is too long, or Node.js can't decompress
 */
export async function* readLines(path: string, kind: 'zstd' | 'text'): AsyncGenerator<string> {
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  let chunks: AsyncIterable<Buffer> = file;
  if (kind === 'zstd') {
    const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Duplex };
    if (createZstdDecompress === undefined) {
      file.destroy();
      throw new Unreadable('is compressed with Zstandard, which Node.js reads from 22.15 on');
    }
    const unpacked = createZstdDecompress();
    file.on('error', (error) => unpacked.destroy(error));
    chunks = file.pipe(unpacked);
  }
  const splitter = new LineSplitter();
  try {
    for await (const chunk of chunks) yield* splitter.add(chunk);
  } catch (error) {
    if (kind === 'zstd' && !(error instanceof Unreadable)) throw new Unreadable('is damaged: it does not decompress');
    throw error;
  } finally {
    file.destroy();
  }
  const last = splitter.take();
  if (last.trim() !== '') yield last;
}

/**
 * @returns the value of a JSON file
 * @throws {Unreadable} it is too large, or no JSON
 */
export async function readJson(path: string): Promise<unknown> {
  const { handle, info } = await openRegular(path);
  let text: string;
  try {
    if (info.size > MAX_WHOLE) throw new Unreadable(`is larger than ${MAX_WHOLE / 1_000_000} MB; JSONL can be longer`);
    text = await readFile(handle, 'utf8');
  } finally {
    await handle.close();
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    if (text.trim() === '') throw new Unreadable('is empty');
    throw new Unreadable('is not JSON, or was cut off');
  }
}

/** The value of a JSON file beside a transcript; undefined if it is not there, or can't be read. */
export async function readBeside(path: string): Promise<unknown> {
  try {
    return await readJson(path);
  } catch (error) {
    reasonOf(error);
    return undefined;
  }
}
