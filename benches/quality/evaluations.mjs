// The shared evaluations, each in a process of its own, on the built package.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs an evaluation with its arguments, and in more of an environment, and gives what it prints. */
export async function outputOf(evaluation, args, env = {}) {
  // In the package's folder it finds gpt-tokenizer.
  const options = { cwd: root, maxBuffer: 1 << 26, env: { ...process.env, ...env } };
  return (await promisify(execFile)(process.execPath, [evaluation, ...args], options)).stdout;
}

/** The same, and gives the rows that it writes. */
export async function rowsOf(evaluation, args, env) {
  const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-quality-'));
  const json = join(scratch, 'rows.json');
  try {
    await outputOf(evaluation, [...args, '--json', json], env);
    return JSON.parse(readFileSync(json, 'utf8'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
