// Measures how many of the facts that come up next `fit` keeps, beside trimming to the newest messages. The shared evaluation measures
// it, in a process of its own, through the built package.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, rowsOf } from './evaluations.mjs';

export const ENGINES = ['trim', 'fit'];
/** Shares of a conversation's tokens, its system messages aside, that are left. */
export const RHOS = [0.5, 0.25, 0.1];

/**
 * The rows of the shared evaluation: one for each conversation, cut, share and engine.
 *
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {{ conversations: number, engines: string[], rhos?: number[] }} options `engines` as the evaluation takes them
 */
export async function evaluate(shared, { conversations, engines, rhos = RHOS }) {
  const path = (name) => fileURLToPath(new URL(name, shared));
  return rowsOf(path('eval/future-use.mjs'), [
    ...['--corpus', path('corpus/plain')],
    ...['--max', String(conversations)],
    ...['--rho', rhos.join(',')],
    ...engines.flatMap((engine) => ['--engine', engine]),
  ]);
}

const mean = (list, of) => list.reduce((total, one) => total + of(one), 0) / list.length;

/** Averages one engine at one share; all values are from 0 to 1. A result over its budget counts as keeping nothing. */
function summary(rows, engine, rho) {
  const own = rows.filter((row) => row.engine === engine && row.rho === rho);
  const judged = own.filter(({ valid }) => valid !== null);
  return {
    engine,
    rho,
    recall: mean(own, ({ fits, recall }) => (fits ? recall : 0)),
    grounded: mean(own, ({ fits, ground }) => (fits ? ground : 0)),
    fits: mean(own, ({ fits }) => Number(fits)),
    // Of the inputs in which calls and results paired up.
    valid: mean(judged, ({ valid }) => Number(valid)),
  };
}

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {{ conversations: number, module?: string }} options how many conversations at most, and the module with `fit`
 * @returns a row for each share and engine, and how many conversations and cuts there were
 */
export async function measureFit(shared, { conversations, module = join(root, 'dist/index.mjs') }) {
  const rows = await evaluate(shared, { conversations, engines: ['trim', `fit=${module}`] });
  const failed = rows.find(({ err }) => err !== null);
  if (failed) throw new Error(`${failed.engine} failed on ${failed.id}: ${failed.err}`);
  return {
    conversations: new Set(rows.map(({ id }) => id)).size,
    cuts: new Set(rows.map(({ id, cut }) => `${id} ${cut}`)).size,
    rows: RHOS.flatMap((rho) => ENGINES.map((engine) => summary(rows, engine, rho))),
  };
}
