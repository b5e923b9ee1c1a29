// Runs tests: the engine's (cargo) and the package's (node:test).
//   node scripts/test.mjs [--all] [--js] [ROOMS OR FILES]
// Without `--all` those of `*.slow.test.mjs` are left out, and the package's random tests try a tenth of their cases. With `--js` only the package's run, for
// machines that got the addon from elsewhere and have no Rust. With rooms or files (`filesOf`) all of their tests run, and none of cargo's.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { SEED } from '../__test__/support/seed.mjs';
import { all, filesOf, nodeOf, root, seeded, TEST_OPTIONS } from './test-files.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' }, js: { type: 'boolean' } } });
const isPlain = !values.all && positionals.length === 0;
Object.assign(process.env, seeded(SEED, process.env.TEST_CASES ?? (isPlain ? 0.1 : 1)));
console.log(`TEST_SEED=${process.env.TEST_SEED} TEST_CASES=${process.env.TEST_CASES}`);
// The command that runs gets an interrupt, too, and ends; what this process wrote is then removed.
process.on('SIGINT', () => {});
/** Runs a command and returns its exit code. */
const exitCode = (command, args) => {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (signal) process.exit(1);
  return status;
};

if (!values.js && positionals.length === 0) {
  const code = exitCode('cargo', ['test', '--quiet', '--no-default-features']);
  if (code !== 0) process.exit(code);
}
const chosen = positionals.length > 0 ? positionals.flatMap(filesOf) : all.filter((path) => values.all || !path.includes('.slow.'));
for (const node of new Set(chosen.map(nodeOf))) {
  const paths = chosen.filter((path) => nodeOf(path) === node);
  // A file for each core; by default Node.js leaves one of them idle.
  const code = exitCode(node, [...TEST_OPTIONS, `--test-concurrency=${availableParallelism()}`, ...paths]);
  if (code !== 0) process.exitCode = code;
}
