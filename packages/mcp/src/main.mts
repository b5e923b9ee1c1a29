import { readFileSync } from 'node:fs';
import { Misuse } from '@palimpsest/cli';
import { HELP, readGiven } from './arguments.mjs';
import type { Io } from '@palimpsest/cli';

const { version: VERSION }: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

async function start(argv: string[], io: Io) {
  const given = readGiven(argv);
  if (typeof given === 'string') {
    io.stdout.write(given === 'help' ? HELP : `${VERSION}\n`);
    return;
  }
  const [{ serveStdio }, { Source }, { Stored }, { createServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./source.mjs'),
    import('./stored.mjs'),
    import('./server.mjs'),
  ]);
  const source = new Source(given, io);
  const stored = given.store && new Stored(given.store, given.session as string, io);
  if (io.stdin.isTTY)
    io.stderr.write('palimpsest-mcp: waits for a client on standard input; Ctrl+C ends it, --help says how an agent starts it\n');
  serveStdio(() => createServer(VERSION, source, stored));
}

/**
 * Starts the server, which runs until its standard input ends.
 *
 * @returns the exit code: 0, 1 if it can't run here, 2 for a wrong command line
 */
export async function run(argv: string[], io: Io): Promise<number> {
  try {
    await start(argv, io);
    return 0;
  } catch (error) {
    const { message = String(error), stack } = error as Error;
    io.stderr.write(`palimpsest-mcp: ${io.env.PALIMPSEST_DEBUG && stack ? stack : message.split('\n', 1)[0]}\n`);
    return error instanceof Misuse ? 2 : 1;
  }
}
