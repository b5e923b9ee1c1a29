// Formats the decisions of `compress` as a report for people.
import { bold, clean, dim, fit, number, percent, plural, WIDTH, wrap } from './terminal.mjs';

const ACTIONS = [
  ['preserved', 'kept word for word'],
  ['deduped', 'referenced'],
  ['fuzzy_deduped', 'referenced (near duplicate)'],
  ['compressed', 'summarised'],
  ['code_split', 'split'],
];

const WHY = {
  preserved_role: 'a role that is never touched',
  recency_window: 'among the newest messages',
  tool_calls: 'calls tools',
  short_content: 'shorter than 120 characters',
  already_compressed: 'was compressed before',
  code_fence_no_prose: 'code with hardly any prose around it',
  code_split_reverted: 'splitting would not make it shorter',
  single_reverted: 'a summary would not be shorter',
  merge_reverted: 'a summary would not be shorter',
  exact_duplicate: 'the same text elsewhere',
  fuzzy_duplicate: 'almost the same text elsewhere',
  compressible_prose: 'its most specific sentences stay',
  merged_compressed: 'one summary with its neighbours',
  code_split: 'code stays, prose is summarised',
  code_fence: 'fenced code',
  indented_code: 'indented code',
  latex_math: 'text between dollar signs',
  unicode_math: 'mathematical symbols, arrows',
  json_structure: 'JSON',
  yaml_structure: 'lines of "key: value"',
  verse_pattern: 'lines laid out like verse or a table',
  high_line_length_variance: 'lines of very different length',
  high_special_char_ratio: 'mostly symbols',
  sql_content: 'SQL',
  api_key: 'something like an API key',
  reasoning_chain: 'a chain of reasoning',
  base64_content: 'base64 or a hash',
  error_traceback: 'a stack trace',
  http_error: 'an HTTP error',
  failure_signature: 'the words of a known failure',
};

const HARD = 'hard_t0:';
const characters = (messages) => messages.reduce((sum, { content }) => sum + (typeof content === 'string' ? content.length : 0), 0);

/** Returns the total sizes of results: `{ messages, characters, tokens }`, each `[before, after]`. */
export function sizes(results, countTokens) {
  const tokens = (messages) => messages.reduce((sum, message) => sum + countTokens(message), 0);
  const pair = (measure) => [
    results.reduce((sum, { before }) => sum + measure(before), 0),
    results.reduce((sum, { after }) => sum + measure(after), 0),
  ];
  return { messages: pair((messages) => messages.length), characters: pair(characters), tokens: pair(tokens) };
}

export function sizeTable(size) {
  const row = (label, [before, after]) => {
    const saved = before > after ? `${percent(before - after, before).padStart(11)} less` : '';
    return `  ${label.padEnd(22)}${number(before).padStart(12)}${number(after).padStart(12)}${saved}`;
  };
  return [
    dim(`  ${''.padEnd(22)}${'before'.padStart(12)}${'after'.padStart(12)}`),
    row('messages', size.messages),
    row('characters', size.characters),
    row('tokens (estimated)', size.tokens),
  ];
}

/** Returns one row per conversation, and one for all of them. */
export function conversationTable(results, countTokens) {
  const header = `  ${'conversation'.padEnd(20)}${'messages'.padStart(14)}${'characters'.padStart(20)}${'less'.padStart(6)}${'tokens'.padStart(17)}`;
  const row = (name, size) => {
    const arrow = (pair, columns) => pair.map(number).join(' → ').padStart(columns);
    const less = percent(size.characters[0] - size.characters[1], size.characters[0]);
    return `  ${fit(name, 20)}${arrow(size.messages, 14)}${arrow(size.characters, 20)}${less.padStart(6)}${arrow(size.tokens, 17)}`;
  };
  return [
    dim(header),
    ...results.map((result, index) => row(clean(result.id ?? `#${index}`), sizes([result], countTokens))),
    bold(row(`all ${results.length}`, sizes(results, countTokens))),
  ];
}

/** Returns the numbers of messages that were kept, referenced, summarised and split, by reason. */
export function decisionTable(decisions) {
  const row = (indent, label, of) => {
    const sum = (key) => number(of.reduce((total, decision) => total + decision[key], 0));
    const counts = `${number(of.length).padStart(8)}${sum('inputChars').padStart(11)}${sum('outputChars').padStart(11)}`;
    return `  ${fit(' '.repeat(indent) + label, 46)}${counts}`;
  };
  const lines = [dim(`  ${''.padEnd(46)}${'messages'.padStart(8)}${'characters'.padStart(11)}${'after'.padStart(11)}`)];
  for (const [action, title] of ACTIONS) {
    const ofAction = decisions.filter((decision) => decision.action === action);
    if (ofAction.length === 0) continue;
    lines.push(bold(row(0, title, ofAction)));
    const hard = ofAction.filter(({ reason }) => reason.startsWith(HARD));
    const others = ofAction.filter(({ reason }) => !reason.startsWith(HARD));
    for (const [reason, of] of grouped(others, ({ reason }) => [reason]))
      lines.push(row(2, WHY[reason] ?? reason.replaceAll('_', ' '), of));
    if (hard.length === 0) continue;
    lines.push(row(2, 'contains what a summary would break:', hard));
    for (const [reason, of] of grouped(hard, ({ reason }) => reason.slice(HARD.length).split(','))) {
      lines.push(row(4, WHY[reason] ?? reason.replaceAll('_', ' '), of));
    }
  }
  return lines;
}

function grouped(decisions, keysOf) {
  const groups = new Map();
  for (const decision of decisions) {
    for (const key of keysOf(decision)) groups.set(key, [...(groups.get(key) ?? []), decision]);
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}

/** Returns a summary with its original, and a reference with the text it replaces, if there are any. */
export function examples(results) {
  const candidates = (...actions) =>
    results.flatMap(({ before, after, compression }) =>
      compression.decisions
        .filter(({ action, reason }) => actions.includes(action) && reason !== 'merged_compressed')
        .map((decision) => ({ decision, original: before[decision.messageIndex], after })),
    );
  const saved = ({ decision }) => decision.inputChars - decision.outputChars;
  const most = (found) => found.sort((a, b) => saved(b) - saved(a))[0];

  const lines = [];
  const spoken = candidates('compressed').filter(({ original }) => original?.role !== 'tool');
  const summary = most(spoken.length > 0 ? spoken : candidates('compressed'));
  if (summary) lines.push('', bold('One message before and after'), ...beforeAndAfter(summary));
  const reference = most(candidates('deduped', 'fuzzy_deduped'));
  if (reference) lines.push('', bold('One reference'), ...beforeAndAfter(reference, 3));
  return lines;
}

function beforeAndAfter({ decision, original, after }, rows = 9) {
  const replacement = after.find(({ metadata }) => metadata?._cce_original?.ids?.includes(original.id));
  if (replacement === undefined) return [];
  const title = `${clean(String(original.id))}, ${original.role}`;
  return [
    dim(`  ${title}, ${plural(decision.inputChars, 'character')}`),
    ...quote(original.content, rows),
    dim(`  becomes ${plural(decision.outputChars, 'character')}`),
    ...quote(replacement.content, rows),
  ];
}

function quote(text, rows) {
  // Wraps only what can be shown: a message can be megabytes long.
  const lines = wrap(clean(text.slice(0, 2 * rows * WIDTH)), WIDTH - 6);
  const shown = lines.slice(0, rows).map((line) => `  ${dim('│')} ${line}`);
  if (lines.length > rows) shown.push(dim('  │ …'));
  return shown;
}
