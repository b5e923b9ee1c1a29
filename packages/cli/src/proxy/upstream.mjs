// @ts-check
// Sends requests to the upstream and nowhere else, and passes answers back as they come.
import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { passed, TOKEN_HEADER } from './headers.mjs';

/**
 * @typedef {object} Outgoing
 * @property {string} method
 * @property {string} url path and query
 * @property {string[]} rawHeaders
 * @property {Buffer} [body] the whole body
 * @property {(out: import('node:http').ClientRequest) => void} [write] sends the body otherwise
 * @property {boolean} [isChunked] the body's length is not known
 */

/** A provider, or a gateway to several. */
export class Upstream {
  #base;
  #client;
  #agent;
  #timeout;

  /**
   * @param {URL} base
   * @param {number} timeout ms without a byte
   */
  constructor(base, timeout) {
    this.#base = base;
    this.#client = base.protocol === 'https:' ? https : http;
    this.#agent = new this.#client.Agent({ keepAlive: true });
    this.#timeout = timeout;
  }

  close() {
    this.#agent.destroy();
  }

  /**
   * Sends a request once. Only while nothing of it was written, another connection takes the place of one that the upstream had closed.
   *
   * @param {Outgoing} outgoing
   * @param {AbortSignal} signal
   * @returns {Promise<import('node:http').IncomingMessage>} the answer, when its headers are there
   */
  async send(outgoing, signal) {
    for (;;) {
      const out = this.#open(outgoing, signal);
      let isWritten = false;
      /** @type {Promise<import('node:http').IncomingMessage>} */
      const answer = new Promise((resolve, reject) => out.on('response', resolve).on('error', reject).on('close', reject));
      out.on('socket', async () => {
        // That an idle connection was closed is known when the events that wait were read, which takes a whole turn.
        for (let turn = 0; turn < 2 && out.reusedSocket; turn++) await nextTurn();
        if (out.errored || out.destroyed) return;
        isWritten = true;
        if (outgoing.write === undefined) out.end(outgoing.body);
        else outgoing.write(out);
      });
      try {
        return await answer;
      } catch (error) {
        if (isWritten || !out.reusedSocket || signal.aborted) throw error;
      }
    }
  }

  /** @param {Outgoing} outgoing @param {AbortSignal} signal */
  #open({ method, url, rawHeaders, body, write, isChunked }, signal) {
    const { hostname, port, host, pathname } = this.#base;
    const without = ['host', TOKEN_HEADER, ...(write === undefined ? ['content-length'] : [])];
    const headers = ['Host', host, ...passed(rawHeaders, without)];
    if (body !== undefined && (body.length > 0 || !BODILESS.has(method))) headers.push('Content-Length', String(body.length));
    if (isChunked) headers.push('Transfer-Encoding', 'chunked');
    const out = this.#client.request({
      agent: this.#agent,
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: pathname.replace(/\/$/, '') + url,
      headers,
      signal,
      timeout: this.#timeout,
    });
    out.on('timeout', () => out.destroy(Object.assign(new Error('the upstream was silent for too long'), { code: 'ETIMEDOUT' })));
    return out;
  }
}

const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * Passes an answer on, byte by byte and no faster than the client reads.
 *
 * @param {import('node:http').IncomingMessage} answer
 * @param {import('node:http').ServerResponse} response
 * @param {{ write: (chunk: Buffer) => void }} copy gets the same bytes
 * @returns {Promise<void>} resolves when all of it was sent; rejects if either side is gone
 */
export function passOn(answer, response, copy) {
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passed(answer.rawHeaders));
  response.flushHeaders();
  answer.on('data', (chunk) => copy.write(chunk));
  return new Promise((resolve, reject) => {
    pipeline(answer, response, (error) => (error ? reject(error) : resolve()));
  });
}
