// The board: what strategies that people can install keep of recorded runs with outcomes, and what they cost. No model is asked.
//
//   npm run board [-- [FOLDER] [--write] [--seed N]]
//
// FOLDER has `runs/swe.json.gz` and `runs/tau2.json.gz`, as `rebuild.mjs` writes them; otherwise it is ../shared/recordings. `--write` writes the tables
// into README.md, and what they are made of into board.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSection } from '../quality/pages.mjs';
import { difference, draws, estimate, TIMES } from './bootstrap.mjs';
import { LEAST, measureCost, sizesOf } from './cost.mjs';
import { MEASURES, SIZES, measureKeeps } from './keeps.mjs';
import { KINDS, readRuns } from './runs.mjs';
import { STRATEGIES } from './strategies/index.mjs';
import { SESSION } from './strategies/palimpsest.mjs';
import { board } from './table.mjs';

const rounded = (value) => Math.round(100 * value) / 100;
const roundedAll = (numbers) => Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, rounded(value)]));
const groupsOf = (runs) => KINDS.map((kind) => runs.flatMap((run, index) => (run.kind === kind ? [index] : [])));

/** Of how many cases a share is, and of how many runs. */
const countsOf = (pairs) => [pairs.reduce((sum, [, all]) => sum + all, 0), pairs.filter(([, all]) => all > 0).length];

/** The rows of a size: estimates, and which strategies keep more than `fit` beyond chance. */
function keepsOf(rows, drawn) {
  const [fit] = rows;
  const better = rows.flatMap(({ strategy: { name }, pairs }) =>
    MEASURES.flatMap((measure) => {
      const by = difference(pairs[measure], fit.pairs[measure], drawn);
      return by.low > 0 ? [{ name, measure, by: roundedAll(by) }] : [];
    }),
  );
  return {
    size: fit.size,
    cuts: fit.cuts,
    counts: Object.fromEntries(MEASURES.map((measure) => [measure, countsOf(fit.pairs[measure])])),
    rows: rows.map(({ strategy: { name }, pairs, valid, used, trimmed, ms }) => ({
      name,
      measures: Object.fromEntries(MEASURES.map((measure) => [measure, roundedAll(estimate(pairs[measure], drawn))])),
      valid: roundedAll(valid),
      ...roundedAll({ used, trimmed, ms }),
    })),
    better,
  };
}

const nameOf = ({ strategy, depth }) => {
  if (strategy === undefined) return 'nothing cut';
  if (strategy.name === SESSION) return strategy.name;
  return `${strategy.name}, cut to ${depth === 1 ? 'the limit' : 'half of it'}`;
};

function costOf(rows, drawn) {
  const session = rows.find(({ strategy }) => strategy?.name === SESSION);
  return rows.map((row) => {
    const { anthropic, openai, needs, read, fresh } = row;
    const [{ value: isRead }, { value: isFresh }] = [estimate(read, drawn), estimate(fresh, drawn)];
    return {
      name: nameOf(row),
      ...Object.fromEntries(
        Object.entries({ anthropic, openai, needs }).map(([name, pairs]) => [name, roundedAll(estimate(pairs, drawn))]),
      ),
      // Estimates are in %, these are tokens a request.
      ...roundedAll({ read: isRead / 100, fresh: isFresh / 100 }),
      beside: [difference(anthropic, session.anthropic, drawn), difference(needs, session.needs, drawn)].map(roundedAll),
    };
  });
}

/** The versions of the packages that were measured. */
function versions() {
  const require = createRequire(import.meta.url);
  const names = STRATEGIES.flatMap(({ package: name }) => name ?? []);
  const file = (name) =>
    require.resolve
      .paths(name)
      .map((folder) => resolve(folder, name, 'package.json'))
      .find(existsSync);
  return Object.fromEntries(names.map((name) => [name, JSON.parse(readFileSync(file(name), 'utf8')).version]));
}

/** Measures runs; what it returns is `board.json`. */
async function measureBoard(runs, { seed, tell }) {
  const rows = await measureKeeps(runs, STRATEGIES, (done) => tell(`${done} of ${runs.length} runs cut`));
  const drawn = draws(groupsOf(runs), seed);
  const long = runs.filter((run) => run.kind === 'swe' && sizesOf(run)[1] >= LEAST);
  const costs = await measureCost(long, STRATEGIES, (done) => tell(`${done} of ${long.length} runs played`));
  const counts = Object.fromEntries(KINDS.map((kind, at) => [kind, groupsOf(runs)[at].length]));
  return {
    seed,
    draws: TIMES,
    runs: counts,
    resolved: Object.fromEntries(KINDS.map((kind) => [kind, runs.filter((run) => run.kind === kind && run.isResolved).length])),
    versions: versions(),
    keeps: SIZES.map((size) =>
      keepsOf(
        rows.filter((row) => row.size === size),
        drawn,
      ),
    ),
    cost: { runs: long.length, rows: costOf(costs, draws([long.map((_, index) => index)], seed)) },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { write: { type: 'boolean' }, seed: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const folder = positionals[0] ? pathToFileURL(`${resolve(positionals[0])}/`) : new URL('../../../shared/recordings/', import.meta.url);
  if (KINDS.some((kind) => !existsSync(new URL(`runs/${kind}.json.gz`, folder)))) {
    console.error(`${fileURLToPath(folder)} has no runs. benches/board/README.md says how to rebuild them.`);
    process.exit(1);
  }
  const start = performance.now();
  const recorded = await measureBoard(readRuns(folder), {
    seed: Number(values.seed),
    tell: (text) => process.stderr.write(`\r${text}    `),
  });
  process.stderr.write(`\nin ${Math.round((performance.now() - start) / 1000)} s\n`);
  console.log(board(recorded));
  if (values.write) {
    writeSection('board', board(recorded));
    writeFileSync(new URL('board.json', import.meta.url), `${JSON.stringify(recorded, null, 1)}\n`);
  }
}
