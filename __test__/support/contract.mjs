// The rules of the drop-in contract, written a second time: plainly, slowly, and with JavaScript's own regular expressions
// and string functions, whose meaning the contract describes. Nothing here comes from the engine or is shared with it.

/** A pattern for any of the phrases, bounded at both ends; `gap` matches between their words. */
const anyOf = (phrases, gap = ' ', flags = 'i') =>
  new RegExp(`\\b(?:${phrases.map((phrase) => phrase.replaceAll(' ', gap)).join('|')})\\b`, flags);
const list = (text) => text.trim().split(/\s*,\s*/);
const distinctMatches = (text, pattern) =>
  new Set([...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(([found]) => found.toLowerCase().replace(/\s+/g, ' ')));
const clamp = (value, low, high) => Math.max(low, Math.min(value, high));

// ---- 3.4 Code segments -------------------------------------------------------------------------------------------

export function segments(text) {
  const prose = [];
  const code = [];
  let from = 0;
  const addProse = (piece) => piece.trim() && prose.push(piece.trim());
  for (const fence of text.matchAll(/^ {0,3}```[^\n]*\n[\s\S]*?\n\s*```/gm)) {
    addProse(text.slice(from, fence.index));
    code.push(fence[0]);
    from = fence.index + fence[0].length;
  }
  addProse(text.slice(from));
  return { prose, code, proseLength: prose.reduce((sum, piece) => sum + piece.length, 0) };
}

// ---- 3.6, 3.7 Sentences, scores, excerpts ------------------------------------------------------------------------

const SENTENCE = /[^.!?\n]+[.!?]+/g;
const EMPHASIS = anyOf(
  list(`always, critical, crucial, essential, however, importantly, in particular, key point, must, never,
  notably, note that, require, required, requires, significant, specifically`),
);
const REASONING = anyOf(
  list(`accordingly, as a result, consequently, given that, hence, in conclusion, it follows that, therefore,
  this implies that, this means that, this proves that, thus, we can conclude, we can deduce, we can infer`),
);
const FILLERS = list(`absolutely, alright, awesome, certainly, cool, exactly, fantastic, got it, great, i can, i see, i understand,
  i would, i'll, indeed, let me, makes sense, nice, no, no problem, no worries, noted, now, of course, ok, okay, perfect, right, so,
  sounds good, sure, thank you, thanks, understood, well, will do, wonderful, yes`);
const FILLER = new RegExp(`^(?:${FILLERS.join('|')})[,.!?\\s]`, 'i');
const quantity = (units) => new RegExp(`\\b\\d+(?:\\.\\d+)?\\s*(?:${units})\\b`, 'gi');
const SCORING_QUANTITY = quantity('seconds?|ms|MB|GB|TB|KB|retrie|retries|workers?|threads?|nodes?|replicas?|requests?|%');
const CAMEL = /\b[a-z]+(?:[A-Z][a-z]+)+\b/g;
const PASCAL = /\b(?:[A-Z][a-z]+){2,}\b/g;
const SNAKE = /\b[a-z]+(?:_[a-z]+)+\b/g;
const VOWELLESS = /\b[bcdfghjklmnpqrstvwxz]{3,}\b/gi;
const count = (text, pattern) => text.match(pattern)?.length ?? 0;

export const sentencesOf = (text) => (text.match(SENTENCE) ?? []).map((sentence) => sentence.trim());

export function score(sentence) {
  let total = 3 * (count(sentence, CAMEL) + count(sentence, PASCAL) + count(sentence, SNAKE));
  if (EMPHASIS.test(sentence)) total += 4;
  if (REASONING.test(sentence)) total += 3;
  total += 2 * count(sentence, SCORING_QUANTITY);
  total += 2 * count(sentence, VOWELLESS);
  total += 3 * count(sentence, /\b(?:PASS|FAIL|ERROR|WARNING|WARN)\b/g);
  total += 2 * sentence.split(/\s+/).filter((token) => /.\.\w+:\d+:/.test(token)).length;
  if (sentence.length >= 40 && sentence.length <= 120) total += 2;
  if (FILLER.test(sentence.trim())) total -= 10;
  return total;
}

export function bestSentenceScore(text) {
  if (text === '') return 0;
  const sentences = sentencesOf(text);
  return Math.max(...(sentences.length > 0 ? sentences : [text.trim()]).map(score));
}

export function summaryBudget(length) {
  const cap = length <= 5000 ? 600 : Math.round(600 + 600 * Math.log10(length / 5000) * 0.75);
  return Math.max(200, Math.min(Math.round(length * 0.3), cap));
}

export function excerpt(text, budget) {
  const all = [];
  for (const paragraph of text.split(/\n{2,}/).filter((piece) => piece.trim() !== '')) {
    const found = sentencesOf(paragraph);
    const own = (found.length > 0 ? found : [paragraph.trim()]).map((sentence) => ({ sentence, score: score(sentence) }));
    const best = Math.max(...own.map((one) => one.score));
    own.find((one) => one.score === best).isPrimary = true;
    all.push(...own);
  }
  if (all.length === 0) return text.slice(0, budget).trim();
  const byScore = (a, b) => b.score - a.score;
  const worthy = all.filter((one) => one.score >= 0);
  const taken = new Set();
  const seen = new Set();
  let used = 0;
  for (const one of [...worthy.filter((o) => o.isPrimary).sort(byScore), ...worthy.filter((o) => !o.isPrimary).sort(byScore)]) {
    const cost = one.sentence.length + (taken.size > 0 ? 5 : 0);
    if (seen.has(one.sentence) || used + cost > budget) continue;
    seen.add(one.sentence);
    taken.add(one);
    used += cost;
  }
  if (taken.size > 0)
    return all
      .filter((one) => taken.has(one))
      .map((one) => one.sentence)
      .join(' ... ');
  const beginning = [...all].sort(byScore)[0].sentence.slice(0, budget).trim();
  return beginning.length <= budget - 3 ? beginning : `${beginning.slice(0, budget - 3)}...`;
}

// ---- 3.8 Structured text -----------------------------------------------------------------------------------------

const STRUCTURAL_LINES = [/^\S+\.\w+:\d+:/, /^[ \t]+[-*\u2022]/, /^[ \t]*\w[\w ./-]*:\s/, /^(?:PASS|FAIL|ERROR|WARNING|WARN|OK|SKIP)\b/];
const STATUS = anyOf(list('PASS, FAIL, ERROR, WARNING, WARN, Test, Tests, Total, Duration, passed, failed'));
const filledLines = (text) => text.split('\n').filter((line) => line.trim() !== '');

export function isStructured(text) {
  const filled = filledLines(text);
  const structural = filled.filter((line) => STRUCTURAL_LINES.some((pattern) => pattern.test(line)));
  return filled.length >= 6 && count(text, /\n/g) / text.length >= 1 / 80 && structural.length > filled.length / 2;
}

export function structuredSummary(text, budget) {
  const filled = filledLines(text);
  const paths = [...new Set(filled.map((line) => /^(\S+\.\w+):\d+:/.exec(line)?.[1]).filter(Boolean))];
  const statuses = [...new Set(filled.filter((line) => STATUS.test(line)).map((line) => line.trim()))].slice(0, 3);
  const more = paths.length > 3 ? ` +${paths.length - 3} more` : '';
  const parts = [...(paths.length > 0 ? [`files: ${paths.slice(0, 3).join(', ')}${more}`] : []), ...statuses];
  const trimmed = filled.map((line) => line.trim());
  const summary =
    parts.length > 0 ? parts.join(' | ') : `${trimmed.slice(0, 3).join(' | ')} | ... | ${trimmed.at(-1)} (${filled.length} lines)`;
  return summary.length > budget ? `${summary.slice(0, budget - 3)}...` : summary;
}

// ---- 3.11 Entities -----------------------------------------------------------------------------------------------

const STARTERS = new Set(
  list(`About, After, All, Also, Although, An, And, Any, As, At, Because, Before, Between, But, By, Each, Even,
  Every, Finally, First, For, From, Great, He, Her, Here, His, How, However, If, In, Into, It, Its, Just, Last, Let, Many, Most, Much,
  My, Next, No, Not, Note, Now, On, Once, Only, Or, Our, Over, Second, See, She, Since, So, Some, Still, Sure, Thanks, That, The, Then,
  There, These, They, Third, This, Those, To, Under, Unless, Until, We, Well, What, When, Where, Which, While, Who, Why, With, Yes, Yet,
  You, Your`),
);
const ENTITY_QUANTITY = quantity(
  'attempts?|bytes?|days?|errors?|hours?|instances?|minutes?|nodes?|replicas?|requests?|seconds?|threads?|users?|workers?|' +
    'retrie|retries|GB|KB|MB|TB|ms|percent|%',
);

/** The end of a path's body at `start`, if there is one. */
function pathBodyEnd(text, start) {
  const isWord = (at) => /^\w$/.test(text[at] ?? '');
  if (isWord(start - 1) === isWord(start)) return undefined;
  const run = /^[\w./-]+/.exec(text.slice(start))?.[0];
  if (run === undefined) return undefined;
  const dots = [...run.matchAll(/\.(\w+)/g)].filter(({ index, 1: word }) => index > 0 && word.length <= 6);
  const last = dots.at(-1);
  return last && start + last.index + last[0].length;
}

function paths(text) {
  const found = [];
  let at = 0;
  while (at < text.length) {
    const lead = text.startsWith('./', at) ? 2 : text.startsWith('../', at) ? 3 : 0;
    const end = (lead > 0 ? pathBodyEnd(text, at + lead) : undefined) ?? pathBodyEnd(text, at);
    if (end === undefined) at++;
    else {
      if (end - at > 4) found.push(text.slice(at, end));
      at = end;
    }
  }
  return found;
}

/** All entities of a text, before any cap. */
export function entities(text) {
  const matches = (pattern) => text.match(pattern) ?? [];
  const phrases = matches(/\b[A-Z][a-z]+\b(?:\s+[A-Z][a-z]+\b)*/g).filter((phrase) => !STARTERS.has(phrase.split(/\s/)[0]));
  return [
    ...new Set([
      ...phrases,
      ...matches(PASCAL),
      ...matches(CAMEL),
      ...matches(SNAKE),
      ...matches(VOWELLESS).map((word) => word.toLowerCase()),
      ...matches(ENTITY_QUANTITY),
      ...paths(text),
      ...matches(/https?:\/\/\S+/g),
      ...matches(/\bv?\d+\.\d+(?:\.\d+)?\b/g),
    ]),
  ];
}

export const extractEntities = (text, cap) => entities(text).slice(0, cap ?? clamp(Math.round(text.length / 200), 3, 15));

// ---- 4.1 Classifier ----------------------------------------------------------------------------------------------

const SQL_STRONG = list(`boolean, cascade, constraint, cross join, foreign key, full join, group by, inner join, integer, left join,
  natural join, not null, on conflict, order by, primary key, returning, right join, truncate, upsert, varchar, with recursive`);
const SQL_WEAK = list(`cursor, declare, distinct, grant, having, join, merge, offset, procedure, revoke, trigger, union, values, where`);
const SQL_PLAIN = list('alter, create, delete, drop, fetch, from, insert, into, limit, schema, select, set, update, view');
const SQL = anyOf([...SQL_STRONG, ...SQL_WEAK, ...SQL_PLAIN], '\\s+');

function isSql(text) {
  const found = distinctMatches(text, SQL);
  return SQL_STRONG.some((word) => found.has(word)) || (found.size >= 3 && SQL_WEAK.some((word) => found.has(word)));
}

const KNOWN_KEYS = [
  /(?<![A-Za-z0-9-])sk-[A-Za-z0-9_-]{20,}/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\bgh[posrt]_[A-Za-z0-9]{36,}\b/,
  /\bgithub_pat_[A-Za-z0-9_]{36,}\b/,
  /\b[sr]k_(?:live|test)_[A-Za-z0-9]{24,}\b/,
  /\bxox[bpra]-[A-Za-z0-9-]{20,}\b/,
  /\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}\b/,
  /\bglpat-[A-Za-z0-9_-]{20,}\b/,
  /\bnpm_[A-Za-z0-9]{36,}\b/,
  /\bAIza[A-Za-z0-9_-]{35}\b/,
];

