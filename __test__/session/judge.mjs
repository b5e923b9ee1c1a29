// Judges that know nothing of the package's workings: the servers' objections, the allowed texts, and what is restored.
import { PROVIDERS } from '../providers/index.mjs';
import { objectionTo } from '../support/providers/formats.mjs';
import { variantsOf } from '../support/shorter.mjs';
import { contentsOf, say } from './speak.mjs';

export class Fault extends Error {
  constructor(judge, detail) {
    super(`${judge}: ${detail}`);
    this.judge = judge;
  }
}

/** Records which judges objected to what. */
export const reached = new Map();
export const reach = (what, more = 1) => reached.set(what, (reached.get(what) ?? 0) + more);

export function must(judge, holds, detail) {
  reach(judge);
  if (!holds) throw new Fault(judge, typeof detail === 'function' ? detail() : detail);
}

export const json = (value) => JSON.stringify(value);
/** A value as a message shows it. */
export const clip = (value, most = 300) => {
  const text = typeof value === 'string' ? value : (json(value) ?? String(value));
  return text.length > most ? `${text.slice(0, most)}… (${text.length})` : text;
};

// ---- Providers ----------------------------------------------------------------------------------------------------

/** The provider's objection to the messages, once the calls in `open` have their results. */
export async function refusal(format, messages, open, seals) {
  if (messages.length === 0) return 'no messages';
  const answered = PROVIDERS[format].answer?.(messages) ?? [...messages, ...answersTo(format, open)];
  return (await objectionTo(format, answered)) ?? seals.refusal(messages);
}

function answersTo(format, open) {
  if (open.length === 0) return [];
  const calls = open.map(({ id, name }) => ({
    id,
    name,
    args: {},
    result: { blocks: 'It is done.', json: null, failed: false },
    answered: true,
  }));
  const isAnswer = ({ role, type, content }) =>
    (format === 'anthropic' || format === 'gemini'
      ? role === 'user'
      : role === 'tool' || type === 'tool' || /_(output|result)$/.test(type)) && content !== null;
  return say(format, [{ who: 'assistant', reasoning: null, text: null, calls, odd: false }], 'answers').filter(isAnswer);
}

// ---- Texts --------------------------------------------------------------------------------------------------------

const MARK = /\[palimpsest:[^\]]*\]|\[…[^\]\n]*\]/g;

