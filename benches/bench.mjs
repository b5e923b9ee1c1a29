// The benchmark.
//
//   npm run bench                         measures every row, and writes RESULTS.md, throughput.svg, TARGETS.md and reached.json
//   npm run bench -- --corpus DIR         and conversations of your own (see corpus.mjs); writes nothing
//   npm run bench -- --short              few rows; fails where one is beyond its gate, or too slow beside the fixed state; writes nothing
//   npm run bench -- --fixed              compares the rows that matter with the fixed state (see fixed.mjs)
//   npm run bench -- --json               every row for machines; writes nothing
//   npm run bench -- --only PATTERN       only groups with a workload whose name matches; writes nothing
//   npm run bench -- --against DIR        compares with the build in DIR, or of a commit (see against.mjs)
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareWith } from './against.mjs';
import { countingResults, growthResults, trimmingResults } from './alternatives.mjs';
import { built, compareFixed } from './fixed.mjs';
import { gates } from './gates.mjs';
import { groupsOf } from './groups.mjs';
import { readPackage, root } from './package.mjs';
import { environment, record } from './report/record.mjs';
import { headLine, nameOf, rowLine } from './report/table.mjs';
import { meets } from './targets.mjs';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    short: { type: 'boolean' },
    json: { type: 'boolean' },
    against: { type: 'string' },
    only: { type: 'string' },
    fixed: { type: 'boolean' },
    write: { type: 'boolean' },
  },
});
const groups = groupsOf(options);

/** Maximum number of times that the short form repeats a row beyond its gate: other processes may have slowed it for a while. */
const MAX_REPEATS = 4;
const gateOf = options.short ? gates() : undefined;
const isBeyond = (row) => meets(row, row.gate) === false;

/** The rows of a group, measured in a process of its own: memory and optimized code that another group leaves are no part of what a call takes. */
function rowsOf(index) {
  const child = fileURLToPath(new URL('child/group.mjs', import.meta.url));
  const given = [index, options].map((value) => JSON.stringify(value));
  const rows = JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', child, ...given], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  return gateOf === undefined ? rows : rows.map((row) => ({ ...row, gate: gateOf(row) }));
}

function measured(index) {
  let results = rowsOf(index);
  for (let again = 0; options.short && again < MAX_REPEATS && results.some(isBeyond); again++) {
    const others = rowsOf(index);
    results = results.map((result, at) => (isBeyond(result) ? others[at] : result));
  }
  return results;
}

async function measureAll() {
  const rows = [];
  if (!options.json) console.log(headLine());
  const names = new RegExp(options.only ?? '');
  for (const [index, { workloads }] of groups.entries()) {
    if (options.only !== undefined && !workloads.some(({ workload }) => names.test(workload))) continue;
    for (const row of measured(index)) {
      rows.push(row);
      if (!options.json) console.log(rowLine(row));
    }
  }
  const judged = rows.map((row) => ({ ...row, met: meets(row, row.target) }));
  if (options.json) console.log(JSON.stringify({ environment: environment(), rows: judged }, null, 2));
  else console.log(`\n${judged.filter(({ met }) => met).length} of ${rows.length} targets met. S: JSON.stringify of the same messages.`);
  if (['short', 'json', 'corpus', 'only'].every((name) => options[name] === undefined)) {
    const ours = await readPackage(root);
    record(rows, { growth: await growthResults(ours), counting: await countingResults(ours), trimming: await trimmingResults(ours) });
  }
  return rows;
}

/** Compares with the fixed state, and fails where a row became too slow. */
async function judgeFixed() {
  const slower = await compareFixed(groupsOf({}), { write: options.write });
  for (const line of slower) console.error(`Too slow: ${line}.`);
  if (slower.length > 0) process.exitCode = 1;
}

if (options.against !== undefined) {
  const { against, only } = options;
  const found = await compareWith(existsSync(against) ? against : built(against), groups, { only });
  process.exitCode = found.some(({ isSlower }) => isSlower) ? 1 : 0;
} else if (options.fixed) {
  await judgeFixed();
} else {
  const beyond = (await measureAll()).filter(isBeyond);
  if (options.short && beyond.length > 0) {
    for (const row of beyond) {
      const { ratio, of, gate, isLeast } = row;
      const found = isLeast ? `reaches ${ratio.toFixed(2)} ${of}` : `takes ${ratio.toFixed(2)} times ${of}`;
      console.error(`Too slow: ${nameOf(row)} ${found}, the gate is ${gate.toFixed(2)}.`);
    }
    process.exitCode = 1;
  }
  if (options.short) await judgeFixed();
}
