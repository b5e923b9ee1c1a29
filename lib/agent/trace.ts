import { KEY } from './marker.js';
import type { PruneEdit } from './prune.js';
import type { Stripped } from './thinking.js';
import type { Part } from '../types.js';

/** Why each edit was made: positions of parts, the rule, and the call that supersedes it. */
export function traceOf(edits: readonly (PruneEdit | Stripped)[]) {
  const position = ({ message, path, name, callId }: Part) => ({
    message,
    path,
    ...(name === undefined ? {} : { name }),
    ...(callId === undefined ? {} : { callId }),
  });
  return edits.map(({ part, remove, head = '', tail = '', rule, supersededBy }: PruneEdit) => ({
    ...position(part),
    reason: rule,
    action: remove ? 'remove' : 'replace',
    charsBefore: part.text.length,
    charsAfter: remove ? 0 : head.length + KEY + tail.length,
    ...(supersededBy === undefined ? {} : { supersededBy: position(supersededBy) }),
  }));
}
