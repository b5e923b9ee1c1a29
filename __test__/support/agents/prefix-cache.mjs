// Caches that match any prefix, as those of OpenAI and Gemini: nothing is marked, and nothing is said about writes.
import { encoded, sumTokens } from './tokens.mjs';

/** Tokens at the start of `after` that `before` begins with, too. */
function sharedTokens(before, after) {
  let tokens = 0;
  for (const [i, piece] of after.entries()) {
    const other = before[i];
    if (other?.head !== piece.head) return tokens;
    if (other.text === piece.text) {
      tokens += piece.tokens;
      continue;
    }
    const [old, now] = [encoded(other.text), encoded(piece.text)];
    let same = 0;
    while (same < old.length && same < now.length && old[same] === now[same]) same++;
    return tokens + piece.fixed + same;
  }
  return tokens;
}

export class PrefixCache {
  #entries = new Map(); // key → [{ pieces, tokens, used }]
  #minimum;
  #step;
  #ttl;

  /**
   * @param {object} rules
   * @param {number} rules.minimum tokens of the shortest prefix
   * @param {number} rules.step prefixes are multiples of so many tokens
   * @param {number} rules.ttl ms after the last request that began with it
   */
  constructor({ minimum, step, ttl }) {
    this.#minimum = minimum;
    this.#step = step;
    this.#ttl = ttl;
  }

  /**
   * Reads what a request begins with, and keeps the request.
   * @param {string} key model, and what else keeps caches apart
   */
  use(key, pieces, now) {
    let best = 0;
    const live = (this.#entries.get(key) ?? []).filter((entry) => {
      if (now - entry.used > this.#ttl) return false;
      const shared = sharedTokens(entry.pieces, pieces);
      best = Math.max(best, shared);
      // A request that goes on from an earlier one stands for it.
      return shared < entry.tokens;
    });
    live.push({ pieces, tokens: sumTokens(pieces), used: now });
    this.#entries.set(key, live);
    const cached = Math.floor(best / this.#step) * this.#step;
    return { cached: cached < this.#minimum ? 0 : cached, written: 0 };
  }
}
