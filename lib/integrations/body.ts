// Bodies of HTTP requests: bounded bytes, UTF-8, JSON.

import { BadRequest } from './bad-request.js';
import type { Readable } from 'node:stream';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;

/**
 * Checks what the headers say of a body.
 *
 * @throws {BadRequest} it is no JSON, is compressed, or is too large
 */
export function checkHeaders(header: (name: string) => string | null | undefined, maxBytes: number) {
  const [type, ...parameters] = (header('content-type') ?? '').split(';').map((text) => text.trim());
  if (!JSON_TYPE.test(type)) throw new BadRequest('content-type must be application/json', { status: 415 });
  const charset = parameters.find((text) => /^charset=/i.test(text));
  if (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)) throw new BadRequest('charset must be utf-8', { status: 415 });
  // A few bytes may become very many.
  if (!/^(?:identity)?$/i.test(header('content-encoding') ?? '')) {
    throw new BadRequest('content-encoding must be identity', { status: 415 });
  }
  if (Number(header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

const tooLarge = (maxBytes: number) => new BadRequest(`the body must have at most ${maxBytes} bytes`, { status: 413 });

/** Collects the bytes of a body, up to a maximum number. */
class Bytes {
  #chunks = [] as Uint8Array[];
  #length = 0;
  #max;

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws {BadRequest} these are too many */
  add(chunk: Uint8Array) {
    this.#length += chunk.length;
    if (this.#length <= this.#max) this.#chunks.push(chunk);
    else {
      this.#chunks = [];
      throw tooLarge(this.#max);
    }
  }

  /**
   * Returns the value that the bytes are the JSON of.
   *
   * @throws {BadRequest} they are no JSON in UTF-8, or too many
   */
  json() {
    if (this.#length > this.#max) throw tooLarge(this.#max);
    return parse(decode(Buffer.concat(this.#chunks, this.#length)));
  }
}

function decode(bytes: Buffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequest('the body must be UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The error quotes the text.
    const [, position] = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec((error as Error).message) ?? [];
    throw new BadRequest(`the body must be JSON${position === undefined ? '' : `, which it is not at position ${position}`}`);
  }
}

/**
 * Reads a body of Node's server. What comes after too many bytes is thrown away.
 *
 * @returns undefined if the client is gone
 * @throws {BadRequest}
 */
export function readStream(request: Readable, maxBytes: number): Promise<unknown> {
  if (request.destroyed) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const bytes = new Bytes(maxBytes);
    const tried = (work: () => void) => {
      try {
        work();
      } catch (error) {
        reject(error);
      }
    };
    const gone = () => resolve(undefined);
    request.on('data', (chunk: Uint8Array) => tried(() => bytes.add(chunk)));
    request.on('end', () => tried(() => resolve(bytes.json())));
    request.on('close', gone).on('error', gone);
  });
}

/**
 * Reads the body of a web-standard request.
 *
 * @throws {BadRequest}
 */
export async function readWeb(request: Request, maxBytes: number) {
  const bytes = new Bytes(maxBytes);
  const reader = request.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return bytes.json();
    try {
      bytes.add(value);
    } catch (error) {
      // Whether that works is of no interest.
      reader?.cancel().catch(() => {});
      throw error;
    }
  }
}
