// @ts-check
'use strict';

// What the measures of a result are computed from.

const { MESSAGE_COLUMN, MESSAGE_FLAG, OUTPUT_COLUMN, SENTINEL, STATISTIC } = require('../generated/layout.js');
const native = require('../native.js');

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

/** @param {string[]} input @param {string[]} output */
const factsOf = (input, output) => rounded(native.factRetention(input, output));

/** @param {Compared} compared */
const qualityOf = (compared) => native.computeQuality(compared.input, hasId(compared), outputOf(compared)).map(rounded);

module.exports = { factsOf, outputOf, qualityOf };
