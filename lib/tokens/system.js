// @ts-check
'use strict';

const { readPrompts } = require('./read-prompts.js');

/**
 * {@link readPrompts}, none where nothing is given.
 *
 * @param {unknown} system
 * @param {string} name what errors call it
 */
const systemPrompts = (system, name) => (system === undefined || system === null ? [] : readPrompts(system, name));

module.exports = { systemPrompts };
