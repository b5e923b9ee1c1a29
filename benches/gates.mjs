// The gates of the short form: limits beyond which it fails.
import { readFileSync, writeFileSync } from 'node:fs';
import { fixedRecord } from './fixed.mjs';

/** The ratio of each row in the first full run that measured it, by its workload: a row that grew with every run would never be beyond its gate. */
const RECORD = new URL('reached.json', import.meta.url);
/** How many times the recorded ratio a row may reach. */
const SLACK = 1.5;
/** Decimal places of a recorded ratio. */
const PLACES = 2;

/** @param {{ workload: string, ratio?: number }[]} rows results of a full run */
export function recordReached(rows) {
  const reached = rows.filter(({ ratio, gate }) => ratio !== undefined && gate === undefined);
  const before = JSON.parse(readFileSync(RECORD, 'utf8'));
  const ratios = Object.fromEntries(reached.map(({ workload, ratio }) => [workload, before[workload] ?? Number(ratio.toFixed(PLACES))]));
  writeFileSync(RECORD, `${JSON.stringify(ratios, null, 2)}\n`);
}

/**
 * What gives the gate of a row: that of its target, or what follows from the first full run that measured it. Rows that are compared with the fixed
 * state have none here, because `fixed.mjs` has a closer one, which depends less on the machine.
 *
 * @returns {(row: { workload: string, gate?: number, isLeast?: boolean }) => number | undefined}
 */
export function gates() {
  const reached = JSON.parse(readFileSync(RECORD, 'utf8'));
  const { rows: fixed } = fixedRecord();
  return ({ workload, isLeast, gate = reached[workload] * (isLeast ? 1 / SLACK : SLACK) }) => {
    if (workload in fixed) return undefined;
    if (Number.isNaN(gate)) throw new Error(`${RECORD.pathname} has no ratio of "${workload}": npm run bench writes it`);
    return gate;
  };
}
