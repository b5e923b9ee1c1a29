import { write } from '../providers/shared/write.js';
import type { Foreign, Format, Part } from '../types.js';

// Signed thinking (`signed` in lib/types.d.ts) is bound to everything before it: if that was changed, models with preserved
// thinking refuse the request or drop the block. Every verb that edits asks here.

export type Stripped = { part: Part; remove: true; rule: 'strippedThinking' };

/**
 * Returns the index of the first part that may be edited: with `strip` and `leave` the very first one; with `keep` the one after the
 * last signed thinking and the words and calls of the model that follow it, without which the thinking would be invalid.
 *
 * @param thinking `keep` where it is not given, as for `prune`
 */
export function firstEditable(parts: readonly Part[], thinking?: 'keep' | 'strip' | 'leave' | null): number {
  if (thinking === 'strip' || thinking === 'leave') return 0;
  const last = parts.findLastIndex(({ signed }) => signed);
  if (last < 0) return 0;
  const next = parts.findIndex(({ role }, index) => index > last && role !== 'assistant');
  return next < 0 ? parts.length : next;
}

/**
 * Returns edits that remove the signed thinking which other edits made invalid: all of it after the first edit. A message keeps
 * all of its thinking or none, because providers refuse the latest message when only some of it is gone.
 *
 * @param edits of these parts, all that are made
 */
export function strippedBy(parts: readonly Part[], edits: readonly { part: Part }[]): Stripped[] {
  const edited = new Set(edits.map(({ part }) => part));
  const first = parts.findIndex((part) => edited.has(part));
  const invalid = first < 0 ? undefined : parts.find(({ signed }, index) => signed && index > first);
  return invalid === undefined ? [] : strippedFrom(parts, invalid.message);
}

/** Returns messages without signed thinking; the array itself if there is none. */
export function withoutThinking(format: Format, messages: readonly object[]) {
  const edits = strippedFrom(format.read(messages), 0);
  return edits.length === 0 ? (messages as Foreign[]) : write(format, messages, edits).messages;
}

/**
 * Returns edits that remove all signed thinking of a message and of those after it.
 *
 * @param message its index
 */
export function strippedFrom(parts: readonly Part[], message: number): Stripped[] {
  const signed = parts.filter((part) => part.signed && part.message >= message);
  return signed.map((part) => ({ part, remove: true, rule: 'strippedThinking' }));
}
