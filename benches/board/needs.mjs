// What the rest of a run needs of what came before, read from the run itself.
import { FUTURE, RECENT, factsOf } from '../quality/facts.mjs';
import { split } from './strategies/plain.mjs';

const MIN_QUOTE = 24;
const MIN_PATTERN = 8;
const MIN_RULE = 16;
const PATH = /(?:\.{0,2}\/)?(?:[\w.@+-]+\/)+[\w.@+-]+\.\w{1,6}\b|\b[\w-]+\.(?:py|c|h|rst|txt|cfg|toml|js|html|yml|yaml|ini|json)\b/g;
const PATTERN = /\bs([/|#,])((?:\\.|(?!\1)[^\n\\])+)\1/g;
const PLAIN_COMMAND = /^(#|import |from |print\(|sed |grep |cat |find |cd |python|ls |git )/;
const DEMAND = /\b(never|always|must|do not|don't|don’t|should not|shouldn't|mustn't|only ever|avoid|required|mandatory|critical)\b/i;
const SUBMIT = 'COMPLETE_TASK_AND_SUBMIT';

const leaves = (value) => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(leaves) : [];
};
const argsOf = ({ function: { arguments: json } }) => {
  try {
    return leaves(JSON.parse(json));
  } catch {
    return [json];
  }
};
const valuesIn = ({ tool_calls: calls = [] }) => calls.flatMap(argsOf);
const texts = new WeakMap();
/** What a message says: its text, and the strings of its calls. */
export function said(message) {
  let text = texts.get(message);
  if (text === undefined) {
    text = [message.content ?? '', ...valuesIn(message)].join('\n');
    texts.set(message, text);
  }
  return text;
}
const saidBy = (messages) => messages.map(said).join('\n');

/** What a command writes word for word that it may have from before: `[kind, text]`. */
function needsOfCommand(command) {
  if (command.includes(SUBMIT)) return [['submit', command.trim()]];
  const paths = (command.match(PATH) ?? []).map((path) => ['path', path]);
  const patterns = [...command.matchAll(PATTERN)]
    .map(([, , pattern]) => pattern.replace(/\\([[\]/.*^$|()])/g, '$1').replace(/^\^|\$$/g, ''))
    .filter((pattern) => pattern.trim().length >= MIN_PATTERN)
    .map((pattern) => ['quote', pattern.trim()]);
  const lines = command.split('\n').map((line) => line.trim());
  const quotes = lines.filter((line) => line.length >= MIN_QUOTE && !PLAIN_COMMAND.test(line)).map((line) => ['quote', line]);
  return [...paths, ...patterns, ...quotes];
}
const isArgument = (text) => (text.length >= 4 || (/\d/.test(text) && text.length >= 3)) && text.length <= 200;

/** What a message of the model writes word for word that it may have from before. */
export function needsOf(kind, message) {
  const values = valuesIn(message);
  if (kind === 'swe') return values.flatMap(needsOfCommand);
  return values
    .map((text) => text.trim())
    .filter(isArgument)
    .map((text) => ['argument', text]);
}

const isValue = (word) =>
  /^https?:/.test(word) ||
  /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(word) ||
  (/^[0-9a-f]{7,64}$/.test(word) && /\d/.test(word)) ||
  /\//.test(word) ||
  /^(?=.*\d)[\w.:@-]{5,}$/.test(word);
const wordsIn = (text) => text.split(/[\s"'`;|&()<>=,{}[\]\\]+/).map((word) => word.replace(/[.:,]+$/, ''));

/** Ids, paths, hashes that results alone said, none of the last messages, and that one of the next calls passes on. */
function valuesOf(past, next) {
  const old = past.slice(0, -RECENT);
  const [results, others] = [true, false].map((is) => saidBy(old.filter(({ role }) => (role === 'tool') === is)));
  const recent = saidBy(past.slice(-RECENT));
  const words = next.flatMap(valuesIn).flatMap(wordsIn);
  const fits = (word) => word.length >= 5 && word.length <= 120 && isValue(word);
  return [...new Set(words)].filter((word) => fits(word) && results.includes(word) && !recent.includes(word) && !others.includes(word));
}

/**
 * What is looked for after a cut of a run.
 *
 * @param {{ kind: 'swe' | 'tau2', messages: object[] }} run
 * @param {number} end position of the model's message that comes next
 * @param {(word: string) => boolean} isCommon of `commonIn`
 * @returns lists of texts. `all`: what the rest of the run writes word for word, and no result or person says again before it; commands of
 *   SWE-bench without those lines that the agent itself wrote first. `quotes`: those of `all` that commands quote of results or of the task, last said before the last
 *   messages. `rules`: lines of the user with a demand. `values`, `facts`: those that the next messages use
 */
export function wanted({ kind, messages }, end, isCommon) {
  const past = messages.slice(0, end);
  const [system, free] = split(past);
  const [before, fixed] = [saidBy(free), saidBy(system)];
  const given = saidBy(free.filter(({ role }) => role !== 'assistant'));
  const [all, quotes, seen] = [new Set(), new Set(), new Set()];
  let since = '';
  for (const message of messages.slice(end)) {
    if (message.role !== 'assistant') {
      since += `\n${said(message)}`;
      continue;
    }
    for (const [type, text] of needsOf(kind, message)) {
      if (seen.has(text) || !before.includes(text) || fixed.includes(text)) continue;
      seen.add(text);
      if (since.includes(text) || (type === 'quote' && !given.includes(text))) continue;
      all.add(text);
      if (type === 'quote' && past.findLastIndex((one) => said(one).includes(text)) < end - RECENT) quotes.add(text);
    }
  }
  const next = messages.slice(end, end + FUTURE);
  const lines = kind === 'swe' ? free.filter(({ role }) => role === 'user').flatMap(({ content }) => content.split('\n')) : [];
  return {
    all: [...all],
    quotes: [...quotes],
    rules: [...new Set(lines.map((line) => line.trim()))].filter((line) => line.length >= MIN_RULE && DEMAND.test(line)),
    values: valuesOf(past, next),
    facts: factsOf(past.map(said), next.map(said), isCommon),
  };
}
