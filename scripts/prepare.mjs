// Installs the dev dependencies, and builds the native addon, dist/ and packages/*/dist/, each only if it is not current.
//   node scripts/prepare.mjs [--tests] [--published]
// With `--tests` the SDKs and tools of tests and lint are installed, too (__test__/dependencies/). With `--published` the engine is as it is
// published, for where its speed or size counts; otherwise one that is built faster will do.
// Runs before `npm test` and `npm run demo`, also in a fresh clone, and therefore uses nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { engines, isQuick, markQuick } from './engine.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({ options: { tests: { type: 'boolean' }, published: { type: 'boolean' } } });
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Runs a command, and prints what it does and the time that it took. */
function run(what, command, args, env) {
  process.stdout.write(`${what} … `);
  const started = performance.now();
  const { status, error, stdout } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
    maxBuffer: 2 ** 28,
  });
  if (error) throw error;
  if (status !== 0) {
    console.log(`failed\n${stdout}`);
    process.exit(status ?? 1);
  }
  console.log(`${Math.ceil((performance.now() - started) / 1000)} s`);
}

/** Returns the newest modification time below `path`, in ms; 0 if there is nothing. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
const newestOf = (names) => Math.max(...names.map((name) => newest(join(root, name))));

// What npm wrote about its last install.
const installed = join(root, 'node_modules/.package-lock.json');
const hasTests = existsSync(installed) && 'node_modules/palimpsest-tests' in JSON.parse(readFileSync(installed, 'utf8')).packages;
if (newest(installed) < newestOf(['package-lock.json']) || (values.tests && !hasTests)) {
  // Whoever had all keeps all.
  const isAll = values.tests || hasTests;
  const what = isAll ? 'Installing what builds, tests and lint need' : 'Installing what a build needs';
  run(what, npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(isAll ? [] : ['--workspaces=false'])]);
}
// npm links the `node` of the package node-22, and its scripts would run with that instead of the Node.js that was called.
rmSync(join(root, 'node_modules/.bin/node'), { force: true });
// The demo's page comes from packages/cli, which asks for the package by its name. npm links it with the workspaces alone.
if (!existsSync(join(root, 'node_modules/palimpsest'))) symlinkSync('..', join(root, 'node_modules/palimpsest'), 'junction');

const sources = newestOf(['src', 'crates', 'Cargo.toml', 'Cargo.lock', 'build.rs']);
const isBuilt = engines().some(({ time }) => time >= sources);
// Cargo says nothing but what is wrong.
const quiet = { CARGO_TERM_QUIET: 'true' };
if (values.published && (!isBuilt || isQuick()))
  run('Building the engine as it is published', npm, ['run', '--silent', 'build:addon'], quiet);
else if (!isBuilt) {
  run('Building the engine, optimised a little', npm, ['run', '--silent', 'build:quick'], quiet);
  markQuick();
}

const isCurrent = (folder, sources) => newest(join(root, folder)) >= newestOf([...sources, 'scripts/build.mjs']);
const isProgramCurrent = (folder) => isCurrent(`${folder}/dist`, [`${folder}/src`, `${folder}/tsconfig.json`]);
if (
  !isCurrent('dist', ['lib', 'package.json']) ||
  !readdirSync(join(root, 'packages')).every((name) => isProgramCurrent(`packages/${name}`))
)
  run('Building dist/ and packages/*/dist/', process.execPath, ['scripts/build.mjs']);
