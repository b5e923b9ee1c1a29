// What strategies keep at equal size: a run is cut, what came before is brought to a share of its tokens, and what the rest of the run needs is looked for.
import { commonIn, lostIn } from '../quality/facts.mjs';
import { said, wanted } from './needs.mjs';
import { counter } from './runs.mjs';
import { brought } from './strategies/index.mjs';
import { split, sum } from './strategies/plain.mjs';
import { PROVIDERS } from './validity.mjs';

/** Positions at which runs are cut, as shares of their messages, and shares of the tokens that stay, beside the system prompt. */
export const CUTS = [0.5, 0.8];
export const SIZES = [0.5, 0.25];
/** Less isn't worth making smaller. */
const LEAST = { messages: 8, swe: 4000, tau2: 1200 };
/** Lists of texts of which the share that is there is measured, over all runs. */
const LISTS = ['rules', 'quotes', 'values', 'facts'];
export const MEASURES = ['swe', 'tau2', ...LISTS];

/** The cuts of a run: the messages before it, the tokens of the system prompt and of the others, and what is looked for. */
function cutsOf(run, isCommon, tokensOf) {
  const { kind, messages } = run;
  return CUTS.flatMap((cut) => {
    const end = messages.findIndex(({ role }, index) => index >= Math.floor(messages.length * cut) && role === 'assistant');
    if (end < LEAST.messages) return [];
    const past = messages.slice(0, end);
    const [fixed, rest] = split(past).map((part) => sum(part, tokensOf));
    return rest < LEAST[kind] ? [] : [{ past, fixed, rest, wanted: wanted(run, end, isCommon) }];
  });
}

/** What is still there: `[there, all]` by measure. */
function judged({ kind, isResolved }, { all, ...lists }, messages) {
  const texts = messages.map(said);
  const text = texts.join('\n');
  const found = (list) => list.filter((one) => text.includes(one)).length;
  const isAsked = isResolved && all.length > 0;
  const shares = Object.fromEntries(LISTS.map((name) => [name, [found(lists[name]), lists[name].length]]));
  shares.facts[0] = lists.facts.length - lostIn(texts, lists.facts).length;
  return { ...shares, [kind]: isAsked ? [Number(found(all) === all.length), 1] : [0, 0] };
}

/**
 * @param {object[]} runs of `readRuns`
 * @param {object[]} strategies
 * @param {(done: number) => void} [tell] is told how many runs are done
 * @returns rows by strategy and size: `pairs` by measure has `[there, all]` of each run; of all results `valid` by provider, of those whose input was,
 *   the shares `used` of the size, and `trimmed`, and `ms`, the median
 */
export async function measureKeeps(runs, strategies, tell = () => {}) {
  const isCommon = commonIn(runs.map(({ messages }) => messages.map(said)));
  const rows = SIZES.flatMap((size) =>
    strategies.map((strategy) => {
      const pairs = Object.fromEntries(MEASURES.map((name) => [name, runs.map(() => [0, 0])]));
      return { size, strategy, pairs, results: [] };
    }),
  );
  for (const [index, run] of runs.entries()) {
    const tokensOf = counter();
    for (const cut of cutsOf(run, isCommon, tokensOf)) {
      const wasTaken = Object.values(PROVIDERS).map((takes) => takes(cut.past));
      for (const { size, strategy, pairs, results } of rows) {
        const limit = cut.fixed + Math.floor(cut.rest * size);
        const { messages, own, isTrimmed, ms } = await brought(strategy, cut.past, { limit, tokensOf });
        for (const [name, [there, all]] of Object.entries(judged(run, cut.wanted, messages))) {
          pairs[name][index][0] += there;
          pairs[name][index][1] += all;
        }
        const isTaken = Object.values(PROVIDERS).map((takes) => takes(own));
        results.push({ isTaken, wasTaken, isTrimmed, ms, used: (sum(messages, tokensOf) - cut.fixed) / (limit - cut.fixed) });
      }
    }
    tell(index + 1);
  }
  return rows.map(({ results, ...row }) => ({ ...row, ...summary(results) }));
}

function summary(results) {
  const mean = (list) => list.reduce((total, one) => total + Number(one), 0) / list.length;
  const times = results.map(({ ms }) => ms).sort((a, b) => a - b);
  const valid = Object.keys(PROVIDERS).map((name, at) => {
    const asked = results.filter(({ wasTaken }) => wasTaken[at]);
    return [name, 100 * mean(asked.map(({ isTaken }) => isTaken[at]))];
  });
  return {
    cuts: results.length,
    valid: Object.fromEntries(valid),
    used: 100 * mean(results.map(({ used }) => used)),
    trimmed: 100 * mean(results.map(({ isTrimmed }) => isTrimmed)),
    ms: times[Math.floor(times.length / 2)],
  };
}
