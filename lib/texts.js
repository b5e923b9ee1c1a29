// @ts-check
'use strict';

const native = require('./native.js');

/** So many UTF-16 code units are copied in one step, but for a single text that is longer. */
const UNITS_PER_STEP = 128 * 1024;
/** A text takes as long as one with so many units more. */
const UNITS_PER_TEXT = 64;

/**
 * Copies texts for the engine, in steps: another thread can't read JavaScript's.
 *
 * @param {readonly string[]} texts
 * @returns {import('./steps.js').Steps<import('../binding').CopiedTexts>}
 */
function* copyTexts(texts) {
  const lengths = new Uint32Array(texts.length);
  for (let index = 0; index < texts.length; index++) lengths[index] = texts[index].length;
  const copies = new native.CopiedTexts();
  for (let start = 0; start < texts.length; ) {
    yield;
    let end = start;
    for (let units = 0; end < texts.length && units < UNITS_PER_STEP; end++) units += lengths[end] + UNITS_PER_TEXT;
    copies.push(texts.slice(start, end), lengths.subarray(start, end));
    start = end;
  }
  return copies;
}

module.exports = { copyTexts };
