// @ts-check
'use strict';

/** @import { Foreign } from '../../types.d.ts' */

/** @param {Foreign} message */
function recognises(message) {
  return typeof message.getType === 'function' || typeof message._getType === 'function' ? 'yes' : 'no';
}

module.exports = { recognises };
