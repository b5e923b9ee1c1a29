'use strict';

// Signed thinking (`signed` in lib/formats/reader.js) is bound to all that stands before it: where that was changed, models
// with preserved thinking refuse the request or drop the block. Every verb that edits asks here.

/**
 * The first part that may be edited: with `strip` the very first; with `keep` the one behind the last signed thinking and
 * what the model said and called then: without that, the thinking would have to go itself.
 *
 * @param {readonly import('../formats/reader.js').Part[]} parts
 * @param {'keep' | 'strip' | null} [thinking] default `keep`
 * @returns {number} its index
 */
function firstEditable(parts, thinking) {
  if (thinking === 'strip') return 0;
  const last = parts.findLastIndex(({ signed }) => signed);
  if (last < 0) return 0;
  const next = parts.findIndex(({ role }, index) => index > last && role !== 'assistant');
  return next < 0 ? parts.length : next;
}

/**
 * The signed thinking that edits made invalid, as edits that take it out: all that stands behind the first of them. A message
 * keeps all of its thinking or none, because providers refuse the latest one when only some of it is gone.
 *
 * @param {readonly import('../formats/reader.js').Part[]} parts
 * @param {readonly { part: import('../formats/reader.js').Part }[]} edits of these parts, all that are made
 * @returns {{ part: import('../formats/reader.js').Part, remove: true, rule: 'strippedThinking' }[]}
 */
function strippedBy(parts, edits) {
  const edited = new Set(edits.map(({ part }) => part));
  const first = parts.findIndex((part) => edited.has(part));
  const invalid = first < 0 ? undefined : parts.find(({ signed }, index) => signed && index > first);
  return invalid === undefined ? [] : strippedFrom(parts, invalid.message);
}

/**
 * All signed thinking of a message and those behind it, as edits that take it out. What stands before stays valid.
 *
 * @param {readonly import('../formats/reader.js').Part[]} parts
 * @param {number} message its index
 * @returns {{ part: import('../formats/reader.js').Part, remove: true, rule: 'strippedThinking' }[]}
 */
function strippedFrom(parts, message) {
  const signed = parts.filter((part) => part.signed && part.message >= message);
  return signed.map((part) => ({ part, remove: true, rule: 'strippedThinking' }));
}

module.exports = { firstEditable, strippedBy, strippedFrom };
