// What nobody uses for a while rests: it lets go of what it can have again. One timer looks after all sessions of a process; it keeps neither the
// process nor a session alive.

import { setTimeout } from 'node:timers';

/** Time without use in ms after which a session rests, and between two looks of the timer. */
const WHILE = 60_000;
const EVERY = 15_000;

interface Use {
  /** when, in ms as `Date.now()` says */
  at: number;
  rest: (one: never) => Promise<unknown>;
}

/** The last use of each that is awake. */
const awake = new Map<WeakRef<object>, Use>();
let isLooking = false;

/**
 * Notes that something is used now.
 *
 * @param rest lets it rest; whoever uses it again says so
 */
export function used<T extends object>(one: WeakRef<T>, rest: (one: T) => Promise<unknown>) {
  awake.set(one, { at: Date.now(), rest });
  if (!isLooking) look();
}

function look() {
  isLooking = awake.size > 0;
  if (isLooking) setTimeout(() => void restSince(Date.now() - WHILE).then(look), EVERY).unref();
}

/** Lets all rest that were not used since a time, in ms: one in a turn of the event loop. */
export async function restSince(time: number) {
  for (const [ref, { at, rest }] of awake) {
    const one = ref.deref();
    if (one !== undefined && at > time) continue;
    awake.delete(ref);
    if (one === undefined) continue;
    await rest(one as never);
    // A process that has nothing else to do ends.
    await new Promise<void>((resolve) => void setTimeout(resolve, 0).unref());
  }
}
