// What a request says behind the user's words: what is pinned, what they ask for and it would not contain, and what is volatile.

import { within } from '../fit/pinned.js';
import native from '../native.js';
import { placeIn } from './pins.js';
import { requestOf } from './situation.js';
import { currentOf, isTold, lastWords } from './volatile.js';
import type { Steps } from '../steps.js';
import type { Aligned } from './align.js';
import type { Config } from './config.js';
import type { Sent } from './sent.js';
import type { Situation } from './situation.js';

/** Returns the messages to send with the pins that they lack, as far as there is room, in steps. */
export function* pinning(config: Config, aligned: Aligned, sent: Sent, { limit, factor, reason, pins }: Situation): Steps<Sent> {
  const { state, history, start } = aligned;
  const lacking = pins.filter((pin) => pin.lackOf(sent).length > 0);
  if (lacking.length === 0) return sent;
  const { parts } = yield* config.texts.remembering(history, state.format);
  // What the model has answered stays as it was sent, unless an epoch chose anew.
  const from = reason === undefined ? Math.min(start, history.unanswered) : 0;
  const place = placeIn(parts, sent, from, config.options.thinking !== 'leave');
  if (place < 0) return sent;
  const most = limit / factor;
  const added = within(lacking, leftBy(sent, aligned, most));
  // Together they may have more tokens than each by itself.
  for (; added.length > 0; added.pop()) {
    const pieces = added.flatMap((pin) => pin.lackOf(sent));
    const all = yield* sent.adding(history, place, pieces, state.counter, parts);
    if (leftBy(all, aligned, most) >= 0) return all;
  }
  return sent;
}

/** Returns the messages to send with what the user's last words ask for and `sent` does not contain, in steps. */
export function* recalling(config: Config, aligned: Aligned, sent: Sent, { limit, factor, reason }: Situation): Steps<Sent> {
  const { state, history, start } = aligned;
  const last = history.length - 1;
  if (config.recall === undefined || history.entries[last]?.role !== 'user' || sent.edits.length === 0) return sent;
  // A request that is repeated is the same.
  if (last < start && reason === undefined) return sent;
  const { additionFor } = require('./recalling.js') as typeof import('./recalling.js');
  const { limit: wanted, share } = config.recall;
  const most = Math.floor(Math.min(leftBy(sent, aligned, limit / factor), wanted, (share * limit) / factor));
  const remembered = yield* config.texts.remembering(history, state.format);
  const parts = yield* state.format.reading(sent.messages(history));
  const found = additionFor(remembered, parts, last, { limit: most, tokenizer: config.options.tokenizer });
  return found === undefined ? sent : yield* sent.adding(history, found.part, found.addition, state.counter, remembered.parts);
}

/** Returns the messages to send with what is volatile behind the user's words, where they are new or all is chosen anew, in steps. */
export function* telling(config: Config, aligned: Aligned, sent: Sent, { limit, factor, reason }: Situation): Steps<Sent> {
  const { state, history, start } = aligned;
  const current = currentOf(config.options.volatile);
  // What was sent before stays, unless an epoch chose anew.
  const from = reason === undefined ? start : 0;
  if (current === undefined || !history.entries.slice(from).some(({ role }) => role === 'user') || isTold(current, sent)) return sent;
  const { parts } = yield* config.texts.remembering(history, state.format);
  const place = lastWords(parts, sent);
  if (place < 0 || parts[place].message < from) return sent;
  if (leftBy(sent, aligned, limit / factor) < native.countTexts([current], config.options.tokenizer)[0]) return sent;
  // Signed thinking is bound to what stands before it.
  const behind = history.length - 1 - parts[place].message;
  const messages = sent.messages(history);
  const later = yield* state.format.reading(messages.slice(Math.max(0, messages.length - behind)));
  return later.some(({ signed }) => signed) ? sent : yield* sent.adding(history, place, [current], state.counter, parts);
}

/** Counted tokens that a request leaves of a limit. */
const leftBy = (sent: Sent, { state, history }: Aligned, limit: number) =>
  limit - (requestOf(state) + sent.tokens + history.tokens(sent.covered));
