// @ts-check
'use strict';

const { RULE } = require('../generated/layout.js');
const { addTools, lazyFields } = require('./lazy-fields.js');
const { summarize } = require('./summary.js');

/** Names of the rules, by number. */
const RULES = Object.keys(RULE);

const addTokens = lazyFields('tokens');
const addSummary = lazyFields('summary');

/** Key of the method by which `console.log` shows an object. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * Creates a `PruneReport`; see `index.d.ts`. As a string it is one line. Counting tokens takes longer than pruning, so they are
 * counted when they are first read.
 *
 * @param {{ counts: Iterable<number>, strippedThinking: number, isOpenTurnStripped: boolean, messages: { before: number, after: number },
 *   countTokens: () => { before: number, after: number }, toolsOf: () => Record<string, any>, trace?: object[] }} result `counts` as
 *   numbered by `RULES`, `toolsOf` returns what is said of tools
 */
function createReport({ counts, strippedThinking, isOpenTurnStripped, messages, countTokens, toolsOf, trace }) {
  const [staleReads, staleEdits, staleCommands, failedCommands, ...others] = counts;
  const [overlappingReads, staleSearches, identicalResults, oversizedOutputs, repeatedMedia, emptyMessages, announcements] = others;
  /** @type {any} */
  const report = { messages };
  addTokens(report, () => ({ tokens: countTokens() }));
  Object.assign(report, {
    staleReads,
    staleEdits,
    staleCommands,
    failedCommands,
    strippedThinking,
    ...(isOpenTurnStripped ? { strippedOpenTurn: true } : {}),
    others: { overlappingReads, staleSearches, identicalResults, oversizedOutputs, repeatedMedia, emptyMessages, announcements },
  });
  addTools(report, toolsOf);
  addSummary(report, () => ({ summary: summarize(report) }));
  if (trace !== undefined) report.trace = trace;
  const hidden = { toString: { value: () => report.summary }, [INSPECT]: { value: () => ({ ...report }) } };
  return Object.defineProperties(report, hidden);
}

module.exports = { createReport, RULES };