function hasApiKey(text) {
  if (KNOWN_KEYS.some((pattern) => pattern.test(text))) return true;
  for (const place of text.matchAll(/(?<!\w)([A-Za-z0-9]+)[-_](?=([A-Za-z0-9_-]+))/g)) {
    const [, prefix, run] = place;
    if (prefix.length < 2 || prefix.length > 15 || !/^[A-Za-z]/.test(prefix) || !/[g-zG-Z]/.test(prefix.slice(1))) continue;
    if (!/[0-9]/.test(run) || !/[A-Za-z]/.test(run)) continue;
    // The unit after the run is not W, so the longest prefix that ends at a boundary ends after the last W.
    const body = run.replace(/-+$/, '');
    if (body.length < 20) continue;
    return !/[a-z]{2,}-[a-z]{2,}-/.test(body);
  }
  return false;
}

const CONCLUSIONS = anyOf([
  'it follows that',
  'we can conclude',
  'we can deduce',
  'we can infer',
  'this implies that',
  'this proves that',
  'QED',
]);
const WEAK_SIGNS = list(`accordingly, as a result, assuming that, because of this, consequently, given that, hence, since we know,
  therefore, this means that, thus, which implies, which means, which shows`);
const SEQUENCE_SIGNS = list(`first, firstly, second, secondly, third, thirdly, in conclusion, in summary, to summarize, let me think,
  let me reason, let me analyze, let's consider, let's break this down`);
