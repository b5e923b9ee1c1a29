// node __test__/session/soak.mjs [--minutes 10] [--seed 1] [--count N] [--format anthropic]: plays random sessions, and prints the faults.
import { parseArgs } from 'node:util';
import { play } from './watch.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000000' },
    format: { type: 'string', default: '' },
  },
});
const until = Date.now() + Number(values.minutes) * 60_000;
const { sessions, steps, faults, reached } = await play({
  seed: Number(values.seed),
  count: Number(values.count),
  format: values.format,
  shrink: true,
  until,
});

const kinds = new Map();
for (const fault of faults) {
  const kind = `${fault.judge}, ${fault.log.at(-1)?.what ?? '?'}`;
  kinds.set(kind, [...(kinds.get(kind) ?? []), fault]);
}
for (const [kind, list] of [...kinds].sort((a, b) => b[1].length - a[1].length)) {
  const shortest = list.reduce((best, one) => (one.log.length < best.log.length ? one : best));
  console.log(
    `\n### ${kind}: ${list.length}× (${list
      .slice(0, 10)
      .map(({ seed, format }) => `${seed} ${format}`)
      .join(', ')})`,
  );
  console.log(`seed ${shortest.seed}, ${shortest.format}: ${shortest.message}`);
  for (const step of shortest.log) console.log(`  ${JSON.stringify(step)}`);
  if (shortest.judge === 'throws') console.log(shortest.stack);
}
console.log(`\n${sessions} sessions, ${steps} steps, ${faults.length} faults`);
console.log(JSON.stringify(Object.fromEntries(Object.entries(reached).sort())));
process.exitCode = faults.length > 0 ? 1 : 0;
