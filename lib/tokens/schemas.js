// @ts-check
'use strict';

const { readSchemas } = require('./read-schemas.js');

/**
 * {@link readSchemas}, none where no tools are given.
 *
 * @param {unknown} tools
 * @param {string} at what errors call them
 */
const toolSchemas = (tools, at) => (tools === undefined || tools === null ? [] : readSchemas(tools, at));

module.exports = { toolSchemas };
