import { KEY } from './marker.js';

/** Why each edit was made: positions of parts, the rule, and the call that supersedes it. */
export function traceOf(edits) {
  const position = ({ message, path, name, callId }) => ({
    message,
    path,
    ...(name === undefined ? {} : { name }),
    ...(callId === undefined ? {} : { callId }),
  });
  return edits.map(({ part, remove, head, tail, rule, supersededBy }) => ({
    ...position(part),
    reason: rule,
    action: remove ? 'remove' : 'replace',
    charsBefore: part.text.length,
    charsAfter: remove ? 0 : head.length + KEY + tail.length,
    ...(supersededBy === undefined ? {} : { supersededBy: position(supersededBy) }),
  }));
}
