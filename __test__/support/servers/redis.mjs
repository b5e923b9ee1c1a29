// A Redis server for a test. On Debian its package is installed first if it is missing and this is root.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from './process.mjs';

const isThere = () => spawnSync('redis-server', ['--version']).status === 0;

// One process installs; the others wait for it, and find that it is there.
const INSTALL = 'redis-server --version || { apt-get update && apt-get install -y --no-install-recommends redis-server; }';

function install() {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('flock', [join(tmpdir(), 'palimpsest-apt.lock'), 'sh', '-c', INSTALL], { env, timeout: 300_000 });
}

/** Why there is no Redis here, for the `skip` of a test; or false. */
export const withoutRedis = (() => {
  if (!isThere()) install();
  return !isThere() && 'needs redis-server, which is not installed and could not be';
})();

/**
 * Starts a server on loopback that keeps nothing on disk.
 *
 * @returns {Promise<{ url: string, port: number, pid: number, stop: () => Promise<void> }>}
 */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-redis-'));
  const args = (port) => ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder].map(String);
  const command = (port) => /** @type {[string, string[]]} */ (['redis-server', args(port)]);
  const server = await startServer({ command, ready: /Ready to accept connections/, end: 'SIGKILL', folder });
  return { ...server, url: `redis://127.0.0.1:${server.port}` };
}
