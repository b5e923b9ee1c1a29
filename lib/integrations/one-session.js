// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

/**
 * Returns the options of a client: those given, or of one session for all its requests.
 *
 * @param {Foreign} given options, or a session
 * @returns {Foreign}
 */
function optionsFor(given) {
  const isSession = typeof given?.next === 'function' && typeof given.observe === 'function';
  return isSession ? { session: () => given } : given;
}

module.exports = { optionsFor };
