// What each constant of the choice is worth: the measures once more with its neutral value, at which its rule changes nothing. The constants, with
// their units and what set them, are in crates/agent/src/fit/policy.rs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowOf as askedRow } from './asked.mjs';
import { outputOf, root, rowsOf } from './evaluations.mjs';
import { RHOS } from './fit.mjs';
import { rowOf as usesRow } from './uses.mjs';

/** Where the engine with the feature `ablate` is, as in a package of its own. */
const FOLDER = join(root, 'target/ablate');
/** A line for each constant that was measured, so that a run that was stopped goes on where it was. */
const RESULTS = join(FOLDER, 'results.jsonl');
const MEASURES = ['facts', 'quotes older', 'quotes recent', 'values', 'requests', 'asked', 'runs', 'rules'];
/** A smaller difference in points is noise. */
const NOISE = 0.1;

/** Builds that engine beside the one in use, with the library around it. Gives the constants, and a name for this build. */
function build() {
  const args = [
    'build',
    '--package',
    'palimpsest',
    '--platform',
    '--profile',
    'quick',
    '--no-js',
    '--features',
    'ablate',
    '--output-dir',
    FOLDER,
  ];
  const { status } = spawnSync('napi', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`napi ${args.join(' ')} failed`);
  for (const name of ['dist', 'package.json']) cpSync(join(root, name), join(FOLDER, name), { recursive: true });
  const engine = join(
    FOLDER,
    readdirSync(FOLDER).find((name) => name.endsWith('.node')),
  );
  const constants = createRequire(import.meta.url)(engine)
    .policyConstants()
    .map(([name, unit, value, neutral]) => ({ name, unit, value, neutral }));
  return { constants, digest: createHash('sha256').update(readFileSync(engine)).digest('hex').slice(0, 16) };
}

/** What is there, of how many, by measure and agent. */
class Tally {
  counts = {};

  add(measure, agent, there, of) {
    this.counts[measure] ??= {};
    const [before, all] = this.counts[measure][agent] ?? [0, 0];
    this.counts[measure][agent] = [before + there, all + of];
  }
}

/**
 * Measures the engine with some constants changed, at all of `RHOS`.
 *
 * @param {URL} shared the folder with `eval`, `corpus` and `recordings`
 * @param {number} every takes about one case in so many
 * @param {string} changes as `PALIMPSEST_ABLATE` has them
 * @returns {Promise<{ counts: Record<string, Record<string, [number, number]>>, fits: string[] }>} what is there, of how many, by measure and agent, and
 *   a hash of what each of some fits keeps
 */
async function measure(shared, every, changes) {
  const path = (name) => fileURLToPath(new URL(name, shared));
  const env = { PALIMPSEST_ABLATE: changes };
  const sampled = (count) => String(Math.ceil(count / every));
  const engine = `fit=${join(FOLDER, 'dist/index.mjs')}`;
  const plain = ['--corpus', path('corpus/plain')];
  const both = [...plain, '--corpus', path('recordings/plain')];
  const common = ['--engine', engine, '--rho', RHOS.join(',')];
  const tally = new Tally();
  let fits = [];

  const kept = async () => {
    const args = [join(FOLDER, 'dist/index.mjs'), String(Math.ceil(every / 2)), path('corpus/plain'), path('recordings/plain')];
    fits = (await outputOf(fileURLToPath(new URL('fits.mjs', import.meta.url)), args, env)).trim().split('\n');
  };
  const facts = async () => {
    const args = [...both, ...common, '--max', '1000', '--per-source', sampled(8)];
    for (const { source, fits, recall, err } of await rowsOf(path('eval/future-use.mjs'), args, env)) {
      if (err !== null) throw new Error(err);
      tally.add('facts', source, fits ? recall : 0, 1);
    }
  };
  const uses = async (args) => {
    const lines = (await outputOf(path('eval/uses.mjs'), [...common, ...args], env)).split('\n');
    for (const { name, kinds } of lines.flatMap(usesRow))
      for (const [, agent, there, of] of kinds.matchAll(/(\S+) (\d+) \((\d+)\)/g))
        tally.add(name, agent, Math.round((there * of) / 100), Number(of));
  };
  const asked = async () => {
    const lines = (await outputOf(path('eval/asked.mjs'), [path('corpus'), ...common, '--max', sampled(132)], env)).split('\n');
    for (const { kind, questions, answered } of lines.flatMap(askedRow))
      tally.add('asked', kind, Math.round(answered * questions), questions);
  };
  const runs = async (kind) => {
    const args = [kind, '--package', FOLDER, '--only', 'fit', '--every', String(every)];
    for (const { src, per } of (await rowsOf(path('eval/outcome.mjs'), args, env)).rows)
      for (const [there, of] of Object.values(per)) tally.add('runs', src, there / of, 1);
  };
  const rules = async () => {
    const files = ['corpus/native/', 'recordings/native/'].flatMap((folder) =>
      readdirSync(path(folder)).map((file) => path(folder) + file),
    );
    const args = [...files, '--package', FOLDER, '--limit', '64000', '--max', sampled(16)];
    for (const { source, acc } of (await rowsOf(path('eval/rules.mjs'), args, env)).rows)
      for (const [there, of] of Object.values(acc)) if (of > 0) tally.add('rules', source, there, of);
  };
  await Promise.all([
    kept().then(() => uses([...both, '--only', 'quotes', '--max', sampled(400)])),
    facts().then(asked).then(rules),
    uses([...plain, '--only', 'values,requests'])
      .then(() => runs('swe'))
      .then(() => runs('tau2')),
  ]);
  return { counts: tally.counts, fits };
}

