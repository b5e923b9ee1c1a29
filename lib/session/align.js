// @ts-check
'use strict';

const { checkFormat } = require('../formats/index.js');
const { Sent } = require('./sent.js');
const { seeing } = require('./thinking.js');

/**
 * @typedef {object} Aligned
 * @property {import('./state.js').State} state
 * @property {import('../types.d.ts').History} history
 * @property {number} start number of messages at the start that both histories have
 * @property {import('../types.d.ts').Sent} sent
 */

/**
 * Compares a history with the last one: the messages that both have, and the part of the last request that is still valid; in steps.
 *
 * @param {import('./state.js').State} before
 * @param {object[]} given
 * @param {{ isStripping: boolean, isFormatGiven: boolean }} options whether thinking is removed that was signed after other messages; and whether
 *   the caller named the format, which is then read as by `fit`: with whatever else a message has
 * @returns {import('../steps.js').Steps<Aligned>}
 * @throws {TypeError} a message is not what its format has
 */
function* aligning(before, given, { isStripping, isFormatGiven }) {
  const { format, counter, cutOff } = before;
  const { count: start, others } = yield* before.history.sharing(given);
  if (!isFormatGiven) checkFormat(given, format, start);
  const fresh = yield* reading(given, start, before);
  const history = before.history.with(others, start, fresh);
  const state = { ...before, seen: yield* seeing(fresh, before, start < before.history.length || cutOff !== undefined) };
  const isStale = isStripping && fresh.some((entry) => entry.isStale && entry.isSigned);
  let { sent } = before;
  if (start < sent.covered || isStale || cutOff !== undefined) sent = yield* sent.reopening(history, start, counter, isStripping, cutOff);
  else if (sent.isOutdated(history, others)) sent = yield* Sent.writing(history, sent.covered, sent.edits, counter, sent.epoch);
  return { state, history, start, sent };
}

function* reading(given, start, { counter, format }) {
  if (start === given.length) return [];
  try {
    return yield* counter.reading(given.slice(start));
  } catch (error) {
    // Errors name the place in the whole history.
    if (start > 0 && error instanceof TypeError) format.read(given);
    throw error;
  }
}

module.exports = { aligning };
