// @ts-check
'use strict';

const { MESSAGE_COLUMN, MESSAGE_FLAG, OUTPUT_COLUMN, SENTINEL, STATISTIC } = require('../generated/layout.js');
const native = require('../native.js');

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** @typedef {ReturnType<typeof import('./gather.js').gatherMessages>} Gathered */

/**
 * What the measures of a result compare: strings and numbers rather than messages, which the caller may change.
 *
 * @typedef {object} Compared
 * @property {string[]} input the texts as they were given
 * @property {Gathered} gathered the messages as the engine read them, some perhaps trimmed
 * @property {Float64Array} numbers of the engine's outcome
 * @property {string[]} written the texts that it wrote
 */

/**
 * Returns a column of the rows of outputs.
 *
 * @param {Float64Array} numbers
 * @param {number} column
 */
function outputs(numbers, column) {
  const count = numbers[STATISTIC.OUTPUTS];
  return Array.from({ length: count }, (_, place) => numbers[STATISTIC.COUNT + place * OUTPUT_COLUMN.COUNT + column]);
}

/**
 * Returns the texts of the result.
 *
 * @param {Compared} compared
 */
function outputOf({ gathered, numbers, written }) {
  if (numbers[STATISTIC.OUTPUTS] === SENTINEL.NONE) return gathered.texts;
  const starts = outputs(numbers, OUTPUT_COLUMN.START);
  return outputs(numbers, OUTPUT_COLUMN.TEXT).map((text, place) => (text === 0 ? gathered.texts[starts[place]] : written[text - 1]));
}

/**
 * Returns for each given message whether the result has its id.
 *
 * @param {Compared} compared
 */
function hasId({ input, gathered: { ids, columns }, numbers }) {
  const [ends, flags] = [MESSAGE_COLUMN.ID_END, MESSAGE_COLUMN.FLAGS].map((place) => columns.subarray(place * input.length));
  // An id that is no string differs from its text.
  const key = (/** @type {number} */ index) =>
    (flags[index] & MESSAGE_FLAG.STRING_ID ? "'" : '') + ids.slice(index === 0 ? 0 : ends[index - 1], ends[index]);
  const present = new Set(outputs(numbers, OUTPUT_COLUMN.START).map(key));
  return input.map((_, index) => present.has(key(index)));
}

/** @param {number} value */
const rounded = (value) => Math.round(1000 * value) / 1000;

/**
 * The key of the functions that compute the measures of statistics. The accessors are the same for all results, because V8 makes a hidden
 * class for each new pair of them, which takes longer than all else that assembles a small result.
 */
const COMPUTE = Symbol('compute');

/**
 * Returns a function that computes a value when it is first called, and keeps it.
 *
 * @template T
 * @param {() => T} compute
 */
function once(compute) {
  /** @type {T | undefined} */
  let value;
  return () => (value ??= compute());
}

/** @type {[string, PropertyDescriptor & ThisType<any>][]} */
const QUALITY = ['entity_retention', 'structural_integrity', 'reference_coherence', 'quality_score'].map((name, place) => [
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
/** @type {PropertyDescriptor & ThisType<any>} */
const FACT_RETENTION = {
  configurable: true,
  get() {
    return this[COMPUTE].facts();
  },
};
const SHOWN = { value: valuesOf };

/**
 * Adds the measures of a result to its statistics. They are computed when they are first read, because together they take as long
 * as the call. Those of the contract are enumerable, so that JSON, copies and comparisons see their values.
 *
 * @param {Record<string | symbol, any>} statistics
 * @param {Compared} compared
 */
function addMeasures(statistics, compared) {
  const { input, numbers } = compared;
  if (numbers[STATISTIC.HAS_QUALITY] === 1) {
    for (const [name, accessors] of QUALITY) Object.defineProperty(statistics, name, accessors);
    Object.defineProperty(statistics, INSPECT, SHOWN);
  }
  addComputed(statistics, {
    facts: factsOf(input, () => outputOf(compared)),
    quality: once(() => native.computeQuality(input, hasId(compared), outputOf(compared)).map(rounded)),
  });
}

/**
 * Adds `fact_retention` alone, to the statistics of a result that is the input.
 *
 * @param {Record<string, any>} statistics
 * @param {string[]} texts
 */
function addFactRetention(statistics, texts) {
  addComputed(statistics, { facts: factsOf(texts, () => texts) });
}

/** @param {string[]} input @param {() => string[]} output */
const factsOf = (input, output) => once(() => rounded(native.factRetention(input, output())));

/**
 * Adds what computes the measures, and `fact_retention`, which is not enumerable because it is not part of the contract.
 *
 * @param {Record<string | symbol, any>} statistics
 * @param {{ facts: () => number, quality?: () => number[] }} compute
 */
function addComputed(statistics, compute) {
  Object.defineProperty(statistics, 'fact_retention', FACT_RETENTION);
  Object.defineProperty(statistics, COMPUTE, { value: compute });
}

/**
 * Shows values in the place of getters.
 *
 * @this {object}
 */
function valuesOf() {
  return { ...this };
}

module.exports = { addFactRetention, addMeasures };
