// How many of the facts that a cut lost one recall finds. The facts are those of the table of `fit`: specific words of the old messages that
// the next ten use. The query for a fact is what uses it first, without the fact: the sentence that says it, or of a call the tool's name, its
// short arguments, and of long ones the line that says it. Nothing else of what comes next is looked at.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CUTS, commonIn, FUTURE, factsOf, LEAST_FACTS, LEAST_TOKENS, SHORTEST, wordsIn, wordsOf } from './facts.mjs';
import { RHOS } from './fit.mjs';

const require = createRequire(import.meta.url);
const { countTokens, fit } = require('../../unbundled/index.js');
const { RecallIndex } = require('../../unbundled/recall/recall-index.js');
const { textOf: shownAs } = require('../../unbundled/recall/place.js');
const { formatNamed } = require('../../unbundled/providers/index.js');

/** Tokens of the passages of a recall. */
export const RECALL_TOKENS = 500;

/** Number of conversations of a source. */
const PER_SOURCE = 8;
/** So many words on each side of a fact are its own, and so many of its places are looked at. */
const SPAN = 5;
const MOST_PLACES = 40;

const readable = (content) => (typeof content === 'string' ? content : content == null ? '' : JSON.stringify(content));
export const textOf = ({ content, tool_calls }) => `${readable(content)}${tool_calls?.length ? `\n${JSON.stringify(tool_calls)}` : ''}`;

// ---- Queries ----------------------------------------------------------------------------------------------------------

/** What uses a fact first: a sentence of a user or the model, a call, or only a result, which shows a number or something else. */
export const USES = ['sentence', 'call', 'result', 'number'];

/** Longest argument that is a query as a whole, in characters. */
const SHORT_ARGUMENT = 120;
/** Longest line that is a sentence as a whole. */
const SHORT_LINE = 240;
const SENTENCE = /[^.!?。！？]+(?:[.!?。！？]+(?=\s|$|[^\s])|$)/gu;

const says = (text, word) => text.includes(word) && wordsIn(text).includes(word);
const withoutWord = (text, word) => text.replaceAll(word, ' ');

/** The line of a text that says a word; of a long one the sentence. */
function sentenceWith(text, word) {
  const line = text.split('\n').find((one) => says(one, word)) ?? text;
  if (line.length <= SHORT_LINE) return line;
  return line.match(SENTENCE)?.find((one) => says(one, word)) ?? aroundWord(line, word);
}

function aroundWord(line, word) {
  const at = Math.max(0, line.indexOf(word));
  return line.slice(Math.max(0, at - SHORT_LINE / 2), at + word.length + SHORT_LINE / 2);
}

/** The strings in arguments, each with its name. */
function stringsIn(value, name = '') {
  if (typeof value === 'string') return [[name, value]];
  if (value === null || typeof value !== 'object') return value == null ? [] : [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => stringsIn(inner, Array.isArray(value) ? name : key));
}

