import { once } from 'node:events';

/**
 * Starts an HTTP server on a free port of 127.0.0.1, and returns its URL.
 *
 * It never closes a connection of its own accord: by default it would after five idle seconds, and a client that was busy for so long
 * would meet a reset connection.
 *
 * @param {import('node:http').Server} server
 */
export async function listen(server) {
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}
