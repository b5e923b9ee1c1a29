import { RULE } from '../generated/layout.js';
import { addTools, lazyFields } from './lazy-fields.js';
import { summarize } from './summary.js';
import type { PruneReport, PruneTrace } from '../../index.js';

/** Names of the rules, by number. */
export const RULES = Object.keys(RULE);

const addTokens = lazyFields('tokens');
const addSummary = lazyFields('summary');

/** Key of the method by which `console.log` shows an object. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * Creates a `PruneReport`. As a string it is one line. Counting tokens takes longer than pruning, so they are
 * counted when they are first read.
 *
 * @param result `counts` as
 * numbered by `RULES`, `toolsOf` returns what is said of tools
 */
export function createReport({
  counts,
  strippedThinking,
  isOpenTurnStripped,
  messages,
  countTokens,
  toolsOf,
  trace,
}: {
  counts: Iterable<number>;
  strippedThinking: number;
  isOpenTurnStripped: boolean;
  messages: { before: number; after: number };
  countTokens: () => { before: number; after: number };
  toolsOf: () => Pick<PruneReport, 'unknownTools' | 'guessedTools' | 'warnings'>;
  trace?: PruneTrace[];
}): PruneReport {
  const [staleReads, staleEdits, staleCommands, failedCommands, ...others] = counts;
  const [overlappingReads, staleSearches, identicalResults, oversizedOutputs, repeatedMedia, emptyMessages, announcements] = others;
  const report = { messages } as PruneReport;
  addTokens(report, () => ({ tokens: countTokens() }));
  Object.assign(report, {
    staleReads,
    staleEdits,
    staleCommands,
    failedCommands,
    strippedThinking,
    ...(isOpenTurnStripped ? ({ strippedOpenTurn: true } satisfies Partial<PruneReport>) : {}),
    others: { overlappingReads, staleSearches, identicalResults, oversizedOutputs, repeatedMedia, emptyMessages, announcements },
  } satisfies Partial<PruneReport>);
  addTools(report, toolsOf);
  addSummary(report, () => ({ summary: summarize(report) }));
  if (trace !== undefined) report.trace = trace;
  const hidden = { toString: { value: () => report.summary }, [INSPECT]: { value: () => ({ ...report }) } };
  return Object.defineProperties(report, hidden);
}
