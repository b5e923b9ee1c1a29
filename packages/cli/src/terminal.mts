import { stripVTControlCharacters } from 'node:util';

/** Width of lines where no terminal tells it, in columns. */
const DEFAULT_WIDTH = 80;
/** Maximum width of text: longer lines are hard to read. */
const MAX_WIDTH = 100;

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] };

/** @param env whether the stream takes colours (https://no-color.org) */
export function hasColours(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv) {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Returns functions that colour a text, or leave it as it is. */
export function coloursOf(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Record<keyof typeof CODES, (text: string) => string> {
  const isOn = hasColours(stream, env);
  const entries = Object.entries(CODES).map(([name, [on, off]]) => [
    name,
    (text: string) => (isOn ? `\x1b[${on}m${text}\x1b[${off}m` : text),
  ]);
  return Object.fromEntries(entries);
}

/** Width of a stream's lines in columns. */
export const widthOf = (stream: { columns?: number }, env: NodeJS.ProcessEnv) =>
  stream.columns || Number.parseInt(env.COLUMNS ?? '', 10) || DEFAULT_WIDTH;

/** A character of two columns: of East Asia, or an emoji (Unicode's East_Asian_Width W and F, by ranges). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\u200b-\u200f]/u;

const cellsOfOne = (character: string) => (NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** Columns that a text takes. */
export function cells(text: string) {
  let count = 0;
  for (const character of stripVTControlCharacters(text)) count += cellsOfOne(character);
  return count;
}

/** Cuts a text without colours to a number of columns, with an ellipsis. */
export function cut(text: string, width: number) {
  if (cells(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const character of text) {
    used += cellsOfOne(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Makes a text from a file or a transcript safe for a terminal: no control characters, no line breaks, no marks that turn the direction. */
export const plain = (text: string) => stripVTControlCharacters(text).replace(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ');

/**
 * Breaks a text into lines.
 *
 * @param indent of all lines but the first
 */
export function wrap(text: string, width: number, indent: string = '') {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line.trim() !== '' && cells(longer) > Math.min(width, MAX_WIDTH)) {
      lines.push(line);
      line = indent + word;
    } else line = longer;
  }
  return [...lines, line].join('\n');
}