/** What a string holds where JSON writes an escape: facts are words of the JSON, such as `tBranch` of a tab before `Branch`. */
const ESCAPES = /\\(["\\/bfnrt]|u[0-9a-fA-F]{4})/g;
const unescaped = (text) => text.replace(ESCAPES, (written) => JSON.parse(`"${written}"`));

/** A line of JSON without a word, and without the backslash of the escape that the word begins with. */
const withoutEscaped = (line, word) => withoutWord(withoutWord(line, `\\${word}`), word);

/** The line of an argument that says a word in its JSON, without that word. */
function lineWithout(text, word) {
  const [first, ...rest] = JSON.stringify(text).slice(1, -1).split('\\n');
  // The escape of the end of a line is a part of the word behind it, too: `nfunc`.
  const lines = [first, ...rest, ...rest.map((line) => `\\n${line}`)];
  const line = lines.find((one) => says(one, word));
  return line === undefined ? [] : [unescaped(withoutEscaped(sentenceWith(line, word), word))];
}

/** The name of a call's tool, its short arguments, and of long ones the line that says a word; all without the word. */
function callQuery({ function: { name, arguments: given } }, word) {
  const said = stringsIn(parsed(given)).flatMap(([key, text]) =>
    text.length <= SHORT_ARGUMENT ? [withoutWord(`${key} ${text}`, word)] : lineWithout(text, word),
  );
  return [withoutWord(name, word), ...said].join(' ');
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * The query for a fact: what uses it first in `future`, without it.
 *
 * @param {readonly object[]} future messages with `content` and OpenAI's `tool_calls`
 * @param {string} fact
 * @returns {string}
 */
export function queryFor(future, fact) {
  for (const { content, tool_calls } of future) {
    const text = readable(content);
    if (says(text, fact)) return withoutWord(sentenceWith(text, fact), fact);
    const call = tool_calls?.find((one) => says(JSON.stringify(one), fact));
    if (call !== undefined) return callQuery(call, fact);
  }
  // Only the form that it has in JSON says it.
  const all = future.map(textOf).find((one) => says(one, fact)) ?? '';
  return withoutWord(aroundWord(all, fact), fact);
}

/** What uses a fact first in `future`: a `sentence` of a user or the model, a `call`, or only a `result`; `number` if that shows a number. */
export function firstUseOf(future, fact) {
  const first = future.find((message) => says(textOf(message), fact));
  // A line of a file that is read next, or its number: nobody could have asked for it.
  if (first?.role === 'tool') return /^\d+$/.test(fact) ? 'number' : 'result';
  return says(readable(first?.content), fact) ? 'sentence' : 'call';
}

// ---- Facts ------------------------------------------------------------------------------------------------------------

/** The neighbours of each wanted word wherever it stands. */
export function windowsOf(texts, wanted) {
  const found = new Map();
  for (const text of texts) {
    const words = wordsIn(text);
    words.forEach((word, at) => {
      if (!wanted.has(word)) return;
      if (!found.has(word)) found.set(word, []);
      const places = found.get(word);
      if (places.length < MOST_PLACES) places.push([...words.slice(Math.max(0, at - SPAN), at), ...words.slice(at + 1, at + 1 + SPAN)]);
    });
  }
  return found;
}

/** Whether a fact stands among at least half of its neighbours of some place. */
export function isGrounded(word, before, after) {
  return (after.get(word) ?? []).some((now) => {
    const here = new Set(now);
    return (before.get(word) ?? []).some((then) => then.length === 0 || then.filter((one) => here.has(one)).length >= then.length / 2);
  });
}

/** The cuts of the recorded conversations, as the shared evaluation makes them. */
export function* cutsOf(shared) {
  const plain = new URL('corpus/plain/', shared);
  const conversations = readdirSync(plain).flatMap((file) => JSON.parse(readFileSync(new URL(file, plain), 'utf8')));
  const isCommon = commonIn(conversations.map(({ messages }) => messages.map(textOf)));
  const perSource = new Map();
  for (const { id, source, messages: recorded } of conversations) {
    if (recorded.length < SHORTEST || (perSource.get(source) ?? 0) >= PER_SOURCE) continue;
    const messages = recorded.map((message, index) => ({ ...message, id: String(message.id ?? `m${index}`), index }));
    const texts = messages.map(textOf);
    const tokens = texts.map((text) => countTokens(text) + 4);
    let isUsed = false;
    for (const cut of CUTS) {
      const at = Math.floor(messages.length * cut);
      const sum = (of) => messages.slice(0, at).reduce((total, message, index) => total + (of(message) ? tokens[index] : 0), 0);
      const fixed = sum(({ role }) => role === 'system');
      const rest = sum(() => true) - fixed;
      if (rest < LEAST_TOKENS) continue;
      const facts = factsOf(texts.slice(0, at), texts.slice(at, at + FUTURE), isCommon);
      if (facts.length < LEAST_FACTS) continue;
      isUsed = true;
      yield {
        id,
        source,
        cut,
        past: messages.slice(0, at),
        texts: texts.slice(0, at),
        future: messages.slice(at, at + FUTURE),
        facts,
        fixed,
        rest,
      };
    }
    if (isUsed) perSource.set(source, (perSource.get(source) ?? 0) + 1);
  }
}

export const counter = () => {
  const known = new Map();
  return (message) => {
    const text = textOf(message);
    if (!known.has(text)) known.set(text, countTokens(text) + 4);
    return known.get(text);
  };
};

// ---- Measuring --------------------------------------------------------------------------------------------------------

/** What one recall for each lost fact finds at one cut. */
function recallAt({ past, future, facts, fixed, rest }, rho, index, { tokens, tokenCounter, before }) {
  const sent = fit(past, { limit: fixed + Math.floor(rest * rho), tokenCounter }).messages;
  const said = sent.map(textOf);
  const seen = wordsOf(said.join('\n'));
  const wanted = new Set(facts);
  const after = windowsOf(said, wanted);
  index.setSent(formatNamed('message').read(sent));
  const rows = facts.map((fact) => {
    const [isThere, isGroundedThere] = [seen.has(fact), isGrounded(fact, before, after)];
    if (isThere && isGroundedThere) return { isThere, isFound: false, isGroundedThere, isGroundedNow: true };
    const query = queryFor(future, fact);
    const text = shownAs(index.search(query, { limit: tokens, tokenizer: 'o200k_base', isPlain: true }));
    const isFound = wordsOf(text).has(fact);
    const isGroundedNow = isGroundedThere || isGrounded(fact, before, windowsOf([text], new Set([fact])));
    return { fact, query, text, isThere, isFound, isGroundedThere, isGroundedNow, use: firstUseOf(future, fact) };
  });
  const share = (of) => rows.filter(of).length / rows.length;
  const lost = rows.filter(({ isThere }) => !isThere);
  const counts = (list) => ({ lost: list.length, found: list.filter(({ isFound }) => isFound).length });
  return {
    rows,
    ...counts(lost),
    uses: Object.fromEntries(USES.map((use) => [use, counts(lost.filter((row) => row.use === use))])),
    recall: share(({ isThere }) => isThere),
    grounded: share((row) => row.isGroundedThere),
    recallWith: share(({ isThere, isFound }) => isThere || isFound),
    groundedWith: share((row) => row.isGroundedNow),
  };
}

const mean = (list, of) => list.reduce((total, one) => total + of(one), 0) / list.length;

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {{ rhos?: number[], tokens?: number, each?: (row: object) => void }} [options] `tokens` of the passages of a recall
 * @returns for each share `rho` the number of `cuts`, the `lost` facts of all of them and those that were `found`, also for
 *   each of {@link USES}; the `mean` share that is found over the cuts that lost any; and the shares of all facts that are said (`recall`) and
 *   `grounded`, without and with one recall, as means over the cuts
 */
export function measureRecall(shared, { rhos = RHOS, tokens = RECALL_TOKENS, each = () => {} } = {}) {
  const tokenCounter = counter();
  const rows = [];
  for (const cut of cutsOf(shared)) {
    const index = new RecallIndex();
    index.append(formatNamed('message').read(cut.past));
    const before = windowsOf(cut.texts, new Set(cut.facts));
    for (const rho of rhos) {
      const row = { id: cut.id, source: cut.source, cut: cut.cut, rho, ...recallAt(cut, rho, index, { tokens, tokenCounter, before }) };
      each(row);
      rows.push(row);
    }
  }
  return rhos.map((rho) => {
    const own = rows.filter((row) => row.rho === rho);
    const sum = (of) => own.reduce((total, row) => total + of(row), 0);
    const withLoss = own.filter(({ lost }) => lost > 0);
    return {
      rho,
      cuts: own.length,
      lost: sum(({ lost }) => lost),
      found: sum(({ found }) => found),
      uses: Object.fromEntries(
        USES.map((use) => [use, { lost: sum(({ uses }) => uses[use].lost), found: sum(({ uses }) => uses[use].found) }]),
      ),
      mean: mean(withLoss, ({ lost, found }) => found / lost),
      recall: mean(own, ({ recall }) => recall),
      recallWith: mean(own, ({ recallWith }) => recallWith),
      grounded: mean(own, ({ grounded }) => grounded),
      groundedWith: mean(own, ({ groundedWith }) => groundedWith),
    };
  });
}
