// The facts that a session uses next, at each of its steps: specific words of the messages so far that the next ones take up.
// A fact is grounded if a request says it among its own words, those that stood around it in one of the messages so far.
// benches/quality/facts.mjs cuts whole conversations in two places instead, and asks only whether a word is still there.
import { isSpecific } from './words.mjs';

/** What is read of a message. */
interface Reading {
  /** its words in their order */
  words: string[];
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

/** A place of a word: the numbers of all words of a message, and an index in them. */
interface Place {
  words: Uint32Array;
  at: number;
}

/** Whether half of the words around a place, or more, are around another. */
function isAlike(before: Place, now: Place) {
  if (before.words === now.words && before.at === now.at) return true;
  const [from, to] = [Math.max(0, before.at - SPAN), Math.min(before.words.length, before.at + 1 + SPAN)];
  const [first, end] = [Math.max(0, now.at - SPAN), Math.min(now.words.length, now.at + 1 + SPAN)];
  let alike = 0;
  for (let at = from; at < to; at++) {
    if (at === before.at) continue;
    for (let other = first; other < end; other++) {
      if (other === now.at || now.words[other] !== before.words[at]) continue;
      alike++;
      break;
    }
  }
  return alike >= (to - from - 1) / 2;
}

/** A place of a word in a request, whose messages are counted. */
type PlaceIn = Place & { message: number };

/** A request: where it has each message of the conversation, and places of facts in what else it has. */
interface Asked {
  /** by index of the message; -1 for none */
  places: Int32Array;
  /** whether the messages are in their order */
  isInOrder: boolean;
  others: Map<number, PlaceIn[]>;
}

/** The words of a conversation, as numbers, and where each of them stands. */
export class Words {
  #numbers: Map<string, number> = new Map();
  #names: string[] = [];
  #read: WeakMap<Reading, Uint32Array> = new WeakMap();
  #indexes: Map<Reading, number>;
  /** Of each message, the numbers of its words. */
  #messages: Uint32Array[];
  /** Of each word, where its places begin in the two lists. */
  #starts: Uint32Array;
  #messageAt: Uint32Array;
  #wordAt: Uint32Array;

