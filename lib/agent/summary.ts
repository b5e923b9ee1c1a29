import type { PruneReport } from '../../index.js';
import { counted, grouped, percent } from './wording.js';

/** Summarizes a report of `prune` in one line. */
export function summarize({
  messages,
  tokens,
  staleReads,
  staleEdits,
  staleCommands,
  failedCommands,
  strippedThinking,
}: Omit<PruneReport, 'summary'>) {
  const gone = messages.before - messages.after;
  const went = [
    `${grouped(messages.before)} → ${counted(messages.after, 'message')} (-${grouped(gone)}, ${percent(gone, messages.before)})`,
    `${grouped(tokens.before)} → ${counted(tokens.after, 'token')} (-${percent(tokens.before - tokens.after, tokens.before)})`,
    [
      counted(staleReads, 'stale read'),
      counted(staleEdits, 'stale edit'),
      counted(staleCommands, 'stale command'),
      `${grouped(failedCommands)} failed`,
      ...(strippedThinking > 0 ? [`${counted(strippedThinking, 'thinking block')} stripped`] : []),
    ].join(', '),
  ];
  return went.join(' · ');
}
