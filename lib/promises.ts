/** Returns whether an answer is a promise that nobody awaits; its rejection must not end the process. */
export function isUnawaited(answer: unknown) {
  if (typeof (answer as { then?: unknown } | null | undefined)?.then !== 'function') return false;
  Promise.resolve(answer).catch(() => {});
  return true;
}
