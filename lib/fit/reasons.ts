import { counted, grouped } from '../agent/wording.js';
import { KEEP_REASON } from '../generated/layout.js';
import { traceOfShortened } from './shortening.js';
import type { Changes } from './report.js';
import type { Fitting } from './fitting.js';
import type { ShortenedResult } from '../../binding';
import type { FitTrace, ShortenedTrace } from '../../index.js';

/** Names of the reasons to keep a message, by number. */
const REASONS = Object.keys(KEEP_REASON) as FitTrace['why'][];

/** What became of each message, and why. */
export function traceOf(
  fitting: Fitting,
  { actionOf, after }: Changes,
  { choice, shorter = [] }: { choice?: { why: Uint8Array }; shorter?: readonly ShortenedResult[] },
): FitTrace[] {
  const shortened = new Map<number, ShortenedTrace[]>();
  for (const trace of traceOfShortened(shorter, fitting.parts, fitting.pruning)) {
    const before = shortened.get(trace.message);
    if (before === undefined) shortened.set(trace.message, [trace]);
    else before.push(trace);
  }
  return fitting.messages.map((message, index) => {
    const [action, results] = [actionOf(index), shortened.get(index)];
    const why = choice?.why[index] ?? KEEP_REASON.worth;
    // Of a message that goes a mark may stay, for those around it.
    const stays = why === KEEP_REASON.limit ? KEEP_REASON.valid : why;
    return {
      message: index,
      action,
      why: REASONS[action === 'remove' ? KEEP_REASON.limit : stays],
      tokens: { before: fitting.tokensOf(message), after: after(index) },
      ...(action === 'remove' || results === undefined ? {} : { shortened: results }),
    };
  });
}

/** Why a result is not within the limit: the tokens held by signed thinking, or else those that have to stay. */
export function reasonOf({ request, messages }: Fitting, held: number, { after }: Changes, choice?: { why: Uint8Array }) {
  if (held > 0) return `${counted(held, 'token')} ${held === 1 ? 'is' : 'are'} held by signed thinking`;
  const stays = { instructions: request, keep: 0, others: 0 };
  messages.forEach((_, index) => {
    const why = REASONS[choice?.why[index] ?? KEEP_REASON.worth];
    stays[why === 'system' ? 'instructions' : why === 'keep' ? 'keep' : 'others'] += after(index);
  });
  const { instructions, keep, others } = stays;
  const list: [number, string][] = [
    [instructions, 'of instructions and tools'],
    [keep, 'that `keep` names'],
    [others, 'that a valid conversation needs'],
  ];
  const rows = list.filter(([tokens]) => tokens > 0);
  return `these tokens have to stay: ${rows.map(([tokens, what]) => `${grouped(Math.round(tokens))} ${what}`).join(', ')}`;
}
