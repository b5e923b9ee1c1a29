import { hasMembers } from '../checks.js';
import native from '../native.js';
import { canonicalTexts } from './canonical.js';
import { recall } from './memory.js';
import type { Memory } from './memory.js';
import type { Foreign } from '../types.js';

/** Version of the fingerprints in an entry of `originals`: those of messages without what breakpoints.ts ignores. */
export const HASH = 1;
/** The length of a fingerprint. */
export const PRINT = 11;

/**
 * Fingerprints of values, by which they are known again: 64-bit hashes of all that they hold, as eleven characters. Equal before
 * and after a trip through JSON, whatever the order of keys.
 *
 * @throws {TypeError} a value is circular
 */
export const fingerprintsOf = (values: readonly unknown[]): string[] => hashed(canonicalTexts(values, false));

/** Returns those of messages without what breakpoints.ts ignores. */
export const messagePrints = (messages: readonly unknown[]) => hashed(canonicalTexts(messages, true));

const hashed = ({ pieces, short, strings }: ReturnType<typeof canonicalTexts>) => apart(native.fingerprints(pieces, short, strings));

/** Returns whether two messages are equal as JSON, in any order of keys and without cache breakpoints. */
export function isSame(a: unknown, b: unknown) {
  if (a === b) return true;
  try {
    const [one, other] = messagePrints([a, b]);
    return one === other;
  } catch {
    // One is circular, or a getter threw; the reader of the format names its place.
    return false;
  }
}

/** Returns the fingerprint of one value. {@link fingerprintsOf} costs less for several. */
export const fingerprintOf = (value: unknown) => fingerprintsOf([value])[0];

export type MemoryOf = (message: object) => Memory | undefined;

/**
 * Fingerprints of messages, each computed once: most messages stay the same objects from round to round. Those of messages whose tokens were
 * counted are remembered from call to call.
 */
export class Fingerprints {
  #memoryOf;
  #known = new Map<object, string>();

  /** @param known as `memoryOf`, where the caller has asked it of most messages */
  constructor(known: MemoryOf = memoryOf) {
    this.#memoryOf = known;
  }

  /** @returns those of `messages`, in their order */
  of(messages: readonly Foreign[]): string[] {
    const fresh = new Map<object, Memory | undefined>();
    for (const message of messages) {
      if (this.#known.has(message) || fresh.has(message)) continue;
      const memory = this.#memoryOf(message);
      if (memory?.print === undefined) fresh.set(message, memory);
      else this.#known.set(message, memory.print);
    }
    if (fresh.size > 0) this.#learn([...fresh.keys()], [...fresh.values()]);
    return messages.map((message) => this.#known.get(message) as string);
  }

  #learn(messages: readonly object[], memories: readonly (Memory | undefined)[]) {
    messagePrints(messages).forEach((print, index) => {
      this.#known.set(messages[index], print);
      const memory = memories[index];
      if (memory !== undefined) memory.print = print;
    });
  }
}

/** Joins fingerprints to one text. */
export const joined = (prints: readonly string[]) => prints.join('');

/** Returns the fingerprints of a text that {@link joined} made. */
export const apart = (text = '') =>
  Array.from({ length: text.length / PRINT }, (_, index) => text.slice(PRINT * index, PRINT * (index + 1)));

/** Returns a fingerprint of a text that {@link joined} made; undefined if there is none. */
export const printAt = (text: string, index: number) =>
  index >= 0 && text.length >= PRINT * (index + 1) ? text.slice(PRINT * index, PRINT * (index + 1)) : undefined;

/** Returns what is known of a message, where its fingerprint may be remembered: a `toJSON` may give another text each time. */
export const memoryOf = (message: object | undefined) =>
  hasMembers(message) && typeof message.toJSON !== 'function' ? recall(message) : undefined;
