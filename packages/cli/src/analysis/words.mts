// The words of texts, and which of them say something specific.

/** What a word is made of; it begins and ends with fewer characters. */
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

const IN_WORD = /^[\p{L}\p{N}_$@#./:-]$/u;
/** Of each UTF-16 code unit: 0 if that is not known yet, 1 if a word has it, 2 if none has. */
const known = new Uint8Array(0x1_0000);

/** Whether a word may have the character at a place. */
function isInWord(text: string, at: number, unit: number) {
  if ((unit & 0xf800) === 0xd800) return IN_WORD.test(String.fromCodePoint(text.codePointAt(at) as number));
  if (known[unit] === 0) known[unit] = IN_WORD.test(String.fromCharCode(unit)) ? 1 : 2;
  return known[unit] === 1;
}

const ENDS_NO_WORD = new Set(Array.from(NO_END, (char) => char.charCodeAt(0)));
const STARTS_NO_WORD = new Set(Array.from(NO_START, (char) => char.charCodeAt(0)));

/**
 * The words between blanks and punctuation. Equal to the matches of `[\p{L}\p{N}_$@#][\p{L}\p{N}_$@#./:-]*[\p{L}\p{N}_]|[\p{L}\p{N}]`, which takes
 * quadratic time on runs such as `####…`.
 */
function matches(text: string): string[] {
  const words = [];
  const { length } = text;
  for (let at = 0; at < length; ) {
    const unit = text.charCodeAt(at);
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (!isInWord(text, at, unit)) {
      at += isPair ? 2 : 1;
      continue;
    }
    let from = at;
    for (at += isPair ? 2 : 1; at < length; ) {
      const next = text.charCodeAt(at);
      if (!isInWord(text, at, next)) break;
      at += next >= 0xd800 && next < 0xdc00 ? 2 : 1;
    }
    let to = at;
    while (from < to && STARTS_NO_WORD.has(text.charCodeAt(from))) from++;
    while (to > from && ENDS_NO_WORD.has(text.charCodeAt(to - 1))) to--;
    if (to > from && !(to - from === 1 && text[from] === '_')) words.push(text.slice(from, to));
  }
  return words;
}

/** Splits scripts without blanks where the script changes, and then into words of the language. */
function split(word: string): string[] {
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

const HAS_MORE_THAN_ASCII = /[^\0-\x7f]/;
const NAMES_START = /^[$@#]+/;
const bare = (word: string) => {
  const first = word.charCodeAt(0);
  return first === 0x24 || first === 0x40 || first === 0x23 ? word.replace(NAMES_START, '') : word;
};

/** The words of a text in their order. */
export function wordsIn(text: string): string[] {
  const words = matches(text);
  // Only then has it scripts without blanks.
  if (!HAS_MORE_THAN_ASCII.test(text)) return words.map(bare);
  return words.flatMap((word) => (HAS_MORE_THAN_ASCII.test(word) && HAS_UNSPACED.test(word) ? split(word) : [word])).map(bare);
}

export const wordsOf = (text: string) => new Set(wordsIn(text));

/** A name in katakana, or a compound of three ideographs or more. */
const UNSPACED_NAME = /^(?:[\p{Script=Katakana}ー]{4,}|\p{Script=Han}{3,})$/u;

/** Whether a word is a number of three digits or more, a name in snake_case, camelCase or capitals, a path, a version, a time or a key. */
export function isSpecific(word: string) {
  if (UNSPACED_NAME.test(word)) return true;
  if (word.length < 3 || /^\d{1,2}$/.test(word)) return false;
  return /\d/.test(word) || word.includes('_') || /\w[./:]\w/.test(word) || /[a-z][A-Z]/.test(word) || /^[A-Z]{3,}$/.test(word);
}

/** Finds the words that are common in conversations, by whatever stands for a word. They are added one by one. */
export class CommonWords<Word = string> {
  #counts: Map<Word, number> = new Map();
  #conversations = 0;

  /** @param words those of a conversation, each once */
  add(words: Iterable<Word>) {
    this.#conversations++;
    for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** @returns whether it is common in the conversations so far */
  has(word: Word): boolean {
    return (this.#counts.get(word) ?? 0) > Math.max(MIN_COMMON, this.#conversations * COMMON_SHARE);
  }
}

/** A number of 32 bits that stands for a word (FNV-1a). */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  // The last characters reach all bits, too.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * @param conversations each as the texts of its messages
 * @returns whether a word is common in them
 */
export function commonIn(conversations: readonly (readonly string[])[]): (word: string) => boolean {
  const common = new CommonWords();
  for (const texts of conversations) common.add(wordsOf(texts.join('\n').slice(0, COMMON_WINDOW)));
  return (word) => common.has(word);
}
