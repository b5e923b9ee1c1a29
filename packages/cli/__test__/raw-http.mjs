// HTTP without a client's help: a server that records bytes, and requests that no client would send.
import { once } from 'node:events';
import http, { createServer } from 'node:http';
import { connect } from 'node:net';
import { listen } from '../../../__test__/support/listen.mjs';

/** Starts an upstream that records each request, and answers as `answer` does, by default with `{}`. */
export async function startUpstream(
  answer = (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
) {
  const requests = [];
  const server = createServer(async (request, response) => {
    request.on('error', () => {});
    const chunks = [];
    const record = { method: request.method, url: request.url, headers: request.headers, raw: request.rawHeaders, isAborted: false };
    response.on('close', () => {
      record.isAborted = !response.writableFinished;
      server.emit('answered');
    });
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    record.body = Buffer.concat(chunks);
    requests.push(record);
    await answer(request, response, record);
  });
  const url = await listen(server);
  return {
    url,
    requests,
    server,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Sends a request and returns its whole answer. `headers` may be a flat list of names and values. */
export async function send(url, { method = 'POST', path, headers = {}, body, agent = false, signal } = {}) {
  const { hostname, port, pathname } = new URL(url);
  const target = path ?? pathname;
  const request = http.request({ host: hostname, port, method, path: target, headers, agent, signal });
  request.end(body);
  const [response] = await once(request, 'response');
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return { status: response.statusCode, headers: response.headers, raw: response.rawHeaders, bytes, text: bytes.toString('utf8') };
}

/** Writes bytes to a server and returns all that it answers. */
export async function sendRaw(url, bytes) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.end(bytes);
  const chunks = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

export const JSON_HEADERS = { 'content-type': 'application/json' };
