// Whether the engine in WebAssembly is built from the sources that are here. `npm test` does not build it: it takes a minute, and a target of Rust.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** The folder of its package. */
export const wasmPackage = join(root, 'npm/wasm32-wasi');
/** The engine itself. */
export const wasmFile = join(wasmPackage, 'palimpsest.wasm32-wasi.wasm');

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
