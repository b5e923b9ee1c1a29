// What `shorten` makes of a tool's result, written apart from the engine: by regular expressions and by JSON.parse.

/** Removes blanks before the numbers that Claude Code writes in front of the lines of a file: the first line with one, and those that count on from it. */
export function withoutBlanks(text) {
  const lines = text.split('\n');
  const numberOf = (line) => {
    const [, blanks, digits] = /^( *)(\d{1,12})→/.exec(line ?? '') ?? [];
    const isAligned = digits && (blanks.length + digits.length === 6 || (blanks === '' && digits.length > 6));
    return isAligned ? BigInt(digits) : undefined;
  };
  const first = lines.findIndex((line) => numberOf(line) !== undefined);
  const counts = (line, index) => numberOf(line) === numberOf(lines[first]) + BigInt(index - first);
  const end = lines.findIndex((line, index) => first >= 0 && index > first && !counts(line, index));
  const isListed = (index) => first >= 0 && index >= first && (end < 0 || index < end);
  return lines.map((line, index) => (isListed(index) ? line.trimStart() : line)).join('\n');
}

/** Sequences that change nothing but colours and titles, and half of one. */
const [ESC, BEL] = ['\u001b', '\u0007'];
const SILENT = new RegExp(`${ESC}\\[[0-9;]*m|${ESC}\\][02];[^${BEL}${ESC}]*${BEL}`, 'g');
const LINK = new RegExp(`${ESC}\\]8;[^${BEL}${ESC}]*${ESC}\\\\`, 'g');

/**
 * What a terminal shows of a text, for the few forms that tests of whole results have: colours and titles go, and of a line that was written over after
 * `\r${ESC}[K`, or whose shares of a hundred go up, the last state stays. Any other text stays. `fit/screen.test.mjs` judges all forms by emulators.
 */
export function withoutEscapes(text) {
  if (text.replace(SILENT, '').replace(LINK, '').replaceAll(`\r${ESC}[K`, '').includes(ESC)) return text;
  const lines = text.split('\n').map((line) => {
    const [, before, end] = /^([\s\S]*?)(\r*)$/.exec(line);
    const states = before.split(new RegExp(`\\r(?:${ESC}\\[K)?`)).map((state) => state.replace(SILENT, ''));
    const isErased = before.split('\r').length === before.split(`\r${ESC}[K`).length;
    const shares = states.map((state) => /^Downloading +(\d+)%$/.exec(state)?.[1] ?? Number.NaN);
    const isUp = shares.every((share, index) => index === 0 || Number(share) >= Number(shares[index - 1]));
    if (states.length > 1 && !isErased && !isUp) return { text: line, states: 0 };
    return { text: states.at(-1) + end, states: states.filter((state, index) => index < states.length - 1 && state !== '').length };
  });
  const made = [];
  let states = 0;
  for (const [index, line] of lines.entries()) {
    states += line.states;
    const isLast = line.states > 0 && !(lines[index + 1]?.states > 0);
    const returns = isLast && states > 3 ? /\r*$/.exec(line.text)[0] : '';
    made.push(
      isLast && states > 3 ? `${line.text.slice(0, line.text.length - returns.length)}\n[… ${states} earlier states]${returns}` : line.text,
    );
    if (isLast) states = 0;
  }
  return made.join('\n');
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

/**
 * Has strings in JSON that are no names written as they would be alone, unless they hold half of a surrogate pair.
 *
 * @param may of which strings, by the name of the member
 */
const inStrings = (text, content, may = () => true) => {
  if (!isStructure(text)) return text;
  let name = '';
  return text.replace(/("(?:[^"\\]|\\[\s\S])*")(\s*:)?|[{}[\],]/g, (whole, string, colon) => {
    if (string === undefined || colon !== undefined) {
      name = colon === undefined ? '' : string.slice(1, -1);
      return whole;
    }
    const said = may(name) ? JSON.parse(string) : '';
    name = '';
    const made = shorterText(said, content);
    const spelled = JSON.stringify(made);
    return made !== said && said.isWellFormed() && spelled.length < string.length ? spelled : whole;
  });
};

/** Whether a member holds what a command printed. */
const isPrinted = (name) => ['content', 'output', 'result', 'stderr', 'stdout', 'text'].includes(name);

/** Whether JSON is what a tool makes of the output of a command. */
function isEnvelope(text) {
  if (!isStructure(text) || text.trim()[0] !== '{') return false;
  const { members } = valuesOf(withoutIndent(text));
  const member = (wanted) => members.find(([name]) => name === `"${wanted}"`)?.[1];
  const exits = ['metadata', 'returncode', 'exit_code', 'exitCode'];
  const isText = (item) => item.members.some(([name, { source }]) => name === '"type"' && source === '"text"');
  const content = member('content');
  return (
    member('stdout') !== undefined ||
    (member('output') !== undefined && exits.some((name) => member(name) !== undefined)) ||
    (content?.open === '[' && content.items.every(isText))
  );
}

/** Words in names of members, in JSON that files hold and in answers that name files. */
const FILE_MEMBER = /(?:^|[^a-z])(diff|file|filename|filepath|notebook|patch|path|pathname|snippet)(?=$|[^a-z])/i;
const isOfFile = (text) =>
  Array.from(text.matchAll(/("(?:[^"\\]|\\[\s\S])*")(\s*:\s*(.))?/g)).some(
    ([, string, colon, next]) =>
      colon !== undefined &&
      (['$schema', 'cells', 'compilerOptions', 'dependencies', 'devDependencies', 'extends', 'scripts'].includes(string.slice(1, -1)) ||
        (next === '"' && FILE_MEMBER.test(string.slice(1, -1).replace(/([a-z])([A-Z])/g, '$1_$2')))),
  );

const RULES = {
  /** Lines of files. */
  file: [],
  /** Lines of files that Claude Code numbers. */
  numbered: [withoutBlanks],
  /** What a command printed. */
  terminal: [
    (text) => (isEnvelope(text) ? inStrings(text, 'terminal', isPrinted) : text),
    withoutEscapes,
    withoutIndent,
    withTables,
    withoutRepeats,
  ],
  /** What a service answers. */
  other: [(text) => inStrings(text, 'other'), withoutIndent, withTables],
};
const rulesFor = (text, content) => (content === 'other' && (!isStructure(text) || isOfFile(text)) ? [] : RULES[content]);

/** Results below this length stay, in UTF-16 code units. */
const MIN_LENGTH = 24;

const shorterText = (text, content) =>
  (text.length < MIN_LENGTH ? [] : rulesFor(text, content)).reduce((made, rule) => {
    const next = rule(made);
    return next.length < made.length && next.trim() !== '' ? next : made;
  }, text);

/**
 * What is made of a result of one kind of content: `file`, `numbered`, `terminal` or `other`. One that a program gave as an object or array keeps its
 * shape: only the strings in it are shorter.
 */
export function shorterOf(result, content) {
  if (typeof result === 'string') return shorterText(result, content);
  const text = JSON.stringify(result);
  if (content === 'file' || (content === 'other' && isOfFile(text))) return result;
  return JSON.parse(inStrings(text, content, content === 'terminal' ? isPrinted : undefined));
}

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
