// Builds the engine in WebAssembly and its loader for Node.js into npm/wasm32-wasi, the folder of its package.
//   node scripts/wasm.mjs
// Needs Rust's target for it: rustup target add wasm32-wasip1
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundleNodeLoader, root, wasmPackage } from './wasm-bundles.mjs';

// Small before fast, because it is downloaded. A panic can't unwind in WebAssembly.
const profile = { OPT_LEVEL: 's', LTO: 'fat', CODEGEN_UNITS: '1', PANIC: 'abort' };
const settings = Object.fromEntries(Object.entries(profile).map(([name, value]) => [`CARGO_PROFILE_RELEASE_${name}`, value]));
const out = join(root, 'target/wasm');
mkdirSync(out, { recursive: true });
const napi = join(root, 'node_modules/@napi-rs/cli/dist/cli.js');
execFileSync(
  process.execPath,
  [
    napi,
    'build',
    '--package',
    'palimpsest',
    '--target',
    'wasm32-wasip1',
    '--platform',
    '--release',
    '--no-js',
    '--dts',
    'binding.d.ts',
    '--output-dir',
    out,
    '--',
    // The calls of these take no longer for it, as far as that was measured; those of `palimpsest-agent` about a tenth.
    ...['palimpsest', 'palimpsest-agent', 'palimpsest-history', 'palimpsest-recall', 'palimpsest-world'].flatMap((crate) => [
      '--config',
      `profile.release.package.${crate}.opt-level="z"`,
    ]),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...settings } },
);
copyFileSync(join(out, 'palimpsest.wasm32-wasip1.wasm'), join(wasmPackage, 'palimpsest.wasm32-wasi.wasm'));
for (const name of ['o200k_base.bin', 'cl100k_base.bin'])
  copyFileSync(join(root, 'crates/tokens/vocabularies', name), join(wasmPackage, name));
await bundleNodeLoader(wasmPackage);
