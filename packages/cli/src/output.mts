// What a verb writes: JSON in parts, so that the text of a large conversation is never in memory as a whole.
import { once } from 'node:events';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Problem } from './errors.mjs';
import { plain } from './terminal.mjs';
import { reasonOf } from './transcripts/unreadable.mjs';
import type { Input } from './input.mjs';
import type { Io } from './commands/index.mjs';
import type { Writable } from 'node:stream';

/** Length of the texts that are written at once, in UTF-16 code units. */
const BATCH = 1 << 16;

function* batches(parts: Iterable<string>) {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < BATCH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** An array of JSON, an element a line. */
export function* arrayText(values: Iterable<unknown>) {
  let separator = '[\n';
  for (const value of values) {
    yield separator;
    yield JSON.stringify(value);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]' : '\n]';
}

/** An object of JSON, a member a line. The value of a member may be parts of a text. */
export function* objectText(members: Iterable<[string, unknown]>) {
  let separator = '{\n';
  for (const [name, value] of members) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}: `;
    if (value instanceof Parts) yield* value.parts;
    else yield JSON.stringify(value);
    separator = ',\n';
  }
  yield separator === '{\n' ? '{}' : '\n}';
}

/** JSON as parts of a text. */
export class Parts {
  parts;

  constructor(parts: Iterable<string>) {
    this.parts = parts;
  }
}

/** Messages in the shape in which they came. */
export function* messagesText({ shape, object, key }: Pick<Input, 'shape' | 'object' | 'key'>, messages: object[]): Generator<string> {
  if (shape === 'lines') {
    for (const message of messages) yield `${JSON.stringify(message)}\n`;
    return;
  }
  if (object && key) {
    const members = Object.entries(object).map(([name, value]) => [name, name === key ? new Parts(arrayText(messages)) : value]);
    yield* objectText(members as [string, unknown][]);
  } else yield* arrayText(messages);
  yield '\n';
}

async function writeTo(stream: NodeJS.WritableStream, parts: Iterable<string>) {
  for (const text of batches(parts)) {
    if ((stream as Writable).destroyed) throw Object.assign(new Error('closed'), { code: 'EPIPE', syscall: 'write' });
    if (!stream.write(text)) await once(stream, 'drain');
  }
}

/** @returns where a link leads to, and whether a file may replace it */
async function targetOf(path: string): Promise<{ target: string; isRegular: boolean }> {
  try {
    const target = await realpath(path);
    return { target, isRegular: (await stat(target)).isFile() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { target: path, isRegular: true };
  }
}

/** Whether a path is of a file, or of one that is to be. */
export const isFileOrNew = async (file: string, io: Io) =>
  (await targetOf(resolve(io.cwd, file)).catch(() => undefined))?.isRegular === true;

/**
 * Writes to a file or to standard output. A file has its new content as a whole or not at all.
 *
 * @param file `-` or undefined for standard output
 */
export async function writeOutput(file: string | undefined, io: Io, parts: Iterable<string>) {
  if (file === undefined || file === '-') return writeTo(io.stdout, parts);
  let scratch: string | undefined;
  try {
    const { target, isRegular } = await targetOf(resolve(io.cwd, file));
    const written = isRegular ? join(dirname(target), `.${basename(target)}.${process.pid}.tmp`) : target;
    if (isRegular) scratch = written;
    const handle = await open(written, 'w');
    try {
      for (const text of batches(parts)) await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    if (isRegular) await rename(written, target);
  } catch (error) {
    if (scratch) await rm(scratch, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw new Problem(`${plain(file)}: ${code === 'ENOENT' ? 'no such folder' : code === 'ENOSPC' ? 'the disk is full' : reasonOf(error)}`);
  }
}
