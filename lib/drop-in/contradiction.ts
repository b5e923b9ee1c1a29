import { checkMessageList, checkNumber, rolesOf } from '../checks.js';
import { textOf } from '../messages.js';
import native from '../native.js';
import type { ContradictionAnnotation } from '../../drop-in.js';
import type { Message } from '../messages.js';

/** See `index.d.ts`. */
export function analyzeContradictions(messages: readonly Message[], topicThreshold = 0.15, preserveRoles: unknown = []) {
  checkMessageList('analyzeContradictions(): messages', messages);
  checkNumber('analyzeContradictions(): topicThreshold', topicThreshold);
  const preserved = rolesOf('analyzeContradictions(): preserveRoles', preserveRoles);
  const numbers = new Map<unknown, number>();
  const roles = messages.map(({ role }) => {
    if (preserved.has(role as string)) return -1;
    if (!role) return 0;
    if (!numbers.has(role)) numbers.set(role, numbers.size + 1);
    return numbers.get(role) as number;
  });
  const annotations = new Map<number, ContradictionAnnotation>();
  for (const { of, by, overlap, signal } of native.findContradictions(messages.map(textOf), roles, topicThreshold)) {
    // The first correction wins.
    if (!annotations.has(of)) annotations.set(of, { supersededByIndex: by, topicOverlap: overlap, signal });
  }
  return annotations;
}
