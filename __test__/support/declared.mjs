// The kinds of content that the installed SDKs declare, by the names of `__test__/types/kinds.mts`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const types = join(dirname(fileURLToPath(import.meta.url)), '../types');
const CONSTANT = /^export declare const (\w+): (.*);$/gm;
/** A name, or a template such as `data-${string}`. */
const NAME = /"([^"]+)"|`([^`]+)`/g;

/** Returns the names in each list: `{ anthropic: ['text', …], … }`. */
export function declaredKinds() {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-kinds-'));
  try {
    const options = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--outDir', folder];
    const args = [tsc, '--ignoreConfig', '--declaration', '--emitDeclarationOnly', ...options, 'kinds.mts'];
    const run = spawnSync(process.execPath, args, { cwd: types, encoding: 'utf8' });
    assert.equal(run.status, 0, run.stdout + run.stderr);
    const lists = readFileSync(join(folder, 'kinds.d.mts'), 'utf8').matchAll(CONSTANT);
    return Object.fromEntries(
      Array.from(lists, ([, name, union]) => [name, Array.from(union.matchAll(NAME), ([, text, template]) => text ?? template)]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
