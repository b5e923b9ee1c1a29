// @ts-check
'use strict';

const { checkRestorable } = require('../agent/entries.js');
const { carriedOf } = require('../agent/carried.js');
const { missingWithout, namesOf } = require('../agent/missing.js');
const { putBack } = require('../agent/restore.js');
const { getIn } = require('../formats/copy.js');
const { hintsOf } = require('../formats/hints.js');
const { formatOf } = require('../formats/index.js');
const { inOneGo } = require('../steps.js');

/**
 * A conversation with what earlier rounds took out put back. Thinking that was signed after such a round is only valid behind what was
 * sent then. Where something before it would be put back, `thinking: 'strip'` takes the thinking out, `'leave'` leaves it where it is, and
 * with `'keep'` nothing is put back.
 *
 * @typedef {object} Conversation
 * @property {import('../types.d.ts').Foreign[]} messages
 * @property {import('../types.d.ts').Part[]} [parts] absent if they were not read yet
 * @property {import('../types.d.ts').Format} format
 * @property {number} stale the first message whose signed thinking was made behind something else; Infinity where there is none
 * @property {import('../agent/originals.js').Originals} carried the originals that are still needed to restore `messages`
 * @property {(marksOf: import('../agent/missing.js').MarksOf) => string[]} missing names what can't be restored, as `restore` does
 *
 * @param {readonly import('../types.d.ts').Foreign[]} given
 * @param {any} options of `fit`, checked
 * @param {string} [provider] the model's
 * @returns {Conversation}
 */
function takeUp(given, options, provider) {
  return inOneGo(takingUp(given, options, provider));
}

/** The same, in steps. */
function* takingUp(messages, options, provider) {
  const { originals, thinking } = options;
  // The array may have grown when the summaries are there, or after a pause.
  const given = messages.slice();
  if (originals === undefined || originals === null)
    return {
      messages: given,
      format: formatFor(given, options, provider),
      stale: Infinity,
      carried: {},
      missing: (marksOf) => missingWithout(given, marksOf),
    };
  const known = checkRestorable(given, originals, 'fit(): messages', 'fit(): options.originals');
  const back = putBack(given, originals, known);
  const { carried, missing } = carriedOf(originals, given, back);
  const named = { missing: () => namesOf({ ...back, missing }) };
  const conversation = { ...(yield* reading(back.messages, options, provider, carried)), ...named };
  const stale = yield* staleFrom(given, back, conversation);
  if (stale === Infinity || thinking === 'leave') return conversation;
  return thinking === 'strip' ? { ...conversation, stale } : { ...(yield* reading(given, options, provider, originals)), ...named };
}

const formatFor = (messages, { format, tools, system }, provider) =>
  formatOf(messages, format ?? 'auto', hintsOf({ tools, system, provider }));

function* reading(messages, options, provider, carried) {
  const format = formatFor(messages, options, provider);
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

module.exports = { takeUp, takingUp };
