// @ts-check
'use strict';

const { missingWithout } = require('../agent/missing.js');
const { hintsOf } = require('../formats/hints.js');
const { formatOf } = require('../formats/index.js');
const { inOneGo } = require('../steps.js');
const { takingBack } = require('./taken-back.js');

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
  // The array may have grown when the summaries are there, or after a pause.
  const given = messages.slice();
  const { format, tools, system, originals } = options;
  const formatFor = (list) => formatOf(list, format ?? 'auto', hintsOf({ tools, system, provider }));
  if (originals !== undefined && originals !== null) return yield* takingBack(given, options, formatFor);
  return {
    messages: given,
    format: formatFor(given),
    stale: Infinity,
    carried: {},
    missing: (marksOf) => missingWithout(given, marksOf),
  };
}

module.exports = { takeUp, takingUp };
