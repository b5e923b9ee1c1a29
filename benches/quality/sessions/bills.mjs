// The cost of requests whose prefixes a provider caches, in tokens at the price of uncached input.

/**
 * Multiples of the price of uncached input. `write`: a token that is not read from the cache, and is written to it. `read`: one
 * that is. `ttl`: for how many ms a prefix can be read after the last request that sent it. With `step`, prefixes are cached in
 * multiples of so many tokens from `minimum` on, also in the middle of a message; without it, at the ends of requests only, and at the end of what is
 * in front of the messages, unless `isFrontUnmarked`.
 */
export const PRICES = {
  anthropic: { write: 1.25, read: 0.1, ttl: 300_000 },
  openai: { write: 1, read: 0.1, ttl: 600_000, step: 128, minimum: 1024 },
};
const GPT_56 = { write: 1.25, read: 0.1, ttl: 1_800_000 };
/** GPT-5.6 and later: with a breakpoint at the end of the front, and with those at the ends of requests alone. */
export const EXPLICIT = { explicit: GPT_56, implicit: { ...GPT_56, isFrontUnmarked: true } };
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

  #end = ({ messages }) => this.#ends.findLast((end) => end <= messages);

  #readable(request) {
    const { upTo, tokens, partial } = request;
    const { step, minimum } = this.#prices;
    if (!step) return upTo[this.#end(request) ?? 0];
    const cached = Math.floor((tokens + partial) / step) * step;
    return cached < minimum ? 0 : cached;
  }

  /**
   * @param {object} request of `reuse`
   * @param {number} idle ms since the last one
   * @param {{ input: number, output: number }} [summary] tokens of a call that sums up; it reads what was sent last
   * @param {number} [fixed] tokens in front of the messages, which are the same in each request
   */
  add(request, idle, summary, fixed = 0) {
    const { write, read, ttl, isFrontUnmarked } = this.#prices;
    const cached = idle <= ttl ? this.#readable(request) : 0;
    const isFrontCached = idle <= ttl && !(isFrontUnmarked && this.#end(request) === undefined);
    this.#ends = [...this.#ends.filter((end) => end <= request.messages), request.upTo.length - 1];
    this.cached += cached;
    this.cost += read * cached + write * (request.total - cached) + (isFrontCached ? read : write) * fixed;
    if (summary) this.cost += (idle <= ttl ? read : write) * summary.input + OUTPUT * summary.output;
  }
}
