import { checkString } from '../checks.js';
import native from '../native.js';

const HARD_REASONS = new Set(native.hardReasonNames());

/** See `index.d.ts`. */
export function classifyMessage(text: string) {
  checkString('classifyMessage(): text', text);
  return native.classifyMessage(text);
}

/** Returns whether a reason of `classifyMessage` alone suffices to keep a text as it is. */
export function isHardReason(reason: string) {
  return HARD_REASONS.has(reason);
}
