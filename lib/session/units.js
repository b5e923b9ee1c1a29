// @ts-check
'use strict';

const { isCount } = require('../checks.js');
const { factorOf } = require('../margins.js');

/**
 * How the provider's tokens follow from those that are counted here.
 *
 * @typedef {object} Units
 * @property {number | undefined} factor tokens that the provider counts for each one counted here, once observed
 * @property {number} beside counted tokens of a request besides those that are counted: of tools and instructions that the session was not told
 *   of. Below 0 if something is counted for far more than it is.
 */

/** Before the first usage. @type {Units} */
const UNKNOWN = Object.freeze({ factor: undefined, beside: 0 });

/**
 * Returns what the usage of a request says. Tokens that no tokenizer makes of the same texts belong to something that the session doesn't count.
 *
 * @param {Units} units so far
 * @param {number} counted tokens of the request, as they are counted here
 * @param {number} actual the provider's
 * @returns {Units}
 */
function observedUnits(units, counted, actual) {
  if (counted <= 0 || actual === 0) return units;
  const ratio = factorOf(counted, actual);
  if (ratio !== undefined) return { factor: ratio, beside: 0 };
  const factor = units.factor ?? 1;
  return { factor, beside: actual / factor - counted };
}

/** The units in a saved state; undefined before a usage. @returns {Units | undefined} */
const unitsIn = (json) => (json?.factor === undefined ? undefined : { factor: json.factor, beside: json.beside ?? 0 });

/** What a saved state has of them. @param {Units} units */
const savedUnits = ({ factor, beside }) => (factor === undefined ? {} : { factor, ...(beside === 0 ? {} : { beside }) });

/** Whether a saved state has them, or none. */
const areUnits = ({ factor, beside }) =>
  (factor === undefined || (isCount(factor) && factor > 0)) && (beside === undefined || Number.isFinite(beside));

module.exports = { areUnits, observedUnits, savedUnits, UNKNOWN, unitsIn };
