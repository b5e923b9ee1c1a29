// What the proxy logs of a request: one line, without content.
import type { LogEntry } from '../types.mjs';

const count = (number: number) => Math.round(number).toLocaleString('en');

export function lineOf({ time, api, model, status, before, after, reused, output, ms, epoch, passed, ended }: LogEntry) {
  const sent = before === undefined || after === undefined ? undefined : `${count(before)} → ${count(after)} tokens`;
  const parts = [
    sent,
    reused !== undefined && `${count(reused)} begin like the last`,
    epoch !== undefined && `chosen anew (${epoch})`,
    output !== undefined && `${count(output)} out`,
    ms !== undefined && `${count(ms)} ms`,
    passed !== undefined && `as it came: ${passed}`,
    ended !== 'whole' && ended,
  ].filter(Boolean);
  return `${new Date(time).toISOString()} ${api} ${model ?? '-'} ${status ?? '-'} ${parts.join(', ')}`;
}
