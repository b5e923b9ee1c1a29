// The words of texts, and which of them say something specific.

/** What a word is made of; it begins and ends with fewer characters. */
const RUN = /[\p{L}\p{N}_$@#./:-]+/gu;
const NO_START = './:-';
const NO_END = '$@#./:-';
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;
const HAS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** Number of characters of a conversation in which `commonIn` looks for common words. */
const COMMON_WINDOW = 200_000;
/** A word is common if it occurs in more conversations than this share of them, and in more than this number. */
const COMMON_SHARE = 0.08;
const MIN_COMMON = 4;

/**
 * The words between blanks and punctuation. Equal to the matches of `[\p{L}\p{N}_$@#][\p{L}\p{N}_$@#./:-]*[\p{L}\p{N}_]|[\p{L}\p{N}]`, which takes
 * quadratic time on runs such as `####…`.
 */
function matches(text: string): string[] {
  const words = [];
  for (const [run] of text.matchAll(RUN)) {
    let from = 0;
    let to = run.length;
    while (from < to && NO_START.includes(run[from])) from++;
    while (to > from && NO_END.includes(run[to - 1])) to--;
    const word = run.slice(from, to);
    if (word !== '' && word !== '_') words.push(word);
  }
  return words;
}

/** Splits scripts without blanks where the script changes, and then into words of the language. */
function split(word: string): string[] {
  if (!HAS_UNSPACED.test(word)) return [word];
  const words = [];
  let last = 0;
  for (const run of word.matchAll(UNSPACED)) {
    if (run.index > last) words.push(...matches(word.slice(last, run.index)));
    for (const { segment, isWordLike } of segmenter.segment(run[0])) if (isWordLike) words.push(segment);
    last = run.index + run[0].length;
  }
  if (last < word.length) words.push(...matches(word.slice(last)));
  return words;
}

/** The words of a text in their order. */
export const wordsIn = (text: string): string[] =>
  matches(text)
    .flatMap(split)
    .map((word) => word.replace(/^[$@#]+/, ''));

export const wordsOf = (text: string) => new Set(wordsIn(text));

/** A name in katakana, or a compound of three ideographs or more. */
const UNSPACED_NAME = /^(?:[\p{Script=Katakana}ー]{4,}|\p{Script=Han}{3,})$/u;

/** Whether a word is a number of three digits or more, a name in snake_case, camelCase or capitals, a path, a version, a time or a key. */
export function isSpecific(word: string) {
  if (UNSPACED_NAME.test(word)) return true;
  if (word.length < 3 || /^\d{1,2}$/.test(word)) return false;
  return /\d/.test(word) || word.includes('_') || /\w[./:]\w/.test(word) || /[a-z][A-Z]/.test(word) || /^[A-Z]{3,}$/.test(word);
}

/** Finds the words that are common in conversations. They are added one by one. */
export class CommonWords {
  #counts: Map<string, number> = new Map();
  #conversations = 0;

  /** @param words those of a conversation */
  add(words: Iterable<string>) {
    this.#conversations++;
    for (const word of new Set(words)) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** @returns whether it is common in the conversations so far */
  has(word: string): boolean {
    return (this.#counts.get(word) ?? 0) > Math.max(MIN_COMMON, this.#conversations * COMMON_SHARE);
  }
}

/**
 * @param conversations each as the texts of its messages
 * @returns whether a word is common in them
 */
export function commonIn(conversations: readonly (readonly string[])[]): (word: string) => boolean {
  const common = new CommonWords();
  for (const texts of conversations) common.add(wordsIn(texts.join('\n').slice(0, COMMON_WINDOW)));
  return (word) => common.has(word);
}
