import { KEY } from './marker.js';
import type { PruneEdit } from './prune.js';
import type { Stripped } from './thinking.js';
import type { Part } from '../types.js';
import type { PartPosition, PruneTrace } from '../../index.js';

/** Where a part stands. */
export const position = ({ message, path, name, callId }: Part): PartPosition => ({
  message,
  path,
  ...(name === undefined ? {} : { name }),
  ...(callId === undefined ? {} : { callId }),
});

/** Why each edit was made: positions of parts, the rule, and the call that supersedes it. */
export function traceOf(edits: readonly (PruneEdit | Stripped)[]): PruneTrace[] {
  return edits.map(({ part, remove, head = '', tail = '', rule, supersededBy, evidence }: PruneEdit) => ({
    ...position(part),
    // The names of the engine's rules are the reasons.
    reason: rule as PruneTrace['reason'],
    action: remove ? ('remove' as const) : ('replace' as const),
    charsBefore: part.text.length,
    charsAfter: remove ? 0 : head.length + KEY + tail.length,
    ...(evidence === undefined ? {} : { evidence }),
    ...(supersededBy === undefined ? {} : { supersededBy: position(supersededBy) }),
  }));
}
