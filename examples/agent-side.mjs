// What `fit` and `prune` make of a conversation for an agent's next request.
import { countTokens, fit, prune, restore, validate } from 'palimpsest';
import { dim, number, plural, red } from './terminal.mjs';

const REMOVED = [
  ['staleReads', 'read', 'of files that changed or were read again'],
  ['staleEdits', 'edit', 'that later ones replaced'],
  ['staleCommands', 'command', 'that ran again'],
  ['failedCommands', 'output', 'of failed commands, but for the error'],
];

const format = 'message';
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The lines about all conversations together. */
export function agentSide(conversations) {
  const fitted = conversations.map((messages) => fit(messages, { limit: Math.floor(countTokens(messages, { format }) / 4), format }));
  const pruned = conversations.map((messages) => prune(messages, { format }));
  const sum = (list, of) => list.reduce((total, one, index) => total + of(one, index), 0);
  const before = {
    messages: sum(conversations, (messages) => messages.length),
    tokens: sum(conversations, (messages) => countTokens(messages, { format })),
    problems: sum(conversations, (messages) => validate(messages, { format }).length),
  };
  const row = (label, messages, tokens, valid = '', back = '') =>
    `  ${label.padEnd(36)}${messages.padStart(9)}${tokens.padStart(11)}${valid.padStart(8)}${back.padStart(11)}`.trimEnd();
  const outcome = (label, results) => {
    const isValid = sum(results, ({ messages }) => validate(messages, { format }).length) <= before.problems;
    const isBack = results.every(({ messages, originals }, index) =>
      isSame(restore(messages, originals, { format }).messages, conversations[index]),
    );
    const [messages, tokens] = [sum(results, (one) => one.messages.length), sum(results, (one) => countTokens(one.messages, { format }))];
    return row(label, number(messages), number(tokens), isValid ? 'yes' : red('no'), isBack ? 'yes' : red('no'));
  };
  const removed = REMOVED.map(([field, noun, what]) => [sum(pruned, ({ report }) => report[field]), noun, what])
    .filter(([count]) => count > 0)
    .map(([count, noun, what]) => `  prune removed ${plural(count, noun)} ${what}`);
  const unfit = fitted.filter(({ fits }) => !fits).length;
  return [
    dim(row('', 'messages', 'tokens', 'valid', 'restored')),
    row('as it is', number(before.messages), number(before.tokens)),
    outcome('fit: a quarter of the tokens', fitted),
    outcome('prune: without what was superseded', pruned),
    ...removed.map(dim),
    ...(unfit > 0 ? [dim(`  ${plural(unfit, 'conversation')} can’t be made that small: what has to stay is larger`)] : []),
  ];
}
