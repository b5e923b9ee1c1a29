// The gates against a fixed state: the rows that matter are measured in turns with one commit, which never changes, so that no row can grow by a little
// in each of many commits.
//
//   npm run bench -- --fixed            fails where a row takes more than a tenth longer than `fixed.json` accepts; `--short` does this, too
//   npm run bench -- --fixed --write    accepts what each row takes now; say in the commit why it may
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareWith } from './against.mjs';
import { root } from './package.mjs';

/** The commit, and how many times as long as there each row may take: 1 where nothing was accepted. */
const RECORD = new URL('fixed.json', import.meta.url);
/** By how much a row may exceed that: two runs of one build differ by less. */
const SLACK = 1.1;

export const fixedRecord = () => JSON.parse(readFileSync(RECORD, 'utf8'));

const run = (command, args, cwd, env) =>
  execFileSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });

/** Builds a commit of this repository as it is published, with the tools that are installed here. Returns its folder; builds it once. */
export function built(commit) {
  const folder = join(root, 'target/fixed', commit);
  if (existsSync(join(folder, 'dist/index.mjs'))) return folder;
  console.log(`Building ${commit.slice(0, 8)} in target/fixed, which takes a minute or two`);
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  // All packages but those of the work tree itself.
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.endsWith('palimpsest') && !existsSync(join(modules, name)))
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  if (!existsSync(join(modules, 'palimpsest'))) symlinkSync('..', join(modules, 'palimpsest'));
  run('npm', ['run', '--silent', 'build:addon'], folder, { CARGO_TARGET_DIR: join(root, 'target/fixed/build'), CARGO_TERM_QUIET: 'true' });
  run(process.execPath, ['scripts/build.mjs'], folder);
  return folder;
}

const isKnown = (commit) => {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Compares the rows of the record with the fixed state. Returns a line for each that became too slow. */
export async function compareFixed(groups, { write }) {
  const record = fixedRecord();
  // Git hosts' checkouts have the last commit alone.
  if (!isKnown(record.commit)) execFileSync('git', ['fetch', '--quiet', '--depth=1', 'origin', record.commit], { cwd: root });
  const names = Object.keys(record.rows);
  const found = await compareWith(built(record.commit), groups, {
    names,
    limitOf: (name) => (write ? Infinity : SLACK * record.rows[name]),
  });
  const missing = names.filter((name) => !found.some(({ workload }) => workload === name));
  if (missing.length > 0) throw new Error(`${RECORD.pathname} names rows that the benchmark does not have: ${missing.join(', ')}`);
  if (write) {
    const rows = Object.fromEntries(found.map(({ workload, ratio }) => [workload, Math.max(1, Number(ratio.toFixed(2)))]));
    writeFileSync(RECORD, `${JSON.stringify({ ...record, rows }, null, 2)}\n`);
  }
  return found
    .filter(({ isSlower }) => isSlower)
    .map(
      ({ workload, ratio }) =>
        `${workload} takes ${ratio.toFixed(2)} times what it took at ${record.commit.slice(0, 8)}, accepted are ${record.rows[workload]}`,
    );
}
