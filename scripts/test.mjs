// Runs all tests: the engine's (cargo) and the package's (node:test). With `--js` only the latter, for machines that got the
// addon from elsewhere and have no Rust.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// In CI, property tests use fixed seeds; __test__/support/seed.mjs fixes those of JavaScript.
const env = process.env.CI ? { PROPTEST_RNG_SEED: '20261122', ...process.env } : process.env;
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
