// @ts-check
'use strict';

/** @import { Foreign, FormatModule } from '../types.d.ts' */

const openaiChat = require('./openai-chat.js');

/**
 * The messages of the drop-in `compress`: an `id`, an `index`, a text, and calls as in OpenAI's chat completions.
 *
 * @type {FormatModule}
 */
const message = { ...openaiChat, name: 'message', recognises };

/** @param {Foreign} value */
function recognises({ id, index, content, parts }) {
  if (typeof id !== 'string' || typeof index !== 'number' || parts !== undefined) return 'no';
  return content === undefined || content === null || typeof content === 'string' || Array.isArray(content) ? 'yes' : 'no';
}

module.exports = message;