const SIGNS = [...WEAK_SIGNS, ...SEQUENCE_SIGNS].map((phrase) => anyOf([phrase]));

export function isReasoningChain(text) {
  const heading = /^[ \t]*(?:reasoning|analysis|conclusion|proof|derivation|chain[ -]of[ -]thought|step[ -]by[ -]step)\s*:/im;
  if (heading.test(text) || text.includes('\u2234') || CONCLUSIONS.test(text)) return true;
  const signs = SIGNS.filter((sign) => sign.test(text)).length;
  return signs >= 3 || (signs >= 1 && count(text, /(?:^|\n)\s*(?:step\s+\d+[:.)]|\d+[.)]\s)/gi) >= 3);
}

function hasVerse(text) {
  const isVerse = text.split('\n').map((line, index) => index > 0 && /^[A-Z][^.!?]*$/.test(line));
  return isVerse.some((_, index) => isVerse[index] && isVerse[index + 1] && isVerse[index + 2]);
}

function hasRaggedLines(text) {
  const lengths = text.split('\n').map((line) => line.length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const variance = lengths.reduce((sum, length) => sum + (length - mean) ** 2, 0) / lengths.length;
  return lengths.length > 3 && mean > 0 && Math.sqrt(variance) / mean > 1.2;
}

/** The reasons in the order in which they are reported. Each is a pattern or a function. */
export const REASONS = {
  code_fence: /^ {0,3}```\w*\n[\s\S]*?\n\s*```/m,
  indented_code: /^(?: {4}|\t).+\n(?: {4}|\t)./m,
  latex_math: /\$\$[\s\S]+?\$\$|\$[^$\n]+\$/,
  unicode_math: /[∀∃∈∉⊆⊇∪∩∧∨¬→↔∑∏∫√∞≈≠≤≥±×÷]/,
  json_structure: /^\s*(?:\{\s*"|\[\s*[[{"\d-])/,
  yaml_structure: /^[\w-]+:\s+.+\n[\w-]+:\s+./m,
  verse_pattern: hasVerse,
  high_line_length_variance: hasRaggedLines,
  high_special_char_ratio: (text) => count(text, /[{}[\]<>|\\;:@#$%^&*()=+`~]/g) / Math.max(text.length, 1) > 0.15,
  sql_content: isSql,
  api_key: hasApiKey,
  reasoning_chain: isReasoningChain,
  url: /https?:\/\/\S/,
  email: /[\w.+-]@[\w-]+\.[A-Za-z]{2}/,
  phone: /\b\d{3}[-.\s]?\d{3}[-.\s]?\d{4}\b/,
  version_number: /\b(?:v\d+\.\d+(?:\.\d+)?|version\s+\d+)\b/i,
  hash_or_sha: /[0-9a-fA-F]{40}/,
  base64_content: /[A-Za-z0-9+/]{40}/,
  file_path: /(?:\/[\w.-]+){2}/,
  ip_or_semver: /\b\d+(?:\.\d+){1,5}\b/,
  quoted_key: /"[^"]{3,}"\s*[,:]/,
  legal_term: anyOf(['shall', 'may not', 'notwithstanding', 'whereas', 'hereby']),
  direct_quote: /["\u201C][^\u201C\u201D]{10,}["\u201D]|"[^"]{10,}"/,
  numeric_with_units: /\b\d+\.?\d*\s*(?:km|m|kg|s|\u00B0C|\u00B0F|Hz|MHz|GHz|ms|\u00B5s|ns|MB|GB|TB)\b/i,
  error_traceback: /^(?:Traceback \(most recent call last\)|Exception in thread\b|\s+at \w[\w.$]*\()/m,
  http_error: /\b(?:Response\s+status\s+code\s+is\s+[45]\d\d|HTTP\/\d\.\d\s+[45]\d\d|status(?:\s+code)?[\s:]+[45]\d\d)\b/i,
  failure_signature: anyOf(
    [
      'execution failed',
      'authentication (?:failed|error)',
      'authorization (?:failed|denied)',
      'connection (?:refused|timeout|timed out)',
      'permission denied',
    ],
    '\\s+',
  ),
};

const HARD = new Set(
  list(`code_fence, indented_code, latex_math, unicode_math, json_structure, yaml_structure, verse_pattern,
  high_line_length_variance, high_special_char_ratio, sql_content, api_key, reasoning_chain, base64_content, error_traceback, http_error,
  failure_signature`),
);

export const holds = (reason, text) => (typeof REASONS[reason] === 'function' ? REASONS[reason](text) : REASONS[reason].test(text));
export const reasonsOf = (text) => Object.keys(REASONS).filter((reason) => holds(reason, text));

export function classify(text) {
  const reasons = reasonsOf(text);
  if (reasons.length > 0) return { decision: 'T0', confidence: Math.min(0.95, 0.7 + reasons.length * 0.05), reasons };
  return { decision: text.split(/\s+/).length < 20 ? 'T2' : 'T3', confidence: 0.65, reasons };
}

// ---- 9 Structure -------------------------------------------------------------------------------------------------

export function structureCount(text) {
  const lines = text.split(/[\n\r\u2028\u2029]/);
  const braces = lines.filter((line) => ['{', '['].includes(line.trim())).length;
  const rows = lines.filter((line) => line.length >= 3 && line.startsWith('|') && line.endsWith('|')).length;
  return Math.floor(count(text, /^ {0,3}```/gm) / 2 + braces + (rows >= 2 ? 1 : 0));
}

// ---- 3.9 Ids -----------------------------------------------------------------------------------------------------

export function summaryId(ids) {
  const key = ids.length === 1 ? ids[0] : [...ids].sort().join('\0');
  let hash = 5381n;
  for (let at = 0; at < (key.length ?? 0); at++) hash = (33n * hash + BigInt(key.charCodeAt(at))) % 2n ** 32n;
  return `cce_sum_${hash.toString(36)}`;
}

// ---- 3.10 Duplicates ---------------------------------------------------------------------------------------------

export const textOf = (message) => (typeof message.content === 'string' ? message.content : '');
export const isCompressedText = (text) => /^\[(?:summary[:#]|truncated)/.test(text);
const hasToolCalls = (message) => Array.isArray(message.tool_calls) && message.tool_calls.length > 0;

/** Position → { of, similarity? } */
export function duplicates(messages, { preserve, dedup, fuzzyDedup, fuzzyThreshold }, recencyStart) {
  const found = new Map();
  const eligible = [...messages.keys()].filter((position) => {
    const message = messages[position];
    const isTouchable = !(message.role && preserve.includes(message.role)) && !hasToolCalls(message);
    return isTouchable && textOf(message).length >= 200 && !isCompressedText(textOf(message));
  });
  const keepTarget = (members) => (recencyStart > 0 && members.find((position) => position >= recencyStart)) || members.at(-1);
  if (dedup) {
    for (const text of new Set(eligible.map((position) => textOf(messages[position])))) {
      const members = eligible.filter((position) => textOf(messages[position]) === text);
      if (members.length < 2) continue;
      const of = keepTarget(members);
      for (const position of members) if (position !== of) found.set(position, { of });
    }
  }
  if (!fuzzyDedup) return found;
  const lines = new Map();
  for (const position of eligible) {
    const normalised = textOf(messages[position])
      .split('\n')
      .map((line) => line.trim().toLowerCase())
      .filter(Boolean);
    if (!found.has(position) && normalised.length >= 2) lines.set(position, normalised);
  }
  const counts = (all) => new Map([...new Set(all)].map((line) => [line, all.filter((one) => one === line).length]));
  const similarity = (a, b) => {
    const [left, right] = [counts(lines.get(a)), counts(lines.get(b))];
    let [low, high] = [0, 0];
    for (const line of new Set([...left.keys(), ...right.keys()])) {
      low += Math.min(left.get(line) ?? 0, right.get(line) ?? 0);
      high += Math.max(left.get(line) ?? 0, right.get(line) ?? 0);
    }
    return low / high;
  };
  const matches = (a, b) => {
    const [left, right] = [counts(lines.get(a).slice(0, 5)), counts(lines.get(b).slice(0, 5))];
    let shared = 0;
    for (const [line, times] of left) shared += times * (right.get(line) ?? 0);
    const [one, other] = [textOf(messages[a]).length, textOf(messages[b]).length];
    return shared >= 3 && Math.min(one, other) / Math.max(one, other) >= 0.7 && similarity(a, b) >= fuzzyThreshold;
  };
  const rest = new Set(lines.keys());
  for (const start of lines.keys()) {
    if (!rest.delete(start)) continue;
    const members = [start];
    for (const member of members) for (const other of rest) if (matches(member, other) && rest.delete(other)) members.push(other);
    if (members.length < 2) continue;
    members.sort((a, b) => a - b);
    const of = keepTarget(members);
    for (const position of members) if (position !== of) found.set(position, { of, similarity: similarity(position, of) });
  }
  return found;
}

// ---- 2, 3.2, 3.3, 3.5, 3.9, 5, 9 The whole of `compress`, without callbacks other than the counter -----------------

const isJson = (text) => {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text.trim());
    return true;
  } catch {
    return false;
  }
};

const DEFAULTS = {
  preserve: ['system'],
  recencyWindow: 4,
  sourceVersion: 0,
  dedup: true,
  fuzzyDedup: false,
  fuzzyThreshold: 0.85,
  preservePatterns: [],
  minRecencyWindow: 0,
  tokenCounter: (message) => Math.ceil(textOf(message).length / 3.5),
};

/** Returns the result of `compress` for messages with different string ids. */
export function compress(messages, given = {}) {
  const options = { ...DEFAULTS, ...given };
  const cnt = options.tokenCounter;
  const sum = (list, of) => list.reduce((total, message) => total + of(message), 0);
  const n = messages.length;
  const budget = options.tokenBudget;
  const untouched = {
    original_version: options.sourceVersion,
    ratio: 1,
    token_ratio: 1,
    messages_compressed: 0,
    messages_preserved: n,
  };
  if (options.compressionThreshold !== undefined && sum(messages, cnt) < options.compressionThreshold) {
    return { messages, compression: untouched, verbatim: {} };
  }
  if (budget === undefined) {
    const { result } = finish(messages, core(messages, options, options.recencyWindow), options);
    return result;
  }
  if (sum(messages, cnt) <= budget) {
    return { messages, compression: untouched, verbatim: {}, fits: true, tokenCount: sum(messages, cnt), recencyWindow: n };
  }
  const tokensOf = ({ outputs }) =>
    sum(
      outputs.map(({ message }) => message),
      cnt,
    );
  let [low, high] = [options.minRecencyWindow, n - 1];
  let last;
  while (low < high) {
    const window = Math.ceil((low + high) / 2);
    last = { window, found: core(messages, options, window) };
    if (tokensOf(last.found) <= budget) low = window;
    else high = window - 1;
  }
  // A second run could differ, because patterns may remember where they stopped.
  const found = last?.window === low ? last.found : core(messages, options, low);
  let tokenCount = tokensOf(found);
  if (!(tokenCount <= budget) && options.forceConverge) tokenCount = truncate(found, options, low, tokenCount);
  const { result } = finish(messages, found, options);
  return { ...result, fits: tokenCount <= budget, tokenCount, recencyWindow: low };
}

function routes(messages, options, window) {
  const n = messages.length;
  const found = duplicates(messages, options, window > 0 ? Math.max(0, n - window) : n);
  return messages.map((message, position) => {
    const text = textOf(message);
    const large = options.observationThreshold !== undefined && options.tokenCounter(message) > options.observationThreshold;
    const keep = (reason) => ({ kind: 'keep', reason });
    if (message.role && options.preserve.includes(message.role)) return keep('preserved_role');
    if (!large && window > 0 && position >= Math.max(0, n - window)) return keep('recency_window');
    if (hasToolCalls(message)) return keep('tool_calls');
    if (!large && text.length < 120) return keep('short_content');
    if (isCompressedText(text)) return keep('already_compressed');
    if (found.has(position)) return { kind: 'duplicate', ...found.get(position) };
    if (text.includes('```')) return segments(text).proseLength >= 80 ? { kind: 'split' } : keep('code_fence_no_prose');
    const hard = reasonsOf(text).filter((reason) => HARD.has(reason));
    if (!large && hard.length > 0) return keep(`hard_t0:${hard.join(',')}`);
    const pattern = text === '' ? undefined : options.preservePatterns.find(({ re }) => re.test(text));
    if (pattern) return { ...keep(`pattern:${pattern.label}`), isPattern: true };
    if (!large && isJson(text)) return keep('json_structure');
    return { kind: 'group' };
  });
}

function core(messages, options, window) {
  const all = routes(messages, options, window);
  const outputs = [];
  const decisions = [];
  const counts = { compressed: 0, preserved: 0, deduped: 0, fuzzy: 0, pattern: 0 };
  const decide = (position, action, reason, outputChars, inputChars = textOf(messages[position]).length) =>
    decisions.push({ messageId: messages[position].id, messageIndex: position, action, reason, inputChars, outputChars });
  const keep = (position, reason) => {
    outputs.push({ message: messages[position], start: position });
    counts.preserved++;
    decide(position, 'preserved', reason, textOf(messages[position]).length);
  };
  const write = (start, size, text) => outputs.push({ message: written(messages.slice(start, start + size), text, options), start, size });
  for (let position = 0; position < messages.length; ) {
    const message = messages[position];
    const route = all[position];
    const text = textOf(message);
    const open = `[summary${options.embedSummaryId ? `#${summaryId([message.id])}` : ''}: `;
    if (route.kind === 'keep') {
      keep(position, route.reason);
      if (route.isPattern) counts.pattern++;
      position++;
    } else if (route.kind === 'duplicate') {
      const isNear = route.similarity !== undefined;
      const match = isNear ? `, ~${Math.round(100 * route.similarity)}% match` : '';
      const tag = `[cce:${isNear ? 'near-' : ''}dup of ${messages[route.of].id} \u2014 ${text.length} chars${match}]`;
      if (tag.length > text.length) keep(position, 'duplicate_reverted');
      else {
        write(position, 1, tag);
        counts[isNear ? 'fuzzy' : 'deduped']++;
        decide(position, isNear ? 'fuzzy_deduped' : 'deduped', isNear ? 'fuzzy_duplicate' : 'exact_duplicate', tag.length);
      }
      position++;
    } else if (route.kind === 'split') {
      const { prose, code } = segments(text);
      const joined = prose.join(' ');
      const split = `${open}${excerpt(joined, summaryBudget(joined.length))}]\n\n${code.join('\n\n')}`;
      if (split.length >= text.length) keep(position, 'code_split_reverted');
      else {
        write(position, 1, split);
        counts.compressed++;
        decide(position, 'code_split', 'code_split', split.length);
      }
      position++;
    } else {
      const isAnswer = (index) => messages[index].tool_call_id !== undefined && messages[index].tool_call_id !== null;
      let end = position + 1;
      const joins = (index) => all[index]?.kind === 'group' && messages[index].role === message.role && !isAnswer(index);
      while (!isAnswer(position) && joins(end)) end++;
      summarise(position, end - position);
      position = end;
    }
  }
  return { outputs, decisions, counts };

  function summarise(start, size) {
    const members = messages.slice(start, start + size);
    const whole = members.map(textOf).join(' ');
    const total = members.reduce((length, member) => length + textOf(member).length, 0);
    const budget = summaryBudget(whole.length);
    const inner = isStructured(whole) ? structuredSummary(whole, budget) : excerpt(whole, budget);
    const id = options.embedSummaryId ? `#${summaryId(members.map((member) => member.id))}` : '';
    const merged = size > 1 ? ` (${size} messages merged)` : '';
    const listed = extractEntities(whole, clamp(Math.round(whole.length / 200), 3, 30));
    let text = `[summary${id}: ${inner}${merged}${listed.length > 0 ? ` | entities: ${listed.join(', ')}` : ''}]`;
    if (text.length >= total) text = `[summary${id}: ${inner}${merged}]`;
    for (let position = start; position < start + size; position++) {
      if (text.length >= total) keep(position, size > 1 ? 'merge_reverted' : 'single_reverted');
      else if (size === 1) decide(position, 'compressed', 'compressible_prose', text.length);
      else decide(position, 'compressed', 'merged_compressed', Math.round(text.length / size));
    }
    if (text.length >= total) return;
    write(start, size, text);
    counts.compressed += size;
  }
}

function written(sources, content, { sourceVersion }) {
  const [base] = sources;
  const ids = sources.map(({ id }) => id);
  const parents = sources.map((source) => source.metadata?._cce_original?.summary_id).filter((id) => typeof id === 'string' && id !== '');
  const provenance = { ids, summary_id: summaryId(ids), ...(parents.length > 0 && { parent_ids: parents }), version: sourceVersion };
  return { ...base, content, metadata: { ...base.metadata, _cce_original: provenance } };
}

/** Forced truncation according to difference D4: only cut messages change, and none gets longer. */
function truncate(found, options, window, tokenCount) {
  const { outputs, decisions, counts } = found;
  const cutoff = Math.max(0, outputs.length - window);
  const candidates = outputs.filter(({ message }, position) => {
    const isPreserved = message.role && options.preserve.includes(message.role);
    return position < cutoff && !isPreserved && textOf(message).length > 512;
  });
  candidates.sort((a, b) => textOf(b.message).length - textOf(a.message).length);
  for (const output of candidates) {
    if (tokenCount <= options.tokenBudget) break;
    const { message: before, start, size } = output;
    const text = textOf(before);
    const content = `[truncated \u2014 ${text.length} chars: ${text.slice(0, 512)}]`;
    if (content.length >= text.length) continue;
    output.message = size === undefined ? written([before], content, options) : { ...before, content };
    if (size === undefined) {
      output.size = 1;
      counts.preserved--;
      counts.compressed++;
    }
    tokenCount -= options.tokenCounter(before) - options.tokenCounter(output.message);
    const decision = decisions.find(({ messageIndex }) => messageIndex === start);
    Object.assign(decision, { action: 'truncated', reason: 'force_converge', outputChars: content.length });
  }
  return tokenCount;
}

function finish(messages, { outputs, decisions, counts }, options) {
  const out = outputs.map(({ message }) => message);
  const verbatim = {};
  for (const { start, size } of outputs) {
    for (let position = start; position < start + (size ?? 0); position++) verbatim[messages[position].id] = messages[position];
  }
  const acted = counts.compressed + counts.deduped > 0;
  const share = (of) => {
    const [whole, part] = [messages, out].map((list) => list.reduce((total, message) => total + of(message), 0));
    return acted && part > 0 ? whole / part : 1;
  };
  const compression = {
    original_version: options.sourceVersion,
    ratio: share((message) => textOf(message).length),
    token_ratio: share(options.tokenCounter),
    messages_compressed: counts.compressed,
    messages_preserved: counts.preserved,
    ...(counts.deduped > 0 && { messages_deduped: counts.deduped }),
    ...(counts.fuzzy > 0 && { messages_fuzzy_deduped: counts.fuzzy }),
    ...(counts.pattern > 0 && { messages_pattern_preserved: counts.pattern }),
    ...(options.trace && messages.length > 0 && { decisions }),
    ...(acted && rounded(quality(messages, out))),
  };
  return { result: { messages: out, compression, verbatim } };
}

const rounded = (record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, Math.round(1000 * value) / 1000]));

export const entitiesOf = (messages) => new Set(messages.flatMap((message) => extractEntities(textOf(message), 500)));

export function quality(input, output) {
  const [before, after] = [entitiesOf(input), entitiesOf(output)];
  const kept = [...before].filter((entity) => after.has(entity)).length;
  const entity_retention = before.size > 0 ? kept / before.size : 1;
  const structure = (messages) => messages.reduce((total, message) => total + structureCount(textOf(message)), 0);
  const structural_integrity = structure(input) > 0 ? Math.min(1, structure(output) / structure(input)) : 1;
  const present = new Set(output.map(({ id }) => id));
  const each = input.map((message) => ({ id: message.id, entities: new Set(extractEntities(textOf(message), 500)) }));
  let [coherent, considered] = [0, 0];
  for (const entity of after) {
    const holders = each.filter(({ entities }) => entities.has(entity));
    if (holders.length === 0) continue;
    considered++;
    if (holders.some(({ id }) => present.has(id))) coherent++;
  }
  const reference_coherence = considered > 0 ? coherent / considered : 1;
  const quality_score = Math.min(0.4 * entity_retention + 0.4 * structural_integrity + 0.2 * reference_coherence, 1);
  return { entity_retention, structural_integrity, reference_coherence, quality_score };
}
