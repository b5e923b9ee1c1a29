// What must not be lost: whether all is still there that the rest of a run writes word for word, and rules that programs send as the user's text. The
// shared evaluations measure both, through the built package.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rowsOf } from './evaluations.mjs';

/** Ways to cut, as the evaluation names them. */
export const WAYS = ['fit', 'trim', 'mask'];
/** Shares of the tokens that stay. */
export const RUN_RHOS = [0.5, 0.25];
/** Runs with an outcome: what the rest of one needs, by kinds of the evaluation. */
const RUNS = { swe: ['submit', 'path', 'qobs', 'qtask'], tau2: ['arg'] };
/** Limits of the sessions whose rules are looked for, with 30,000 tokens in front. */
export const RULE_LIMITS = [100_000, 64_000];
/** What stays at least, in %: a run or two below what was measured; of rules all but one in a hundred. */
export const LEAST_RUNS = { swe: [73, 42], tau2: [57, 20] };
export const LEAST_RULES = 99;

const isWhole = ([there, all]) => there === all;

/**
 * @param {URL} shared the folder with `eval`, `corpus` and `recordings`
 * @returns {Promise<{ kind: 'swe' | 'tau2', rho: number, way: string, runs: number, whole: number }[]>} of runs that succeeded, cut in their middle: how
 *   many there are, and of how many nothing is missing, in %
 */
export async function measureRuns(shared) {
  const path = (name) => fileURLToPath(new URL(name, shared));
  const all = [];
  for (const [kind, kinds] of Object.entries(RUNS)) {
    const { rows } = await rowsOf(path('eval/outcome.mjs'), [kind, '--package', '.', '--only', WAYS.join(',')]);
    for (const rho of RUN_RHOS)
      for (const way of WAYS) {
        const own = rows.filter((row) => row.outcome === 1 && row.cut === 0.5 && row.rho === rho && row.name === way);
        const needy = own
          .map(({ per }) => kinds.flatMap((name) => (per[name] === undefined ? [] : [per[name]])))
          .filter((list) => list.length > 0);
        all.push({ kind, rho, way, runs: needy.length, whole: (100 * needy.filter((list) => list.every(isWhole)).length) / needy.length });
      }
  }
  return all;
}

/**
 * @param {URL} shared as of {@link measureRuns}
 * @returns {Promise<{ limit: number, lines: number, there: number }[]>} lines with demands, and those of skills, that programs sent as the user's text, looked for
 *   in the request after each cut of a recorded session, and how many are there, in %
 */
export async function measureRules(shared) {
  const files = ['corpus/native/', 'recordings/native/'].flatMap((folder) => {
    const place = fileURLToPath(new URL(folder, shared));
    return readdirSync(place).map((file) => place + file);
  });
  const evaluation = fileURLToPath(new URL('eval/rules.mjs', shared));
  const { rows } = await rowsOf(evaluation, [...files, '--package', '.', '--limit', RULE_LIMITS.join(',')]);
  return RULE_LIMITS.map((limit) => {
    const counts = rows.filter((row) => row.limit === limit).flatMap(({ acc }) => [acc.strong, acc.skill]);
    const [there, lines] = counts.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
    return { limit, lines, there: (100 * there) / lines };
  });
}
