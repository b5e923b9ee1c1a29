// @ts-check
'use strict';

const { describe } = require('../checks.js');

/** The JSON of an LLM's reply: all of it, or all of the one fenced block that it is. */
function parseReply(reply) {
  if (typeof reply !== 'string') throw new TypeError(`callLlm must return a string or a promise of one, got ${describe(reply)}`);
  const text = reply.trim();
  return JSON.parse(insideFence(text) ?? text);
}

function insideFence(text) {
  const lineEnd = text.indexOf('\n');
  if (!text.startsWith('```') || !text.endsWith('```') || lineEnd < 0 || lineEnd >= text.length - 3) return undefined;
  return text.slice(lineEnd + 1, -3);
}

/** The strings of an array; of anything else none. */
const stringsOf = (value) => (Array.isArray(value) ? value.filter((element) => typeof element === 'string') : []);

module.exports = { parseReply, stringsOf };
