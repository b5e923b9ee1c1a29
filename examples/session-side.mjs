// What a session sends in place of the whole history, request by request.
import { createSession, validate } from 'palimpsest';
import { bars, dim, green, number, percent, plural, red, WIDTH, yellow } from './terminal.mjs';

const format = 'message';
/** Where the limit is between the shortest request and the longest. */
const LIMIT_SHARE = 1 / 3;
/** Columns of the chart, behind its labels. */
const CHART = WIDTH - 22;
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
  const [whole, session] = [
    { of: (one) => one.whole, read: (one) => one.wholeRead },
    { of: (one) => one.sent, read: (one) => one.read },
  ].map(({ of, read }) => ({
    bars: bars(steps.map(of), CHART, longest),
    longest: steps.reduce((most, one) => Math.max(most, of(one)), 0),
    tokens: sum(steps, of),
    billed: Math.round(sum(steps, (one) => READ * read(one) + WRITE * (of(one) - read(one)))),
  }));
  const row = (label, one, valid = '') =>
    `  ${label.padEnd(30)}${one.longest.padStart(10)}${one.tokens.padStart(13)}${one.billed.padStart(14)}${valid.padStart(9)}`.trimEnd();
  const figures = ({ longest, tokens, billed }) => ({ longest: number(longest), tokens: number(tokens), billed: number(billed) });
  const isValid = steps.every((step) => step.isValid);
  const epochs = steps.filter(({ epoch }) => epoch).length;
  const read = percent(
    sum(steps, (one) => one.read),
    session.tokens,
  );
  const cost = `${percent(Math.abs(whole.billed - session.billed), whole.billed)} ${session.billed <= whole.billed ? 'less' : 'more'}`;
  return [
    dim(`  ${plural(steps.length, 'request')}, at most ${number(limit)} tokens each; the bars show their sizes`),
    `  ${dim('the whole history')}  ${yellow(whole.bars)}`,
    `  ${dim('a session')}          ${green(session.bars)}`,
    '',
    dim(row('', { longest: 'longest', tokens: 'tokens sent', billed: 'as billed' }, 'valid')),
    yellow(row('the whole history each time', figures(whole))),
    green(row('a session: createSession', figures(session), isValid ? 'yes' : red('no'))),
    `  a session sends ${percent(whole.tokens - session.tokens, whole.tokens)} fewer tokens, which cost ${cost}`,
    dim(`  ${plural(epochs, 'request')} cut the history anew (an epoch); the others only append, so that`),
    dim(`  ${read} of what was sent is read from the provider’s cache`),
    dim(`  as billed: a token from the cache costs ${READ} of the plain price, others ${WRITE}`),
  ];
}
