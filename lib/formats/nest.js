// @ts-check
'use strict';

/**
 * Maximum nesting of arrays and objects. Programs that send or store a message recurse into it:
 * `JSON.stringify` itself fails after some thousands of levels.
 */
const MAX_LEVELS = 1000;

/** Whether JSON writes the members of a value. */
const isNest = (value) => value !== null && typeof value === 'object' && !ArrayBuffer.isView(value) && typeof value.toJSON !== 'function';

module.exports = { isNest, MAX_LEVELS };
