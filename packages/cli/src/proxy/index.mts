// The proxy: an HTTP server that gives requests the messages of their sessions, and passes everything else as it comes.
import { once } from 'node:events';
import { createServer, maxHeaderSize, STATUS_CODES } from 'node:http';
import { Problem } from '../errors.mjs';
import { createAccess, isLoopback, Refused } from './access.mjs';
import { Fitting } from './fitting.mjs';
import { Handler } from './handler.mjs';
import { Log } from './log.mjs';
import { checkedOptions } from './options.mjs';
import { PAGE_HEADERS } from './page.mjs';
import { Reporting } from './reporting.mjs';
import { Sessions } from './sessions.mjs';
import { emptyReport, Shadowing } from './shadowing.mjs';
import { Upstream } from './upstream.mjs';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ShadowReport } from 'palimpsest';
import type { ProxyOptions } from './options.mjs';

/** Maximum bytes of JSON whose conversations are remembered. In memory they take about five times as much. */
const MAX_REMEMBERED = 128 * 2 ** 20;
/** Time for a request's headers, in ms. */
const HEADERS_TIME = 30_000;
/** Time for a whole request, in ms. */
const REQUEST_TIME = 300_000;
/** Time after which an idle connection of a client is closed, in ms. Longer than clients keep theirs. */
const KEEP_ALIVE = 75_000;
/** Time for answers that are under way when the proxy closes, in ms. */
const GRACE = 5_000;

const REMEDY = 'send fewer, or start the proxy with NODE_OPTIONS=--max-http-header-size=BYTES';

/**
 * Starts the proxy.
 *
 * @returns `url` holds the token, if there is one. `close` lets answers that are under way end for `grace` ms, 5000 by default; `shadow`: what shadow
 *   requests found
 * @throws {Misuse} an option is wrong
 * @throws {Problem} it can't listen
 */
export async function startProxy(
  given: ProxyOptions,
): Promise<{ url: string; close: (grace?: number) => Promise<void>; readonly shadow: ShadowReport | undefined }> {
  const options = checkedOptions(given);
  const { limit, host, token, isExposed, timeout } = options;
  const sessions = new Sessions({ limit, roles: options.roles, idle: options.idle, maxBytes: MAX_REMEMBERED });
  const log = new Log(options.state?.totals, (record) => {
    options.onRequest(record);
    changed();
  });
  const upstreams = upstreamsOf(options.upstreams, timeout);
  const reporting = new Reporting({ limit, redact: options.redact, isDry: options.isDry, onChange: (state) => log.tellReport(state) });
  const fitting = new Fitting({ sessions, limit, timeout: options.choosing });
  const shadowing = shadowingOf(options, (report) => {
    log.tellShadow(report);
    changed();
  });
  const changed = () => options.onState({ version: 1, limit, totals: log.totals, shadow: shadowing?.report });
  if (shadowing) log.tellShadow(shadowing.report);
  const handler = new Handler({ ...options, upstreams, fitting, log, reporting, shadowing });
  const access = createAccess({ token, isExposed });

  const server = createServer({ headersTimeout: HEADERS_TIME, requestTimeout: REQUEST_TIME, keepAliveTimeout: KEEP_ALIVE });
  server.maxConnections = options.maxConnections;
  server.on('request', (request, response) => {
    // A client that is gone needs no answer.
    request.on('error', () => {});
    response.on('error', () => {});
    let url: string;
    try {
      url = access(request);
    } catch (error) {
      return void refuse(response, error instanceof Refused ? error : new Refused(400, 'the request can not be read'));
    }
    if (isWebSocket(request)) {
      return void refuse(
        response,
        new Refused(501, 'WebSockets do not go through: use the API over HTTP, or the provider without this proxy'),
      );
    }
    const [path] = url.split('?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && path === '/') sendPage(reporting, response);
    else if (isRead && path === '/healthz') {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end('{"status":"ok"}\n');
    } else if (request.method === 'GET' && path === '/palimpsest/events') log.watch(response);
    else handler.handle(request, response, url);
  });
  server.on('clientError', (error, socket) => refuseUnread(socket, (error as NodeJS.ErrnoException).code));

  await listening(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  const forgetting = setInterval(() => sessions.forgetIdle(), Math.min(options.idle, 60_000)).unref();
  const close = async (grace = GRACE) => {
    clearInterval(forgetting);
    log.close();
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    const late = setTimeout(() => server.closeAllConnections(), grace);
    await closed;
    clearTimeout(late);
    shadowing?.close();
    await reporting.close();
    for (const upstream of new Set(Object.values(upstreams))) upstream?.close();
  };
  const own = Object.values(options.upstreams).find((url) => isItself(url, host, port));
  if (own !== undefined) {
    await close(0);
    throw new Problem('the upstream is this proxy itself');
  }
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${port}${token === undefined ? '' : `/${token}`}`,
    close,
    get shadow() {
      return shadowing?.report;
    },
  };
}

const shadowingOf = (
  { shadow: share, shadowTokens: maxTokens, limit, state }: ReturnType<typeof checkedOptions>,
  onChange: (report: ShadowReport) => void,
) => {
  if (share === undefined) return undefined;
  const { shadow } = state ?? {};
  // What was spent counts on, what was found with another limit does not.
  const saved = shadow && state?.limit !== limit ? { ...emptyReport(), tokens: shadow.tokens } : shadow;
  return new Shadowing({ share, maxTokens, saved, onChange });
};

const upstreamsOf = (urls: Record<string, URL | undefined>, timeout: number) =>
  Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, url === undefined ? undefined : new Upstream(url, timeout)]));

function isItself(url: URL | undefined, host: string, port: number) {
  if (url === undefined || Number(url.port || 80) !== port || url.protocol !== 'http:') return false;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  return name === host || isLoopback(name);
}

async function listening(server: Server, host: string, port: number) {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'another program uses this port: choose one with --port, or 0 for any free one' : code;
    throw new Problem(`can't listen on ${host}:${port}: ${reason}`);
  }
}

async function sendPage(reporting: Reporting, response: ServerResponse) {
  try {
    const page = await reporting.page();
    response.writeHead(200, PAGE_HEADERS).end(page);
  } catch (error) {
    const text = `palimpsest proxy: ${(error as Error).message}. It begins anew with the next request.\n`;
    response.writeHead(503, { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(text);
  }
}

/** Whether a request wants a WebSocket. Without a protocol that is spoken here, others go on in HTTP. */
const isWebSocket = ({ headers }: IncomingMessage) => /(?:^|,)\s*websocket\s*(?:$|[,/])/i.test(headers.upgrade ?? '');

const refusal = ({ message }: Refused) =>
  JSON.stringify({ type: 'error', error: { type: 'palimpsest_proxy', message: `palimpsest proxy: ${message}` } });

function refuse(response: ServerResponse, error: Refused) {
  // What is left of the request's body is not read.
  response
    .writeHead(error.status, { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' })
    .end(refusal(error));
}

/**
 * Answers a request that is no HTTP, or has too many headers. Nothing of it could be read as somebody else's.
 *
 * @param code what is wrong
 */
function refuseUnread(socket: Duplex, code: string | undefined) {
  if (!socket.writable) return void socket.destroy();
  const error =
    code === 'HPE_HEADER_OVERFLOW'
      ? new Refused(431, `the headers of the request are larger than ${maxHeaderSize / 1024} KB: ${REMEDY}`)
      : new Refused(400, 'the request can not be read');
  const body = refusal(error);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
