// Runs tests: the engine's (cargo) and the package's (node:test), those on the package as it is published, unless they look inside.
//   node scripts/test.mjs [--all] [--js] [ROOMS OR FILES]
// Without `--all` those of `*.slow.test.mjs` are left out. With `--js` only the package's, for machines that got the addon from elsewhere and
// have no Rust. A room is a folder or a file of `__test__`, such as `fit`, or a package, such as `cli`: all of its tests run, and none of cargo's.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SEED } from '../__test__/support/seed.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' }, js: { type: 'boolean' } } });
// Random tests of both languages make their cases from one seed: a new one for each run, unless TEST_SEED has that of an earlier run.
const env = { ...process.env, TEST_SEED: String(SEED), PROPTEST_RNG_SEED: String(SEED) };
console.log(`TEST_SEED=${SEED}`);
// The command that runs gets an interrupt, too, and ends; what this process wrote is then removed.
process.on('SIGINT', () => {});
/** Runs a command and returns its exit code. */
const exitCode = (command, args, more) => {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...env, ...more } });
  if (error) throw error;
  if (signal) process.exit(1);
  return status;
};
/** Runs a command; ends this process with its exit code if it fails. */
const run = (command, args) => {
  const code = exitCode(command, args);
  if (code !== 0) process.exit(code);
};

/** Installs the package in a folder of its own, below the SDKs that it is used with. Returns what makes the tests use it. */
function published() {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'palimpsest-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  run(process.execPath, ['scripts/stage.mjs', modules]);
  const engines = readdirSync(modules).filter((name) => name !== 'palimpsest');
  mkdirSync(join(modules, '@palimpsest'));
  for (const name of engines) renameSync(join(modules, name), join(modules, '@palimpsest', `engine-${name}`));
  const hook = join(root, '__test__/support/published.cjs').replaceAll('\\', '/');
  return {
    PALIMPSEST_PUBLISHED: join(modules, 'palimpsest'),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require "${hook}"`.trim(),
  };
}

/** The tests with SDKs that want Node.js 22 run under that, and all others under this one. */
function byNode(paths) {
  const newer = join(root, 'node_modules/node-22/bin/node');
  if (Number(process.versions.node.split('.')[0]) >= 22 || !existsSync(newer)) return [[process.execPath, paths]];
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanting = Object.keys(devDependencies).filter((name) => {
    const { engines } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return /^>=\s*22\b/.test(engines?.node ?? '');
  });
  const imports = new RegExp(`from '(?:${wanting.join('|')})['/]`);
  const isNewer = (path) => imports.test(readFileSync(join(root, path), 'utf8'));
  return [
    [process.execPath, paths.filter((path) => !isNewer(path))],
    [newer, paths.filter(isNewer)],
  ];
}

const isTest = (name) => name.endsWith('.test.mjs') && !name.includes('node_modules');
const folders = ['__test__', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name, '__test__'))];
const all = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter(isTest)
    .map((name) => join(folder, name)),
);
/** The files of a room; a file is one. */
function filesOf(room) {
  if (isTest(room)) return [room];
  const isIn = (path) =>
    [`__test__/${room}/`, `__test__/${room}.`, `packages/${room}/`].some((start) => path.replaceAll('\\', '/').startsWith(start));
  const files = all.filter(isIn);
  if (files.length > 0) return files;
  console.error(`no tests are in __test__/${room}, __test__/${room}.*.test.mjs or packages/${room}`);
  process.exit(1);
}
const chosen = positionals.length > 0 ? positionals.flatMap(filesOf) : all.filter((path) => values.all || !path.includes('.slow.'));
const options = [
  // A file for each core; by default Node.js leaves one of them idle.
  `--test-concurrency=${availableParallelism()}`,
  // Names the failed tests once more at the end; the reporter for pipes doesn't.
  '--test-reporter=spec',
];

if (!values.js && positionals.length === 0) run('cargo', ['test', '--quiet', '--no-default-features']);
const asPublished = published();
for (const [node, paths] of byNode(chosen)) {
  if (paths.length === 0) continue;
  const code = exitCode(node, ['--import', './__test__/support/seed.mjs', '--test', ...options, ...paths], asPublished);
  if (code !== 0) process.exitCode = code;
}
