// The facts that a session uses next, at each of its steps: specific words of the messages so far that the next ones take up.
// A fact is grounded where a request says it among its own words, those which stood around it in one of the messages so far.
// `../facts.mjs` cuts whole conversations in two places instead, and asks only whether a word is still there.
import { isSpecific } from '../facts.mjs';

/** Number of messages after a step that come next. */
const FUTURE = 10;
/** So many before it are recent: their facts are counted by themselves. */
const RECENT = 4;
/** A word that more messages so far say than so many is a fact only if it looks like one. */
const RARE = 3;
const LEAST_LETTERS = 5;
/** Fewer facts make no measure. */
const LEAST_FACTS = 3;
/** A session that has just begun has no past. */
const FIRST_STEP = 9;
/** So many words on each side of a fact are its own. */
const SPAN = 5;
/** So many places of a fact are looked at, before and after. */
const MOST_PLACES = 40;

const around = ({ words }, place) => [...words.slice(Math.max(0, place - SPAN), place), ...words.slice(place + 1, place + 1 + SPAN)];

/** Up to `MOST_PLACES` places of `word` in messages that were read. */
function placesOf(word, readings) {
  const found = [];
  for (const reading of readings) {
    for (const place of reading.places.get(word) ?? []) {
      found.push({ reading, place });
      if (found.length === MOST_PLACES) return found;
    }
  }
  return found;
}

/** The context of each fact in the messages so far, looked up once for all policies. */
function surroundings(past) {
  const known = new Map();
  return (word) => {
    if (!known.has(word))
      known.set(
        word,
        placesOf(word, past).map(({ reading, place }) => around(reading, place)),
      );
    return known.get(word);
  };
}

function isGrounded(word, request, surroundingsOf) {
  return placesOf(word, request).some(({ reading, place }) => {
    const now = new Set(around(reading, place));
    return surroundingsOf(word).some((before) => before.filter((one) => now.has(one)).length >= before.length / 2);
  });
}

/** @returns {(request: Reading[]) => number} the share of `facts` that a request grounds; nothing where they are too few */
function judge(facts, past) {
  const groundedOf = grounding(facts, past);
  return groundedOf && ((request) => facts.filter(groundedOf(request)).length / facts.length);
}

/** @returns {(request: Reading[]) => (word: string) => boolean} tells the facts that a request grounds; nothing where they are too few */
function grounding(facts, past) {
  if (facts.length < LEAST_FACTS) return undefined;
  const surroundingsOf = surroundings(past);
  return (request) => (word) => isGrounded(word, request, surroundingsOf);
}

/** The messages that contain each word, in their order. */
function occurrences(readings) {
  const found = new Map();
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
export const stepsOf = (messages) => messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 ? [index] : []));

/**
 * Judges of some steps of a track, evenly spread.
 *
 * @param {object[]} messages all of them
 * @param {Reading[]} readings of those messages
 * @param {(word: string) => boolean} isCommon
 * @param {number} samples about how many steps
 * @returns {Map<number, { old: string[], groundedOf?: (request: Reading[]) => (word: string) => boolean,
 *   grounded?: (request: Reading[]) => number, fresh?: (request: Reading[]) => number }>} by step. `grounded`: facts
 *   of the old messages, which `old` lists; `fresh`: those that only the recent ones say. Shares from 0 to 1
 */
export function judgesOf(messages, readings, isCommon, samples) {
  const found = occurrences(readings);
  const steps = stepsOf(messages).filter((step) => step >= FIRST_STEP);
  const every = Math.max(1, Math.floor(steps.length / samples));
  const judges = new Map();
  for (const step of steps.filter((_, index) => index % every === 0)) {
    const past = readings.slice(0, step);
    const [old, fresh] = [[], []];
    for (const word of new Set(readings.slice(step, step + FUTURE).flatMap(({ places }) => [...places.keys()]))) {
      const saidBy = found.get(word).filter((index) => index < step);
      if (saidBy.length === 0 || isCommon(word)) continue;
      if (!isSpecific(word) && (word.length < LEAST_LETTERS || saidBy.length > RARE)) continue;
      if (saidBy.at(-1) < step - RECENT) old.push(word);
      else if (saidBy[0] >= step - RECENT) fresh.push(word);
    }
    judges.set(step, { old, groundedOf: grounding(old, past), grounded: judge(old, past), fresh: judge(fresh, past.slice(-RECENT)) });
  }
  return judges;
}
