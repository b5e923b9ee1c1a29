// @ts-check
// Reads a copy of an answer, within bounds, while the answer itself passes: its usage, or all of its values.
import * as zlib from 'node:zlib';
import { countOf } from '../transcripts/values.mjs';
import { anthropicUsage } from '../usage.mjs';
import { Room } from './body.mjs';

/** Maximum bytes of an event, or of a whole answer, that is read. */
const MAX_BYTES = 8 * 2 ** 20;
/** Room for all that is read at the same time. */
const ROOM = new Room(64 * 2 ** 20);
/** Maximum bytes that wait for decompression. */
const MAX_WAITING = 2 ** 20;
/** Maximum bytes that come out of decompression. */
const MAX_INFLATED = 64 * 2 ** 20;

/** @typedef {{ usage?: object, output?: number }} Usage `usage` in the provider's words, `output` in tokens */

/** Node.js has it from version 22.15 on. @type {(() => import('node:stream').Transform) | undefined} */
const createZstdDecompress = /** @type {any} */ (zlib).createZstdDecompress;

/** @type {Record<string, () => import('node:stream').Transform>} */
const DECODERS = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  br: zlib.createBrotliDecompress,
  deflate: zlib.createInflate,
  ...(createZstdDecompress && { zstd: createZstdDecompress }),
};

/**
 * Returns headers of a request that ask for no answer whose usage can't be read.
 *
 * @param {string[]} raw names and values in turn
 */
export function readable(raw) {
  if (Object.hasOwn(DECODERS, 'zstd')) return raw;
  const without = (/** @type {string} */ value) =>
    value
      .split(',')
      .filter((coding) => !/^\s*zstd\s*(?:;|$)/i.test(coding))
      .join(',');
  return raw.map((value, index) => (index % 2 === 1 && /^accept-encoding$/i.test(raw[index - 1]) ? without(value) : value));
}

/** Names of the output's tokens. */
const OUTPUT = ['output_tokens', 'completion_tokens', 'candidatesTokenCount'];

/**
 * Returns what takes the bytes of an answer, and tells its usage at the end.
 *
 * @param {import('node:http').IncomingHttpHeaders} headers of the answer
 * @param {(usage: Usage) => void} tell is called once; with nothing if there is no usage
 * @returns {{ write: (chunk: Buffer) => void, end: () => void }}
 */
export function readUsage(headers, tell) {
  const found = /** @type {Usage} */ ({});
  const see = (/** @type {any} */ value) => {
    // Gemini's streams are an array unless the client asks for events.
    for (const one of Array.isArray(value) ? value : [value]) seeOne(found, one);
  };
  return readValues(headers, { isWanted: (line) => line.includes('usage'), see, end: () => tell(found) });
}

/**
 * Returns what takes the bytes of an answer, and gives the JSON values in it: of a stream those of its events, else the whole.
 *
 * @param {import('node:http').IncomingHttpHeaders} headers of the answer
 * @param {object} reading
 * @param {(line: Buffer) => boolean} [reading.isWanted] whether a line of a stream may hold a value that is wanted; default: each
 * @param {(value: unknown) => void} reading.see
 * @param {() => void} reading.end is called once, behind the last value
 * @returns {{ write: (chunk: Buffer) => void, end: () => void }}
 */
export function readValues(headers, { isWanted = () => true, see, end: tell }) {
  const reader = /^text\/event-stream/i.test(headers['content-type'] ?? '') ? new Events(see, isWanted) : new Whole(see);
  let isTold = false;
  const end = () => {
    if (isTold) return;
    isTold = true;
    reader.end();
    tell();
  };
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return { write: (chunk) => reader.write(chunk), end };
  return Object.hasOwn(DECODERS, encoding) ? decoded(DECODERS[encoding](), reader, end) : { write: () => {}, end };
}

/**
 * @param {import('node:stream').Transform} decoder
 * @param {{ write: (chunk: Buffer) => void }} reader
 * @param {() => void} end
 */
