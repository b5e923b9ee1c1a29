import { STATISTIC } from '../../generated/layout.js';
import { lazyFields, SHOWN } from '../../lazy-fields.js';
import { factsOf, outputOf, QUALITY, qualityOf } from './compared.js';
import type { Compared } from './compared.js';

const addQuality = lazyFields<Record<string, number>>(QUALITY);
/** It is not part of the contract, so that it is not enumerable. */
const addFacts = lazyFields<{ fact_retention: number }>(['fact_retention'], false);

/**
 * Adds the measures of a result to its statistics. They are computed when they are first read, because together they take as long
 * as the call.
 */
export function addMeasures(statistics: object, compared: Compared) {
  const { input, numbers } = compared;
  if (numbers[STATISTIC.HAS_QUALITY] === 1) {
    addQuality(statistics, () => qualityOf(compared));
    Object.defineProperties(statistics, SHOWN);
  }
  addFacts(statistics, () => ({ fact_retention: factsOf(input, outputOf(compared)) }));
}

/** Adds `fact_retention` alone, to the statistics of a result that is the input. */
export function addFactRetention(statistics: object, texts: string[]) {
  addFacts(statistics, () => ({ fact_retention: factsOf(texts, texts) }));
}
