import { checkString } from '../checks.js';
import native from '../native.js';
import { sessionRecall as OPTIONS } from '../options/session.js';
import { checkOwnOptions } from '../options/index.js';
import { placeOf, shown, textOf } from '../recall/place.js';
import type { Found } from '../recall/recall-index.js';
import type { Part, Tokenizer } from '../types.js';
import type { Remembered } from './remembered.js';
import type { Recalled } from './sent.js';
import type { RecallPassage, SessionRecallOptions } from '../../index.js';

/**
 * What a passage needs to be recalled by itself where the user asks nothing; `research/recall.md` has the measurement. `score`: its minimum score.
 * `weight`: the minimum weight of the query's words that it contains, as a multiple of a word that occurs once, because a few common words are no
 * reason to recall anything.
 */
const MIN_STATED = { score: 0.25, weight: 1.35 };
/** Maximum length of words that ask, in UTF-16 code units: longer ones mostly state something. */
const BRIEF = 500;
/** Minimum number of tokens for which anything is recalled by itself. */
const MIN_TOKENS = 40;
/** Maximum length of the user's words that are searched for, in UTF-16 code units. */
const MAX_QUERY = 4000;
/** The end of a message in which the model acts: a block of code, or an element. A program answers it in the user's place. */
const ACTION = /(?:```|<\/[\w:.-]+>)\s*$/;
/** Number of the model's last messages that have to end so. */
const ACTIONS = 2;
/** What separates the user's words from recalled passages. */
const OPENING = '\n\n[recalled from this conversation, not part of this message]\n';

/** The most UTF-16 code units in a token: of the vocabularies, in blanks. */
const MAX_TOKEN = 128;

const KINDS = new Set(['text', 'call', 'result']);

const count = (text: string, tokenizer: Tokenizer) => native.countTexts([text], tokenizer)[0];

/** Checks the arguments of `session.recall`. */
export function checkedSearch(query: unknown, given?: SessionRecallOptions | null) {
  checkString('recall(): query', query);
  const { limit, from, to }: SessionRecallOptions = checkOwnOptions('recall()', OPTIONS, given);
  return { query, limit: limit ?? OPTIONS.limit.default, from: from ?? undefined, to: to ?? undefined };
}

type Asked = ReturnType<typeof checkedSearch> & { tokenizer: Tokenizer };

/**
 * Answers `session.recall`: with the messages that it names, otherwise with what the request does not contain.
 *
 * @param sent parts of the request
 * @param search `query`, `limit`, `tokenizer`; `from` and `to`
 */
export function recalled(remembered: Remembered, sent: readonly Part[], { query, from, to, ...options }: Asked) {
  const isNamed = from !== undefined || to !== undefined;
  const found = isNamed
    ? read(remembered, { from: (from ?? to) as number, to: (to ?? from) as number, ...options })
    : remembered.search(query, sent, options);
  const tokens = found.reduce((sum, { cost }) => sum + cost, 0);
  return { passages: found.map(shown), tokens, text: textOf(found) };
}

/**
 * Finds what the last message asks for.
 *
 * @param sent parts of the request
 * @returns what to append to which part; undefined if
 * nothing is relevant, or no text can hold it
 */
export function additionFor(
  remembered: Remembered,
  sent: readonly Part[],
  message: number,
  options: { limit: number; tokenizer: Tokenizer },
): { part: number; addition: (string | Recalled)[] } | undefined {
  if (options.limit < MIN_TOKENS) return undefined;
  const texts = remembered
    .partsOf(message, message)
    .filter(({ role, kind, text, isDocument }) => role === 'user' && kind === 'text' && text !== '' && !isDocument);
  const part = texts.findLast(({ locked }) => locked === undefined);
  if (part === undefined) return undefined;
  const query = texts
    .map(({ text }) => text)
    .join('\n')
    .slice(-MAX_QUERY);
  const isAsked = query.length <= BRIEF && native.asks(query);
  if (!isAsked && isObservation(remembered, message)) return undefined;
  const limit = options.limit - count(OPENING, options.tokenizer);
  const passages = remembered.search(query, sent, { ...options, limit, isPlain: true, before: message });
  const found = isAsked ? answering(passages) : supporting(passages, remembered.weightOf(query));
  if (found.length === 0) return undefined;
  const pieces = found.flatMap(({ place, part: from, start, end }, index) => [
    `${index === 0 ? OPENING : '\n\n'}${place}\n`,
    { part: from, start, end },
  ]);
  return { part: remembered.parts.indexOf(part), addition: pieces };
}

/** Whether a question is about this conversation, its best passage tells; if so, any of them may answer it. */
const answering = (passages: Found[]) => (passages[0]?.isClear ? passages : []);

/** What belongs to words that ask nothing; `weight`: how much they ask for. */
const supporting = (passages: Found[], weight: number) =>
  passages.filter(({ score }) => score >= MIN_STATED.score && score * weight >= MIN_STATED.weight);

/** Whether a message of the user's tells what came of an action: the model acts in its texts, as each of the last ones does. */
function isObservation(remembered: Remembered, message: number) {
  const said = remembered.partsOf(Math.max(0, message - 2 * ACTIONS), message - 1).filter(({ role }) => role === 'assistant');
  return said.length >= ACTIONS && said.every(({ kind, text }) => kind === 'text' && ACTION.test(text));
}

/** Returns messages as they were, as far as a number of tokens reaches. */
function read(remembered: Remembered, { from, to, limit, tokenizer }: { from: number; to: number; limit: number; tokenizer: Tokenizer }) {
  const passages: (RecallPassage & Pick<Found, 'place' | 'cost'>)[] = [];
  let left = limit;
  for (const part of remembered.partsOf(from, to)) {
    if (!KINDS.has(part.kind) || part.text === '') continue;
    const tool = remembered.toolOf(part);
    // Instructions are of no kind that is shown.
    const role = part.role as Found['role'];
    const passage = { message: part.message, role, ...(tool === undefined ? {} : { tool }), score: 0 };
    const place = placeOf(passage);
    const costOf = (text: string) => count(`${place}\n${text}\n\n`, tokenizer);
    const text = beginning(part.text, left, costOf);
    if (text === '') break;
    const cost = costOf(text);
    passages.push({ ...passage, text, place, tokens: count(text, tokenizer), cost });
    left -= cost;
    if (text !== part.text) break;
  }
  return passages;
}

/** Returns as many lines of a text, from the first on, as a number of tokens suffices for; of a first one that is too long, its beginning. */
function beginning(text: string, tokens: number, costOf: (text: string) => number) {
  if (costOf(text) <= tokens) return text;
  const lines = Array.from(text.matchAll(/\n/g), ({ index }) => index + 1);
  const fits = (end: number) => costOf(text.slice(0, end)) <= tokens;
  const line = lastThat(lines.length, (number) => fits(lines[number - 1]));
  if (line > 0) return text.slice(0, lines[line - 1]);
  const end = lastThat(Math.min(lines[0] ?? text.length, MAX_TOKEN * tokens), fits);
  // Both halves of a character, or none.
  return text.slice(0, (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end);
}

/** The last number up to `count` of which `is` is true, where it is true up to one and false from there on; 0 is always possible. */
function lastThat(count: number, is: (number: number) => boolean) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (is(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
