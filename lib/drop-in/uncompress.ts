import { describe } from '../checks.js';
import { note } from '../given.js';
import { nameOf } from '../messages.js';
import { checkOptions } from '../options/index.js';
import type { Message } from '../messages.js';
import type { Originals } from '../../index.js';

/** Originals by their ids, or what looks them up. */
type Store = Record<string, object> | ((id: string) => object | undefined);

const WRONG_STORE = 'uncompress(): store must be a VerbatimMap or lookup function';

/** Maximum number of passes with `recursive`, including the first. */
const MAX_PASSES = 11;

/**
 * Maximum number of messages that the passes after the first restore. Untrusted provenance can make every pass multiply the messages of
 * the last one. Beyond this number, compressed messages stay as they are, as they do after the last pass.
 */
const MAX_RESTORED = 1_000_000;

/** See `index.d.ts`. */
export function uncompress(
  messages: object[],
  store: Store,
  options?: { recursive?: boolean },
): { messages: object[]; messages_expanded: number; messages_passthrough: number; missing_ids: string[] } {
  if (!Array.isArray(messages)) throw new TypeError(`uncompress(): messages must be an array${note(messages, 'messages')}`);
  if (store == null || (typeof store !== 'object' && typeof store !== 'function')) {
    throw new TypeError(WRONG_STORE);
  }
  const { recursive } = checkOptions('uncompress', options);

  const lookUp = typeof store === 'function' ? (id: string) => answer(store(id)) : (id: string) => own(store, id);
  const leftovers = new Set<object>();
  const missing: string[] = [];
  let pass = expand(messages, lookUp, missing, leftovers, Infinity);
  let expanded = pass.expanded;
  // Checked only now: finding the first key of a large object takes as long as looking up all ids.
  if (expanded === 0) {
    if (holdsOriginals(store)) return restoreMessages(messages, store as Originals);
    const wrong = note(store, 'store');
    if (wrong !== '') throw new TypeError(WRONG_STORE + wrong);
  }

  if (recursive) {
    const isOpen = (message: object) => idsOf(message) !== undefined && !leftovers.has(message);
    let room = MAX_RESTORED;
    for (let passes = 1; passes < MAX_PASSES && room > 0 && pass.messages.some(isOpen); passes++) {
      pass = expand(pass.messages, lookUp, missing, leftovers, room);
      expanded += pass.expanded;
      room -= pass.restored;
      if (pass.expanded === 0) break;
    }
  }

  return {
    messages: pass.messages,
    messages_expanded: expanded,
    messages_passthrough: pass.passthrough,
    missing_ids: missing,
  };
}

/** Returns whether a store is the `verbatim` of a provider's messages. Plain originals are messages with an id instead. */
function holdsOriginals(store: Store): store is Record<string, object> {
  if (typeof store === 'function') return false;
  for (const key in store) {
    const entry = own(store, key);
    return (
      entry !== null &&
      typeof entry === 'object' &&
      (Object.hasOwn(entry, 'places') || Object.hasOwn(entry, 'was')) &&
      !Object.hasOwn(entry, 'id')
    );
  }
  return false;
}

/** Calls `restore`, and returns its result in the form of `uncompress`. */
function restoreMessages(messages: readonly object[], originals: Originals) {
  const { checkRestorable } = require('../agent/entries.js') as typeof import('../agent/entries.js');
  const { putBack, redactedIn } = require('../agent/restore.js') as typeof import('../agent/restore.js');
  const known = checkRestorable(messages, originals, 'uncompress(): messages', 'uncompress(): verbatim');
  const { messages: restored, missing, found } = putBack(messages, originals, known);
  const redacted = redactedIn(originals, found);
  const given = new Set(messages);
  const kept = restored.filter((message) => given.has(message)).length;
  const counts = { messages_expanded: messages.length - kept, messages_passthrough: kept };
  return { messages: restored, ...counts, missing_ids: missing, ...(redacted.length > 0 && { redacted }) };
}

/**
 * Runs one pass over `messages`, in time linear in their ids. Adds the ids that were not found to `missing`, and the copies behind found
 * originals to `leftovers`, which are not looked up again. After `room` restored messages, the rest passes through.
 */
function expand(
  messages: readonly object[],
  lookUp: (id: string) => object | undefined,
  missing: string[],
  leftovers: Set<object>,
  room: number,
) {
  // Most messages stay, many of them at their place: copying all at once is cheaper than adding them one by one.
  const result = ([] as object[]).concat(messages);
  const hasLeftovers = leftovers.size > 0;
  // Difference between the position of a message in the result and its own.
  let shift = 0;
  let expanded = 0;
  let skipped = 0;
  let restored = 0;

  for (let i = 0; i < messages.length; i++) {
    const message = messages[i];
    if (message == null) throw new TypeError(`uncompress(): messages[${i}] must be an object, got ${describe(message)}`);
    const isLeftover = hasLeftovers && leftovers.has(message);
    const ids = isLeftover ? undefined : idsOf(message);
    if (ids === undefined || restored >= room) {
      if (isLeftover) skipped++;
      if (shift !== 0) result[i + shift] = message;
      continue;
    }

    const start = i + shift;
    let end = start;
    const missingBefore = missing.length;
    for (let k = 0; k < ids.length; k++) {
      const original = lookUp(ids[k]);
      if (original) result[end++] = original;
      else missing.push(ids[k]);
    }

    if (end === start) {
      result[end] = message;
      continue;
    }
    expanded++;
    restored += end - start;
    if (missing.length > missingBefore) {
      const leftover = standingFor(message, missing.slice(missingBefore));
      leftovers.add(leftover);
      result[end++] = leftover;
    }
    shift = end - i - 1;
  }
  return { messages: result, expanded, passthrough: messages.length - expanded - skipped, restored };
}

/** Returns the ids of the originals that a message stands for; undefined if it stands only for itself. */
function idsOf(message: { metadata?: Message['metadata'] }): string[] | undefined {
  const ids = message.metadata?._cce_original?.ids;
  return Array.isArray(ids) && ids.length > 0 ? ids : undefined;
}

/** Returns a copy of a compressed message that stands for `ids` only. */
function standingFor(message: { metadata?: Message['metadata'] }, ids: string[]) {
  const { metadata } = message;
  return { ...message, metadata: { ...metadata, _cce_original: { ...metadata?._cce_original, ids } } };
}

/** Returns the answer of a look-up function. A promise is refused, because it would replace the summary before its value is known. */
function answer(original: { then?: unknown } | undefined) {
  if (typeof original?.then !== 'function') return original;
  throw new TypeError('uncompress(): store must return the original or undefined, got promise: load the originals first');
}

/** Returns an own property of the object; inherited ones are not in the store. */
function own(object: Record<string, object>, id: string) {
  const key = typeof id === 'string' ? id : nameOf(id);
  return key !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}
