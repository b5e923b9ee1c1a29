// What `shorten` makes of a tool's result, written apart from the engine: by regular expressions and by JSON.parse.

/** Sequences for terminals (ECMA-48), but links. */
const [ESC, BEL] = ['\u001b', '\u0007'];
const SEQUENCE = new RegExp(
  `${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}\\](?!8;)[^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|${ESC}[PX^_][^${BEL}${ESC}]*${ESC}\\\\|${ESC}(?![[\\]PX^_])[ -/]*[0-~]`,
  'g',
);

/** Removes blanks before numbers of lines that go up, and those before an arrow. */
export function withoutBlanks(text) {
  const lines = text.split('\n');
  const read = lines.map((line) => /^( *)(\d{1,12})([→\t])/.exec(line));
  const follows = (one, next) =>
    one &&
    next &&
    BigInt(next[2]) === BigInt(one[2]) + 1n &&
    (next[1] === '' || next[1].length + next[2].length === one[1].length + one[2].length);
  const isNumber = (index) => read[index][3] === '→' || follows(read[index - 1], read[index]) || follows(read[index], read[index + 1]);
  return lines.map((line, index) => (read[index] && isNumber(index) ? line.trimStart() : line)).join('\n');
}

/** What a terminal shows of a text, where `returns` says that a carriage return leads to the start of the line. */
export function withoutEscapes(text, returns) {
  if (!returns) return text.replace(SEQUENCE, '');
  const shown = (line) => {
    const [, before, end] = /^([\s\S]*?)(\r*)$/.exec(line);
    let [made, at, isWide, isLost] = [[], 0, false, false];
    const put = (some) => {
      for (const unit of some.split('')) {
        // Where characters may take two columns, or a terminal is not as wide, nobody knows what is where.
        isLost ||= isWide && at > made.length;
        isWide ||= /[^\x20-\x7e\xc0-\u024f\u2190-\u21ff\u2500-\u259f\u2800-\u28ff]/.test(unit);
        isLost ||= isWide && at < made.length;
        made[at++] = unit;
      }
    };
    let from = 0;
    for (const match of before.matchAll(new RegExp(`${SEQUENCE.source}|[\r\b]`, 'g'))) {
      put(before.slice(from, match.index));
      from = match.index + match[0].length;
      const [, digits, letter] = /^.\[(\d*)([CDGK])$/.exec(match[0]) ?? [];
      const [number, end] = [Number(digits), made.length];
      if (match[0] === '\r') at = 0;
      else if (match[0] === '\b') at = Math.max(0, at - 1);
      else if (letter === 'G') at = Math.max(1, number) - 1;
      else if (letter === 'C') at += Math.max(1, number);
      else if (letter === 'D') at = Math.max(0, at - Math.max(1, number));
      else if (letter === 'K' && number === 0) made.length = Math.min(end, at);
      else if (letter === 'K' && number === 1 && at + 1 < end) made.fill(' ', 0, at + 1);
      else if (letter === 'K' && number === 1) made.length = 0;
      else if (letter === 'K' && number === 2) made.length = 0;
      const isMove = match[0] === '\b' || 'CD'.includes(letter ?? '?') || (letter === 'G' && at > 0);
      isLost ||= isWide && (isMove || (letter === 'K' && number === 1));
      // With more columns it can't become shorter.
      if (isLost || at > before.length) return line;
      if (made.length === 0 && at === 0) isWide = false;
    }
    put(before.slice(from));
    if (isLost) return line;
    const whole = Array.from(made, (unit) => unit ?? ' ').join('');
    return whole.length < before.length ? whole + end : line;
  };
  return text.split('\n').map(shown).join('\n');
}

const isStructure = (text) => {
  try {
    const value = JSON.parse(text.trim());
    return value !== null && typeof value === 'object';
  } catch {
    return false;
  }
};

/** Removes blanks outside of the strings of JSON. */
export const withoutIndent = (text) =>
  isStructure(text) ? text.replace(/("(?:[^"\\]|\\[\s\S])*")|[ \t\n\r]+/g, (_, string) => string ?? '') : text;

/** The values of compact JSON, each with its source: `{ source, items }` of an array, `{ source, members }` of an object. */
function valuesOf(text) {
  const token = /"(?:[^"\\]|\\[\s\S])*"|[{}[\],:]|[^\s{}[\],:"]+/gy;
  token.lastIndex = text.search(/[{[]/);
  let [next, end] = [undefined, 0];
  const step = () => {
    end = token.lastIndex;
    next = token.exec(text);
  };
  step();
  const value = () => {
    const start = next.index;
    const open = next[0];
    const found = { items: [], members: [] };
    step();
    if (open === '{' || open === '[') {
      while (next[0] !== '}' && next[0] !== ']') {
        if (next[0] === ',') step();
        if (open === '[') found.items.push(value());
        else {
          const name = next[0];
          step();
          step();
          found.members.push([name, value()]);
        }
      }
      step();
    }
    const source = text.slice(start, next === null ? end : end);
    return { open, start, end, source, ...found };
  };
  return value();
}

/** Says the names of members once where an array has three or more objects with the same ones. */
export function withTables(text) {
  if (!isStructure(text)) return text;
  const names = ({ members }) => members.map(([name]) => name);
  const table = ({ open, items }) => {
    if (open !== '[' || items.length < 3 || items.some((item) => item.open !== '{' || item.source.length > 1000)) return undefined;
    const columns = names(items[0]);
    if (columns.length === 0 || columns.length > 16 || items.some((item) => names(item).join() !== columns.join())) return undefined;
    const head = `{"[… ${items.length} items, a row each]":[${columns.join()}]}`;
    if (items.length * columns.reduce((sum, name) => sum + name.length + 1, 0) <= head.length + 1) return undefined;
    return `[${[head, ...items.map(({ members }) => `[${members.map(([, { source }]) => source).join()}]`)].join()}]`;
  };
  const written = (value) => {
    const made = table(value);
    if (made !== undefined) return made;
    if (value.open === '[') return `[${value.items.map(written).join()}]`;
    if (value.open === '{') return `{${value.members.map(([name, inner]) => `${name}:${written(inner)}`).join()}}`;
    return value.source;
  };
  const whole = valuesOf(text);
  return text.slice(0, whole.start) + written(whole) + text.slice(whole.end);
}

/** Says lines once that equal the line above, at least twice, if that is shorter. */
export function withoutRepeats(text) {
  const made = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    while (end < lines.length && lines[end] === lines[at]) end++;
    const mark = `[… ${end - at - 1} more times]`;
    const isShorter = (end - at - 1) * (lines[at].length + 1) > mark.length + 1;
    if (end - at >= 3 && !/^[\t\n\f\r ]*$/.test(lines[at]) && isShorter) made.push(lines[at], mark);
    else made.push(...lines.slice(at, end));
    at = end;
  }
  return made.join('\n');
}

