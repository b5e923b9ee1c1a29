// What has to be in every request, as the engine found it, for the reports.
import { DUTY, LOST_COLUMN } from '../generated/layout.js';
import type { FitMet } from '../../binding';
import type { FitReport, LostObligation } from '../../index.js';

const KINDS = Object.keys(DUTY) as LostObligation['kind'][];

/** The fields of a report that say what became of the rules, the task and the state. */
export function obligationsReport(met: FitMet | undefined): Pick<FitReport, 'rules' | 'lost'> {
  if (met === undefined) return {};
  const { rules: found, kept, tokens } = met;
  return {
    ...(found > 0 && { rules: { found, kept, tokens: Math.round(tokens) } }),
    ...(met.lost.length > 0 && { lost: lostOf(met.lost) }),
  };
}

function lostOf(rows: Uint32Array) {
  const lost: LostObligation[] = [];
  for (let row = 0; row < rows.length; row += LOST_COLUMN.COUNT) {
    const kind = KINDS[rows[row + LOST_COLUMN.DUTY]];
    lost.push({ kind, message: rows[row + LOST_COLUMN.MESSAGE], lines: rows[row + LOST_COLUMN.LINES] });
  }
  return lost;
}
