/** Maximum number of warnings, so that memory stays bounded. */
const MAX_WARNINGS = 1000;

const given: Set<string> = new Set();

/**
 * Emits a warning of the process, each once.
 *
 * @param about by which warnings are told apart
 */
export function warnOnce(text: string, code: string, about = text) {
  if (given.has(about) || given.size === MAX_WARNINGS) return;
  given.add(about);
  process.emitWarning(text, { type: 'Warning', code });
}
