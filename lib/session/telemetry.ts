import { channel } from 'node:diagnostics_channel';
import { lazyFields } from '../lazy-fields.js';
import type { SessionEvent, SessionRequestEvent } from '../../index.js';

/** The module holds the channel: without a reference, Node could collect it together with its subscribers. */
const sessions = channel('palimpsest:session');

/**
 * Publishes what a session knows about a request, without any content. Nothing is made without subscribers.
 */
export function publish(make: () => SessionEvent) {
  // A copy: subscribers share no object with the session's caller.
  if (sessions.hasSubscribers) sessions.publish(structuredClone(make()));
}

const addTotals = lazyFields<SessionRequestEvent>(['totals']);

/** Publishes a request. Its totals are made when a subscriber reads them: most do without, and they take as long as all the rest. */
export function publishRequest(make: () => { event: Omit<SessionRequestEvent, 'totals'>; totals: () => SessionRequestEvent['totals'] }) {
  if (!sessions.hasSubscribers) return;
  const { event: own, totals } = make();
  const event = structuredClone(own);
  addTotals(event, () => ({ totals: structuredClone(totals()) }));
  sessions.publish(event);
}
