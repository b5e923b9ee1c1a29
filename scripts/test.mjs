// Runs all tests: the engine's (cargo) and the package's (node:test). With `--js` only the latter, for machines that got the
// addon from elsewhere and have no Rust.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SEED } from '../__test__/support/seed.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// Random tests of both languages make their cases from one seed: a new one for each run, unless TEST_SEED has that of an earlier run.
const env = { ...process.env, TEST_SEED: String(SEED), PROPTEST_RNG_SEED: String(SEED) };
console.log(`TEST_SEED=${SEED}`);
/** Runs a command; ends this process with its exit code if it fails. */
const run = (command, args) => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
};

if (!process.argv.includes('--js')) run('cargo', ['test', '--quiet', '--no-default-features']);
const isTest = (name) => name.endsWith('.test.mjs') && !name.includes('node_modules');
const folders = ['__test__', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name, '__test__'))];
const paths = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter(isTest)
    .map((name) => join(folder, name)),
);
const options = [
  // A file for each core; by default Node.js leaves one of them idle.
  `--test-concurrency=${availableParallelism()}`,
  // Names the failed tests once more at the end; the reporter for pipes doesn't.
  '--test-reporter=spec',
];
run(process.execPath, ['--import', './__test__/support/seed.mjs', '--test', ...options, ...paths]);
