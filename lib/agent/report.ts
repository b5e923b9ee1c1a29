import { RULE } from '../generated/layout.js';
import { lazyFields, SHOWN } from '../lazy-fields.js';
import { addTools } from './tools-report.js';
import { summarize } from './summary.js';

/** Names of the rules, by number. */
export const RULES = Object.keys(RULE);

const addTokens = lazyFields(['tokens']);
const addSummary = lazyFields(['summary']);

/**
 * Creates a `PruneReport`; see `index.d.ts`. As a string it is one line. Counting tokens takes longer than pruning, so they are
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
  toolsOf: () => Record<string, any>;
  trace?: object[];
}) {
  const [staleReads, staleEdits, staleCommands, failedCommands, ...others] = counts;
  const [overlappingReads, staleSearches, identicalResults, oversizedOutputs, repeatedMedia, emptyMessages, announcements] = others;
  const report: any = { messages };
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
  return Object.defineProperties(report, { toString: { value: () => report.summary }, ...SHOWN });
}
