// @ts-check
'use strict';

/** Maximum number of warnings, so that memory stays bounded. */
const MAX_WARNINGS = 1000;

/** @type {Set<string>} */
const given = new Set();

/**
 * Emits a warning of the process, each text once.
 *
 * @param {string} text
 * @param {string} code
 * @param {'Warning' | 'DeprecationWarning'} type
 */
function warnOnce(text, code, type) {
  if (given.has(text) || given.size === MAX_WARNINGS) return;
  given.add(text);
  process.emitWarning(text, { type, code });
}

module.exports = { warnOnce };