  /** @param readings of the messages */
  constructor(readings: Reading[]) {
    this.#indexes = new Map(readings.map((reading, index) => [reading, index]));
    this.#messages = readings.map((reading) => this.#of(reading));
    const starts = new Uint32Array(this.#names.length + 2);
    let count = 0;
    for (const words of this.#messages) {
      count += words.length;
      for (const word of words) starts[word + 2]++;
    }
    for (let word = 2; word < starts.length; word++) starts[word] += starts[word - 1];
    this.#messageAt = new Uint32Array(count);
    this.#wordAt = new Uint32Array(count);
    for (const [message, words] of this.#messages.entries())
      for (let at = 0; at < words.length; at++) {
        const place = starts[words[at] + 1]++;
        this.#messageAt[place] = message;
        this.#wordAt[place] = at;
      }
    this.#starts = starts;
  }

  /** The numbers of the words of a message. */
  #of(reading: Reading): Uint32Array {
    let found = this.#read.get(reading);
    if (found === undefined) {
      found = Uint32Array.from(reading.words, (word) => {
        let number = this.#numbers.get(word);
        if (number === undefined) {
          number = this.#names.length;
          this.#numbers.set(word, number);
          this.#names.push(word);
        }
        return number;
      });
      this.#read.set(reading, found);
    }
    return found;
  }

  /** The words of the messages `from .. to`, each once, where it is said first. */
  in(from: number, to: number): string[] {
    return this.#distinct(from, to).map((word) => this.#names[word]);
  }

  #distinct(from: number, to: number): number[] {
    const found: Set<number> = new Set();
    for (const words of this.#messages.slice(from, to)) for (const word of words) found.add(word);
    return [...found];
  }

  /** The first place of a word in the messages from one on. */
  #first(word: number, message: number) {
    let [low, high] = [this.#starts[word], this.#starts[word + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#messageAt[middle] < message) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The facts that the next messages take up.
   *
   * @param step number of messages so far
   */
  factsAt(step: number, isCommon: (word: string) => boolean): { old: string[]; fresh: string[] } {
    const [old, fresh]: [string[], string[]] = [[], []];
    for (const word of this.#distinct(step, step + FUTURE)) {
      const name = this.#names[word];
      const [start, end] = [this.#starts[word], this.#first(word, step)];
      if (start === end || isCommon(name)) continue;
      if (!isSpecific(name) && (name.length < MIN_LETTERS || this.#isOften(start, end))) continue;
      if (this.#messageAt[end - 1] < step - RECENT) old.push(name);
      else if (this.#messageAt[start] >= step - RECENT) fresh.push(name);
    }
    return { old, fresh };
  }

  /** Whether more than `RARE` messages are at some places. */
  #isOften(start: number, end: number) {
    let messages = 1;
    for (let place = start + 1; place < end && messages <= RARE; place++)
      if (this.#messageAt[place] !== this.#messageAt[place - 1]) messages++;
    return messages > RARE;
  }

  /**
   * @param request messages of the conversation, and others
   * @param isFact by number of a word
   */
  #asked(request: Reading[], isFact: Uint8Array): Asked {
    const places = new Int32Array(this.#messages.length).fill(-1);
    const others: Map<number, PlaceIn[]> = new Map();
    let last = -1;
    let isInOrder = true;
    for (const [message, reading] of request.entries()) {
      const index = this.#indexes.get(reading);
      if (index !== undefined && places[index] === -1) {
        places[index] = message;
        isInOrder &&= index > last;
        last = index;
        continue;
      }
      const words = this.#of(reading);
      for (let at = 0; at < words.length; at++) {
        const word = words[at];
        if (isFact[word] !== 1) continue;
        const found = others.get(word);
        if (found) found.push({ words, at, message });
        else others.set(word, [{ words, at, message }]);
      }
    }
    return { places, isInOrder, others };
  }

  /** The first places of a fact in a request. */
  #placesIn(word: number, { places, isInOrder, others }: Asked): Place[] {
    const found: PlaceIn[] = [];
    for (let place = this.#starts[word], end = this.#starts[word + 1]; place < end; place++) {
      const index = this.#messageAt[place];
      if (places[index] === -1) continue;
      found.push({ words: this.#messages[index], at: this.#wordAt[place], message: places[index] });
      if (isInOrder && found.length === MAX_PLACES) break;
    }
    const more = others.get(word);
    if (more) found.push(...more);
    if (more || !isInOrder) found.sort((a, b) => a.message - b.message);
    return found.slice(0, MAX_PLACES);
  }

  /**
   * Tells which facts a request grounds.
   *
   * @param facts words of the messages
   * @param from first message whose words count as said before
   * @param step number of messages so far
   */
  grounding(facts: string[], from: number, step: number): (request: Reading[]) => (word: string) => boolean {
    const isFact = new Uint8Array(this.#names.length);
    for (const fact of facts) isFact[this.#numbers.get(fact) as number] = 1;
    const known: Map<number, Place[]> = new Map();
    const before = (word: number) => {
      let found = known.get(word);
      if (found === undefined) {
        found = [];
        for (let place = this.#first(word, from), end = this.#first(word, step); place < end && found.length < MAX_PLACES; place++)
          found.push({ words: this.#messages[this.#messageAt[place]], at: this.#wordAt[place] });
        known.set(word, found);
      }
      return found;
    };
    return (request) => {
      const asked = this.#asked(request, isFact);
      return (fact) => {
        const word = this.#numbers.get(fact) as number;
        return this.#placesIn(word, asked).some((now) => before(word).some((one) => isAlike(one, now)));
      };
    };
  }
}

/** The steps of a track: the indexes of the messages that answer a request. */
export const stepsOf = (messages: { role?: string }[]) =>
  messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 ? [index] : []));

/**
 * Judges of some steps of a conversation, evenly spread.
 *
 * @param words of all messages
 * @param samples about how many steps
 * @param all all steps, as numbers of messages before them
 * @returns by step
 */
export function judgesOf(words: Words, isCommon: (word: string) => boolean, samples: number, all: number[]): Map<number, Judge> {
  const steps = all.filter((step) => step >= FIRST_STEP);
  const every = Math.max(1, Math.floor(steps.length / samples));
  const judges: Map<number, Judge> = new Map();
  for (const step of steps.filter((_, index) => index % every === 0)) {
    const { old, fresh } = words.factsAt(step, isCommon);
    const groundedOf = old.length < MIN_FACTS ? undefined : words.grounding(old, 0, step);
    const freshOf = fresh.length < MIN_FACTS ? undefined : words.grounding(fresh, step - RECENT, step);
    judges.set(step, {
      old,
      ...(groundedOf && { groundedOf, grounded: (request) => old.filter(groundedOf(request)).length / old.length }),
      ...(freshOf && { fresh: (request) => fresh.filter(freshOf(request)).length / fresh.length }),
    });
  }
  return judges;
}
