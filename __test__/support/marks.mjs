// Judges cut texts, and knows only the forms of marks: whether each gap has a mark, and
// whether the mark is right about it.
import { readFileSync } from 'node:fs';

/** The page about marks. This file knows only its table. */
export const PAGE = readFileSync(new URL('../../docs/reference/marks.md', import.meta.url), 'utf8');

/** A mark in place of a whole argument, which may quote what it stands for. */
const ARGUMENT = /^\[… (\d+) lines?: cut here, sent in full(?::([ \n].+))?\]$/s;

/**
 * The quotes in a mark of an argument, in order: a line between blanks, or several lines, word for word, between line ends. None if the
 * mark has another form.
 */
export function quotesIn(mark) {
  const quoted = ARGUMENT.exec(mark)?.[2] ?? '';
  const quotes = quoted.split(/(?<=[ \n])…(?=[ \n])/).map((quote, index, { length }) => {
    const isPassage = quote.startsWith('\n');
    const border = isPassage ? '\n' : ' ';
    const end = index === length - 1 && !isPassage ? '' : border;
    const inner = quote.slice(1, quote.length - end.length);
    return quote.endsWith(end) && inner !== '' && inner.includes('\n') === isPassage ? inner : undefined;
  });
  return quoted === '' ? [] : quotes.includes(undefined) ? undefined : quotes;
}

/** The form of a mark, without numbers and without the text after a colon, unless it belongs to the form. */
export const formOf = (mark) =>
  mark
    .replace(/^(\[… \d+ lines?: cut here, sent in full):[ \n].*\]$/s, '$1: …]')
    .replace(/: (?!\d+–\d+\]|cut here, sent in full[\]:]|…\]).*\]/s, ': …]')
    .replace(/\d+/g, 'N')
    .replace(/\b(line|item|member|message)\b/, '$1s')
    .replace(/^\[palimpsest:\w+ .*\]$/s, '[palimpsest:… …]');

