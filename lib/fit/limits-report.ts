import { counted, grouped } from '../agent/wording.js';
import { amountsOf } from '../limits/load.js';
import type { Excess, Load } from '../limits/load.js';
import type { RequestLimitsReport, SessionStep } from '../../index.js';

/** What each limit counts. */
const NAMES: Record<Excess['name'], (count: number, limit: string) => string> = {
  bytes: (count, limit) => `${counted(count, 'byte')} of ${limit}`,
  media: (count, limit) => `${counted(count, 'image or page', 'images and pages')} of ${limit}`,
  images: (count, limit) => `${counted(count, 'image')} of ${limit}`,
  documents: (count, limit) => `${counted(count, 'document')} of ${limit}`,
  pages: (count, limit) => `${counted(count, 'page')} of ${limit}`,
  imageBytes: (count, limit) => `${counted(count, 'image')} above ${limit} bytes`,
  imagePixels: (count, limit) => `${counted(count, 'image')} above ${limit} pixels`,
  manyImagePixels: (count, limit) => `${counted(count, 'image')} of many above ${limit} pixels`,
};

/**
 * The limits that a conversation exceeded, as a report has them.
 *
 * @param load of what is left
 */
export function limitsReport({ before, load }: { before: readonly Excess[]; load: Load }): RequestLimitsReport {
  const left = amountsOf(load);
  return Object.fromEntries(before.map(({ name, count, limit }) => [name, { before: count, after: left[name], limit }]));
}

/** What became of them, in a line. */
export function limitsSummary(report: RequestLimitsReport) {
  const entries = Object.entries(report) as [Excess['name'], { before: number; after: number; limit: number }][];
  return entries.map(([name, { before, after, limit }]) => `${grouped(before)} → ${NAMES[name](after, grouped(limit))}`).join(', ');
}

/** What a request that doesn't fit exceeds. */
export function excessIn({ tokens: { after, limit }, report }: Pick<SessionStep<object>, 'tokens' | 'report'>) {
  if (after > limit || report.requestLimits === undefined) return `takes ${after} tokens, above the limit of ${limit}`;
  return `exceeds what a request may hold (${limitsSummary(report.requestLimits)})`;
}
