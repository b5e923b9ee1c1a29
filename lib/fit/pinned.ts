// Pins of a conversation that is fitted: where they stand, which of them have room, and what became of them.

import native from '../native.js';
import type { FitSettings, PinsReport } from '../../index.js';
import type { Part, Tokenizer } from '../types.js';

/** Share of the limit, or of what an epoch leaves of what can be cut, up to which pins stay: the current exchange has as much. */
export const PINNED = 0.5;

/** What is pinned: texts, and messages by their indices. */
type Pinned = NonNullable<NonNullable<FitSettings['keep']>['pinned']>;

/** A pin, and the part that has its text, or all of its message. */
interface Standing {
  pin: string | number;
  parts: readonly Part[];
  tokens: number;
}

/** The pins of a conversation. */
export interface Pins {
  all: readonly Standing[];
  /** those that have room */
  kept: Pinned;
}

/** Those of a list that are within `most` tokens together, the first ones first. */
export function within<T extends { tokens: number }>(list: readonly T[], most: number): T[] {
  let sum = 0;
  return list.filter(({ tokens }) => {
    const isWithin = sum + tokens <= most;
    if (isWithin) sum += tokens;
    return isWithin;
  });
}

/** The part in which a text stands last. */
export const lastWith = (parts: readonly Part[], text: string) =>
  parts.findLastIndex((part) => part.kind !== 'reasoning' && part.text.includes(text));

/** Returns whether something pinned stands in a part, of which one of the same text may be another one. */
export function isPinnedIn(pinned: Pinned | null | undefined): ((part: Part) => boolean) | undefined {
  if (pinned == null || pinned.length === 0) return undefined;
  const messages = new Set(pinned);
  const texts = pinned.filter((pin) => typeof pin === 'string');
  return ({ message, text }) => messages.has(message) || texts.some((pin) => text.includes(pin));
}

/** Finds pins in a conversation, and those that have room in a limit of so many tokens. */
export function pinsIn(parts: readonly Part[], pinned: Pinned, tokenizer: Tokenizer, limit: number): Pins {
  const all = pinned.map((pin): Standing => {
    const place = typeof pin === 'number' ? -1 : lastWith(parts, pin);
    const found = typeof pin === 'number' ? parts.filter(({ message }) => message === pin) : place < 0 ? [] : [parts[place]];
    const texts = typeof pin === 'number' ? found.map(({ text }) => text) : [pin];
    return { pin, parts: found, tokens: native.countTexts(texts, tokenizer).reduce((sum, count) => sum + count, 0) };
  });
  const standing = all.filter((one) => one.parts.length > 0);
  return { all, kept: within(standing, PINNED * limit).map(({ pin }) => pin) };
}

/**
 * Says which pins are in what was made of a conversation.
 *
 * @param edits those that made it, of the same parts
 */
export function pinsReport({ all }: Pins, edits: readonly { part: Part; text?: string; remove?: boolean }[]): PinsReport {
  const edited = new Map(edits.map((edit) => [edit.part, edit]));
  const has = (part: Part, text: string) => {
    const edit = edited.get(part);
    // A mark of what went may stand beside it.
    return edit === undefined ? part.text.includes(text) : edit.text?.includes(text) === true;
  };
  const isThere = ({ pin, parts }: Standing) =>
    parts.length > 0 && parts.every((part) => part.kind === 'reasoning' || has(part, typeof pin === 'string' ? pin : part.text));
  return reportOf(all.map((one, name) => ({ name, tokens: one.tokens, isThere: isThere(one) })));
}

/** The report of pins, each with its name, and whether a request has it. */
export function reportOf(pins: readonly { name: string | number; tokens: number; isThere: boolean }[]): PinsReport {
  const there = pins.filter(({ isThere }) => isThere);
  const lost = pins.filter(({ isThere }) => !isThere).map(({ name }) => name);
  return {
    found: pins.length,
    kept: there.length,
    tokens: there.reduce((sum, { tokens }) => sum + tokens, 0),
    labels: there.map(({ name }) => name),
    ...(lost.length === 0 ? {} : { lost }),
  };
}
