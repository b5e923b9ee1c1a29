// @ts-check
// The facts that a session uses next, at each of its steps: specific words of the messages so far that the next ones take up.
// A fact is grounded if a request says it among its own words, those that stood around it in one of the messages so far.
// benches/quality/facts.mjs cuts whole conversations in two places instead, and asks only whether a word is still there.
import { isSpecific } from './words.mjs';

/**
 * @typedef {object} Reading what is read of a message
 * @property {string[]} words its words in their order
 * @property {Map<string, number[]>} places the positions of each word in `words`
 */

/**
 * @typedef {object} Judge
 * @property {string[]} old facts of the old messages
 * @property {(request: Reading[]) => (word: string) => boolean} [groundedOf] tells which facts a request grounds; absent if they are too few
 * @property {(request: Reading[]) => number} [grounded] share of `old` that a request grounds, 0 to 1; absent if they are too few
 * @property {(request: Reading[]) => number} [fresh] the same of facts that only the recent messages say
 */

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

/** @param {Reading} reading @param {number} place */
const around = ({ words }, place) => [...words.slice(Math.max(0, place - SPAN), place), ...words.slice(place + 1, place + 1 + SPAN)];

/** Up to `MAX_PLACES` places of `word` in messages that were read. @param {string} word @param {Iterable<Reading>} readings */
function placesOf(word, readings) {
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
 * @param {(word: string) => Iterable<Reading>} pastOf messages so far that contain a word, in their order
 */
function surroundings(pastOf) {
  /** @type {Map<string, string[][]>} */
  const known = new Map();
  return (/** @type {string} */ word) => {
    let found = known.get(word);
    if (found === undefined) {
      found = placesOf(word, pastOf(word)).map(({ reading, place }) => around(reading, place));
      known.set(word, found);
    }
    return found;
  };
}

/** @param {string} word @param {Reading[]} request @param {(word: string) => string[][]} surroundingsOf */
function isGrounded(word, request, surroundingsOf) {
  return placesOf(word, request).some(({ reading, place }) => {
    const now = new Set(around(reading, place));
    return surroundingsOf(word).some((before) => before.filter((one) => now.has(one)).length >= before.length / 2);
  });
}

/**
 * @param {string[]} facts
 * @param {(word: string) => Iterable<Reading>} pastOf
 * @returns {Judge['grounded']} the share of `facts` that a request grounds
 */
function judge(facts, pastOf) {
  const groundedOf = grounding(facts, pastOf);
  return groundedOf && ((request) => facts.filter(groundedOf(request)).length / facts.length);
}

/**
 * @param {string[]} facts
 * @param {(word: string) => Iterable<Reading>} pastOf
 * @returns {Judge['groundedOf']}
 */
function grounding(facts, pastOf) {
  if (facts.length < MIN_FACTS) return undefined;
  const surroundingsOf = surroundings(pastOf);
  return (request) => (word) => isGrounded(word, request, surroundingsOf);
}

/** The messages that contain each word, in their order. @param {Reading[]} readings */
function occurrences(readings) {
  /** @type {Map<string, number[]>} */
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

/** The steps of a track: the indexes of the messages that answer a request. @param {{ role?: string }[]} messages */
export const stepsOf = (messages) => messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 ? [index] : []));

/**
 * Judges of some steps of a conversation, evenly spread.
 *
 * @param {object[]} messages all of them
 * @param {Reading[]} readings of those messages
 * @param {(word: string) => boolean} isCommon
 * @param {number} samples about how many steps
 * @param {number[]} [all] all steps, as numbers of messages before them. Default: those of the messages whose role is `assistant`
 * @returns {Map<number, Judge>} by step
 */
export function judgesOf(messages, readings, isCommon, samples, all = stepsOf(messages)) {
  const found = occurrences(readings);
  const steps = all.filter((step) => step >= FIRST_STEP);
  const every = Math.max(1, Math.floor(steps.length / samples));
  const judges = new Map();
  for (const step of steps.filter((_, index) => index % every === 0)) {
    /** @param {number} from */
    const pastOf = (from) =>
      /** @param {string} word */
      function* (word) {
        for (const index of found.get(word) ?? []) {
          if (index >= step) break;
          if (index >= from) yield readings[index];
        }
      };
    /** @type {string[]} */
    const old = [];
    /** @type {string[]} */
    const fresh = [];
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
