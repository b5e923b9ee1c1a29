// A server of an application in front of the loopback provider: it sends on what `fitted` gives for a request, and streams the answer back.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import express from 'express';
import { listen } from '../listen.mjs';

/** The usage in an answer, whole or streamed. */
function usageIn(text) {
  const events =
    text.startsWith('{') || text.startsWith('[') ? [text] : text.split('\n').flatMap((line) => line.match(/^data: (\{.*)/)?.[1] ?? []);
  const found = events.map((event) => JSON.parse(event)).map((event) => event.message ?? event.response ?? event);
  // Anthropic's stream gives the input's at the start, the others' all at the end.
  return found.map(({ usage, usageMetadata }) => usage ?? usageMetadata).find((usage) => usage != null);
}

/**
 * Sends a request on to the provider, and its answer back.
 *
 * @param {string} url of the provider
 * @param {import('express').Request} request
 * @param {import('express').Response} response
 */
export async function forward(url, { originalUrl, headers, palimpsest }, response) {
  const { authorization, 'x-api-key': key, 'x-goog-api-key': goog, 'anthropic-version': version, 'x-conversation': conversation } = headers;
  const passed = { authorization, 'x-api-key': key, 'x-goog-api-key': goog, 'anthropic-version': version, 'x-conversation': conversation };
  const gone = new AbortController();
  response.on('close', () => response.writableFinished || gone.abort());
  const answer = await fetch(url + originalUrl, {
    method: 'POST',
    signal: gone.signal,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(Object.entries(passed).filter(([, value]) => value)) },
    body: JSON.stringify(palimpsest.request),
  });
  response.status(answer.status).set('content-type', answer.headers.get('content-type'));
  const [sent, read] = answer.body.tee();
  Readable.fromWeb(sent)
    .on('error', () => {})
    .pipe(response);
  const text = await new Response(read).text().catch(() => undefined);
  if (answer.ok && text !== undefined) palimpsest.observe(usageIn(text));
}

/**
 * Starts an application on a free port.
 *
 * @param {(app: import('express').Express) => void} build
 */
export async function serve(build) {
  const app = express();
  build(app);
  const server = createServer(app);
  return {
    url: await listen(server),
    server,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
