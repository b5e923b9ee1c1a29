// What fast modes, service tiers and places cost, as multiples of list prices, as of 2026-11-29. Sources: the data of LiteLLM 1.110.2, and of 1.83.0
// for the fast mode of Opus 4.6, which ended.
import type { Usage } from '../types.mjs';

type Multiples = [RegExp, number][];

const OF_ALL = /^/;
/** By provider, what is said, and model: the first that matches. */
const MULTIPLES: Record<string, Partial<Record<'speed' | 'tier' | 'geo', Record<string, Multiples>>>> = {
  anthropic: {
    speed: {
      fast: [
        [/opus-4[-.]6/, 6],
        [/opus-(?:4[-.]8|5)/, 2],
      ],
    },
    tier: { batch: [[OF_ALL, 0.5]] },
    // Models from Opus 4.6 on; older ones have no such places.
    geo: { us: [[/(?:opus|sonnet|haiku)-(?:4[-.][6-9]|[5-9])|fable|mythos/, 1.1]] },
  },
  openai: {
    tier: {
      batch: [[OF_ALL, 0.5]],
      flex: [[/gpt-5(?!.*codex)|gpt-6|^o3(?!-mini)|^o4-mini/, 0.5]],
      priority: [
        [/gpt-5[-.]5/, 2.5],
        [/gpt-5-mini/, 1.8],
        [/gpt-5(?:[-.]\d)?(?!.*(?:nano|pro|cyber))|gpt-6(?!-rosalind)/, 2],
        [/gpt-4\.1(?!-nano)|^o3(?!-)/, 1.75],
        [/^o4-mini/, 20 / 11],
      ],
    },
  },
};

/**
 * The multiple of a model's list prices at which a request was served.
 *
 * @param provider id in the list of prices
 * @param model its name, without what gateways put around it
 * @returns undefined if none is known
 */
export function multipleOf(provider: string, model: string, { served = {} }: Usage): number | undefined {
  let multiple = 1;
  for (const [kind, said] of Object.entries(served) as ['speed' | 'tier' | 'geo', string][]) {
    const found = MULTIPLES[provider]?.[kind]?.[said]?.find(([models]) => models.test(model));
    if (found === undefined) return undefined;
    multiple *= found[1];
  }
  return multiple;
}
