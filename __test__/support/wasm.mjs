// Whether the engine in WebAssembly is built from the sources that are here, and its package. `npm test` does not build it: it takes a minute, and
// a target of Rust.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASM, stagePlatforms } from '../../scripts/staging.mjs';
import { WASM_ENGINE, npm, root } from '../packed/project.mjs';

const wasmFile = join(root, 'npm', WASM, 'palimpsest.wasm32-wasi.wasm');

const changed = (path) => statSync(path).mtimeMs;
const below = (folder) => readdirSync(folder, { recursive: true }).map((name) => changed(join(folder, name)));

function reason() {
  if (!existsSync(wasmFile)) return 'the engine in WebAssembly is not built: npm run build:wasm';
  const sources = [
    ...['src', 'crates'].flatMap((name) => below(join(root, name))),
    ...['Cargo.toml', 'build.rs'].map((name) => changed(join(root, name))),
  ];
  if (changed(wasmFile) < Math.max(...sources)) return 'the engine in WebAssembly is older than its sources: npm run build:wasm';
  return false;
}

/** Why its tests are skipped; false if they are not. */
export const withoutWasm = reason();

/** Installs the packed package in a folder that has nothing yet, as a user does. Returns where it is. */
export async function installWasm(folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-wasm-package-'));
  try {
    await stagePlatforms(scratch);
    const [{ filename }] = JSON.parse(await npm(scratch, 'pack', '--json', `./${WASM}`));
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    await npm(folder, 'install', '--offline', join(scratch, filename));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return join(folder, 'node_modules', WASM_ENGINE);
}
