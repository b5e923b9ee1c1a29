// The facts that an agent uses next. A conversation is cut; words that say something specific, that stand in the old part
// of what came before, not in its last messages, and that the next messages use, are facts which the agent took from
// there. It needs no model and no hand-written questions: the conversation itself shows which facts mattered.
import { createRequire } from 'node:module';

const { countTokens } = createRequire(import.meta.url)('../../index.js');

/** Positions at which conversations are cut, as shares of their messages. */
export const CUTS = [0.5, 0.8];
/** Number of messages after a cut that are the future. */
const FUTURE = 10;
/** Number of messages before a cut that are recent: facts in them need no older message. */
const RECENT = 4;
/** A conversation of fewer messages is too short to have a past and a future. */
const SHORTEST = 24;
/** A past of fewer tokens, its system messages aside, isn't worth making smaller. */
const LEAST_TOKENS = 4000;
/** Tokens that a message takes beside its text. */
const MESSAGE_TOKENS = 4;
/** Fewer facts make no measure. */
const LEAST_FACTS = 5;
/** A word that more messages of the past say than so many is a fact only if it looks like one. */
const RARE = 3;
/** Characters of a conversation that are looked at for common words. */
const COMMON_WINDOW = 200_000;
/** A word is common if it occurs in more conversations than this share of them, or than so many. */
const COMMON_SHARE = 0.08;
const COMMON_LEAST = 4;

const WORD = /[\p{L}\p{N}_$@#][\p{L}\p{N}_$@#./:-]*[\p{L}\p{N}_]|[\p{L}\p{N}]/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;
const HAS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** Scripts without blanks are split where the script changes, and then into words of the language. */
function split(word) {
  if (!HAS_UNSPACED.test(word)) return [word];
  const words = [];
  let last = 0;
  for (const run of word.matchAll(UNSPACED)) {
    if (run.index > last) words.push(...(word.slice(last, run.index).match(WORD) ?? []));
    for (const { segment, isWordLike } of segmenter.segment(run[0])) if (isWordLike) words.push(segment);
    last = run.index + run[0].length;
  }
  if (last < word.length) words.push(...(word.slice(last).match(WORD) ?? []));
  return words;
}

/** The words of a text in their order. */
export const wordsIn = (text) => (text.match(WORD) ?? []).flatMap(split).map((word) => word.replace(/^[$@#]+/, ''));
const wordsOf = (text) => new Set(wordsIn(text));

/** A name in katakana, or a compound of three ideographs or more. */
const UNSPACED_NAME = /^(?:[\p{Script=Katakana}ー]{4,}|\p{Script=Han}{3,})$/u;

/** A number of three digits or more, a name in snake_case, camelCase or capitals, a path, a version, a time, a key. */
export function isSpecific(word) {
  if (UNSPACED_NAME.test(word)) return true;
  if (word.length < 3 || /^\d{1,2}$/.test(word)) return false;
  return /\d/.test(word) || word.includes('_') || /\w[./:]\w/.test(word) || /[a-z][A-Z]/.test(word) || /^[A-Z]{3,}$/.test(word);
}

/** Counts, for each word, the sets of `groups` that have it. */
function frequencies(groups) {
  const counts = new Map();
  for (const group of groups) for (const word of group) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Tells the words that are common in conversations, each given as the texts of its messages. */
export function commonIn(conversations) {
  const counts = frequencies(conversations.map((texts) => wordsOf(texts.join('\n').slice(0, COMMON_WINDOW))));
  const limit = Math.max(COMMON_LEAST, conversations.length * COMMON_SHARE);
  return (word) => (counts.get(word) ?? 0) > limit;
}

/** The facts of `past` that `future` uses; both are texts of messages. */
function factsOf(past, future, isCommon) {
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
