import { checkMessageList, checkNumber, rolesOf } from '../checks.js';
import { textOf } from '../messages.js';
import native from '../native.js';
import type { Foreign } from '../types.js';

/** See `index.d.ts`. */
export function analyzeContradictions(messages: readonly Foreign[], topicThreshold = 0.15, preserveRoles = []) {
  checkMessageList('analyzeContradictions(): messages', messages);
  checkNumber('analyzeContradictions(): topicThreshold', topicThreshold);
  const preserved = rolesOf('analyzeContradictions(): preserveRoles', preserveRoles);
  const numbers = new Map();
  const roles = messages.map(({ role }) => {
    if (preserved.has(role)) return -1;
    if (!role) return 0;
    if (!numbers.has(role)) numbers.set(role, numbers.size + 1);
    return numbers.get(role);
  });
  const annotations = new Map();
  for (const { of, by, overlap, signal } of native.findContradictions(messages.map(textOf), roles, topicThreshold)) {
    // The first correction wins.
    if (!annotations.has(of)) annotations.set(of, { supersededByIndex: by, topicOverlap: overlap, signal });
  }
  return annotations;
}
