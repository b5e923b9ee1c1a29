import { meets } from '../targets.mjs';

export const digits = (value) =>
  value === undefined ? '–' : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const outcome = (met) => (met === undefined ? '–' : met ? 'pass' : 'FAIL');
/** The name of a row. A row about several inputs shows the result of the worst, and names it. */
export const nameOf = ({ workload, worst }) => (worst === undefined ? workload : `${workload}, worst: ${worst}`);
const limit = (value, isLeast) => (value === undefined ? '' : `${isLeast ? '≥' : '≤'} ${value}`);

/** The columns of the table of targets: title, whether it is aligned to the right, and its text for a row. */
const COLUMNS = [
  ['#', true, ({ number }) => String(number)],
  ['workload', false, nameOf],
  ['S ms', true, ({ base, of }) => (of === 'S' ? digits(base) : '–')],
  ['measured', true, ({ value, unit }) => (value === undefined ? '–' : `${digits(value)} ${unit}`)],
  ['MB/s', true, ({ throughput }) => digits(throughput)],
  ['ratio', true, ({ ratio }) => digits(ratio)],
  ['of', false, ({ of }) => of],
  ['target', true, ({ target, isLeast }) => limit(target, isLeast)],
  ['', false, (row) => outcome(meets(row, row.target))],
  ['gate', true, ({ gate, isLeast }) => limit(gate && Number(gate.toFixed(2)), isLeast)],
];
const REASON = ['why not', false, (row) => (meets(row, row.target) === false ? (row.missed ?? '') : '')];

const WIDTHS = [2, 62, 7, 10, 6, 6, 22, 6, 4, 5];

export const headLine = () => line(COLUMNS.map(([title]) => title));
export const rowLine = (row) => line(COLUMNS.map(([, , text]) => text(row)));

function line(cells) {
  const padded = cells.map((cell, index) => (COLUMNS[index][1] ? cell.padStart(WIDTHS[index]) : cell.padEnd(WIDTHS[index])));
  return padded.join('  ').trimEnd();
}

/**
 * A table of Markdown.
 *
 * @param {[title: string, isRight: boolean, text: (row: any) => string][]} columns
 */
export function markdownTable(columns, rows) {
  const cells = (texts) => `| ${texts.join(' | ')} |`;
  return [
    cells(columns.map(([title]) => title)),
    cells(columns.map(([, isRight]) => (isRight ? '---:' : '---'))),
    ...rows.map((row) => cells(columns.map(([, , text]) => text(row)))),
  ].join('\n');
}

/** Every row with its target. */
export const targetTable = (rows) => markdownTable([...COLUMNS, REASON], rows);

/** Every hostile text with its times, the dearest first. */
export const hostileTable = (details) =>
  markdownTable(
    [
      ['text', false, ({ name }) => name],
      ['1 MB, ms', true, ({ short }) => digits(short)],
      ['of prose', true, ({ cost }) => digits(cost)],
      ['of prose that is kept', true, ({ besideKept }) => digits(besideKept)],
      ['4 MB, ms', true, ({ long }) => digits(long)],
      ['of 1 MB', true, ({ growth }) => digits(growth)],
    ],
    details.toSorted((a, b) => b.cost - a.cost),
  );
