// Publishes the staged packages: the engines, then the package that asks for them, then the programs.
//   node scripts/publish.mjs STAGED [--dry-run]
// A version that is published already is left alone, so that a release that failed half-way can be run again.
// `--dry-run` publishes nothing, and prints what would be.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from './staging.mjs';

const windows = process.platform === 'win32';
const npm = windows ? 'npm.cmd' : 'npm';
/** Packages after those that they depend on. */
const LAST = ['palimpsest', ...PROGRAMS];

/** Returns the folders of staged packages, in the order in which they are published. */
export const inOrder = (staged) =>
  readdirSync(staged)
    .sort((a, b) => LAST.indexOf(a) - LAST.indexOf(b) || a.localeCompare(b))
    .map((name) => join(staged, name));

/** Returns npm's account of what it would publish: `name`, `version`, `size` and `unpackedSize` in bytes, `files`. */
export function dryRun(folder) {
  const options = ['publish', '--dry-run', '--json', '--ignore-scripts', '--access', 'public', folder];
  // Its notices are kept back; the error of a run that fails has them.
  const output = execFileSync(npm, options, { encoding: 'utf8', shell: windows, stdio: 'pipe' });
  const account = JSON.parse(output);
  // Since version 11, npm names the package outside.
  return account.name === undefined ? Object.values(account)[0] : account;
}

/** Returns one line about a package, from npm's account of it. */
export const describe = ({ name, version, size, unpackedSize, files }) =>
  `${`${name}@${version}`.padEnd(44)} ${`${files.length} files`.padStart(10)} ${`${(size / 1e3).toFixed(0)} kB`.padStart(8)} packed ${`${(unpackedSize / 1e3).toFixed(0)} kB`.padStart(9)} unpacked`;

function publish(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const published = spawnSync(npm, ['view', `${name}@${version}`, 'version'], { encoding: 'utf8', shell: windows });
  if (published.status === 0 && published.stdout.trim() === version) console.log(`${name}@${version} is published already`);
  else execFileSync(npm, ['publish', folder, '--access', 'public', '--provenance'], { stdio: 'inherit', shell: windows });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean', default: false } } });
  if (positionals.length !== 1) throw new Error('usage: node scripts/publish.mjs STAGED [--dry-run]');
  for (const folder of inOrder(resolve(positionals[0]))) {
    if (values['dry-run']) console.log(describe(dryRun(folder)));
    else publish(folder);
  }
}
