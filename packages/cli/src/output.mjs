// @ts-check
// What a verb writes: JSON in parts, so that the text of a large conversation is never in memory as a whole.
import { once } from 'node:events';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Problem } from './errors.mjs';
import { plain } from './terminal.mjs';
import { reasonOf } from './transcripts/unreadable.mjs';

/** @typedef {import('./commands/index.mjs').Io} Io */
/** @typedef {import('./input.mjs').Input} Input */

/** Length of the texts that are written at once, in UTF-16 code units. */
const BATCH = 1 << 16;

/** @param {Iterable<string>} parts */
function* batches(parts) {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < BATCH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** An array of JSON, an element a line. @param {Iterable<unknown>} values */
export function* arrayText(values) {
  let separator = '[\n';
  for (const value of values) {
    yield separator;
    yield JSON.stringify(value);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]' : '\n]';
}

/** An object of JSON, a member a line. The value of a member may be parts of a text. @param {Iterable<[string, unknown]>} members */
export function* objectText(members) {
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
  /** @param {Iterable<string>} parts */
  constructor(parts) {
    this.parts = parts;
  }
}

/**
 * Messages in the shape in which they came.
 *
 * @param {Pick<Input, 'shape' | 'object' | 'key'>} input
 * @param {object[]} messages
 * @returns {Generator<string>}
 */
export function* messagesText({ shape, object, key }, messages) {
  if (shape === 'lines') {
    for (const message of messages) yield `${JSON.stringify(message)}\n`;
    return;
  }
  if (object && key) {
    const members = Object.entries(object).map(([name, value]) => [name, name === key ? new Parts(arrayText(messages)) : value]);
    yield* objectText(/** @type {[string, unknown][]} */ (members));
  } else yield* arrayText(messages);
  yield '\n';
}

/** @param {NodeJS.WritableStream} stream @param {Iterable<string>} parts */
async function writeTo(stream, parts) {
  for (const text of batches(parts)) {
    if (/** @type {any} */ (stream).destroyed) throw Object.assign(new Error('closed'), { code: 'EPIPE', syscall: 'write' });
    if (!stream.write(text)) await once(stream, 'drain');
  }
}

/** @param {string} path @returns {Promise<{ target: string, isRegular: boolean }>} where a link leads to, and whether a file may replace it */
async function targetOf(path) {
  try {
    const target = await realpath(path);
    return { target, isRegular: (await stat(target)).isFile() };
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    return { target: path, isRegular: true };
  }
}

/** Whether a path is of a file, or of one that is to be. @param {string} file @param {Io} io */
export const isFileOrNew = async (file, io) => (await targetOf(resolve(io.cwd, file)).catch(() => undefined))?.isRegular === true;

/**
 * Writes to a file or to standard output. A file has its new content as a whole or not at all.
 *
 * @param {string | undefined} file `-` or undefined for standard output
 * @param {Io} io
 * @param {Iterable<string>} parts
 */
export async function writeOutput(file, io, parts) {
  if (file === undefined || file === '-') return writeTo(io.stdout, parts);
  let scratch;
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
    const { code, syscall } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === undefined || syscall === undefined) throw error;
    throw new Problem(`${plain(file)}: ${code === 'ENOENT' ? 'no such folder' : code === 'ENOSPC' ? 'the disk is full' : reasonOf(error)}`);
  }
}
