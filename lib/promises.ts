import type { Foreign } from './types.js';

/** Returns whether an answer is a promise that nobody awaits; its rejection must not end the process. */
export function isUnawaited(answer: Foreign) {
  if (typeof answer?.then !== 'function') return false;
  Promise.resolve(answer).catch(() => {});
  return true;
}
