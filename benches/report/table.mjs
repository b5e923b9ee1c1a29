import { meets } from '../targets.mjs';

const digits = (value) => (value === undefined ? '–' : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
const outcome = (met) => (met === undefined ? '–' : met ? 'pass' : 'FAIL');

/** The columns of the table: title, whether it is aligned to the right, and its text for a row. */
export const columns = [
  ['#', true, ({ number }) => String(number)],
  ['workload', false, ({ workload }) => workload],
  ['S ms', true, ({ base, of }) => (of === 'S' ? digits(base) : '–')],
  ['measured', true, ({ value, unit }) => (value === undefined ? '–' : `${digits(value)} ${unit}`)],
  ['MB/s', true, ({ throughput }) => digits(throughput)],
  ['ratio', true, ({ ratio }) => digits(ratio)],
  ['of', false, ({ of }) => of],
  ['target', true, ({ target, isLeast }) => `${isLeast ? '≥' : '≤'} ${target}`],
  ['', false, (row) => outcome(meets(row, row.target))],
  ['gate', true, ({ gate, isLeast }) => (gate === undefined ? '' : `${isLeast ? '≥' : '≤'} ${gate}`)],
];

const WIDTHS = [2, 42, 7, 10, 6, 6, 22, 6, 4, 5];

export const headLine = () => line(columns.map(([title]) => title));
export const rowLine = (row) => line(columns.map(([, , text]) => text(row)));

function line(cells) {
  const padded = cells.map((cell, index) => (columns[index][1] ? cell.padStart(WIDTHS[index]) : cell.padEnd(WIDTHS[index])));
  return padded.join('  ').trimEnd();
}

/** The rows as a Markdown table, without the gates. */
export function markdownTable(rows) {
  const shown = columns.slice(0, -1);
  const cells = (texts) => `| ${texts.join(' | ')} |`;
  return [
    cells(shown.map(([title]) => title)),
    cells(shown.map(([, isRight]) => (isRight ? '---:' : '---'))),
    ...rows.map((row) => cells(shown.map(([, , text]) => text(row)))),
  ].join('\n');
}

/** Every hostile text with its times, the dearest first. */
export function hostileTable(details) {
  const rows = details.toSorted((a, b) => b.cost - a.cost);
  return [
    '| text | 1 MB, ms | of prose | 4 MB, ms | of 1 MB |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows.map(({ name, short, long, growth, cost }) => `| ${name} | ${[short, cost, long, growth].map(digits).join(' | ')} |`),
  ].join('\n');
}
