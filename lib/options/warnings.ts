/** Maximum number of warnings, so that memory stays bounded. */
const MAX_WARNINGS = 1000;

const given: Set<string> = new Set();

/** Emits a warning of the process, each text once. */
export function warnOnce(text: string, code: string) {
  if (given.has(text) || given.size === MAX_WARNINGS) return;
  given.add(text);
  process.emitWarning(text, { type: 'Warning', code });
}
