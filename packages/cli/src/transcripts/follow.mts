// A file that an agent is writing. Of files of lines, only what was added is read.
import { MAX_FIRST_LINES, read, readerOf, sourceOf } from './index.mjs';
import { LineSplitter, openRegular } from './lines.mjs';
import { reasonOf, Unreadable } from './unreadable.mjs';
import { parsed } from './values.mjs';
import type { FileHandle } from 'node:fs/promises';
import type { Transcript } from '../types.mjs';

/** Number of bytes that are read at a time, and of those before a place that tell whether the file is still the one that was read. */
const CHUNK = 1 << 20;
const BEFORE = 256;

const BRACE = '}'.charCodeAt(0);

/** The lines of a file that grows, and the reader that knows them. */
class Lines {
  #file;
  #splitter = new LineSplitter();
  /** The values of the first lines, of which a later one may tell what wrote them. */
  #first: unknown[] = [];
  #Reader: ReturnType<typeof readerOf> | undefined;
  #reader: InstanceType<ReturnType<typeof readerOf>> | undefined;
  /** Why there is no reader. */
  #refusal = new Unreadable('is no transcript');

  constructor(file: string) {
    this.#file = file;
  }

  add(chunk: Buffer) {
    for (const line of this.#splitter.add(chunk)) this.#addLine(line);
  }

  /** Ends the last line if it is whole and only its newline is missing: no part of an object is JSON. */
  end() {
    if (this.#splitter.lastByte === BRACE && parsed(this.#splitter.rest()) !== undefined) this.#addLine(this.#splitter.take());
  }

  #addLine(line: string) {
    const value = parsed(line);
    if (this.#first.length === MAX_FIRST_LINES) {
      this.#reader?.add(value);
      return;
    }
    this.#first.push(value);
    const Reader = this.#readerNow();
    if (Reader === this.#Reader) this.#reader?.add(value);
    else {
      this.#Reader = Reader;
      this.#reader = Reader && new Reader(this.#file);
      for (const one of this.#first) this.#reader?.add(one);
    }
  }

  #readerNow() {
    try {
      return readerOf(this.#first.filter((value) => value !== undefined));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#refusal = error;
      return undefined;
    }
  }

  transcripts() {
    if (this.#reader === undefined) throw this.#refusal;
    return this.#reader.transcripts();
  }
}

/** The first of these transcripts, as many as there are of `most`. */
async function firstOf(transcripts: AsyncIterable<Transcript> | Iterable<Transcript>, most: number) {
  const list = [];
  for await (const transcript of transcripts) {
    list.push(transcript);
    if (list.length === most) break;
  }
  return list;
}

/** Reads a file again and again. */
export class Follower {
  #file;
  #lines: Lines | undefined;
  /** The file that was opened, and how much of it was read. */
  #id = '';
  #offset = 0;
  /** The last bytes that were read. */
  #before = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns the conversations in the file as it is now; of a database, which has all that an agent ever held, the one that was changed last.
   * Messages that were there before may be the same objects.
   *
   * @throws {Unreadable} it can't be read, or is no transcript so far
   */
  async read(): Promise<Transcript[]> {
    try {
      const { handle, info } = await openRegular(this.#file);
      try {
        const id = `${info.dev}:${info.ino}`;
        if (id !== this.#id || info.size < this.#offset || !(await this.#isAfter(handle))) this.#lines = undefined;
        if (this.#lines === undefined) {
          const source = await sourceOf(this.#file);
          if ('whole' in source) return await firstOf(read(this.#file), source.isNewestFirst ? 1 : Infinity);
          if (source.lines === 'zstd') return await firstOf(read(this.#file), Infinity);
          this.#lines = new Lines(this.#file);
          this.#id = id;
          this.#offset = 0;
          this.#before = Buffer.alloc(0);
        }
        await this.#readAdded(handle, info.size, this.#lines);
      } finally {
        await handle.close();
      }
      return await firstOf(this.#lines.transcripts(), Infinity);
    } catch (error) {
      throw new Unreadable(reasonOf(error));
    }
  }

  async #readAdded(handle: FileHandle, size: number, lines: Lines) {
    while (this.#offset < size) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size - this.#offset));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, this.#offset);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      lines.add(chunk);
      this.#offset += bytesRead;
      this.#before = Buffer.concat([this.#before, chunk.subarray(-BEFORE)]).subarray(-BEFORE);
    }
    lines.end();
  }

  /** Whether the last bytes that were read are still there. */
  async #isAfter(handle: FileHandle) {
    const { length } = this.#before;
    if (length === 0) return true;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, this.#offset - length);
    return bytesRead === length && buffer.equals(this.#before);
  }
}
