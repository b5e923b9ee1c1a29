// @ts-check
'use strict';

const { counted, grouped } = require('../agent/wording.js');
const { KEEP_REASON } = require('../generated/layout.js');

/** @import { Changes } from './report.js' */

/** Names of the reasons to keep a message, by number. */
const REASONS = Object.keys(KEEP_REASON);

/**
 * What became of each message, and why.
 *
 * @param {import('../types.d.ts').Fitting} fitting
 * @param {Changes} outcome
 * @param {{ why: Uint8Array }} [choice]
 */
const traceOf = (fitting, { actionOf, after }, choice) =>
  fitting.messages.map((message, index) => ({
    message: index,
    action: actionOf(index),
    why: REASONS[actionOf(index) === 'remove' ? KEEP_REASON.budget : (choice?.why[index] ?? KEEP_REASON.worth)],
    tokens: { before: fitting.tokensOf(message), after: after(index) },
  }));

/** Why a result is not within the budget: the tokens held by signed thinking, or else those that have to stay. */
function reasonOf({ request, messages }, held, { after }, choice) {
  if (held > 0) return `${counted(held, 'token')} ${held === 1 ? 'is' : 'are'} held by signed thinking`;
  const stays = { instructions: request, keep: 0, others: 0 };
  messages.forEach((_, index) => {
    const why = REASONS[choice?.why[index] ?? KEEP_REASON.worth];
    stays[why === 'system' ? 'instructions' : why === 'keep' ? 'keep' : 'others'] += after(index);
  });
  const { instructions, keep, others } = stays;
  const list = [
    [instructions, 'of instructions and tools'],
    [keep, 'that `keep` names'],
    [others, 'that a valid conversation needs'],
  ].filter(([tokens]) => tokens > 0);
  return `these tokens have to stay: ${list.map(([tokens, what]) => `${grouped(Math.round(tokens))} ${what}`).join(', ')}`;
}

module.exports = { reasonOf, traceOf };