/** The results so far of this build and sample, by changes. */
function resultsOf(digest, every) {
  const lines = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8').split('\n').filter(Boolean) : [];
  const own = lines.map((line) => JSON.parse(line)).filter((one) => one.digest === digest && one.every === every);
  return new Map(own.map(({ changes, measured }) => [changes, measured]));
}

const sum = (agents) => Object.values(agents ?? {}).reduce(([a, b], [there, of]) => [a + there, b + of], [0, 0]);
const points = ([there, of]) => (of === 0 ? 0 : (100 * there) / of);
const signed = (difference) => (Math.abs(difference) < NOISE ? '0' : `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(1)}`);

/** The differences of a measure: of all, and by agent those that are more than noise. */
function differences(before, after, name) {
  const agents = Object.keys(before[name] ?? {}).map((agent) => [
    agent,
    points(after[name]?.[agent] ?? [0, 1]) - points(before[name][agent]),
  ]);
  return { all: points(sum(after[name])) - points(sum(before[name])), agents: agents.filter(([, by]) => Math.abs(by) >= NOISE) };
}

/** A table in Markdown: a row for each constant, how many fits keep something else, the difference in points of each measure, and by agent where the agents differ. */
function tableOf(before, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const cell = ({ counts }, name) => {
    const { all, agents } = differences(before.counts, counts, name);
    if (agents.length === 0) return signed(all);
    const [first, last] = [agents.reduce((a, b) => (b[1] < a[1] ? b : a)), agents.reduce((a, b) => (b[1] > a[1] ? b : a))];
    const ends = first === last ? [first] : [first, last];
    return `${signed(all)} (${ends.map(([agent, by]) => `${agent} ${signed(by)}`).join(', ')})`;
  };
  const base = ['as it is', '', '', `${before.fits.length} fits`, ...MEASURES.map((name) => points(sum(before.counts[name])).toFixed(1))];
  return [
    line(['constant', 'value', 'neutral', 'changed', ...MEASURES]),
    line(['---', '---:', '---:', '---:', ...MEASURES.map(() => '---:')]),
    line(base),
    ...rows.map(({ name, value, neutral, measured }) => {
      const changed = measured.fits.filter((kept, index) => kept !== before.fits[index]).length;
      return line([`\`${name}\``, value, neutral, changed, ...MEASURES.map((one) => cell(measured, one))]);
    }),
  ].join('\n');
}

/**
 * Ablates constants one by one, and prints what each is worth.
 *
 * @param {URL} shared the folder with `eval`, `corpus` and `recordings`
 * @param {{ names: string[], every: number, log?: (line: string) => void }} options `names` are constants or groups of them; all if there are none
 * @returns {Promise<string>} the table
 */
export async function ablate(shared, { names, every, log = console.log }) {
  if (!(every >= 1)) throw new Error(`--every takes a number from 1 on, not ${every}`);
  const { constants, digest } = build();
  const isNamed = ({ name }) => names.length === 0 || names.some((one) => name === one || name.startsWith(`${one}.`));
  const chosen = constants.filter(isNamed);
  if (chosen.length === 0)
    throw new Error(`No constant of the policy is named ${names.join(' or ')}. They are: ${constants.map(({ name }) => name).join(', ')}`);
  const known = resultsOf(digest, every);
  const counted = async (changes) => {
    const before = known.get(changes);
    if (before) return before;
    const measured = await measure(shared, every, changes);
    appendFileSync(RESULTS, `${JSON.stringify({ digest, every, changes, measured })}\n`);
    return measured;
  };
  const base = await counted('');
  const rows = [];
  for (const constant of chosen) {
    rows.push({ ...constant, measured: await counted(`${constant.name}=${constant.neutral}`) });
    log(tableOf(base, rows.slice(-1)).split('\n').at(-1));
  }
  return tableOf(base, rows);
}
