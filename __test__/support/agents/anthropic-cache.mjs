// Anthropic's prompt cache: entries end at breakpoints only, and each breakpoint looks back over a number of blocks.
import { createHash } from 'node:crypto';

/** Number of blocks from a breakpoint on at which an entry is looked for, the breakpoint's own included. */
const LOOKBACK = 20;
/** Tokens of the shortest prefix that is kept, by Anthropic's documentation; 1,024 of all other models. */
const MINIMA = [
  [/opus-5(?![-.]?\d)|fable-5-1|mythos-5-1/, 512],
  [/opus-4-7|3-5-haiku/, 2048],
  [/opus-4-[56]|haiku-4-5/, 4096],
];
const minimumOf = (model) => MINIMA.find(([names]) => names.test(model))?.[1] ?? 1024;
const TTL = { '5m': 300_000, '1h': 3_600_000 };

export class AnthropicCache {
  #entries = new Map(); // hash of the prefix → { ttl, until }
  #minimum;

  /** @param {number} [rules.minimum] of all models. Default: of each its own */
  constructor({ minimum } = {}) {
    this.#minimum = minimum;
  }

  /**
   * @param {string} model
   * @param {{ head: string, text: string, tokens: number, ttl?: '5m' | '1h' }[]} blocks in the order tools, system, messages; those with
   * `ttl` are breakpoints
   * @param {number} now ms
   * @returns {{ cached: number, written: number, written5m: number, written1h: number }} tokens
   */
  use(model, blocks, now) {
    const minimum = this.#minimum ?? minimumOf(model);
    let hash = model;
    let tokens = 0;
    const places = blocks.map(({ head, text, tokens: own, ttl }) => {
      hash = createHash('sha256').update(`${hash}\n${head}\n${text}`).digest('base64');
      tokens += own;
      return { hash, tokens, ttl };
    });
    const isLive = (place) => this.#entries.get(place.hash)?.until >= now;

    let read = -1;
    places.forEach(({ ttl }, i) => {
      if (!ttl) return;
      const from = Math.max(0, i - LOOKBACK + 1);
      const hit = places.slice(from, i + 1).findLastIndex(isLive);
      if (hit >= 0) read = Math.max(read, from + hit);
    });
    const cached = read < 0 ? 0 : places[read].tokens;
    // What is read, and all that it begins with, lives as long again.
    for (const place of places.slice(0, read + 1)) {
      if (isLive(place)) this.#keep(place.hash, this.#entries.get(place.hash).ttl, now);
    }

    const writes = { '5m': 0, '1h': 0 };
    let upTo = cached;
    for (const { hash: key, tokens: end, ttl } of places.slice(read + 1)) {
      if (!ttl || end < minimum) continue;
      this.#keep(key, ttl, now);
      writes[ttl] += end - upTo;
      upTo = end;
    }
    return { cached, written: upTo - cached, written5m: writes['5m'], written1h: writes['1h'] };
  }

  #keep(hash, ttl, now) {
    this.#entries.set(hash, { ttl, until: now + TTL[ttl] });
  }
}
