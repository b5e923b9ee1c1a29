import { channel } from 'node:diagnostics_channel';
import type { SessionEvent } from '../../index.js';

/** The module holds the channel: without a reference, Node could collect it together with its subscribers. */
const sessions = channel('palimpsest:session');

/**
 * Publishes what a session knows about a request, without any content. Nothing is made without subscribers.
 */
export function publish(make: () => SessionEvent) {
  // A copy: subscribers share no object with the session's caller.
  if (sessions.hasSubscribers) sessions.publish(structuredClone(make()));
}
