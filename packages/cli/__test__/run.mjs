// Runs a command line in this process, without a terminal.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { run } from '../dist/main.mjs';

// Nothing is left on this machine.
const caches = mkdtempSync(join(tmpdir(), 'palimpsest-caches-'));
process.on('exit', () => rmSync(caches, { recursive: true, force: true }));

/** A stream that keeps what is written to it. */
function kept(more) {
  const parts = [];
  const stream = new Writable({
    write(chunk, _, done) {
      parts.push(chunk);
      done();
    },
  });
  return Object.assign(stream, more, { text: () => Buffer.concat(parts).toString('utf8') });
}

/**
 * @param {string[]} argv
 * @param {{ input?: string | Buffer | Iterable<Buffer>, cwd?: string, env?: Record<string, string>, terminal?: { columns: number } }} [more]
 *   `terminal`: what the output streams say of themselves; none by default
 */
export async function palimpsest(argv, { input = '', cwd = process.cwd(), env = {}, terminal } = {}) {
  const isText = typeof input === 'string' || Buffer.isBuffer(input);
  const stdin = Readable.from(isText ? [Buffer.from(input)] : input, { objectMode: false });
  const screen = terminal && { isTTY: true, ...terminal };
  const [stdout, stderr] = [kept(screen), kept(screen)];
  // Time stands still: on a slow machine there would be lines of progress.
  const time = Date.now();
  const code = await run(argv, { stdin, stdout, stderr, env: { XDG_CACHE_HOME: caches, ...env }, cwd, now: () => time });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}
