// Installs the dev dependencies, and builds the native addon and dist/, each only if it is not current.
// Runs before `npm test` and `npm run demo`, also in a fresh clone, and therefore uses nothing but Node itself.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });

/** Returns the newest modification time below `path`, in ms; 0 if there is nothing. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const installed = newest(join(root, 'node_modules/.package-lock.json'));
if (installed < newest(join(root, 'package-lock.json'))) run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
// npm links the `node` of the package node-22, and its scripts would run with that instead of the Node.js that was called.
rmSync(join(root, 'node_modules/.bin/node'), { force: true });

const sources = ['src', 'crates', 'Cargo.toml', 'Cargo.lock', 'build.rs'].map((name) => newest(join(root, name)));
const addons = readdirSync(root)
  .filter((name) => name.endsWith('.node'))
  .map((name) => newest(join(root, name)));
if (Math.max(0, ...addons) < Math.max(...sources)) run(npm, ['run', '--silent', 'build:addon']);

if (newest(join(root, 'dist')) < Math.max(...['lib', 'package.json', 'scripts/build.mjs'].map((name) => newest(join(root, name)))))
  run(process.execPath, ['scripts/build.mjs']);
