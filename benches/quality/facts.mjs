// The facts that an agent uses next. A conversation is cut; words that say something specific, that stand in the old part
// of what came before, not in its last messages, and that the next messages use, are facts which the agent took from
// there. It needs no model and no hand-written questions: the conversation itself shows which facts mattered.
import { createRequire } from 'node:module';
import { isSpecific, wordsOf } from '../../packages/cli/dist/analysis/words.mjs';

// The report of the command line measures sessions with the same words.
export { commonIn, isSpecific, wordsIn, wordsOf } from '../../packages/cli/dist/analysis/words.mjs';

const { countTokens } = createRequire(import.meta.url)('palimpsest');

/** Positions at which conversations are cut, as shares of their messages. */
export const CUTS = [0.5, 0.8];
/** Number of messages after a cut that are the future. */
export const FUTURE = 10;
/** Number of messages before a cut that are recent: facts in them need no older message. */
export const RECENT = 4;
/** A conversation of fewer messages is too short to have a past and a future. */
export const SHORTEST = 24;
/** A past of fewer tokens, its system messages aside, isn't worth making smaller. */
export const LEAST_TOKENS = 4000;
/** Tokens that a message takes beside its text. */
const MESSAGE_TOKENS = 4;
/** Fewer facts make no measure. */
export const LEAST_FACTS = 5;
/** A word that more messages of the past say than so many is a fact only if it looks like one. */
const RARE = 3;

/** Counts, for each word, the sets of `groups` that contain it. */
function frequencies(groups) {
  const counts = new Map();
  for (const group of groups) for (const word of group) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The facts of `past` that `future` uses; both are texts of messages. */
export function factsOf(past, future, isCommon) {
  const bySaid = frequencies(past.map(wordsOf));
  const old = wordsOf(past.slice(0, -RECENT).join('\n'));
  const recent = wordsOf(past.slice(-RECENT).join('\n'));
  const isFact = (word) => isSpecific(word) || (word.length >= 5 && bySaid.get(word) <= RARE);
  return [...wordsOf(future.join('\n'))].filter((word) => old.has(word) && !recent.has(word) && !isCommon(word) && isFact(word));
}

/**
 * Finds the cuts of a conversation, and the facts that its future uses.
 *
 * @param {readonly object[]} messages
 * @param {(message: object) => string} textOf what can be read in a message
 * @param {(word: string) => boolean} isCommon of `commonIn`
 * @returns {{ cut: number, past: object[], facts: string[] }[]} `cut` is one of `CUTS`; cuts with too little are left out
 */
export function cutsOf(messages, textOf, isCommon) {
  if (messages.length < SHORTEST) return [];
  const texts = messages.map(textOf);
  const tokens = messages.map(({ role }, index) => (role === 'system' ? 0 : countTokens(texts[index]) + MESSAGE_TOKENS));
  return CUTS.flatMap((cut) => {
    const at = Math.floor(messages.length * cut);
    if (tokens.slice(0, at).reduce((sum, count) => sum + count, 0) < LEAST_TOKENS) return [];
    const facts = factsOf(texts.slice(0, at), texts.slice(at, at + FUTURE), isCommon);
    return facts.length < LEAST_FACTS ? [] : [{ cut, past: messages.slice(0, at), facts }];
  });
}

/** Which of `facts` can no longer be read in `texts`. */
export function lostIn(texts, facts) {
  const said = wordsOf(texts.join('\n'));
  return facts.filter((word) => !said.has(word));
}
