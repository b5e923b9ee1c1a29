// Reads a copy of an answer, within bounds, while the answer itself passes: its usage, or all of its values.
import * as zlib from 'node:zlib';
import { diagnosticsIn } from 'palimpsest/internal';
import { stringOf, tokensOf } from '../transcripts/values.mjs';
import { anthropicUsage, servedAs, usageWithin } from '../usage.mjs';
import { Room } from './body.mjs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import type { Json } from '../transcripts/values.mjs';
import type { Usage } from '../types.mjs';

/** Maximum bytes of an event, or of a whole answer, that is read. */
const MAX_BYTES = 8 * 2 ** 20;
/** Room for all that is read at the same time. */
const ROOM = new Room(64 * 2 ** 20);
/** Maximum bytes that wait for decompression. */
const MAX_WAITING = 2 ** 20;
/** Maximum bytes that come out of decompression. */
const MAX_INFLATED = 64 * 2 ** 20;

/** `usage`, `tier` and `diagnostics` of the cache in the provider's words, `output` in tokens */
export type RawUsage = { usage?: object; output?: number; tier?: string; diagnostics?: object };

/** Node.js has it from version 22.15 on. */
const createZstdDecompress: (() => Transform) | undefined = (zlib as Partial<typeof zlib> & { createZstdDecompress?: () => Transform })
  .createZstdDecompress;

const DECODERS: Record<string, () => Transform> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  br: zlib.createBrotliDecompress,
  deflate: zlib.createInflate,
  ...(createZstdDecompress && { zstd: createZstdDecompress }),
};

/**
 * Returns headers of a request that ask for no answer whose usage can't be read.
 *
 * @param raw names and values in turn
 */
export function readable(raw: string[]) {
  if (Object.hasOwn(DECODERS, 'zstd')) return raw;
  const without = (value: string) =>
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
 * @param headers of the answer
 * @param tell is called once; with nothing if there is no usage
 */
export function readUsage(
  headers: IncomingHttpHeaders,
  tell: (usage: RawUsage) => void,
): { write: (chunk: Buffer) => void; end: () => void } {
  const found = {} as RawUsage;
  const see = (value: unknown) => {
    // Gemini's streams are an array unless the client asks for events.
    for (const one of Array.isArray(value) ? value : [value]) seeOne(found, one);
  };
  return readValues(headers, { isWanted: (line) => line.includes('usage'), see, end: () => tell(found) });
}

/**
 * Returns what takes the bytes of an answer, and gives the JSON values in it: of a stream those of its events, else the whole.
 *
 * @param headers of the answer
 */
export function readValues(
  headers: IncomingHttpHeaders,
  {
    isWanted = () => true,
    see,
    end: tell,
  }: {
    /** whether a line of a stream may hold a value that is wanted; default: each */
    isWanted?: (line: Buffer) => boolean;
    see: (value: unknown) => void;
    /** is called once, behind the last value */
    end: () => void;
  },
): { write: (chunk: Buffer) => void; end: () => void } {
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

function decoded(decoder: Transform, reader: { write: (chunk: Buffer) => void }, end: () => void) {
  let inflated = 0;
  decoder.on('data', (chunk) => {
    inflated += chunk.length;
    if (inflated > MAX_INFLATED) decoder.destroy();
    else reader.write(chunk);
  });
  decoder.on('error', () => {}).on('close', end);
  const write = (chunk: Buffer) => {
    if (decoder.writableLength > MAX_WAITING) decoder.destroy();
    else if (!decoder.destroyed) decoder.write(chunk);
  };
  return { write, end: () => void (decoder.destroyed ? end() : decoder.end()) };
}

/**
 * The usage of an answer as it is billed.
 *
 * @returns undefined if the provider did not tell it
 */
export function billedUsage({ usage, output, tier }: RawUsage): Usage | undefined {
  const { promptTokenCount, prompt_tokens, input_tokens, ...more } = (usage ?? {}) as Json;
  const all = promptTokenCount ?? prompt_tokens ?? input_tokens;
  if (!Number.isFinite(all)) return undefined;
  if ('cache_read_input_tokens' in more || 'cache_creation_input_tokens' in more)
    return anthropicUsage({ ...more, input_tokens: all, output_tokens: output });
  const details = more.prompt_tokens_details ?? more.input_tokens_details;
  const served = servedAs({ tier });
  return {
    ...usageWithin(
      tokensOf(all) + tokensOf(more.toolUsePromptTokenCount),
      more.cachedContentTokenCount ?? details?.cached_tokens,
      tokensOf(output) + tokensOf(more.thoughtsTokenCount),
    ),
    ...(served && { served }),
  };
}

function seeOne(found: RawUsage, value: Json | null | undefined) {
  const usage = value?.message?.usage ?? value?.response?.usage ?? value?.usage ?? value?.usageMetadata;
  if (usage === null || typeof usage !== 'object') return;
  const output = OUTPUT.map((name) => usage[name]).find(Number.isFinite);
  if (output !== undefined) found.output = output;
  const tier = stringOf(value?.response?.service_tier ?? value?.service_tier);
  if (tier !== undefined) found.tier = tier;
  const diagnostics = diagnosticsIn(value as Json);
  if (diagnostics !== undefined) found.diagnostics = diagnostics;
  // Anthropic's last event counts what server tools read besides the request: the first event has the request's usage.
  if (value?.type !== 'message_delta') found.usage = usage;
  else if (usage.server_tool_use) found.usage = { ...found.usage, server_tool_use: usage.server_tool_use };
}

function parse(bytes: Buffer, see: (value: unknown) => void) {
  try {
    see(JSON.parse(bytes.toString('utf8')));
  } catch {
    // Whoever gets the answer sees that it is broken.
  }
}

/** Collects bytes, up to a maximum. */
class Bytes {
  #chunks: Buffer[] = [];
  #length = 0;

  #isTooMuch = false;

  add(chunk: Buffer) {
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

  constructor(see: (value: unknown) => void) {
    this.#see = see;
  }

  write(chunk: Buffer) {
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

  constructor(see: (value: unknown) => void, isWanted: (line: Buffer) => boolean) {
    this.#see = see;
    this.#isWanted = isWanted;
  }

  write(chunk: Buffer) {
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

  #read(line: Buffer) {
    if (line.subarray(0, 5).toString('latin1') === 'data:' && this.#isWanted(line)) parse(line.subarray(5), this.#see);
  }
}
