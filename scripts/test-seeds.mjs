// Runs all random tests, of Rust and JavaScript, under seeds that nobody has tried. Prints each seed, and of each failure the command that repeats it.
//   node scripts/test-seeds.mjs [--seeds 40 | --minutes 10] [ROOMS OR FILES]
// A file of tests is random if it reaches fast-check or __test__/support/seed.mjs by its imports, and a crate if it depends on proptest. With rooms
// or files (`filesOf`) only theirs run, and none of cargo's. The exit code is 1 if a seed fails.
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { all, filesOf, nodeOf, root, seeded, TEST_OPTIONS } from './test-files.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seeds: { type: 'string' }, minutes: { type: 'string' } } });
const [seeds, minutes] = [values.seeds, values.minutes].map((value) => {
  if (value !== undefined && !(Number(value) > 0)) throw new RangeError(`--seeds and --minutes take a number above 0, got ${value}`);
  return value === undefined ? Infinity : Number(value);
});
const most = seeds === Infinity && minutes === Infinity ? 1 : seeds;
const end = performance.now() + 60_000 * minutes;
const cases = process.env.TEST_CASES ?? 1;

const known = new Map();
/** Whether a module reaches the seed by its imports. */
function isRandom(path) {
  if (!known.has(path)) {
    known.set(path, path === join(root, '__test__/support/seed.mjs'));
    const text = readFileSync(path, 'utf8');
    const imports = [...text.matchAll(/^(?:import|export|\} from)\b[^;]*?'([^']+)';$/gm)].map(([, module]) => module);
    const others = imports.filter((module) => module.startsWith('.')).map((module) => join(dirname(path), module));
    if (imports.includes('fast-check') || others.filter((file) => file.endsWith('.mjs') && existsSync(file)).some(isRandom))
      known.set(path, true);
  }
  return known.get(path);
}
const chosen = positionals.length > 0 ? positionals.flatMap(filesOf) : all;
const files = chosen.filter((path) => isRandom(join(root, path)));

/** The crates with properties, and the test binaries that have them are cargo's to find. */
function randomCrates() {
  const { status, stdout } = spawnSync('cargo', ['metadata', '--format-version=1', '--no-deps'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error('cargo metadata failed');
  return JSON.parse(stdout)
    .packages.filter(({ dependencies }) => dependencies.some(({ name }) => name === 'proptest'))
    .map(({ name }) => name);
}

/** What there is to run: a name, a command, and the command for a person who repeats it. */
const jobs = files.map((path) => ({
  name: path,
  command: nodeOf(path),
  args: [...TEST_OPTIONS, path],
  repeat: (seed) => `TEST_SEED=${seed} TEST_CASES=${cases} npm test -- ${path}`,
}));
if (positionals.length === 0)
  for (const crate of randomCrates()) {
    const args = ['test', '--quiet', '--no-default-features', '--package', crate];
    const { PROPTEST_CASES } = seeded(0, cases);
    jobs.unshift({
      name: crate,
      command: 'cargo',
      args,
      repeat: (seed) => `PROPTEST_RNG_SEED=${seed} PROPTEST_CASES=${PROPTEST_CASES} cargo ${args.join(' ')}`,
    });
  }
if (jobs.length === 0) {
  console.error(`no test of ${positionals.join(', ')} is random`);
  process.exit(1);
}

/** Runs a job under a seed. Returns what it printed if it failed. */
const run = ({ command, args }, seed) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env: seeded(seed, cases), stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? undefined : printed));
  });

const failures = [];
console.log(`${jobs.length} random ${jobs.length === 1 ? 'test file or crate' : 'test files and crates'}, TEST_CASES=${cases}`);
for (let number = 0; number < most && performance.now() < end; number++) {
  const seed = randomInt(2 ** 31);
  console.log(`TEST_SEED=${seed}`);
  // In another order each time, so that none is always the one for which no time is left.
  const waiting = jobs
    .map((job) => ({ job, place: randomInt(2 ** 31) }))
    .sort((a, b) => a.place - b.place)
    .map(({ job }) => job);
  const work = async () => {
    // With --minutes the last seed ends where its time does.
    for (let job = waiting.shift(); job !== undefined && performance.now() < end; job = waiting.shift()) {
      const printed = await run(job, seed);
      if (printed === undefined) continue;
      failures.push(job.repeat(seed));
      console.log(`\n${printed}\n${job.name} fails under ${seed}. To repeat it:\n  ${job.repeat(seed)}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  if (waiting.length > 0) console.log(`  ${jobs.length - waiting.length} of ${jobs.length} were run when the time was over`);
}
console.log(failures.length === 0 ? 'All passed.' : `\n${failures.length} failed:\n  ${failures.join('\n  ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;
