// Runs the engine's tests and those of robustness with AddressSanitizer, which stops at any read or write outside of a buffer or of
// freed memory. Needs Linux on x86-64, a nightly Rust beside the stable one, and gcc's libasan. Takes some minutes.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SEED } from '../__test__/support/seed.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = 'x86_64-unknown-linux-gnu';
const folder = join(root, 'target/sanitized');
const env = {
  ...process.env,
  // Optimised a little, so that neither the build nor the tests take long; with the checks of a debug build.
  CARGO_PROFILE_RELEASE_OPT_LEVEL: '1',
  CARGO_PROFILE_RELEASE_LTO: 'off',
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
  CARGO_PROFILE_RELEASE_DEBUG: 'line-tables-only',
  CARGO_PROFILE_RELEASE_STRIP: 'none',
  CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS: 'true',
  CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS: 'true',
  CARGO_TARGET_DIR: folder,
  RUSTFLAGS: '-Zsanitizer=address',
  CI: '1',
  PROPTEST_RNG_SEED: String(SEED),
};
const cargo = (...args) => execFileSync('cargo', ['+nightly', ...args], { cwd: root, stdio: 'inherit', env });

// Build scripts and macros are not sanitized where the target is named.
cargo('test', '--quiet', '--locked', '--release', '--no-default-features', '--target', target, '--lib', '--tests');

// The addon in a copy of the package, so that the one in the work tree stays as it is.
cargo('build', '--locked', '--release', '--target', target);
const copy = join(folder, 'package');
mkdirSync(copy, { recursive: true });
for (const name of ['index.js', 'index.mjs', 'lib', 'package.json', '__test__']) {
  cpSync(join(root, name), join(copy, name), { recursive: true, force: true });
}
cpSync(join(folder, target, 'release/libpalimpsest.so'), join(copy, 'palimpsest.linux-x64-gnu.node'));
try {
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
}
const libasan = execFileSync('gcc', ['-print-file-name=libasan.so'], { encoding: 'utf8' }).trim();
execFileSync(process.execPath, ['--test', '__test__/robustness.slow.test.mjs'], {
  cwd: copy,
  stdio: 'inherit',
  // Node itself leaves memory to the system when it exits.
  env: { ...process.env, CI: '1', LD_PRELOAD: libasan, ASAN_OPTIONS: 'detect_leaks=0:abort_on_error=1' },
});
