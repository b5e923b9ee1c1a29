// The shared evaluations, each in a process of its own, on the built package.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs an evaluation with its arguments, and gives the rows that it writes. */
export async function rowsOf(evaluation, args) {
  const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-quality-'));
  const json = join(scratch, 'rows.json');
  try {
    // In the package's folder it finds gpt-tokenizer.
    await promisify(execFile)(process.execPath, [evaluation, ...args, '--json', json], { cwd: root, maxBuffer: 1 << 26 });
    return JSON.parse(readFileSync(json, 'utf8'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
