// What each message cost: an agent sends it again with every request, and pays for the place where it stands.
import { inputTokens } from '../usage.mjs';
import type { Rates } from './prices.mjs';
import type { Usage } from '../types.mjs';

/** Adds to ranges and reads places, both in logarithmic time (Fenwick's binary indexed tree). */
class Ranges {
  #sums;

  constructor(length: number) {
    this.#sums = new Float64Array(length + 2);
  }

  /** @param to the end, excluded */
  add(from: number, to: number, value: number) {
    if (from >= to || value === 0) return;
    for (let at = from + 1; at < this.#sums.length; at += at & -at) this.#sums[at] += value;
    for (let at = to + 1; at < this.#sums.length; at += at & -at) this.#sums[at] -= value;
  }

  at(index: number) {
    let sum = 0;
    for (let at = index + 1; at > 0; at -= at & -at) sum += this.#sums[at];
    return sum;
  }
}

/**
 * The price of the first tokens of a request: those that were read from the cache come first, then those that were written to it, then the others.
 *
 * @returns US dollars
 */
export function costOfFirst({ cacheRead, cacheWrite }: Usage, rates: Rates): (tokens: number) => number {
  return (tokens) => {
    const read = Math.min(tokens, cacheRead);
    const written = Math.min(tokens - read, cacheWrite);
    return read * rates.read + written * rates.write + (tokens - read - written) * rates.input;
  };
}

/** What something took in all requests so far. */
export interface Entry {
  /** the provider's, sent */
  tokens: number;
  /** US dollars */
  cost: number;
  requests: number;
}

/** Divides the tokens and the cost of requests among the messages that they held, in their order. */
export class Ledger {
  #tokens;
  /** Sums of the tokens of the first messages. */
  #upTo = [0];
  /** Provider's tokens and US dollars for each token that is counted here, of messages that lie within one price. */
  #sent: Ranges;
  #rates: Ranges;
  /** US dollars of messages that lie across two prices, and of replies. */
  #across;
  #requests: Ranges;

  /** What is sent beside the messages. */
  beside: Entry = { tokens: 0, cost: 0, requests: 0 };
  /** What stood in place of what was cut. */
  left: Entry = { tokens: 0, cost: 0, requests: 0 };

  /** @param tokens of each message */
  constructor(tokens: number[]) {
    this.#tokens = tokens;
    for (const [index, one] of tokens.entries()) this.#upTo.push(this.#upTo[index] + one);
    this.#sent = new Ranges(tokens.length);
    this.#rates = new Ranges(tokens.length);
    this.#requests = new Ranges(tokens.length);
    this.#across = new Float64Array(tokens.length);
  }

  /** The message at a place, in counted tokens. */
  #messageAt(place: number, from: number, to: number) {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#upTo[middle + 1] <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Takes a request that held the messages `from .. end`.
   *
   * @param rates no cost without them
   */
  add(
    {
      from,
      messages: end,
      overhead,
      usage,
    }: {
      from: number;
      /** its end */
      messages: number;
      /** provider's tokens of instructions and tools */
      overhead: number;
      usage: Usage;
    },
    rates?: Rates,
  ) {
    const total = inputTokens(usage);
    const counted = this.#upTo[end] - this.#upTo[from];
    const beside = counted === 0 ? total : Math.min(overhead, total);
    const ratio = counted === 0 ? 0 : (total - beside) / counted;
    const { cacheRead, cacheWrite } = usage;
    this.beside.tokens += beside;
    this.beside.requests++;
    this.#requests.add(from, end, 1);
    this.#sent.add(from, end, ratio);
    if (rates === undefined) return;
    const cost = costOfFirst(usage, rates);
    this.beside.cost += cost(beside);
    if (ratio === 0) return;
    /** @param place of a message, in counted tokens */
    const upTo = (place: number) => cost(beside + (place - this.#upTo[from]) * ratio);
    let at = from;
    for (const [border, rate] of [
      [cacheRead, rates.read],
      [cacheRead + cacheWrite, rates.write],
      [total, rates.input],
    ]) {
      const place = this.#upTo[from] + (border - beside) / ratio;
      const last = border >= total ? end : this.#messageAt(place, at, end);
      this.#rates.add(at, last, rate * ratio);
      at = Math.max(at, last);
      if (at >= end) break;
      // The message at the border is across it, and may be across the next one, too.
      if (this.#upTo[at] < place) {
        this.#across[at] += upTo(this.#upTo[at + 1]) - upTo(this.#upTo[at]);
        at++;
      }
    }
  }

  /**
   * Takes a request of which messages were cut on their way.
   *
   * @param indexOf undefined for what stands in place of others
   */
  addCut(
    {
      sent,
      overhead,
      usage,
    }: {
      /** its messages */
      sent: object[];
      overhead: number;
      usage: Usage;
    },
    indexOf: (message: object) => number | undefined,
    tokensOf: (message: object) => number,
    rates?: Rates,
  ) {
    const total = inputTokens(usage);
    const counts = sent.map((message) => tokensOf(message));
    const counted = counts.reduce((sum, one) => sum + one, 0);
    const beside = counted === 0 ? total : Math.min(overhead, total);
    const ratio = counted === 0 ? 0 : (total - beside) / counted;
    const cost = rates === undefined ? () => 0 : costOfFirst(usage, rates);
    this.beside.tokens += beside;
    this.beside.cost += cost(beside);
    this.beside.requests++;
    let upTo = beside;
    for (const [place, message] of sent.entries()) {
      const next = upTo + counts[place] * ratio;
      const index = indexOf(message);
      if (index === undefined) {
        this.left.tokens += next - upTo;
        this.left.cost += cost(next) - cost(upTo);
      } else {
        this.#requests.add(index, index + 1, 1);
        this.#sent.add(index, index + 1, ratio);
        this.#across[index] += cost(next) - cost(upTo);
      }
      upTo = next;
    }
    this.left.requests++;
  }

  /** Takes the cost of a reply, which the messages `from .. to` say. */
  addReply(from: number, to: number, cost: number) {
    const counted = this.#upTo[to] - this.#upTo[from];
    if (counted === 0) this.beside.cost += cost;
    else for (let at = from; at < to; at++) this.#across[at] += (cost * this.#tokens[at]) / counted;
  }

  /** What a message took so far. */
  of(index: number): Entry {
    const tokens = this.#tokens[index];
    return {
      tokens: tokens * this.#sent.at(index),
      cost: tokens * this.#rates.at(index) + this.#across[index],
      requests: Math.round(this.#requests.at(index)),
    };
  }
}

export const since = (all: Entry, before: Entry): Entry => ({
  tokens: all.tokens - before.tokens,
  cost: all.cost - before.cost,
  requests: all.requests - before.requests,
});

export const shareOfEntry = ({ tokens, cost, requests }: Entry, share: number): Entry => ({
  tokens: tokens * share,
  cost: cost * share,
  requests,
});
