// The facts that a session uses next, at each of its steps: specific words of the messages so far that the next ones take up.
// A fact is grounded if a request says it among its own words, those that stood around it in one of the messages so far.
// benches/quality/facts.mjs cuts whole conversations in two places instead, and asks only whether a word is still there.
import { isSpecific } from './words.mjs';

/** What is read of a message. */
interface Reading {
  /** its words in their order */
  words: string[];
  /** the positions of each word in `words` */
  places: Map<string, number[]>;
}

interface Judge {
  /** facts of the old messages */
  old: string[];
  /** tells which facts a request grounds; absent if they are too few */
  groundedOf?: (request: Reading[]) => (word: string) => boolean;
  /** share of `old` that a request grounds, 0 to 1; absent if they are too few */
  grounded?: (request: Reading[]) => number;
  /** the same of facts that only the recent messages say */
  fresh?: (request: Reading[]) => number;
}

/** Number of messages after a step that come next. */
const FUTURE = 10;
/** Number of messages before a step that are recent: their facts are counted separately. */
const RECENT = 4;
/** Maximum number of messages that say a word, for it to be a fact without looking like one. */
const RARE = 3;
const MIN_LETTERS = 5;
/** Minimum number of facts for a measure. */
export const MIN_FACTS = 3;
/** First step that is measured: a session that has just begun has no past. */
const FIRST_STEP = 9;
/** Number of words on each side of a fact that are its own. */
const SPAN = 5;
/** Maximum number of places of a fact that are looked at, before and after. */
const MAX_PLACES = 40;

const around = ({ words }: Reading, place: number) => [
  ...words.slice(Math.max(0, place - SPAN), place),
  ...words.slice(place + 1, place + 1 + SPAN),
];

/** Up to `MAX_PLACES` places of `word` in messages that were read. */
function placesOf(word: string, readings: Iterable<Reading>) {
  const found = [];
  for (const reading of readings) {
    for (const place of reading.places.get(word) ?? []) {
      found.push({ reading, place });
      if (found.length === MAX_PLACES) return found;
    }
  }
  return found;
}

/**
 * The context of each fact in the messages so far, looked up once for all policies.
 *
 * @param pastOf messages so far that contain a word, in their order
 */
function surroundings(pastOf: (word: string) => Iterable<Reading>) {
  const known: Map<string, string[][]> = new Map();
  return (word: string) => {
    let found = known.get(word);
    if (found === undefined) {
      found = placesOf(word, pastOf(word)).map(({ reading, place }) => around(reading, place));
      known.set(word, found);
    }
    return found;
  };
}

function isGrounded(word: string, request: Reading[], surroundingsOf: (word: string) => string[][]) {
  return placesOf(word, request).some(({ reading, place }) => {
    const now = new Set(around(reading, place));
    return surroundingsOf(word).some((before) => before.filter((one) => now.has(one)).length >= before.length / 2);
  });
}

/** @returns the share of `facts` that a request grounds */
function judge(facts: string[], pastOf: (word: string) => Iterable<Reading>): Judge['grounded'] {
  const groundedOf = grounding(facts, pastOf);
  return groundedOf && ((request) => facts.filter(groundedOf(request)).length / facts.length);
}

function grounding(facts: string[], pastOf: (word: string) => Iterable<Reading>): Judge['groundedOf'] {
  if (facts.length < MIN_FACTS) return undefined;
  const surroundingsOf = surroundings(pastOf);
  return (request) => (word) => isGrounded(word, request, surroundingsOf);
}

/** The messages that contain each word, in their order. */
function occurrences(readings: Reading[]) {
  const found: Map<string, number[]> = new Map();
  readings.forEach(({ places }, index) => {
    for (const word of places.keys()) {
      const messages = found.get(word);
      if (messages) messages.push(index);
      else found.set(word, [index]);
    }
  });
  return found;
}

/** The steps of a track: the indexes of the messages that answer a request. */
export const stepsOf = (messages: { role?: string }[]) =>
  messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 ? [index] : []));

/**
 * Judges of some steps of a conversation, evenly spread.
 *
 * @param messages all of them
 * @param readings of those messages
 * @param samples about how many steps
 * @param all all steps, as numbers of messages before them. Default: those of the messages whose role is `assistant`
 * @returns by step
 */
export function judgesOf(
  messages: object[],
  readings: Reading[],
  isCommon: (word: string) => boolean,
  samples: number,
  all: number[] = stepsOf(messages),
): Map<number, Judge> {
  const found = occurrences(readings);
  const steps = all.filter((step) => step >= FIRST_STEP);
  const every = Math.max(1, Math.floor(steps.length / samples));
  const judges = new Map();
  for (const step of steps.filter((_, index) => index % every === 0)) {
    const pastOf = (from: number) =>
      function* (word: string) {
        for (const index of found.get(word) ?? []) {
          if (index >= step) break;
          if (index >= from) yield readings[index];
        }
      };
    const old: string[] = [];
    const fresh: string[] = [];
    for (const word of new Set(readings.slice(step, step + FUTURE).flatMap(({ places }) => [...places.keys()]))) {
      const saidBy = (found.get(word) ?? []).filter((index) => index < step);
      if (saidBy.length === 0 || isCommon(word)) continue;
      if (!isSpecific(word) && (word.length < MIN_LETTERS || saidBy.length > RARE)) continue;
      if (saidBy[saidBy.length - 1] < step - RECENT) old.push(word);
      else if (saidBy[0] >= step - RECENT) fresh.push(word);
    }
    judges.set(step, {
      old,
      groundedOf: grounding(old, pastOf(0)),
      grounded: judge(old, pastOf(0)),
      fresh: judge(fresh, pastOf(step - RECENT)),
    });
  }
  return judges;
}
