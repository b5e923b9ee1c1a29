// Text for a plain terminal: at most WIDTH cells wide, with colour only if the output is a terminal.
export const WIDTH = 80;

/** Whether the output has colours. */
export const colours = process.stdout.isTTY === true && !process.env.NO_COLOR;
const style = (code) => (text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
export const bold = style(1);
export const dim = style(2);
export const red = style(31);
export const green = style(32);
export const yellow = style(33);

export const number = (value) => value.toLocaleString('en-US');
export const plural = (value, noun) => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
/** The heights of `values` as one line of `columns` bars; a column of several has the highest. */
export function bars(values, columns, top) {
  const count = Math.min(columns, values.length);
  const heights = Array.from({ length: count }, (_, column) => {
    const [from, to] = [column, column + 1].map((at) => Math.floor((at * values.length) / count));
    return values.slice(from, to).reduce((most, value) => Math.max(most, value), 0);
  });
  return heights.map((height) => '▁▂▃▄▅▆▇█'[Math.min(7, Math.floor((8 * height) / top))]).join('');
}
export const percent = (part, whole) => (whole === 0 ? '0%' : `${Math.round((100 * part) / whole)}%`);

/** Removes control characters: a conversation must not control the terminal that shows it. */
export const clean = (text) => text.replace(/\t/g, '    ').replace(/[^\P{C}\n]/gu, '');

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const cells = (character) => (WIDE.test(character) ? 2 : 1);
const width = (text) => [...text].reduce((sum, character) => sum + cells(character), 0);

/** Pads `text` to exactly `size` cells, or cuts it with an ellipsis. */
export function fit(text, size) {
  const total = width(text);
  if (total <= size) return text + ' '.repeat(size - total);
  let kept = '';
  let used = 0;
  for (const character of text) {
    if (used + cells(character) > size - 1) break;
    kept += character;
    used += cells(character);
  }
  return `${kept}…${' '.repeat(size - 1 - used)}`;
}

/** Wraps `text` into lines of at most `size` cells; blank lines are left out. */
export function wrap(text, size) {
  const lines = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    const flush = () => {
      if (line !== '') lines.push(line);
      line = '';
    };
    // Each word includes the white space before it, so that indentation survives.
    for (const word of paragraph.match(/\s*\S+/g) ?? []) {
      if (width(line + word) <= size) {
        line += word;
        continue;
      }
      flush();
      for (const character of word.trimStart()) {
        if (width(line) + cells(character) > size) flush();
        line += character;
      }
    }
    flush();
  }
  return lines;
}
