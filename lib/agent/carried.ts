import { apart, Fingerprints } from '../equality/fingerprint.js';
import { roundsOf, withKeys } from './rounds.js';
import { markedKeys } from './stubs.js';

import type { Cut } from './rounds.js';
import type { Originals } from '../../index.js';

/**
 * Returns the originals that are still needed for what `putBack` could not put back, and the keys that remain missing. A round is
 * dropped if the messages hold nothing that it wrote, but all that it took out: they never were its result, as with a full history, or
 * come from before it. What is carried already is not carried twice, so that originals grow with the history only.
 *
 * @param back what `putBack` made of them
 */
export function carriedOf(
  originals: Originals,
  given: readonly object[],
  { messages, missing, found }: { messages: object[]; missing: string[]; found: ReadonlySet<string> },
): { carried: Originals; missing: string[] } {
  const lost = new Set(missing.filter((key) => Object.hasOwn(originals, key)));
  if (lost.size === 0) return { carried: {}, missing };
  const [present, kept] = [new Present(given), new Present(messages)];
  const marked = new Set(given.flatMap(markedKeys));
  const needed = new Set<string>();
  const taken = new Set<string>();
  const { rounds, stubs } = roundsOf(originals);
  const alone = Array.from(stubs, ([key, entry]) => ({ cuts: [{ key, entry }] }));
  for (const { cuts } of [...alone, ...rounds]) {
    const entries = cuts.map(({ key, entry }) => [key, entry] as [string, Partial<Cut>]);
    const own = entries.filter(([key]) => lost.has(key));
    if (own.length === 0) continue;
    const isWritten = ([key, { now }]: [string, Partial<Cut>]) =>
      found.has(key) || (now ? now.some((print) => present.has(print)) : marked.has(key));
    const wrote = entries.some(([, { now }]) => now?.length !== 0);
    const prints = own.flatMap(([, { of = '' }]) => apart(of));
    const isKnown = wrote && prints.every((print) => kept.has(print) || taken.has(print));
    if (isKnown && !entries.some(isWritten)) continue;
    for (const [key] of own) needed.add(key);
    for (const print of prints) taken.add(print);
  }
  return { carried: withKeys(originals, needed), missing: missing.filter((key) => !lost.has(key) || needed.has(key)) };
}

/** Fingerprints of messages, computed when one is first asked for. */
class Present {
  #messages;
  #prints: Set<string> | undefined;

  constructor(messages: readonly object[]) {
    this.#messages = messages;
  }

  has(print: string) {
    this.#prints ??= new Set(new Fingerprints().of(this.#messages));
    return this.#prints.has(print);
  }
}
