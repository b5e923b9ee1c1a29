import { STATISTIC } from '../generated/layout.js';
import { factsOf, outputOf, qualityOf } from './compared.js';
import type { Compared } from './compared.js';

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * The key of the functions that compute the measures of statistics. The accessors are the same for all results, because V8 makes a hidden
 * class for each new pair of them, which takes longer than all else that assembles a small result.
 */
const COMPUTE = Symbol('compute');

/** Returns a function that computes a value when it is first called, and keeps it. */
function once<T>(compute: () => T) {
  let value: T | undefined;
  return () => (value ??= compute());
}

const QUALITY: [string, PropertyDescriptor & ThisType<any>][] = [
  'entity_retention',
  'structural_integrity',
  'reference_coherence',
  'quality_score',
].map((name, place) => [
  name,
  {
    enumerable: true,
    configurable: true,
    get() {
      return this[COMPUTE].quality()[place];
    },
    set(value) {
      Object.defineProperty(this, name, { enumerable: true, configurable: true, writable: true, value });
    },
  },
]);
const FACT_RETENTION: PropertyDescriptor & ThisType<any> = {
  configurable: true,
  get() {
    return this[COMPUTE].facts();
  },
};
const SHOWN = { value: valuesOf };

/**
 * Adds the measures of a result to its statistics. They are computed when they are first read, because together they take as long
 * as the call. Those of the contract are enumerable, so that JSON, copies and comparisons see their values.
 */
export function addMeasures(statistics: Record<string | symbol, any>, compared: Compared) {
  const { input, numbers } = compared;
  if (numbers[STATISTIC.HAS_QUALITY] === 1) {
    for (const [name, accessors] of QUALITY) Object.defineProperty(statistics, name, accessors);
    Object.defineProperty(statistics, INSPECT, SHOWN);
  }
  addComputed(statistics, {
    facts: once(() => factsOf(input, outputOf(compared))),
    quality: once(() => qualityOf(compared)),
  });
}

/** Adds `fact_retention` alone, to the statistics of a result that is the input. */
export function addFactRetention(statistics: Record<string, any>, texts: string[]) {
  addComputed(statistics, { facts: once(() => factsOf(texts, texts)) });
}

/** Adds what computes the measures, and `fact_retention`, which is not enumerable because it is not part of the contract. */
function addComputed(statistics: Record<string | symbol, any>, compute: { facts: () => number; quality?: () => number[] }) {
  Object.defineProperty(statistics, 'fact_retention', FACT_RETENTION);
  Object.defineProperty(statistics, COMPUTE, { value: compute });
}

/** Shows values in the place of getters. */
function valuesOf(this: object) {
  return { ...this };
}
