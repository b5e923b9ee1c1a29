import type { Format } from '../types.js';
import type { History } from './history.js';
import type { Sent } from './sent.js';
import { counted, grouped, percent } from '../agent/wording.js';
import { lazyFields } from '../lazy-fields.js';
import { limitsSummary } from '../fit/limits-report.js';
import { obligationsReport } from '../fit/obligations.js';
import type { FitMet } from '../../binding';
import type { CacheReport, PinsReport, PrefixChange, RequestLimitsReport, SessionStepReport } from '../../index.js';

const addCache = lazyFields<SessionStepReport>(['cache']);

/** Makes the report of one request. */
export function createReport({
  format,
  isExact,
  history,
  sent,
  messages,
  reused,
  counts: { before, after, limit },
  reason,
  cutsLastWords,
  met,
  pins,
  isForeign,
  isOff,
  unknownKinds,
  limits,
  change,
  cache,
}: {
  format: Format['name'];
  isExact: boolean;
  history: History;
  sent: Sent;
  messages: readonly object[];
  /** the messages and tokens at the start that the last request had as well */
  reused: { messages: number; tokens: number };
  counts: { before: number; after: number; limit: number };
  reason: string | undefined;
  cutsLastWords: boolean;
  /** what became of rules, task and state, where an epoch chose */
  met: FitMet | undefined;
  pins: PinsReport | undefined;
  isForeign: boolean;
  /** the request goes out as it came */
  isOff: boolean;
  /** those that no step before named */
  unknownKinds: Record<string, number>;
  limits: RequestLimitsReport | undefined;
  /** what the caller changed in what the last request began with */
  change: PrefixChange | undefined;
  cache: () => CacheReport;
}): SessionStepReport {
  const summary = [
    isOff ? 'off' : reason === undefined ? 'appended' : `epoch (${reason})`,
    `${grouped(history.length)} → ${counted(messages.length, 'message')}`,
    `${grouped(Math.round(before))} → ${counted(Math.round(after), 'token')} of ${grouped(Math.round(limit))}`,
    `${percent(reused.messages, messages.length)} of the messages sent before`,
    ...(limits === undefined ? [] : [limitsSummary(limits)]),
  ].join(' · ');
  const report = {
    format,
    messages: { before: history.length, after: messages.length, reused: reused.messages },
    reusedTokens: reused.tokens,
    exact: isExact,
    ...(isOpenTurnStripped(history, sent) ? ({ strippedOpenTurn: true } satisfies Partial<SessionStepReport>) : {}),
    ...(cutsLastWords ? ({ cutLastWords: true } satisfies Partial<SessionStepReport>) : {}),
    ...obligationsReport(met),
    ...(pins === undefined ? {} : { pins }),
    ...(limits === undefined ? {} : ({ requestLimits: limits } satisfies Partial<SessionStepReport>)),
    ...(Object.keys(unknownKinds).length === 0 ? {} : ({ unknownKinds } satisfies Partial<SessionStepReport>)),
    ...(change === undefined ? {} : ({ prefix: change } satisfies Partial<SessionStepReport>)),
    ...(isForeign ? ({ foreign: true } satisfies Partial<SessionStepReport>) : {}),
    ...(isOff ? ({ off: true } satisfies Partial<SessionStepReport>) : {}),
    summary,
  };
  addCache(report, () => ({ cache: cache() }));
  return Object.defineProperty(report, 'toString', { value: () => report.summary }) as SessionStepReport;
}

/** Returns whether the message whose calls are being answered lost its signed thinking. */
function isOpenTurnStripped({ entries }: History, sent: Sent) {
  let index = entries.length - 1;
  while (index >= 0 && entries[index].role === 'tool') index--;
  if (index < 0 || index === entries.length - 1 || !entries[index].isSigned || index >= sent.covered) return false;
  return sent.items.some(({ first, last, isStripped }) => isStripped && first <= index && index <= last);
}
