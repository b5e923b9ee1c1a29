import { fullSnapshotOf, isUnchanged } from './snapshot.js';
import type { Foreign } from '../types.js';
import type { Snapshot } from './snapshot.js';

/**
 * What is known of a message: what stood in it when that was found out; its tokens by format and tokenizer, and other facts by name; the most bytes
 * that it may have, where it has no files; its marks; its fingerprint.
 */
export type Memory = {
  snapshot: Snapshot;
  facts: Record<string, Foreign>;
  light: number | undefined;
  marks: Foreign;
  print: string | undefined;
};

/** They live as long as the messages, and are valid as long as these are unchanged. */
const memories: WeakMap<object, Memory> = new WeakMap();

/** Returns what is known of a message; undefined if nothing is, or the message was changed. */
export function recall(message: Foreign): Memory | undefined {
  const known = memories.get(message);
  return known !== undefined && isUnchanged(known.snapshot, message) ? known : undefined;
}

/** The same for a message that is unchanged since it was compared or since it began to be remembered. */
export const memoryOfUnchanged = (message: Foreign) => memories.get(message);

/** Begins to remember a message; undefined if a change of it could go unseen. */
export function memorise(message: Foreign): Memory | undefined {
  const snapshot = fullSnapshotOf(message);
  if (snapshot === undefined) {
    memories.delete(message);
    return undefined;
  }
  // Properties that are added to a spread object would make hidden classes of their own for each message.
  const memory = { snapshot, facts: {}, light: undefined, marks: undefined, print: undefined };
  memories.set(message, memory);
  return memory;
}

/** Lets go of what is known of messages: it is found out again. */
export function forget(messages: readonly object[]) {
  for (const message of messages) memories.delete(message);
}
