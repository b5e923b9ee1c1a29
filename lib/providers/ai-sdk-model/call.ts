import { hasBudget, isSummary } from '../anthropic/request.js';
import type { Fields } from '../shared/shapes.js';

/** Models to which the SDK gives a fixed budget for a level of reasoning, because they can't think adaptively. */
const BUDGETED = /claude-(?:3|[a-z]+-4(?![-.][6-9]))/;

/** Levels of reasoning for which the SDK has the model think no more than by itself. */
const UNASKED = new Set<unknown>([undefined, 'provider-default', 'none']);

interface Call {
  providerOptions?: object | undefined;
  reasoning?: unknown;
}

/**
 * Returns what a call of the SDK tells the provider of thinking, summaries and compacting by itself.
 *
 * @param call the options of a language model's call
 * @param model its name
 */
export function toldBy({ providerOptions, reasoning }: Call, model: string | undefined) {
  const all: Fields[] = Object.values(providerOptions ?? {}).filter((options: Fields | null) => options != null);
  const given = (...names: string[]) => all.flatMap((options) => names.map((name) => options[name])).find((value) => value != null);
  // Bedrock's name for it is another.
  const thinking = given('thinking', 'reasoningConfig');
  const isByLevel = thinking === undefined && given('effort') === undefined && !UNASKED.has(reasoning) && BUDGETED.test(model ?? '');
  return {
    contextManagement: given('contextManagement'),
    hasBudget: isByLevel || hasBudget({ thinking, model }),
    isSummary: isSummary({ compaction: given('compaction') }) || given('compactionTrigger') === true,
  };
}
