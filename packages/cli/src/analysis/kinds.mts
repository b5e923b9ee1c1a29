// What each part of a conversation is: results are told by what `prune` would cut of them, and why.
import { createRequire } from 'node:module';
import type { Kind, MessageFormat } from '../types.mjs';
import type { Part } from './parts.mjs';

const { prune }: typeof import('palimpsest') = createRequire(import.meta.url)('palimpsest');

/** Minimum length of a large output in characters, as in `prune`. */
const LARGE = 16_000;

const BY_REASON: Record<string, Kind> = {
  staleRead: 'stale reads',
  overlappingRead: 'stale reads',
  staleCommand: 'repeated commands',
  staleSearch: 'repeated commands',
  identicalResult: 'repeated commands',
  failedCommand: 'failed commands',
  oversizedOutput: 'large outputs',
};

const contains = (part: Part, path: (string | number)[]) => part.paths.some((own) => own.every((step, index) => step === path[index]));

/** What `prune` would cut, and the message from which on it is of no use. */
export type Cut = { kind: Kind; by?: number };

/**
 * Returns the kind of each result that `prune` would cut.
 *
 * @param read the messages' parts
 * @throws {TypeError} the messages don't have the shape of the format
 */
function kindsOfResults(messages: object[], format: MessageFormat, read: { role: string; parts: Part[] }[]): Map<Part, Cut> {
  const kinds: Map<Part, Cut> = new Map();
  const { report } = prune(messages, { format, keep: { recent: 0 }, thinking: 'leave', trace: true });
  for (const { reason, message, path, supersededBy } of report.trace ?? []) {
    const kind = BY_REASON[reason];
    const part = kind && read[message].parts.find((one) => one.label === 'result' && contains(one, path));
    if (part && !kinds.has(part)) kinds.set(part, { kind, ...(supersededBy && { by: supersededBy.message }) });
  }
  return kinds;
}

const BY_ROLE: Record<string, Kind> = { user: 'user', system: 'instructions', assistant: 'model', tool: 'other results' };

/**
 * @param read the messages' parts
 * @throws {TypeError} the messages don't have the shape of the format
 */
export function classifier(
  messages: object[],
  format: MessageFormat,
  read: { role: string; parts: Part[] }[],
): { kindOf: (part: Part, role: string) => Kind; cutOf: (part: Part) => Cut | undefined } {
  const results = kindsOfResults(messages, format, read);
  return {
    cutOf: (part) => results.get(part),
    kindOf: (part, role) => {
      if (part.label === 'thinking') return 'thinking';
      if (part.label === 'result') return results.get(part)?.kind ?? (part.text.length > LARGE ? 'large outputs' : 'other results');
      return BY_ROLE[role];
    },
  };
}
