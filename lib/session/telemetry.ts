import { channel } from 'node:diagnostics_channel';

/** The module holds the channel: without a reference, Node could collect it together with its subscribers. */
const sessions = channel('palimpsest:session');

/**
 * Publishes what a session knows about a request, without any content. Nothing is made without subscribers.
 *
 * @param make makes the event; see `SessionEvent` in `index.d.ts`
 */
export function publish(make: () => object) {
  // A copy: subscribers share no object with the session's caller.
  if (sessions.hasSubscribers) sessions.publish(structuredClone(make()));
}
