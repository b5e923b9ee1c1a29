// The crates whose code or data is in the native engine.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cargo = (...args) => execFileSync('cargo', [...args, '--locked'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });

/** Crates that build scripts take data from. */
const DATA = ['unicode-properties'];

/** Returns the packages of `cargo metadata` that are compiled into the engine, for any platform, in cargo's order. */
export function compiledIn() {
  // Build scripts, procedural macros and dev dependencies leave nothing in the binary.
  const tree = cargo('tree', '--edges', 'normal,no-proc-macro', '--target', 'all', '--prefix', 'none', '--format', '{p}');
  const names = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join('@').replace('@v', '@')));
  const { packages } = JSON.parse(cargo('metadata', '--format-version', '1'));
  return packages.filter(({ name, version, source }) => source !== null && (names.has(`${name}@${version}`) || DATA.includes(name)));
}