/** Has each string in JSON that is no name written as it would be alone, unless it holds half of a surrogate pair. */
const inStrings = (text, content) =>
  isStructure(text)
    ? text.replace(/("(?:[^"\\]|\\[\s\S])*")(\s*:)?/g, (whole, string, colon) => {
        const said = colon === undefined ? JSON.parse(string) : '';
        const made = shorterText(said, content);
        const spelled = JSON.stringify(made);
        return made !== said && said.isWellFormed() && spelled.length < string.length ? spelled : whole;
      })
    : text;

const ofOutput = (content) => [
  (text) => inStrings(text, content),
  (text) => withoutEscapes(text, content === 'terminal'),
  withoutBlanks,
  withoutIndent,
  withTables,
  withoutRepeats,
];
const RULES = {
  /** Lines of files. */
  file: [withoutBlanks],
  /** What a command printed. */
  terminal: ofOutput('terminal'),
  /** What another tool says. */
  other: ofOutput('other'),
};

/** Results below this length stay, in UTF-16 code units. */
const MIN_LENGTH = 24;

const shorterText = (text, content) =>
  (text.length < MIN_LENGTH ? [] : RULES[content]).reduce((made, rule) => {
    const next = rule(made);
    return next.length < made.length && next.trim() !== '' ? next : made;
  }, text);

/**
 * What is made of a result of one kind of content: `file`, `terminal` or `other`. One that a program gave as an object or array keeps its shape: only
 * the strings in it are shorter.
 */
export const shorterOf = (result, content) =>
  typeof result === 'string' ? shorterText(result, content) : JSON.parse(inStrings(JSON.stringify(result), content));

/** All that may be made of a result, itself among it. */
export const variantsOf = (result) => [...new Set([result, ...Object.keys(RULES).map((content) => shorterOf(result, content))])];

/** Whether a value is another one, but for results that are shorter: texts of which `may` is true. */
export function isSameOrShorter(value, other, may = () => true) {
  if (typeof value === 'string' && typeof other === 'string') return value === other || (may(other) && variantsOf(other).includes(value));
  if (value === null || other === null || typeof value !== 'object' || typeof other !== 'object') return value === other;
  const keys = Object.keys(value);
  return (
    Array.isArray(value) === Array.isArray(other) &&
    keys.join() === Object.keys(other).join() &&
    keys.every((key) => isSameOrShorter(value[key], other[key], may))
  );
}
