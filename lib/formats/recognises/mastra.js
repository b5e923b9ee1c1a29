// @ts-check
'use strict';

/** @import { Foreign } from '../../types.d.ts' */

const { isObject } = require('../../checks.js');

/** @param {Foreign} message */
function recognises({ role, content }) {
  return typeof role === 'string' && isObject(content) && content.format === 2 && Array.isArray(content.parts) ? 'yes' : 'no';
}

module.exports = { recognises };
