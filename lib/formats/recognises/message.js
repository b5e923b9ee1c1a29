// @ts-check
'use strict';

/** @import { Foreign } from '../../types.d.ts' */

/** @param {Foreign} value */
function recognises({ id, index, content, parts }) {
  if (typeof id !== 'string' || typeof index !== 'number' || parts !== undefined) return 'no';
  return content === undefined || content === null || typeof content === 'string' || Array.isArray(content) ? 'yes' : 'no';
}

module.exports = { recognises };