function decoded(decoder, reader, end) {
  let inflated = 0;
  decoder.on('data', (chunk) => {
    inflated += chunk.length;
    if (inflated > MAX_INFLATED) decoder.destroy();
    else reader.write(chunk);
  });
  decoder.on('error', () => {}).on('close', end);
  const write = (/** @type {Buffer} */ chunk) => {
    if (decoder.writableLength > MAX_WAITING) decoder.destroy();
    else if (!decoder.destroyed) decoder.write(chunk);
  };
  return { write, end: () => void (decoder.destroyed ? end() : decoder.end()) };
}

/**
 * The usage of an answer as it is billed.
 *
 * @param {Usage} found
 * @returns {import('../types.d.ts').Usage | undefined} undefined if the provider did not tell it
 */
export function billedUsage({ usage, output }) {
  const { promptTokenCount, prompt_tokens, input_tokens, ...more } = /** @type {Record<string, any>} */ (usage ?? {});
  const all = promptTokenCount ?? prompt_tokens ?? input_tokens;
  if (!Number.isFinite(all)) return undefined;
  if ('cache_read_input_tokens' in more || 'cache_creation_input_tokens' in more)
    return anthropicUsage({ ...more, input_tokens: all, output_tokens: output });
  const input = countOf(all) + countOf(more.toolUsePromptTokenCount);
  const details = more.prompt_tokens_details ?? more.input_tokens_details;
  const cacheRead = Math.min(input, countOf(more.cachedContentTokenCount ?? details?.cached_tokens));
  return { input: input - cacheRead, cacheRead, cacheWrite: 0, output: countOf(output) + countOf(more.thoughtsTokenCount) };
}

/** @param {Usage} found @param {any} value */
function seeOne(found, value) {
  const usage = value?.message?.usage ?? value?.response?.usage ?? value?.usage ?? value?.usageMetadata;
  if (usage === null || typeof usage !== 'object') return;
  const output = OUTPUT.map((name) => usage[name]).find(Number.isFinite);
  if (output !== undefined) found.output = output;
  // Anthropic's last event counts what server tools read besides the request: the first event has the request's usage.
  if (value.type !== 'message_delta') found.usage = usage;
}

/** @param {Buffer} bytes @param {(value: unknown) => void} see */
function parse(bytes, see) {
  try {
    see(JSON.parse(bytes.toString('utf8')));
  } catch {
    // Whoever gets the answer sees that it is broken.
  }
}

/** Collects bytes, up to a maximum. */
class Bytes {
  /** @type {Buffer[]} */
  #chunks = [];
  #length = 0;

  #isTooMuch = false;

  /** @param {Buffer} chunk */
  add(chunk) {
    if (this.#isTooMuch) return;
    if (this.#length + chunk.length <= MAX_BYTES && ROOM.take(chunk.length)) {
      this.#length += chunk.length;
      this.#chunks.push(chunk);
      return;
    }
    this.take();
    this.#isTooMuch = true;
  }

  /** Returns what was collected, and starts anew; empty if it was too much. */
  take() {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    ROOM.give(this.#length);
    this.#chunks = [];
    this.#length = 0;
    this.#isTooMuch = false;
    return bytes;
  }
}

/** An answer that is one JSON value. */
class Whole {
  #bytes = new Bytes();
  #see;

  /** @param {(value: unknown) => void} see */
  constructor(see) {
    this.#see = see;
  }

  /** @param {Buffer} chunk */
  write(chunk) {
    this.#bytes.add(chunk);
  }

  end() {
    parse(this.#bytes.take(), this.#see);
  }
}

/** Server-sent events. Only lines that are wanted are parsed. */
class Events {
  #line = new Bytes();
  #see;
  #isWanted;

  /** @param {(value: unknown) => void} see @param {(line: Buffer) => boolean} isWanted */
  constructor(see, isWanted) {
    this.#see = see;
    this.#isWanted = isWanted;
  }

  /** @param {Buffer} chunk */
  write(chunk) {
    let at = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      this.#line.add(chunk.subarray(at, end));
      this.#read(this.#line.take());
      at = end + 1;
    }
    if (at < chunk.length) this.#line.add(chunk.subarray(at));
  }

  end() {
    this.#read(this.#line.take());
  }

  /** @param {Buffer} line */
  #read(line) {
    if (line.subarray(0, 5).toString('latin1') === 'data:' && this.#isWanted(line)) parse(line.subarray(5), this.#see);
  }
}
