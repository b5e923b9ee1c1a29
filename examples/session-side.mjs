// What a session sends in place of the whole history, request by request.
import { createSession, validate } from 'palimpsest';
import { dim, number, percent, plural, red } from './terminal.mjs';

const format = 'message';
/** Where the limit is between the shortest request and the longest. */
const LIMIT_SHARE = 1 / 3;
/** Prices of a token that is read from the cache, and of one that is not, in uncached tokens: those of Anthropic. */
const [READ, WRITE] = [0.1, 1.25];

const sum = (list, of = (one) => one) => list.reduce((total, one) => total + of(one), 0);
/** The requests of a conversation: what stands before each answer. */
const requestsOf = (messages) =>
  messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 ? [messages.slice(0, index)] : []));

/** Plays all requests of all conversations; the limit is one for all. */
function played(conversations, limit) {
  const list = [];
  for (const requests of conversations) {
    const session = createSession({ limit, format });
    let before = 0;
    for (const request of requests) {
      const { messages, tokens, epoch, report } = session.next(request);
      const isValid = validate(messages, { format }).length <= validate(request, { format }).length;
      list.push({ whole: tokens.before, wholeRead: before, sent: tokens.after, read: report.reusedTokens, epoch: epoch?.reason, isValid });
      before = tokens.before;
    }
  }
  return list;
}

/** The lines about all conversations together. */
export function sessionSide(conversations) {
  const all = conversations.map(requestsOf);
  const sizes = played(all, Number.MAX_SAFE_INTEGER).map(({ whole }) => whole);
  if (sizes.length === 0) return [dim('  no request of a model is in it')];
  const [shortest, longest] = [sizes.reduce((a, b) => Math.min(a, b)), sizes.reduce((a, b) => Math.max(a, b))];
  const limit = Math.ceil(shortest + LIMIT_SHARE * (longest - shortest));
  const steps = played(all, limit);
  const row = (label, longestOne, tokens, billed, valid = '') =>
    `  ${label.padEnd(30)}${longestOne.padStart(10)}${tokens.padStart(13)}${billed.padStart(14)}${valid.padStart(9)}`.trimEnd();
  const line = (label, of, readOf, valid) => {
    const most = steps.reduce((a, one) => Math.max(a, of(one)), 0);
    const billed = sum(steps, (one) => READ * readOf(one) + WRITE * (of(one) - readOf(one)));
    return row(label, number(most), number(sum(steps, of)), number(Math.round(billed)), valid);
  };
  const sent = sum(steps, (one) => one.sent);
  const epochs = steps.filter(({ epoch }) => epoch).length;
  return [
    dim(`  ${plural(steps.length, 'request')}, at most ${number(limit)} tokens each`),
    dim(row('', 'longest', 'tokens sent', 'as billed', 'valid')),
    line(
      'the whole history each time',
      (one) => one.whole,
      (one) => one.wholeRead,
    ),
    line(
      'a session: createSession',
      (one) => one.sent,
      (one) => one.read,
      steps.every(({ isValid }) => isValid) ? 'yes' : red('no'),
    ),
    dim(`  ${plural(epochs, 'request')} cut the history anew (an epoch); the others only append, so that`),
    dim(
      `  ${percent(
        sum(steps, (one) => one.read),
        sent,
      )} of what was sent is read from the cache`,
    ),
    dim(`  as billed: in uncached tokens, ${READ} of one read from the cache, ${WRITE} of others`),
  ];
}
