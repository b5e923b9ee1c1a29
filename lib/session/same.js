// @ts-check
'use strict';

const { inspect } = require('node:util');

/** What marks the end of a prefix to be cached: Anthropic's, and as the AI SDK and Bedrock call it. */
const MARKERS = new Set(['cache_control', 'cacheControl', 'cachePoint']);
/** What a model or a tool wrote is data, whatever its keys are called. */
const DATA = new Set(['input', 'args', 'arguments', 'output', 'result', 'response']);

const isObject = (value) => value !== null && typeof value === 'object';

/** Whether a member says nothing: JSON leaves it out, or it only marks a breakpoint. */
function isSilent(key, value, isData) {
  if (value === undefined || typeof value === 'function') return true;
  return !isData && (MARKERS.has(key) || (key === 'providerOptions' && marksOnly(value)));
}

/** Whether options for providers say nothing but breakpoints, as `{ anthropic: { cacheControl } }`. */
const marksOnly = (options) =>
  isObject(options) && Object.values(options).every((own) => isObject(own) && Object.keys(own).every((key) => MARKERS.has(key)));

/**
 * Whether two messages say the same: equal as JSON, whatever the order of keys, but for what marks breakpoints of the cache.
 * A lone text block is the same as its text, because whoever marks a text has to make a block of it.
 */
function isSame(a, b, isData = false) {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return !isData && isLoneText(a, b);
  if (typeof a.toJSON === 'function' || typeof b.toJSON === 'function') return JSON.stringify(a) === JSON.stringify(b);
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b))
    return ArrayBuffer.isView(a) && ArrayBuffer.isView(b) && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) return a.length === b.length && a.every((item, index) => isSame(item, b[index], isData));
  return hasMembersOf(a, b, isData, true) && hasMembersOf(b, a, isData, false);
}

function hasMembersOf(a, b, isData, isCompared) {
  for (const key in a) {
    const value = a[key];
    if (isSilent(key, value, isData)) continue;
    const other = b[key];
    if (other === value) continue;
    if (other === undefined || isSilent(key, other, isData) || (isCompared && !isSame(value, other, isData || DATA.has(key)))) return false;
  }
  return true;
}

function isLoneText(a, b) {
  const [text, blocks] = typeof a === 'string' ? [a, b] : [b, a];
  return typeof text === 'string' && loneText(blocks) === text;
}

/** The text of content that is one text block and nothing else. */
function loneText(content) {
  if (!Array.isArray(content) || content.length !== 1 || content[0]?.type !== 'text') return undefined;
  return Object.keys(content[0]).every((key) => key === 'type' || key === 'text' || MARKERS.has(key)) ? content[0].text : undefined;
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

/** The breakpoints in a message, as a text that is the same for the same ones; empty where there are none. */
function markersOf(message) {
  let found = '';
  const look = (value, path, depth) => {
    if (!isObject(value) || ArrayBuffer.isView(value) || depth > 5) return;
    for (const key in value) {
      if (!isObject(value[key]) || DATA.has(key)) continue;
      if (MARKERS.has(key)) found += `${path}.${key}=${inspect(value[key], { breakLength: Infinity })};`;
      else look(value[key], `${path}.${key}`, depth + 1);
    }
  };
  look(message, '', 0);
  return found;
}

/** What a message's fingerprint is made of: it without breakpoints, so that those which are the same have the same. */
function printable(message) {
  const isMarked = markersOf(message) !== '' || message.providerOptions !== undefined || loneText(message.content) !== undefined;
  return isMarked ? unmarked(message, false) : message;
}

function unmarked(value, isData) {
  if (!isObject(value) || ArrayBuffer.isView(value) || typeof value.toJSON === 'function') return value;
  if (Array.isArray(value)) return value.map((item) => unmarked(item, isData));
  const copy = {};
  for (const key of Object.keys(value)) {
    if (isSilent(key, value[key], isData)) continue;
    const lone = key === 'content' && !isData ? loneText(value.content) : undefined;
    copy[key] = lone ?? unmarked(value[key], isData || DATA.has(key));
  }
  return copy;
}

/** Most keys don't even begin like one. */
const isMarker = (key) => key.charCodeAt(0) === 0x63 && MARKERS.has(key);

module.exports = { isMarker, isSame, loneText, markersOf, printable };
