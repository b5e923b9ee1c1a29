// @ts-check
'use strict';

const { checkRestorable } = require('../agent/entries.js');
const { carriedOf } = require('../agent/carried.js');
const { namesOf } = require('../agent/missing.js');
const { putBack } = require('../agent/restore.js');
const { getIn } = require('../formats/copy.js');

/** @import { Conversation } from './earlier.js' */
/** @import { Foreign, Format } from '../types.d.ts' */

/**
 * Puts back what earlier rounds took out, in steps.
 *
 * @param {Foreign[]} given
 * @param {any} options of `fit`, checked, with originals
 * @param {(messages: Foreign[]) => Format} formatFor
 * @returns {import('../steps.js').Steps<Conversation>}
 */
function* takingBack(given, { originals, thinking }, formatFor) {
  const known = checkRestorable(given, originals, 'fit(): messages', 'fit(): options.originals');
  const back = putBack(given, originals, known);
  const { carried, missing } = carriedOf(originals, given, back);
  const named = { missing: () => namesOf({ ...back, missing }) };
  const conversation = { ...(yield* reading(back.messages, formatFor, carried)), ...named };
  const stale = yield* staleFrom(given, back, conversation);
  if (stale === Infinity || thinking === 'leave') return conversation;
  return thinking === 'strip' ? { ...conversation, stale } : { ...(yield* reading(given, formatFor, originals)), ...named };
}

function* reading(messages, formatFor, carried) {
  const format = formatFor(messages);
  return { messages, parts: yield* format.reading(messages), format, stale: Infinity, carried };
}

/** The first message whose signed thinking doesn't stand behind what it was made from. */
function* staleFrom(given, { messages, stale }, { parts, format }) {
  const changed = messages.findIndex((message, index) => message !== given[index]);
  const signed = changed < 0 ? [] : parts.filter((part) => part.signed);
  if (signed.length === 0) return Infinity;
  // Restored messages are rebuilt from the given ones, so a block that was sent is the same object.
  const blockOf = (list, { message, path }) => getIn(list[message], path);
  const sent = new Set((yield* format.reading(given)).filter((part) => part.signed).map((part) => blockOf(given, part)));
  const isStale = (part) => stale.has(messages[part.message]) || (part.message > changed && sent.has(blockOf(messages, part)));
  return signed.find(isStale)?.message ?? Infinity;
}

module.exports = { takingBack };
