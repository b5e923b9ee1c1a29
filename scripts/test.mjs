// Runs all tests: the engine's (cargo) and the package's (node:test). With `--js` only the latter, for machines that got the
// addon from elsewhere and have no Rust.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// In CI, property tests use fixed seeds; __test__/support/seed.mjs fixes those of JavaScript.
const env = process.env.CI ? { PROPTEST_RNG_SEED: '20261122', ...process.env } : process.env;
const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: 'inherit', env });

if (!process.argv.includes('--js')) run('cargo', ['test', '--quiet', '--no-default-features']);
const isTest = (name) => name.endsWith('.test.mjs') && !name.includes('node_modules');
const files = readdirSync(join(root, '__test__'), { recursive: true }).filter(isTest);
// A file for each core; by default Node.js leaves one of them idle.
const concurrency = `--test-concurrency=${availableParallelism()}`;
run(process.execPath, ['--import', './__test__/support/seed.mjs', '--test', concurrency, ...files.map((name) => join('__test__', name))]);
