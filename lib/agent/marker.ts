import native from '../native.js';

/** The text in front of a marker's key: `[palimpsest:k3f9a2c81x stale read of src/a.ts, 120 lines]`. */
const { MARKER_START } = native;

/** The length of a marker's key. */
export const KEY = 10;
/** The length of a key that no marker holds: of what left none. */
const LONG_KEY = 20;

/** Marks without a key, of `fit` and of `prune` beside its markers; docs/reference/marks.md lists their forms. Others write the shortest one, too. */
const MARK_START = '[…';
const SHORT_MARK = '[…]';
const LONG_MARK =
  /\[\u2026(?:: [^\]\n]*| \d+ (?:line|more|earlier|message|item|member|character|image|document|file)[^\]\n]*| lines \d[^\]\n]*)\]/;

const MARKER = new RegExp(`${MARKER_START.replace('[', '\\[')}([a-z][0-9a-z]{9})(?=[ \\]])`, 'g');

/**
 * The checksum at the end of a key, as `crates/history/src/restore/marker.rs` makes it. To ask the engine about each text that holds a marker
 * would take longer than the rest of `restore`.
 *
 * @param name the letters and digits in front of it
 */
function checksumOf(name: string) {
  let sum = 7;
  for (let index = 0; index < name.length; index++) sum = (sum * 31 + name.charCodeAt(index)) % 1296;
  return sum.toString(36).padStart(2, '0');
}

/** The keys of the markers in a text. What only looks like a marker has a wrong checksum. */
export function keysIn(text: string): string[] {
  if (!text.includes(MARKER_START)) return [];
  return Array.from(text.matchAll(MARKER), ([, key]) => key).filter((key) => checksumOf(key.slice(0, 8)) === key.slice(8));
}

/** Returns whether a text holds a mark without a key. */
export function markIn(text: string): 'long' | 'short' | undefined {
  if (!text.includes(MARK_START)) return undefined;
  if (LONG_MARK.test(text)) return 'long';
  return text.includes(SHORT_MARK) ? 'short' : undefined;
}

/** Returns a key of a text of several long ones; empty where blanks stand for it. */
export const keyAt = (text: string, index: number) => text.slice(LONG_KEY * index, LONG_KEY * (index + 1)).trim();

/** The media type of a file that may be a text, or its data URL: marks in it are encoded. */
const OF_TEXT = /^(?:data:)?(?:text|application)\//;
/** Letters that these begin with: for most texts, the expression need not run. */
const [A, D, T] = ['a', 'd', 't'].map((letter) => letter.charCodeAt(0));

function isOfText(text: string) {
  const first = text.charCodeAt(0);
  return (first === T || first === A || first === D) && OF_TEXT.test(text);
}

/** Returns false for most texts without a mark or marker. Both begin with `[`: a text without one takes one call of the runtime instead of two. */
export const mayHoldMark = (text: string) =>
  (text.includes('[') && (text.includes(MARK_START) || text.includes(MARKER_START))) || isOfText(text);

export { MARKER_START };