/** The code in the first column of the table behind a heading of the page. */
export function tabled(heading) {
  const section = PAGE.split(`\n${heading}\n`)[1].split(/\n##/)[0];
  const cells = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ')[0]);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code));
}

/** The forms in the page's table of marks. */
export const documentedForms = () => new Set(tabled('## Marks').map((code) => formOf(code.replace(/^"(.*?)"(?:: null)?$/, '$1'))));

/** The possible texts without marks of messages, which are before or after the text. */
export function withoutMessages(text) {
  // Two gaps around a call, which can hold no mark, stand one below the other in its result.
  const fronts = [text];
  for (const mark of /^(?:\[… \d+ messages?(?:: [^\n]*)?\]\n)*/.exec(text)[0].split('\n').slice(0, -1)) {
    fronts.push(fronts.at(-1).slice(mark.length + 1));
  }
  return fronts.flatMap((front) => {
    const mark = /\n?\[… \d+ messages?(?:: [^\n]*)?\]$/.exec(front);
    return mark ? [front, front.slice(0, mark.index), front.slice(0, mark.index + 1)] : [front];
  });
}

const LINES = /\[…(?: (\d+) (lines?|more like this))?(: [^\n]*?)?\]/y;
const ITEMS = /^\[…(?: (\d+) items?)?\]$/;
const MEMBERS = /^\[… (\d+) members?(?: \(\d+\))?\]$/;
/** A gap without a number is shorter, in lines, items or members. */
const COUNTED = 4;
/** Only an argument whose JSON is longer may go. */
const LONG = 400;
/** Objects with at most this many members keep them, unless they are the text of an object. */
const RECORD = 32;

/**
 * Returns the faults of `text`, which was made of `original`, or undefined.
 *
 * @param {{ isValue?: boolean, isCall?: boolean, firstLine?: number, saw?: (mark: string) => void }} [options] `isValue`: both are JSON
 *   of values, whose records keep their members; `isCall`: of arguments, which keep everything but long strings, each of which is whole
 *   or one mark; `firstLine`: the number of the first line in its file, default 1
 */
export function judge(text, original, { isValue = false, isCall = false, firstLine = 1, saw = () => {} } = {}) {
  if (text === original) return undefined;
  const before = readJson(original);
  if (before === undefined || typeof before !== 'object')
    return (isCall ? isArgument(text, original, saw) : linesAre(text, original, saw, firstLine))
      ? undefined
      : 'what is gone is not marked, or not as it is';
  const after = readJson(text);
  if (after === undefined) return 'JSON is none any more';
  return sameValue(after, before, { isRecord: isValue || isCall, isCall, saw })
    ? undefined
    : 'values are gone and not marked, or not as they are';
}

const linesOf = (text) => (text.match(/\n/g)?.length ?? 0) + (text.endsWith('\n') ? 0 : 1);

/** Returns whether `text` is the mark of the whole of `original`, a long text in arguments, and quotes nothing but that, in its order. */
function isArgument(text, original, saw) {
  const [, count] = ARGUMENT.exec(text) ?? [];
  const quotes = quotesIn(text);
  // JSON adds the quotes, and writes a line end in two code units.
  const [after, before] = [text, original].map((one) => JSON.stringify(one).length);
  if (Number(count) !== linesOf(original) || quotes === undefined || before <= LONG || after >= before) return false;
  let at = 0;
  for (const quote of quotes) {
    at = original.indexOf(quote, at);
    if (at < 0) return false;
    at += quote.length;
  }
  saw(text);
  return true;
}

/** Returns whether `text` is `original` with marks in its gaps. */
export function linesAre(text, original, saw = () => {}, firstLine = 1) {
  const failed = new Set();
  const used = [];
  const lineStart = (at) => at === 0 || original[at - 1] === '\n';
  /** Returns the end of a gap of this many whole lines that starts at `at`, or undefined if there are fewer. */
  const behindLines = (at, count) => {
    let end = at;
    for (let line = 0; line < count; line++) {
      if (end >= original.length) return undefined;
      const next = original.indexOf('\n', end);
      end = next < 0 ? original.length : next + 1;
    }
    return end;
  };
  const linesIn = (at, end) => linesOf(original.slice(at, end));
  const isWhole = (at, end) =>
    lineStart(at) && (end === original.length || original[end - 1] === '\n' || /^\r?\n/.test(original.slice(end, end + 2)));
  const withoutNumbers = (line) => line.replace(/\d+/g, '0');

  function* gapEnds(mark, at, next) {
    const [, number, what, note] = mark;
    if (number !== undefined) {
      const end = lineStart(at) ? behindLines(at, Number(number)) : undefined;
      if (end === undefined) return;
      const lines = original.slice(at, end).replace(/\n$/, '').split('\n');
      const above = original.slice(0, at).split('\n').at(-2);
      const [, from, to] = /^: (\d+)–(\d+)$/.exec(note ?? '') ?? [];
      const first = firstLine + (original.slice(0, at).match(/\n/g)?.length ?? 0);
      if (from !== undefined && (Number(from) !== first || Number(to) !== first + Number(number) - 1)) return;
      if (what === 'more like this' && !lines.every((line) => withoutNumbers(line) === withoutNumbers(above ?? ''))) return;
      yield end;
      return;
    }
    // The text after the mark determines where it may end.
    const literal = text.slice(next, next + 24).split('[…')[0];
    for (let end = literal === '' ? at + 1 : original.indexOf(literal, at + 1); end >= 0 && end <= original.length; ) {
      if (note !== undefined ? !isWhole(at, end) : !isWhole(at, end) || linesIn(at, end) < COUNTED) yield end;
      end = literal === '' ? end + 1 : original.indexOf(literal, end + 1);
    }
  }

  const from = (start, place) => {
    let [r, o] = [start, place];
    const key = `${r} ${o}`;
    if (failed.has(key)) return false;
    for (;;) {
      LINES.lastIndex = r;
      const mark = text[r] === '[' ? LINES.exec(text) : null;
      if (mark) {
        const behind = r + mark[0].length;
        const blank = /^(?:\r?\n| )/.exec(text.slice(behind, behind + 2))?.[0];
        for (const end of blank === undefined ? [''] : [blank, '']) {
          for (const to of gapEnds(mark, o, behind + end.length)) {
            if (end !== '' && !original.slice(o, to).endsWith(end)) continue;
            used.push(mark[0]);
            if (from(behind + end.length, to)) return true;
            used.pop();
          }
        }
      }
      if (r === text.length && o === original.length) return true;
      if (r === text.length || text[r] !== original[o]) break;
      r++;
      o++;
    }
    failed.add(key);
    return false;
  };
  const isRight = from(0, 0);
  if (isRight) used.forEach(saw);
  return isRight;
}

/** Returns whether a value is unchanged except for marks in place of elements, members and lines. */
function sameValue(after, before, how) {
  const { isRecord, isCall, saw } = how;
  const kind = kindOf(before);
  if (kindOf(after) !== kind) return false;
  if (kind === 'string') {
    return after === before || (isCall ? isArgument : linesAre)(after, before, saw);
  }
  if (kind === 'source') return after.source === before.source;
  if (kind === 'items')
    return sameList(
      after.items,
      before.items,
      (one) => (isCall || typeof one !== 'string' ? null : ITEMS.exec(one)),
      (a, b) => sameValue(a, b, how),
      saw,
    );
  const names = after.members.map(([name]) => name);
  // Names that occur twice in the original may occur twice.
  if (new Set(names).size < names.length && new Set(before.members.map(([name]) => name)).size === before.members.length) return false;
  const mayGo = !isCall && (!isRecord || before.members.length > RECORD);
  const markOf = ([name, value]) => (mayGo && value.source === 'null' ? MEMBERS.exec(name) : null);
  return sameList(after.members, before.members, markOf, ([a, x], [b, y]) => a === b && sameValue(x, y, how), saw);
}

const kindOf = (value) => (typeof value === 'string' ? 'string' : Object.keys(value)[0]);

function sameList(after, before, markOf, isSame, saw) {
  const failed = new Set();
  const from = (a, b) => {
    if (a === after.length) return b === before.length;
    const key = a * (before.length + 1) + b;
    if (failed.has(key)) return false;
    const mark = markOf(after[a]);
    if (mark) {
      const counts = mark[1] === undefined ? [1, 2, 3] : [Number(mark[1])];
      if (counts.some((count) => b + count <= before.length && from(a + 1, b + count))) {
        saw(mark[0]);
        return true;
      }
    }
    if (b < before.length && isSame(after[a], before[b]) && from(a + 1, b + 1)) return true;
    failed.add(key);
    return false;
  };
  return from(0, 0);
}

/** Parses a JSON object or array with all its members in order, and numbers as written; undefined for other texts. */
export function readJson(text) {
  try {
    const value = JSON.parse(text);
    if (value === null || typeof value !== 'object') return undefined;
  } catch {
    return undefined;
  }
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s,:"{}[\]]+/g);
  const next = () => tokens.next().value?.[0];
  const value = (token) => {
    if (token === '{') {
      const members = [];
      for (let name = next(); name !== '}'; name = next()) members.push([JSON.parse(name), value(next())]);
      return { members };
    }
    if (token === '[') {
      const items = [];
      for (let item = next(); item !== ']'; item = next()) items.push(value(item));
      return { items };
    }
    return token.startsWith('"') ? JSON.parse(token) : { source: token };
  };
  return value(next());
}
