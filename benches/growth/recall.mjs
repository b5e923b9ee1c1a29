// `recall`.
import { cases, messagesOf } from './family.mjs';
import { KINDS } from './fit.mjs';

/** Words of most kinds of text, and strings that stand nearly everywhere in some. */
const QUERIES = {
  words: 'Which worker did value_7 of item 12 at 12:30? 灯台守 src/a.ts name id',
  'a letter that repeats': 'x '.repeat(20) + 'x'.repeat(4000),
  'exact strings': '"x" "." "a"',
  'exact strings, one of them rare': '"value_" "value_11 "',
};
/** Terms that all begin alike, so that each may be a form of the query's. */
const ALIKE = {
  'terms that begin alike': (length) =>
    Array.from({ length: length / 12 }, (_, n) => `conn${n.toString(36).replace(/\d/g, 'z')}ing`).join(' '),
  'lines that were sent but for one': (length) => 'the same line again and again\n'.repeat(length / 30),
};

export const recall = Object.entries(QUERIES).flatMap(([name, query]) =>
  cases(`recall, ${name}`, 1 << 19, { ...KINDS, ...ALIKE }, ({ recall }, text) => {
    const history = messagesOf('Begin.', text, 'connect to the worker');
    return recall(history, [history[0], history[2], ...messagesOf(text.slice(0, text.length / 2))], query);
  }),
);