const parsed = (text) => {
  try {
    return typeof text === 'string' && /^\s*[[{]/.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
};

/** All strings in a value, and the names of members, in order; JSON in a string is read too. */
function* stringsOf(given, depth = Infinity) {
  const value = depth > 0 ? parsed(given) : given;
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value) yield* stringsOf(one, depth - (typeof given === 'string'));
  else if (value !== null && typeof value === 'object')
    for (const [key, one] of Object.entries(value)) yield* [key, ...stringsOf(one, depth - (typeof given === 'string'))];
  else if (value !== undefined) yield String(value);
}
export const rawOf = (value) => (typeof value === 'string' ? value : json(value));

/** A mark in place of a whole argument, with the lines that it quotes. */
const ARGUMENT = /^\[… \d+ lines?: cut here, sent in full:([ \n].+)\]$/s;

/** The text beside and within marks, in order: pieces of lines. */
const piecesOf = (text) =>
  (ARGUMENT.exec(text)?.[1].replace(/(?<=[ \n])…(?=[ \n])/g, '\n') ?? text.replace(MARK, '\n'))
    .split('\n')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** Returns the first piece of `made` that is not in `original`, or undefined. The pieces of one text are in order. */
function newIn(made, original) {
  // JSON is compared by its texts, or by its lines if the rest is no JSON.
  const haystacks = [
    [...stringsOf(original)].join('\n'),
    rawOf(original),
    json(original),
    [...stringsOf(original, 0)].join('\n'),
    [...stringsOf(original, 1)].join('\n'),
  ];
  const missing = [...stringsOf(made)]
    .map((text) => haystacks.map((raw) => firstNotIn(piecesOf(text), raw)))
    .find((misses) => !misses.includes(undefined));
  return missing?.[0];
}

function firstNotIn(pieces, raw) {
  let from = 0;
  for (const piece of pieces) {
    const at = raw.indexOf(piece, from);
    // A member that is a mark has the value null.
    if (at < 0 && piece !== 'null') return piece;
    if (at >= 0) from = at + piece.length;
  }
  return undefined;
}

/** Asserts that `made` says nothing that the original doesn't say, and that structured values keep their shape. */
export function judgeTexts(format, before, after, unique, isFit) {
  const old = contentsOf(format, before);
  const known = new Set(old.map(({ kind, value }) => kind + json(value)));
  for (const one of contentsOf(format, after)) {
    if (known.has(one.kind + json(one.value))) continue;
    must('texts', one.kind !== 'other', () => `something new: ${clip(one)}`);
    const sources = old.filter(
      ({ kind, id, who }) => kind === one.kind && (one.kind === 'text' ? who === one.who : !unique || id === one.id),
    );
    const [was] = unique && one.kind !== 'text' && sources.length === 1 ? sources : [one];
    // A stub is a text.
    const isStub = !isFit && one.kind === 'result';
    must(
      'shape',
      isStub || shapeOf(was.value) === shapeOf(one.value),
      () => `${one.kind} ${one.id} was ${clip(was.value)} and is ${clip(one.value)}`,
    );
    if (!isStub && shapeOf(was.value) === 'object') {
      const added = Object.keys(one.value).filter((key) => !Object.hasOwn(was.value, key) && !/^\[…|^palimpsest/.test(key));
      must('shape', added.length === 0, () => `${one.kind} ${one.id} has a new member ${added}: ${clip(one.value)} of ${clip(was.value)}`);
    }
    const misses = sources.flatMap(({ value }) =>
      (isFit && one.kind === 'result' ? variantsOf(value) : [value]).map((made) => newIn(one.value, made)),
    );
    // The model's text may hold a mark for whole messages only.
    must(
      'texts',
      misses.includes(undefined) || piecesOf(rawOf(one.value)).length === 0,
      () =>
        `${one.kind} ${one.id ?? one.who} says ${clip(misses[0] ?? '')}: ${clip(one.value, 1500)} of ${clip(sources[0]?.value ?? 'nothing', 3000)}`,
    );
  }
}

const shapeOf = (value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

/** Texts of the user and the system, in order. */
export const wordsOf = (format, messages, who) =>
  contentsOf(format, messages)
    .filter((one) => one.kind === 'text' && (one.who === who || (who === 'system' && one.who === 'developer')))
    .map(({ value }) => value);

// ---- Restored messages --------------------------------------------------------------------------------------------

const isPartOf = (list, whole) => {
  let at = 0;
  for (const one of list) {
    at = whole.indexOf(one, at) + 1;
    if (at === 0) return false;
  }
  return true;
};

/** Finds the differences of two lists of messages. */
export function difference(actual, expected) {
  const at = expected.findIndex((message, index) => json(actual[index]) !== json(message));
  const place = at < 0 ? expected.length : at;
  return `${actual.length} messages for ${expected.length}; at ${place}: ${clip(actual[place] ?? 'nothing', 700)} for ${clip(expected[place] ?? 'nothing', 700)}`;
}

export const same = (actual, expected) => json(actual) === json(expected);

/** Returns whether items are in `all` in their order. Items that `maySkip` accepts may be absent. */
function isInOrder(items, all, maySkip) {
  let reached = new Set([0]); // how much of `all` may have been passed
  for (const one of items) {
    const next = new Set(maySkip(one) ? reached : []);
    for (const from of reached) {
      const at = all.indexOf(one, from);
      if (at >= 0) next.add(at + 1);
    }
    reached = next;
  }
  return reached.size > 0;
}

/**
 * Judges a restored conversation after a change by hand. It contains the true history, the user's messages and, if something
 * is missing, what is still cut; in the true order.
 *
 * @param {object} given `current` after the change; `full`, the true history before it; `put`, messages that the user wrote or
 *   changed, as an array or as `isOwn(message, missing)`; `expected`: a test of the messages that are not in `put`, if nothing is
 *   missing; `isKnown`: whether all parts of a message were there once; `isMade`: whether a round made it
 */
export function judgeChanged(
  { messages, missing },
  { current, full, put, expected, print = json, isOwn, isKnown, isMade, written = new Set() },
) {
  const [truth, own, still] = [full, put, current].map((list) => list.map(print));
  // A text in which the user changed a letter may be back except for that letter.
  const back = messages.map((message) => (isOwn?.(message, missing) ? own[0] : print(message)));
  for (const one of own)
    must(
      'put',
      back.filter((other) => other === one).length === 1,
      () => `what the user wrote is overwritten: ${clip(one)} (missing ${missing})`,
    );
  for (const [index, one] of back.entries()) {
    if (truth.includes(one) || own.includes(one)) continue;
    // Of several rounds, some may be undone and others not.
    must(
      'true',
      missing.length > 0 && (still.includes(one) || isKnown?.(messages[index])),
      () => `no message of anybody (missing ${missing.length}): ${clip(one, 900)}`,
    );
  }
  // A message that is still cut may read like one that is not.
  const maybeCut = (one) => missing.length > 0 && still.includes(one);
  must(
    'order',
    isInOrder(
      back.filter((one) => truth.includes(one) && !own.includes(one) && !written.has(one)),
      truth,
      maybeCut,
    ),
    () =>
      `in another order, or twice (missing ${missing.length}): ${clip(
        back.map((one) => truth.indexOf(one)),
        900,
      )}`,
  );
  // A text that was still cut may be whole now.
  const stays = current.filter((message) => !isMade?.(message)).map(print);
  must(
    'stays',
    isPartOf(
      stays.filter((one) => truth.includes(one) || own.includes(one)),
      back,
    ),
    () => `what was there is gone (missing ${missing.length})`,
  );
  if (missing.length === 0)
    must(
      'all',
      expected === undefined || expected(back.filter((one) => !own.includes(one))),
      () => `not what it was, and nothing is named (${back.length} of ${truth.length})`,
    );
}
