// The strategies, and how each is brought to a size. A strategy has `cut(messages, { limit, tokensOf, setting, state })` over messages of OpenAI's
// chat completions, and `most(messages)`, the loosest value of its setting, where it has a setting in place of a size. 0 is the strictest.
import { OURS } from './palimpsest.mjs';
import { PACKAGES } from './packages.mjs';
import { PLAIN, headAndTail, sum } from './plain.mjs';
import { RULES } from './rules.mjs';

export const STRATEGIES = [...OURS, ...PLAIN, ...PACKAGES, ...RULES];

/**
 * Brings what a strategy leaves to a size: with the loosest setting of it that fits, if it has one. If it is still over, head and tail of it are
 * left: that keeps the task, which most programs never cut.
 *
 * @returns {Promise<{ messages: object[], own: object[], isTrimmed: boolean, ms: number }>} `own`: what the strategy left by itself; `isTrimmed`: it was
 *   still over; `ms`: the time of the call that left it, without those that looked for the setting
 */
export async function brought({ cut, most }, messages, { limit, tokensOf, state }) {
  const fits = (list) => sum(list, tokensOf) <= limit;
  const call = async (setting) => {
    const start = performance.now();
    const left = await cut(messages, { limit, tokensOf, setting, state });
    return { own: left, ms: performance.now() - start };
  };
  let found;
  if (most) {
    let [low, high] = [0, most(messages)];
    found = await call(low);
    while (low < high && fits(found.own)) {
      const middle = Math.ceil((low + high) / 2);
      const tried = await call(middle);
      if (fits(tried.own)) [low, found] = [middle, tried];
      else high = middle - 1;
    }
  } else found = await call();
  const isTrimmed = !fits(found.own);
  return { ...found, isTrimmed, messages: isTrimmed ? headAndTail(found.own, { limit, tokensOf }) : found.own };
}
