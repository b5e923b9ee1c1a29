// @ts-check
'use strict';

const QUOTED = /"([^"]+)"/g;

/**
 * Reads a query: strings in double quotes have to stand in each passage.
 *
 * @param {string} query
 * @returns {{ text: string, exact: string[] }} `text` without what is quoted
 */
function readQuery(query) {
  const exact = [...new Set(Array.from(query.matchAll(QUOTED), ([, quoted]) => quoted))];
  return { text: query.replace(QUOTED, ' '), exact };
}

module.exports = { readQuery };
