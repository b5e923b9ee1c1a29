import { isCount } from '../checks.js';
import { factorOf } from '../margins.js';

/** How the provider's tokens follow from those that are counted here. */
export interface Units {
  /** tokens that the provider counts for each one counted here, once observed */
  factor: number | undefined;
  /** counted tokens of a request besides those that are counted: of tools and instructions that the session was not told of. Below 0 if something is counted for far more than it is. */
  beside: number;
}

/** Before the first usage. */
export const UNKNOWN: Units = Object.freeze({ factor: undefined, beside: 0 });

/**
 * Returns what the usage of a request says. Tokens that no tokenizer makes of the same texts belong to something that the session doesn't count.
 *
 * @param units so far
 * @param counted tokens of the request, as they are counted here
 * @param actual the provider's
 */
export function observedUnits(units: Units, counted: number, actual: number): Units {
  if (counted <= 0 || actual === 0) return units;
  const ratio = factorOf(counted, actual);
  if (ratio !== undefined) return { factor: ratio, beside: 0 };
  const factor = units.factor ?? 1;
  return { factor, beside: actual / factor - counted };
}

/** The units in a saved state; undefined before a usage. */
export const unitsIn = (json: Partial<Units> | null | undefined): Units | undefined =>
  json?.factor === undefined ? undefined : { factor: json.factor, beside: json.beside ?? 0 };

/** What a saved state has of them. */
export const savedUnits = ({ factor, beside }: Units): { factor?: number; beside?: number } =>
  factor === undefined ? {} : { factor, ...(beside === 0 ? {} : { beside }) };

/** Whether a saved state has them, or none. */
export const areUnits = ({ factor, beside }: { factor?: unknown; beside?: unknown }) =>
  (factor === undefined || (isCount(factor) && factor > 0)) && (beside === undefined || Number.isFinite(beside));
