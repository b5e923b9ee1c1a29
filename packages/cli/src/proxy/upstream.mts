// Sends requests to the upstream and nowhere else, and passes answers back as they come.
import { setMaxListeners } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import { Misuse } from '../errors.mjs';
import { passed, SWITCH_HEADER, TOKEN_HEADER } from './headers.mjs';
import { readable } from './usage.mjs';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';

export interface Outgoing {
  method: string;
  /** path and query */
  url: string;
  rawHeaders: string[];
  /** the whole body */
  body?: Buffer;
  /** sends the body otherwise */
  write?: (out: ClientRequest) => void;
  /** the body's length is not known */
  isChunked?: boolean;
}

/** A provider, or a gateway to several. */
export class Upstream {
  #base;
  #client;
  #agent;
  #timeout;
  /** Ends connections that a proxy outside is making. */
  #closing = new AbortController();

  /**
   * @param timeout ms without a byte
   * @throws {Misuse} the environment names a proxy that can't be used
   */
  constructor(base: URL, timeout: number) {
    this.#base = base;
    this.#client = base.protocol === 'https:' ? https : http;
    const proxy = base.protocol === 'https:' ? getProxyForUrl(base) : '';
    this.#agent = proxy === '' ? new this.#client.Agent({ keepAlive: true }) : tunnelling(proxy, this.#closing.signal);
    this.#timeout = timeout;
  }

  close() {
    this.#closing.abort();
    this.#agent.destroy();
  }

  /**
   * Sends a request once. Only while nothing of it was written, another connection takes the place of one that the upstream had closed.
   *
   * @returns the answer, when its headers are there
   */
  async send(outgoing: Outgoing, signal: AbortSignal): Promise<IncomingMessage> {
    for (;;) {
      const out = this.#open(outgoing, signal);
      let isWritten = false;
      let late: NodeJS.Timeout | undefined;
      const answer: Promise<IncomingMessage> = new Promise((resolve, reject) => {
        out.on('response', resolve).on('error', reject).on('close', reject);
        // While a proxy outside makes the connection, nothing else tells.
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        late = setTimeout(() => reject(silent()), this.#timeout);
      });
      out.on('socket', () => clearTimeout(late));
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
        clearTimeout(late);
        out.destroy();
        if (isWritten || !out.reusedSocket || signal.aborted) throw error;
      }
    }
  }

  #open({ method, url, rawHeaders, body, write, isChunked }: Outgoing, signal: AbortSignal) {
    const { protocol, hostname, port, host, pathname } = this.#base;
    const without = ['host', TOKEN_HEADER, SWITCH_HEADER, ...(write === undefined ? ['content-length'] : [])];
    const headers = ['Host', host, ...readable(passed(rawHeaders, without))];
    if (body !== undefined && (body.length > 0 || !BODILESS.has(method))) headers.push('Content-Length', String(body.length));
    if (isChunked) headers.push('Transfer-Encoding', 'chunked');
    const out = this.#client.request({
      agent: this.#agent,
      protocol,
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: pathname.replace(/\/$/, '') + url,
      headers,
      signal,
      timeout: this.#timeout,
    });
    out.on('proxyConnect', ({ statusCode: code }) => {
      if (code !== 200) out.destroy(Object.assign(new Error('the proxy refused'), { code: `the proxy of HTTPS_PROXY said ${code}` }));
    });
    out.on('timeout', () => out.destroy(silent()));
    return out;
  }
}

/**
 * Returns an agent whose connections to the upstream go through a proxy, which sees the upstream's name and nothing else of them.
 *
 * @param signal ends them
 */
function tunnelling(proxy: string, signal: AbortSignal) {
  // The text may hold a password.
  if (!/^https?:/i.test(proxy) || !URL.canParse(proxy)) {
    throw new Misuse('HTTPS_PROXY must be a URL with http or https; NO_PROXY names the hosts that need none');
  }
  setMaxListeners(0, signal);
  return new HttpsProxyAgent(proxy, { keepAlive: true, signal });
}

const silent = () => Object.assign(new Error('the upstream was silent for too long'), { code: 'ETIMEDOUT' });

const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Types of answers that a browser runs nothing of, whatever they say. */
const INERT = /^(?:application\/(?:[\w.-]+\+)?(?:json|x-ndjson|octet-stream)|text\/event-stream|audio\/|video\/|image\/(?!svg))/i;
/** Headers with which a browser opens a page in an origin of its own: what an upstream says must not run where the proxy's page is. */
const CONFINED = ['Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'", 'X-Content-Type-Options', 'nosniff'];

/**
 * Passes an answer on, byte by byte and no faster than the client reads.
 *
 * @param copy gets the same bytes
 * @returns resolves when all of it was sent; rejects if either side is gone
 */
export function passOn(answer: IncomingMessage, response: ServerResponse, copy: (chunk: Buffer) => void): Promise<void> {
  response.sendDate = false;
  const { 'content-type': type = '' } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, [...passed(answer.rawHeaders), ...(INERT.test(type) ? [] : CONFINED)]);
  response.flushHeaders();
  answer.on('data', copy);
  return new Promise((resolve, reject) => {
    pipeline(answer, response, (error) => (error ? reject(error) : resolve()));
  });
}
