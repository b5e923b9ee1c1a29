// What is in the native engine and not ours: crates whose code or data it contains, and the rest.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cargo = (...args) => execFileSync('cargo', [...args, '--locked'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });

/** Crates that build scripts take data from. */
const DATA = ['unicode-properties'];

/** What is in it besides, under the terms of MIT. `id` names it in the bill of materials. */
export const OTHERS = [
  {
    id: 'rust-std',
    type: 'library',
    name: 'The Rust standard library',
    license: 'MIT OR Apache-2.0',
    holder: 'The Rust Project contributors',
  },
  { id: 'tiktoken', type: 'data', name: 'The vocabularies of tiktoken', license: 'MIT', holder: '2022 OpenAI, Shantanu Jain' },
];

/** Returns the packages of `cargo metadata` that are compiled into the engine, for any platform, in cargo's order. */
export function compiledIn() {
  // Build scripts, procedural macros and dev dependencies leave nothing in the binary.
  const tree = cargo('tree', '--edges', 'normal,no-proc-macro', '--target', 'all', '--prefix', 'none', '--format', '{p}');
  const names = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join('@').replace('@v', '@')));
  const { packages } = JSON.parse(cargo('metadata', '--format-version', '1'));
  return packages.filter(({ name, version, source }) => source !== null && (names.has(`${name}@${version}`) || DATA.includes(name)));
}
