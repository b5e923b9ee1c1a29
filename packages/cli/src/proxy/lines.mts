// What the proxy logs of a request: one line, without content.
import { grouped } from '../transcripts/values.mjs';
import type { LogEntry } from '../types.mjs';

export function lineOf({ time, api, model, status, before, after, reused, output, ms, epoch, passed, ended }: LogEntry) {
  const sent = before === undefined || after === undefined ? undefined : `${grouped(before)} → ${grouped(after)} tokens`;
  const parts = [
    sent,
    reused !== undefined && `${grouped(reused)} begin like the last`,
    epoch !== undefined && `chosen anew (${epoch})`,
    output !== undefined && `${grouped(output)} out`,
    ms !== undefined && `${grouped(ms)} ms`,
    passed !== undefined && `as it came: ${passed}`,
    ended !== 'whole' && ended,
  ].filter(Boolean);
  return `${new Date(time).toISOString()} ${api} ${model ?? '-'} ${status ?? '-'} ${parts.join(', ')}`;
}
