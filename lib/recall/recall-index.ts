import native from '../native.js';
import { Numbered } from '../numbered.js';
import { mainArgument, placeOf } from './place.js';
import type { Part } from '../types.js';
import type { FoundPassage } from '../../binding';

/** Tokens that the place of a passage takes, about. */
const PLACE_TOKENS = 12;
/** Number of parts of the history among which one of a request is looked for. One that is not found is read again. */
const LOOKED_AT = 32;

const QUOTED = /"([^"]+)"/g;

/** A passage with its place, and the range of its part's text. `cost`: the tokens of both. */
export interface Found {
  text: string;
  message: number;
  role: 'user' | 'assistant' | 'tool';
  tool?: string;
  argument?: string;
  lines?: [number, number];
  tokens: number;
  score: number;
  /** number of the part, in the order in which parts were added */
  part: number;
  start: number;
  end: number;
  place: string;
  cost: number;
  /** whether it is clearly about what the query asks */
  isClear: boolean;
}

/** An index of a history, which grows and shrinks at its end. */
export class RecallIndex {
  #index = new native.RecallIndex();
  #parts: Part[] = [];
  /** For each part the number of the call that it is or answers; -1 if there is none. */
  #calls: number[] = [];
  /** The number of messages that were added. */
  get messages() {
    return (this.#parts.at(-1)?.message ?? -1) + 1;
  }

  /**
   * Adds the parts of new messages; their `message` and `call` count from the start of the whole history. Instructions and reasoning are not
   * searched.
   */
  append(parts: readonly Part[]) {
    const before = this.#parts.length;
    for (const part of parts) {
      this.#calls.push(part.kind === 'call' ? this.#parts.length : (part.call ?? -1));
      this.#parts.push(part);
    }
    const texts = parts.map(searchedText);
    const names = new Numbered<string>();
    const named = parts.map(({ kind, name }) => (kind === 'call' && name !== undefined ? names.number(name) : -1));
    const calls = this.#calls.slice(before);
    this.#index.append(texts, lengthsOf(texts), new Int32Array(calls), names.values, new Int32Array(named));
  }

  /** Removes all messages but the first `count`. */
  truncate(count: number) {
    const end = this.#parts.findIndex(({ message }) => message >= count);
    if (end < 0) return;
    this.#parts.length = end;
    this.#calls.length = end;
    this.#index.truncate(end);
  }

  /** Sets what was sent. Passages are looked for in what does not stand in it. */
  setSent(parts: readonly Part[]) {
    const known = [] as number[];
    const texts = [] as string[];
    // A request mostly ends as its history does.
    let end = this.#parts.length;
    for (let index = parts.length - 1; index >= 0; index--) {
      const { text } = parts[index];
      if (text === '') continue;
      const number = this.#lastWith(text, end);
      if (number < 0) {
        texts.push(text);
      } else {
        known.push(number);
        end = number;
      }
    }
    this.#index.setSent(new Uint32Array(known), texts, lengthsOf(texts));
  }

  /** Returns the number of the last of the few parts before `end` that the index has with this text; -1 if there is none. */
  #lastWith(text: string, end: number) {
    for (let number = end - 1; number >= Math.max(0, end - LOOKED_AT); number--) {
      if (searchedText(this.#parts[number]) === text) return number;
    }
    return -1;
  }

  /**
   * Returns the best passages, best first.
   *
   * @param options `isPlain`: quotes in the
   * query have no meaning
   * @returns as many as fit
   */
  search(
    query: string,
    { limit, tokenizer, isPlain = false }: { limit: number; tokenizer: 'o200k_base' | 'cl100k_base' | 'estimate'; isPlain?: boolean },
  ): Found[] {
    const { text, exact } = isPlain ? { text: query, exact: [] } : readQuery(query);
    const found = this.#index.search({ text, exact, tokens: limit, overhead: PLACE_TOKENS, tokenizer });
    const passages = found.map((passage) => this.#placed(passage));
    // Counted with its place as it is shown; a place that is longer than assumed leaves no room for the last.
    const costs = native.countTexts(
      passages.map(({ place, text }) => `${place}\n${text}\n\n`),
      tokenizer,
    );
    let left = limit;
    return passages.flatMap((passage, index) => {
      if (costs[index] > left) return [];
      left -= costs[index];
      return [{ ...passage, cost: costs[index] }];
    });
  }

  /** Returns how much a query asks for: the sum of the rarities of its terms, as a multiple of the rarity of a term that occurs once. */
  weightOf(query: string): number {
    return this.#index.weightOf(query);
  }

  #placed({ part: number, start, end, firstLine, lastLine, tokens, score, isClear }: FoundPassage): Found {
    const part = this.#parts[number];
    const call = this.#parts[this.#calls[number]];
    const passage = {
      text: part.text.slice(start, end),
      message: part.message,
      // Instructions are not searched.
      role: part.role as Found['role'],
      ...(call?.name === undefined ? {} : { tool: call.name }),
      ...argumentOf(call),
      ...(part.text.includes('\n') ? { lines: [firstLine, lastLine] as [number, number] } : {}),
      tokens,
      score,
    };
    return { ...passage, part: number, start, end, place: placeOf(passage), cost: 0, isClear };
  }
}

const lengthsOf = (texts: readonly string[]) => new Uint32Array(texts.map(({ length }) => length));

const searchedText = ({ kind, role, text }: Part) => (kind !== 'reasoning' && role !== 'system' ? text : '');

function argumentOf(call: Part | undefined) {
  const argument = call === undefined ? undefined : mainArgument(call);
  return argument === undefined ? {} : { argument };
}

/**
 * Reads a query: strings in double quotes have to stand in each passage.
 *
 * @returns `text` without what is quoted
 */
function readQuery(query: string): { text: string; exact: string[] } {
  const exact = [...new Set(Array.from(query.matchAll(QUOTED), ([, quoted]) => quoted))];
  return { text: query.replace(QUOTED, ' '), exact };
}
