// Writes what was measured: RESULTS.md for users, with its chart, and TARGETS.md for us.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { recordReached } from '../gates.mjs';
import { meets } from '../targets.mjs';
import { chart } from './chart.mjs';
import { digits, hostileTable, markdownTable, nameOf, targetTable } from './table.mjs';

const { version } = createRequire(import.meta.url)('../../package.json');

export function environment() {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus()[0].model.trim()}, ${availableParallelism()} threads, ${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${process.platform} ${release().split('-')[0]} ${process.arch}`,
    palimpsest: version,
    node: `${process.versions.node} (V8 ${process.versions.v8})`,
    rustc: execFileSync('rustc', ['--version'], { encoding: 'utf8' }).split(' ')[1],
  };
}

const machine = () =>
  markdownTable(
    [
      ['', false, ([name]) => name],
      ['', false, ([, value]) => value],
    ],
    Object.entries(environment()),
  );
const write = (name, text) => writeFileSync(new URL(`../${name}`, import.meta.url), text);
const numbered =
  (...numbers) =>
  ({ number }) =>
    numbers.includes(number);

const TIMES = [
  ['', false, ({ workload }) => workload],
  ['ms', true, ({ value }) => digits(value)],
  ['MB/s', true, ({ throughput }) => digits(throughput)],
  ['of `JSON.stringify`', true, ({ ratio, of }) => (of === 'S' ? `${digits(ratio)} ×` : '–')],
];
const VALUES = [
  ['', false, ({ workload }) => workload],
  ['', true, ({ value, unit }) => (value === undefined ? '–' : `${digits(value)} ${unit}`)],
];
const BESIDE = [...TIMES.slice(0, 3), ['of the call without it', true, ({ ratio }) => `${digits(ratio)} ×`]];

/** A table with a row per size and a column per call. */
const growthTable = (growth) =>
  markdownTable(
    [
      ['session', false, ({ size, count }) => `${size}, ${count} messages`],
      ...growth[0].times.map(({ name }, index) => [
        name,
        true,
        ({ bytes, times }) => `${digits(times[index].ms)} ms (${digits(bytes / 1_000 / times[index].ms)})`,
      ]),
    ],
    growth,
  );
const countingTable = (counting) =>
  markdownTable(
    [
      ['text', false, ({ workload, tokens }) => `${workload} (${tokens} tokens)`],
      ...counting[0].timed.map(({ name }, index) => [
        name,
        true,
        ({ timed }) => `${digits(timed[index].ms)} ms (${digits(timed[index].throughput)})`,
      ]),
    ],
    counting,
  );
const trimmingTable = (trimming) =>
  markdownTable(
    [
      ['call', false, ({ name }) => name],
      ['ms', true, ({ ms }) => digits(ms)],
      ['characters left', true, ({ left }) => `${Math.round(100 * left)} %`],
      ['messages left', true, ({ messages, of }) => `${messages} of ${of}`],
    ],
    trimming,
  );

const results = (rows, { growth, counting, trimming }) => `# How fast it is

Written by \`npm run bench\`. Every conversation is generated from a seed, so the same ones are measured on your machine.

${machine()}

Times are medians, in milliseconds. MB/s counts the UTF-8 bytes of the contents. \`JSON.stringify\` of the same messages is measured in
turns with each call: it is what sending the request costs anyway, and a ratio to it holds where times depend on the machine.

## How it grows

A coding agent's session, every call on one thread of JavaScript; in brackets MB/s. \`fit\` keeps a quarter of the tokens; with nothing to
do it only counts.

${growthTable(growth)}

![Throughput by size of the conversation](throughput.svg)

## Beside other packages

### Counting tokens

Exact counts with OpenAI's o200k_base, of the same texts; all three count the same. In brackets MB/s. gpt-tokenizer remembers pieces that it
has counted: its memory is emptied before each run, so that a run stands for texts that are new to it.

${countingTable(counting)}

### Making a history smaller

A session of 1 MB in 750 messages. The packages do different things, so the times alone decide nothing:

- \`fit\` chooses what to keep under a token budget, here a quarter, from all of the history: parts of messages, by what they say. Calls stay
  with their results, and \`restore\` gives everything back.
- \`trimMessages\` (LangChain) keeps the newest whole messages under the same budget, with the system message; what is older is gone. It
  counts with a function of the caller's: here exactly, with each text counted once, and by characters.
- \`prune\` removes what later messages make useless (results that were repeated, reads of files that were edited since). It knows no
  budget, and \`restore\` gives everything back.
- \`pruneMessages\` (AI SDK) drops all tool calls, results and reasoning before the last messages, whatever they hold. It doesn't read texts,
  which is why it takes next to no time.

${trimmingTable(trimming)}

## Each call

\`compress\`:

${markdownTable(
  TIMES,
  rows.filter(numbered(1, 2, 3, 4)).filter(({ unit }) => unit === 'ms'),
)}

Messages of providers; \`fit\` keeps a quarter of the tokens:

${markdownTable(TIMES, rows.filter(numbered(14, 15, 16)))}

A session of 400,000 tokens. An epoch is a request for which the history is chosen anew:

${markdownTable(VALUES, rows.filter(numbered(20, 21, 22, 19)))}

## Options of \`compress\`

${markdownTable(
  BESIDE,
  rows.filter(numbered(5, 6, 18)).filter(({ of }) => of === 'default'),
)}

## The first call, memory, the event loop

The first call in a fresh process, on 13 KB, and the import before it:

${markdownTable(VALUES, [...rows.filter(({ workload }) => /^(require|import) in/.test(workload)), ...rows.filter(numbered(23))])}

The memory that a call on 10 MB adds at its peak, and the longest time for which calls that wait hold the event loop:

${markdownTable(VALUES, rows.filter(numbered(10, 8, 25)))}

## Hostile texts

Texts on which a careless rule takes quadratic time: one message of 1 MB and of 4 MB each (\`distinct duplicates\`: many messages of 200
characters), against a message of 1 MB of prose that is summarised, as they are, and of prose that is kept.

${hostileTable(rows.find((row) => row.details).details)}

Four times as much of any input that is known to be hard takes at most so many times the time (a square would be 16):

${markdownTable(
  [
    ['worst input', false, nameOf],
    ['growth', true, ({ ratio }) => `${digits(ratio)} ×`],
  ],
  rows.filter(numbered(24)),
)}
`;

function targets(rows) {
  const met = rows.filter((row) => meets(row, row.target)).length;
  return `# Our targets

For those who work on the engine; [RESULTS.md](RESULTS.md) says how fast it is. Written by \`npm run bench\` from the same run.

${machine()}

${met} of ${rows.length} targets are met. A ratio is of **S**, the time of \`JSON.stringify\` on the same messages in the same run, or of what
the column beside it says. The **empty package** is what napi-rs makes of an addon with nothing in it, installed as this package is; the
**empty addon** is its native file alone. Where no **gate** is named, \`npm run bench -- --short\` fails beyond 1.5 times the ratio, if it
measures the row.

${targetTable(rows)}
`;
}

/**
 * @param {object[]} rows results of all rows
 * @param {{ growth: object[], counting: object[], trimming: object[] }} compared of `alternatives.mjs`
 */
export function record(rows, compared) {
  write('throughput.svg', chart(rows.filter(({ workload, bytes }) => bytes && workload.startsWith('agent session'))));
  write('RESULTS.md', results(rows, compared));
  write('TARGETS.md', targets(rows));
  recordReached(rows);
}
