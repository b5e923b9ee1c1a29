// @ts-check
'use strict';

const { addTools } = require('../agent/lazy-fields.js');
const { openThinking } = require('../agent/thinking-steps.js');
const { reportTools } = require('../agent/tools-report.js');
const { counted, grouped, percent } = require('../agent/wording.js');
const { KEEP_REASON } = require('../generated/layout.js');
const { reasonOf, traceOf } = require('./reasons.js');

/**
 * The report of a fitting; see `FitReport` in `index.d.ts`. As a string it is one line.
 *
 * @param {import('../types.d.ts').Fitting} fitting
 * @param {{ written: import('../types.d.ts').Written, edits: readonly object[], choice?: { why: Uint8Array, cutsLastWords: boolean } }} made
 * @param {{ before: number, after: number, budget: number, margin?: number, minimum?: number }} tokens
 * @param {{ asked: number, used: number, refused: number } | undefined} summaries
 * @param {boolean} isTraced
 */
function createReport(fitting, made, tokens, summaries, isTraced) {
  const { messages } = fitting;
  const { written, choice } = made;
  const outcome = made.edits.length === 0 ? unchanged(fitting) : changes(fitting, made);
  const { counts, saved } = outcome;
  const held = fitting.heldByThinking();
  /** @type {{ messages: any, saved: any, [more: string]: any }} */
  const report = {
    messages: { before: messages.length, after: written.messages.length, kept: counts.keep, cut: counts.cut, removed: counts.remove },
    saved: { cut: saved.cut, removed: saved.remove },
  };
  if (summaries !== undefined) report.summaries = summaries;
  if (held > 0) report.heldByThinking = held;
  if (isOpenTurnStripped(fitting, outcome)) report.strippedOpenTurn = true;
  if (choice?.cutsLastWords) report.cutLastWords = true;
  const reason = tokens.minimum === undefined ? undefined : reasonOf(fitting, held, outcome, choice);
  report.summary = summarize(report, tokens, reason);
  if (isTraced) report.trace = traceOf(fitting, outcome, choice);
  if (fitting.pruning) addTools(report, () => reportTools(fitting.parts, fitting.pruning, 'options.prune'));
  return Object.defineProperty(report, 'toString', { value: () => report.summary });
}

/**
 * Outcome of the messages, together and one by one.
 *
 * @typedef {object} Changes
 * @property {Record<'keep' | 'cut' | 'remove', number>} counts messages
 * @property {Record<'keep' | 'cut' | 'remove', number>} saved tokens
 * @property {(index: number) => 'keep' | 'cut' | 'remove'} actionOf
 * @property {(index: number) => number} after tokens of a message that are left
 */

/** @returns {Changes} */
function unchanged(fitting) {
  const { messages } = fitting;
  const none = { keep: 0, cut: 0, remove: 0 };
  return {
    counts: { ...none, keep: messages.length },
    saved: none,
    actionOf: () => 'keep',
    after: (index) => fitting.tokensOf(messages[index]),
  };
}

/**
 * @param {import('../types.d.ts').Fitting} fitting
 * @param {{ written: import('../types.d.ts').Written, choice?: { why: Uint8Array } }} made
 * @returns {Changes}
 */
function changes(fitting, { written, choice }) {
  const { messages } = fitting;
  const actions = new Array(messages.length).fill('remove');
  const after = new Float64Array(messages.length);
  written.messages.forEach((message, index) => {
    const { first, last } = written.sources[index];
    after[last] = fitting.tokensOf(message);
    for (let at = first; at <= last; at++) {
      // Of messages that were put together some may stand between those, and be gone.
      if (first < last && choice?.why[at] === KEEP_REASON.budget) continue;
      actions[at] = first === last && message === messages[at] ? 'keep' : 'cut';
    }
  });
  const counts = { keep: 0, cut: 0, remove: 0 };
  const saved = { cut: 0, remove: 0, keep: 0 };
  for (let index = 0; index < messages.length; index++) {
    counts[actions[index]]++;
    saved[actions[index]] += fitting.tokensOf(messages[index]) - after[index];
  }
  return { counts, saved, actionOf: (index) => actions[index], after: (index) => after[index] };
}

/** Whether the turn whose calls are being answered lost its thinking. With `strip`, a message that is not as it was has none. */
function isOpenTurnStripped(fitting, { actionOf }) {
  const message = fitting.thinking === 'strip' && fitting.strippable.length > 0 ? openThinking(fitting.parts) : undefined;
  return message !== undefined && actionOf(message) !== 'keep';
}

/**
 * @param {{ messages: any, summaries?: any }} counts
 * @param {{ before: number, after: number, budget: number, margin?: number }} tokens
 * @param {string} [reason] why the result is not within the budget
 */
function summarize({ messages, summaries }, { before, after, budget, margin }, reason) {
  const said = summaries === undefined ? [] : [counted(summaries.used, 'summary', 'summaries')];
  if (margin !== undefined) said.unshift(`${grouped(margin)} left free as a margin`);
  if (reason !== undefined) said.push(reason);
  return [
    `${grouped(messages.before)} → ${counted(messages.after, 'message')} (${grouped(messages.kept)} kept, ${grouped(messages.cut)} cut, ${grouped(messages.removed)} removed)`,
    `${grouped(before)} → ${counted(after, 'token')} of ${grouped(budget)} (-${percent(before - after, before)})`,
    ...said,
  ].join(' · ');
}

module.exports = { createReport };
