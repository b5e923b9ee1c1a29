import { openThinking } from '../agent/thinking-steps.js';
import { addKinds, kindsIn } from './unknown-kinds.js';
import { addTools, reportTools } from '../agent/tools-report.js';
import { counted, grouped, percent } from '../agent/wording.js';
import { KEEP_REASON } from '../generated/layout.js';
import { limitsReport, limitsSummary } from './limits-report.js';
import { obligationsReport } from './obligations.js';
import { pinsReport } from './pinned.js';
import { reasonOf, traceOf } from './reasons.js';
import type { FitChoice, ShortenedResult } from '../../binding';
import type { Written } from '../types.js';
import type { Fitting, Made } from './fitting.js';
import type { Pins } from './pinned.js';
import type { FitReport } from '../../index.js';

/** The report of a fitting; see `FitReport` in `index.d.ts`. As a string it is one line. */
export function createReport(
  fitting: Fitting,
  made: {
    written: Written;
    edits: Made['edits'];
    choice?: FitChoice;
    saved?: FitReport['shortened'];
    shorter?: readonly ShortenedResult[];
  },
  tokens: { before: number; after: number; limit: number; margin?: number; minimum?: number },
  {
    summaries,
    isTraced,
    pins,
  }: {
    summaries: { asked: number; used: number; refused: number } | undefined;
    isTraced: boolean | null | undefined;
    pins: Pins | undefined;
  },
): FitReport {
  const { messages } = fitting;
  const { written, choice } = made;
  const outcome = made.edits.length === 0 ? unchanged(fitting) : changes(fitting, made);
  const { counts, saved } = outcome;
  const held = fitting.heldByThinking();
  const report = {
    messages: { before: messages.length, after: written.messages.length, kept: counts.keep, cut: counts.cut, removed: counts.remove },
    saved: { cut: saved.cut, removed: saved.remove },
  } as FitReport;
  if (made.saved !== undefined) report.shortened = made.saved;
  if (summaries !== undefined) report.summaries = summaries;
  if (held > 0) report.heldByThinking = held;
  if (isOpenTurnStripped(fitting, outcome)) report.strippedOpenTurn = true;
  if (choice?.cutsLastWords) report.cutLastWords = true;
  Object.assign(report, obligationsReport(choice?.met));
  if (pins !== undefined) report.pins = pinsReport(pins, made.edits);
  const limits = fitting.limited && limitsReport(fitting.limited);
  if (limits !== undefined) report.requestLimits = limits;
  const isTooLong = tokens.after > tokens.limit - (tokens.margin ?? 0);
  const reasons = [
    ...(limits === undefined ? [] : [limitsSummary(limits)]),
    ...(tokens.minimum !== undefined && isTooLong ? [reasonOf(fitting, held, outcome, choice)] : []),
  ];
  report.summary = summarize(report, tokens, reasons);
  if (isTraced) report.trace = traceOf(fitting, outcome, made);
  addKinds(report, () => ({ unknownKinds: kindsIn(fitting.parts.flatMap(({ unknown }) => unknown ?? [])) }));
  const { pruning } = fitting;
  if (pruning) addTools(report, () => reportTools(fitting.parts, pruning, 'options.prune'));
  return Object.defineProperty(report, 'toString', { value: () => report.summary });
}

/** Outcome of the messages, together and one by one. */
export interface Changes {
  /** messages */
  counts: Record<'keep' | 'cut' | 'remove', number>;
  /** tokens */
  saved: Record<'keep' | 'cut' | 'remove', number>;
  actionOf: (index: number) => 'keep' | 'cut' | 'remove';
  /** tokens of a message that are left */
  after: (index: number) => number;
}

function unchanged(fitting: Fitting): Changes {
  const { messages } = fitting;
  const none = { keep: 0, cut: 0, remove: 0 };
  return {
    counts: { ...none, keep: messages.length },
    saved: none,
    actionOf: () => 'keep',
    after: (index) => fitting.tokensOf(messages[index]),
  };
}

function changes(fitting: Fitting, { written, choice }: { written: Written; choice?: { why: Uint8Array } }): Changes {
  const { messages } = fitting;
  const actions = new Array<ReturnType<Changes['actionOf']>>(messages.length).fill('remove');
  const after = new Float64Array(messages.length);
  written.messages.forEach((message, index) => {
    const { first, last, isMark } = written.sources[index];
    after[last] = fitting.tokensOf(message);
    // A mark stays of the last message.
    for (let at = isMark ? last : first; at <= last; at++) {
      // Of messages that were put together some may stand between those, and be gone.
      if (first < last && !isMark && choice?.why[at] === KEEP_REASON.limit) continue;
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
function isOpenTurnStripped(fitting: Fitting, { actionOf }: Changes) {
  const message = fitting.thinking === 'strip' && fitting.strippable.length > 0 ? openThinking(fitting.parts) : undefined;
  return message !== undefined && actionOf(message) !== 'keep';
}

/** @param reasons what the limits beside tokens did, and why the result is not within the limit */
function summarize(
  { messages, summaries }: Pick<FitReport, 'messages' | 'summaries'>,
  { before, after, limit, margin }: { before: number; after: number; limit: number; margin?: number },
  reasons: readonly string[],
) {
  const said = summaries === undefined ? [] : [counted(summaries.used, 'summary', 'summaries')];
  if (margin !== undefined) said.unshift(`${grouped(margin)} left free as a margin`);
  said.push(...reasons);
  return [
    `${grouped(messages.before)} → ${counted(messages.after, 'message')} (${grouped(messages.kept)} kept, ${grouped(messages.cut)} cut, ${grouped(messages.removed)} removed)`,
    `${grouped(before)} → ${counted(after, 'token')} of ${grouped(limit)} (-${percent(before - after, before)})`,
    ...said,
  ].join(' · ');
}
