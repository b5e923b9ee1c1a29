// The cost of requests whose prefixes a provider caches, in tokens at the price of uncached input.

/**
 * Multiples of the price of uncached input. `write`: a token that is not read from the cache, and is written to it. `read`: one
 * that is. `ttl`: for how many ms a prefix can be read after the last request that sent it. With `step`, prefixes are cached in
 * multiples of so many tokens from `minimum` on, also in the middle of a message; without it, at the ends of requests and at other breakpoints.
 */
export const PRICES = {
  anthropic: { write: 1.25, read: 0.1, ttl: 300_000 },
  openai: { write: 1, read: 0.1, ttl: 600_000, step: 128, minimum: 1024 },
};
/** The price of a token of an answer. */
const OUTPUT = 5;

/** Share of a message's JSON, from 0 to 1, that is the start of another's. */
function sharedStart(before, after) {
  let length = 0;
  while (length < before.length && before[length] === after[length]) length++;
  return length / after.length;
}

/** Compares a request with the one before, both as readings of their messages. */
export function reuse(before, after) {
  const upTo = [0];
  for (const { tokens } of after) upTo.push(upTo.at(-1) + tokens);
  let messages = 0;
  while (messages < before.length && messages < after.length && before[messages] === after[messages]) messages++;
  const [old, now] = [before[messages], after[messages]];
  return {
    /** Messages at the start. */
    messages,
    /** Tokens of the request up to each of its messages. */
    upTo,
    tokens: upTo[messages],
    /** Tokens at the start of the first message that differs. */
    partial: old && now ? Math.floor(now.tokens * sharedStart(old.json, now.json)) : 0,
    total: upTo.at(-1),
  };
}

/** A bill to which requests are added. */
export class Bill {
  cost = 0;
  /** Tokens that were read from the cache. */
  cached = 0;
  #prices;
  /** Numbers of messages of the requests whose ends are cached, in rising order. */
  #ends = [];

  constructor(prices) {
    this.#prices = prices;
  }

  #readable({ messages, upTo, tokens, partial }) {
    const { step, minimum } = this.#prices;
    if (!step) return upTo[this.#ends.findLast((end) => end <= messages) ?? 0];
    const cached = Math.floor((tokens + partial) / step) * step;
    return cached < minimum ? 0 : cached;
  }

  /**
   * @param {object} request of `reuse`
   * @param {number} idle ms since the last one
   * @param {{ input: number, output: number }} [summary] tokens of a call that sums up; it reads what was sent last
   * @param {number} [fixed] tokens in front of the messages, which are the same in each request
   * @param {number[]} [breakpoints] numbers of messages behind which the request has one; there is always one at its end
   */
  add(request, idle, summary, fixed = 0, breakpoints = []) {
    const { write, read, ttl } = this.#prices;
    const cached = idle <= ttl ? this.#readable(request) : 0;
    const ends = [...this.#ends.filter((end) => end <= request.messages), ...breakpoints, request.upTo.length - 1];
    this.#ends = [...new Set(ends)].sort((a, b) => a - b);
    this.cached += cached;
    this.cost += read * cached + write * (request.total - cached) + (idle <= ttl ? read : write) * fixed;
    if (summary) this.cost += (idle <= ttl ? read : write) * summary.input + OUTPUT * summary.output;
  }
}
