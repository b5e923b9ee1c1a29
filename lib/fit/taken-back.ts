import { checkRestorable } from '../agent/entries.js';
import { carriedOf } from '../agent/carried.js';
import { namesOf } from '../agent/missing.js';
import { putBack } from '../agent/restore.js';
import { getIn } from '../providers/shared/copy.js';
import type { Conversation } from './earlier.js';
import type { Format, Part } from '../types.js';
import type { FitSettings, Originals } from '../../index.js';

type FormatFor = (messages: readonly object[]) => Format;

/**
 * Puts back what earlier rounds took out.
 *
 * @param options of `fit`, checked, with originals
 */
export function takeBack(
  given: object[],
  { originals, thinking }: { originals: Originals; thinking: FitSettings['thinking'] },
  formatFor: FormatFor,
): Conversation {
  const known = checkRestorable(given, originals, 'fit(): messages', 'fit(): options.originals');
  const back = putBack(given, originals, known);
  const { carried, missing } = carriedOf(originals, given, back);
  const named = {
    // biome-ignore lint/correctness/useYield: what is known already takes no step
    *missing() {
      return namesOf({ ...back, missing });
    },
  };
  const conversation = { ...read(back.messages, formatFor, carried), ...named };
  const stale = staleFrom(given, back, conversation);
  if (stale === Infinity || thinking === 'leave') return conversation;
  return thinking === 'strip' ? { ...conversation, stale } : { ...read(given, formatFor, originals), ...named };
}

function read(messages: object[], formatFor: FormatFor, carried: Originals) {
  const format = formatFor(messages);
  return { messages, parts: format.read(messages), format, stale: Infinity, carried };
}

/** The first message whose signed thinking doesn't stand behind what it was made from. */
function staleFrom(
  given: readonly object[],
  { messages, stale }: ReturnType<typeof putBack>,
  { parts, format }: { parts: readonly Part[]; format: Format },
) {
  const changed = messages.findIndex((message, index) => message !== given[index]);
  const signed = changed < 0 ? [] : parts.filter((part) => part.signed);
  if (signed.length === 0) return Infinity;
  // Restored messages are rebuilt from the given ones, so a block that was sent is the same object.
  const blockOf = (list: readonly object[], { message, path }: Part) => getIn(list[message], path);
  const sent = new Set(
    format
      .read(given)
      .filter((part) => part.signed)
      .map((part) => blockOf(given, part)),
  );
  const isStale = (part: Part) => stale.has(messages[part.message]) || (part.message > changed && sent.has(blockOf(messages, part)));
  return signed.find(isStale)?.message ?? Infinity;
}
