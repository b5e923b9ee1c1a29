// Starts a server as a process of its own, on a free port of loopback, and ends it with this process at the latest.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';

/** Maximum number of ports that are tried: another process may take a free one first. */
const MAX_TRIES = 5;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a server and waits until it prints that it is ready.
 *
 * @param {object} server
 * @param {(port: number) => [command: string, args: string[]]} server.command
 * @param {RegExp} server.ready what it prints then
 * @param {NodeJS.Signals} server.end the signal that ends it at once
 * @param {string} server.folder its files, removed afterwards
 * @param {import('node:child_process').SpawnOptions} [server.options]
 * @returns {Promise<{ port: number, pid: number, stop: () => Promise<void> }>}
 */
export async function startServer({ command, ready, end, folder, options = {} }) {
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  let printed = '';
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = await freePort();
    const [program, args] = command(port);
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = new Promise((resolve) => child.once('close', resolve));
    printed = '';
    const isReady = await new Promise((resolve, reject) => {
      const read = (text) => {
        printed += text;
        if (ready.test(printed)) resolve(true);
      };
      child.stdout.setEncoding('utf8').on('data', read);
      child.stderr.setEncoding('utf8').on('data', read);
      child.once('error', reject);
      closed.then(() => resolve(false));
    });
    if (!isReady) continue;
    const kill = () => child.kill(end);
    process.once('exit', kill);
    return {
      port,
      pid: child.pid,
      stop: async () => {
        process.removeListener('exit', kill);
        if (child.exitCode === null && child.signalCode === null) kill();
        await closed;
        remove();
      },
    };
  }
  remove();
  throw new Error(`the server did not start:\n${printed}`);
}
