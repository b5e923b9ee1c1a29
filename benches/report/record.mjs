// Writes RESULTS.md and the chart beside it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { createRequire } from 'node:module';
import { chart } from './chart.mjs';
import { hostileTable, markdownTable } from './table.mjs';

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

export function record(rows) {
  const { details } = rows.find((row) => row.details);
  const facts = Object.entries(environment()).map(([name, value]) => `| ${name} | ${value} |`);
  const write = (name, text) => writeFileSync(new URL(`../${name}`, import.meta.url), text);
  write('throughput.svg', chart(rows.filter(({ workload, bytes }) => bytes && workload.startsWith('agent session'))));
  write(
    'RESULTS.md',
    `# Results of the last recorded run

Written by \`npm run bench -- --record\`; every conversation is generated from a seed.

| | |
| --- | --- |
${facts.join('\n')}

**S** is the time of \`JSON.stringify\` on the same messages. Both are measured in turns in the same run, and all numbers
are medians: on a shared machine the ratios hold, the times are noise. MB/s counts the UTF-8 bytes of the contents. The
**empty package** is what napi-rs makes of an addon with nothing in it, installed as this package is; the **empty addon**
is its native file alone.

${markdownTable(rows)}

![Throughput by size of the conversation](throughput.svg)

## Hostile texts
One message of 1 MB and of 4 MB each (\`distinct duplicates\`: many messages of 200 characters), against a message of
1 MB of prose.

${hostileTable(details)}
`,
  );
}
