// Edits one array of a JSON text and leaves all other bytes as they are.
import { randomBytes } from 'node:crypto';

/** Where an object's array lies in its JSON text. */
export interface Source {
  /** the JSON text */
  text: string;
  /** names of the object's members, in order */
  keys: string[];
  /** start and end of the array, in UTF-16 code units */
  array: [number, number];
  /** start and end of each element */
  items: [number, number][];
  /** the elements */
  texts: string[];
  /** whether the elements are written as JavaScript would write them, so that equal elements have equal texts */
  isPlain: boolean;
  /** start and end of the array's numbers that a JavaScript number would change, such as 2^64 */
  numbers: [number, number][];
}

/** A token of JSON behind the space before it: the beginning of a string, a bracket, comma or colon, or else a word or number. */
const TOKEN = /([ \t\n\r]*)(["{}[\],:]|[^\s"{}[\],:]+)/y;
const CLOSING: Record<string, string | undefined> = { '{': '}', '[': ']' };
/** Escapes that JavaScript writes otherwise, at least some of them, and keys that it sorts. */
const UNUSUAL = /\\[u/]|"\d+":/;
/** Number of digits up to which every integer is exact. */
const EXACT_DIGITS = 15;

/**
 * Finds an array among the members of a JSON object. Takes one pass. The result is right for valid JSON only.
 *
 * @returns undefined if the text is no object, has a member twice, or has no such array
 */
export function findArray(text: string, name: string): Source | undefined {
  const keys: string[] = [];
  const items: [number, number][] = [];
  const numbers: [number, number][] = [];
  /** What closes the objects and arrays that are open. */
  const open: string[] = [];
  let array: [number, number] | undefined;
  let from = 0;
  /** Start and end of the last token. */
  let [first, last] = [0, 0];
  let isIn = false;
  let isSpaced = false;
  TOKEN.lastIndex = 0;
  do {
    const found = TOKEN.exec(text);
    if (found === null) return undefined;
    const [, space, token] = found;
    const start = TOKEN.lastIndex - token.length;
    if (token === '"') TOKEN.lastIndex = endOfString(text, start);
    const end = TOKEN.lastIndex;
    if (end === 0) return undefined;
    const depth = open.length;
    const closing = CLOSING[token];
    if (depth === 0 && token !== '{') return undefined;
    if (closing !== undefined) open.push(closing);
    else if ((token === '}' || token === ']') && open.pop() !== token) return undefined;
    if (isIn) {
      isSpaced ||= depth > 2 && space !== '';
      if (depth === 2) from = start;
      // At the end of an element.
      if (open.length === 2 && token !== ',') items.push([from, end]);
      if (/^[-\d]/.test(token) && !isExact(token)) numbers.push([start, end]);
      isIn = open.length > 1;
      if (array !== undefined) array[1] = end;
    } else if (depth === 1 && token === ':') {
      try {
        keys.push(JSON.parse(text.slice(first, last)));
      } catch {
        return undefined;
      }
    } else if (depth === 1 && token === '[' && text[first] === ':' && keys.at(-1) === name) {
      array = [start, end];
      isIn = true;
    }
    first = start;
    last = end;
  } while (open.length > 0);
  if (array === undefined || new Set(keys).size !== keys.length) return undefined;
  const isPlain = !isSpaced && !UNUSUAL.test(text.slice(...array));
  return { text, keys, array, items, texts: items.map(([start, end]) => text.slice(start, end)), isPlain, numbers };
}

/** Returns the end of a string; 0 if it has none. */
function endOfString(text: string, start: number) {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === 0x5c) before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return 0;
}

/** Returns whether a number comes out of JavaScript as it went in. */
const isExact = (number: string) =>
  (number.length <= EXACT_DIGITS && /^-?[1-9]\d*$/.test(number)) || number === '0' || JSON.stringify(Number(number)) === number;

// Random, so that no text can hold it by intention.
const EDGE = `\uE000${randomBytes(9).toString('base64url')}:`;
const END = '\uE000';
const WHOLE = new RegExp(`"${EDGE}([-+.eE\\d]+)${END}"`, 'g');
const PART = new RegExp(`${EDGE}([-+.eE\\d]+)${END}`, 'g');

/**
 * Returns a text of the same object in which strings stand for inexact numbers of the array; `restore` puts the numbers back.
 *
 * @param range by default the whole text
 */
export function guarded({ text, numbers }: Source, [start, end]: [number, number] = [0, text.length]) {
  let result = '';
  let at = start;
  for (const [from, to] of numbers) {
    if (from < start || to > end) continue;
    result += `${text.slice(at, from)}"${EDGE}${text.slice(from, to)}${END}"`;
    at = to;
  }
  return at === start ? text.slice(start, end) : result + text.slice(at, end);
}

const restore = (json: string) => (json.includes(EDGE) ? json.replace(WHOLE, '$1').replace(PART, '$1') : json);

/** JSON of values that sessions send again and again; no session changes them. */
const written: WeakMap<object, string> = new WeakMap();

function jsonOf(value: unknown) {
  const known = value !== null && typeof value === 'object' ? written.get(value) : undefined;
  if (known !== undefined) return known;
  const json = restore(JSON.stringify(value));
  if (value !== null && typeof value === 'object') written.set(value, json);
  return json;
}

/**
 * Returns the texts of other elements. An element that equals one of the source's keeps its bytes.
 *
 * @param values the elements, parsed from the guarded text or made of such
 */
export function textsFor(source: Source, values: readonly unknown[]) {
  const parts = values.map(jsonOf);
  if (source.isPlain) return parts;
  const own = new Map(
    source.items.map((range, index) => [restore(JSON.stringify(JSON.parse(guarded(source, range)))), source.texts[index]]),
  );
  return parts.map((json) => own.get(json) ?? json);
}

/**
 * Returns the text with other elements in the array.
 *
 * @param parts texts of the elements
 * @returns the very text if the elements are the same
 */
export function withItems(source: Source, parts: readonly string[]): string {
  const { text, array, texts } = source;
  const isSame = parts.length === texts.length && texts.every((one, index) => one === parts[index]);
  return isSame ? text : `${text.slice(0, array[0])}[${parts.join(',')}]${text.slice(array[1])}`;
}
