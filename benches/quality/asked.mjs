// Whether what the last message asks for is still there, beside trimming and beside the messages that are most like the question
// (BM25). The shared evaluation measures it, in a process of its own, through the built package; the orders are asked for here.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf, root } from './evaluations.mjs';
import { RHOS } from './fit.mjs';
import { ORDERS, ordersIn } from './orders.mjs';

const { countTokens, fit } = createRequire(import.meta.url)('palimpsest');

export const ASKED_ENGINES = ['trim', 'bm25', 'fit'];
/** Shares at which the orders are asked for. */
export const ORDER_RHOS = [0.5, 0.25];
/** A kind of conversation counts where in more of them than this even the question fits. */
const LEAST_FITS = 0.9;
const ROW = /^([\d.]+) +(\w+) +(.+?) +n +(\d+) +answered +([\d.]+) % +fits +(\d+) %/;

/** The row of a line that the evaluation prints; none if it is another. */
export function rowOf(line) {
  const found = ROW.exec(line);
  if (found === null) return [];
  const [, rho, engine, kind, questions, answered, fits] = found;
  return [{ kind, engine, rho: Number(rho), questions: Number(questions), answered: Number(answered) / 100, fits: Number(fits) / 100 }];
}

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {{ module?: string }} [options] the module with `fit`
 * @returns {Promise<{ kind: string, engine: string, rho: number, questions: number, answered: number, fits: number }[]>} a row for
 *   each kind of conversation, share and engine; those of generated questions end in `(cloze)`. Shares from 0 to 1
 */
export async function measureAsked(shared, { module = join(root, 'dist/index.mjs') } = {}) {
  const path = (name) => fileURLToPath(new URL(name, shared));
  const engines = ASKED_ENGINES.flatMap((engine) => ['--engine', engine === 'fit' ? `fit=${module}` : engine]);
  const args = [path('corpus'), ...engines, '--kind', 'both', '--rho', RHOS.join(',')];
  return (await outputOf(path('eval/asked.mjs'), args)).split('\n').flatMap(rowOf);
}

/** Tells whether a row counts: a question that doesn't fit can't be answered. */
export const counts = ({ fits }) => fits > LEAST_FITS;

/** The mean over the kinds of conversation of what is answered of generated questions, from 0 to 1. */
export function meanOf(rows, engine, rho) {
  const own = rows.filter((row) => row.engine === engine && row.rho === rho && row.kind.endsWith('(cloze)') && counts(row));
  return own.reduce((sum, { answered }) => sum + answered, 0) / own.length;
}

/**
 * Asks for each of 40 orders that a tool listed.
 *
 * @returns {{ form: string, rho: number, asked: number, others: number }[]} how often the row that is asked for is kept whole,
 *   and how often another one is on the average, of 40
 */
export function measureOrders() {
  return Object.keys(ORDERS).flatMap((form) =>
    ORDER_RHOS.map((rho) => {
      const { asked, others } = ordersIn(form, (messages) => fit(messages, { limit: Math.floor(countTokens(messages) * rho) }).messages);
      return { form, rho, asked, others };
    }),
  );
}
