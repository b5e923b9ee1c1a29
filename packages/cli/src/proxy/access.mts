// Who may use the proxy: programs of this machine, and nobody's web page.
import { createHash, timingSafeEqual } from 'node:crypto';
import { TOKEN_HEADER } from './headers.mjs';
import type { IncomingMessage } from 'node:http';

/** A request that is refused. */
export class Refused extends Error {
  status;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const isLoopback = (host: string) => /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host);

function hostnameIn(header: string) {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d+)?$/i.exec(header) ?? [];
  return bracketed ?? plain;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Returns a function that checks a request, and gives its target without the token.
 *
 * A web page can send requests to this machine: as simple requests, or with a name of its own that leads here (DNS rebinding). Browsers
 * tell where such requests come from, and which name they used.
 *
 * @param options `isExposed`: it listens beyond loopback, under names that are not known here
 */
export function createAccess({
  token,
  isExposed,
}: {
  token?: string | undefined;
  isExposed: boolean;
}): (request: IncomingMessage) => string {
  const wanted = token === undefined ? undefined : digest(token);
  const isToken = (given: unknown) => wanted !== undefined && typeof given === 'string' && timingSafeEqual(digest(given), wanted);

  return ({ method, url = '', headers, headersDistinct }) => {
    // Absolute URLs, `//host` and `*` would leave it to others where the request goes.
    if (!/^\/(?!\/)/.test(url)) throw new Refused(400, 'the target must be a path');
    const { host, origin } = headers;
    const name = hostnameIn(host ?? '');
    if (name === undefined || (headersDistinct.host?.length ?? 0) > 1) throw new Refused(400, 'the request must name its host');
    if (!isExposed && !isLoopback(name)) throw new Refused(403, 'the Host header must name this machine, such as 127.0.0.1');
    if (origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase()) {
      throw new Refused(403, 'requests of web pages are not answered');
    }
    const isOpened = method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
    const site = headers['sec-fetch-site'];
    if (!isOpened && site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw new Refused(403, 'requests of web pages are not answered');
    }
    return checkPath(wanted === undefined ? url : withoutToken(url, headers[TOKEN_HEADER], isToken));
  };
}

function withoutToken(url: string, header: unknown, isToken: (given: unknown) => boolean) {
  if (isToken(header)) return url;
  const [, first, rest] = /^\/([^/?]+)(.*)$/s.exec(url) ?? [];
  if (isToken(first)) return rest.startsWith('/') ? rest : `/${rest}`;
  throw new Refused(401, `this proxy wants its token: as the header ${TOKEN_HEADER}, or as the first part of the path`);
}

/** Refuses paths that could leave the upstream's base path. */
function checkPath(url: string) {
  const [path] = url.split('?');
  const isTricky = /^\/\/|\\|%5c/i.test(path) || path.split(/\/|%2f/i).some((part) => /^(?:\.|%2e){1,2}(?:;.*)?$/i.test(part));
  if (isTricky) throw new Refused(400, 'the path must not have dot segments or backslashes');
  return url;
}
