import { checkString } from '../checks.js';
import type { Part } from '../types.js';
import type { Sent } from './sent.js';

/** What separates the user's words from what is volatile. */
const OPENING = '\n\n[current, not part of this message]\n';

/** Returns what a request says behind the user's words of what is volatile; undefined if that is nothing. */
export function currentOf(volatile: (() => string) | null | undefined) {
  if (volatile === undefined || volatile === null) return undefined;
  const text: unknown = volatile();
  checkString('createSession(): the result of options.volatile', text);
  return text === '' ? undefined : `${OPENING}${text}`;
}

/** Whether what is sent says it last. */
export function isTold(current: string, { edits }: Sent) {
  const told = edits.flatMap(({ pieces }) => pieces ?? []).findLast((piece) => typeof piece === 'string' && piece.startsWith(OPENING));
  return told === current;
}

/** Returns the place of the user's last words among the parts of a history, if they are in what is sent; otherwise -1. */
export function lastWords(parts: readonly Part[], { edits }: Sent) {
  const place = parts.findLastIndex(
    ({ role, kind, text, isDocument, locked }) => role === 'user' && kind === 'text' && text !== '' && !isDocument && locked === undefined,
  );
  return edits.some(({ part, pieces }) => part === place && pieces === undefined) ? -1 : place;
}
