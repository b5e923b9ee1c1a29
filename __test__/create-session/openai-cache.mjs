// OpenAI's prompt cache for GPT-5.6 and later, as the types of `openai` 7.57.0 and the guide of `@ai-sdk/openai` describe it: a request writes an entry
// at its end, the implicit breakpoint, and at the latest three explicit ones. What the documentation leaves open is an option.
import { createHash } from 'node:crypto';
import { readBreakpoints } from '../support/providers/openai-breakpoints.mjs';

const MINIMUM = 1024;
const TTL = 30 * 60_000;
/** Explicit breakpoints that a request writes, and breakpoints at which it is looked for an entry. */
const WRITTEN = 3;
const LOOKED_AT = 80;

const withoutMark = (value) => JSON.stringify(value, (key, inner) => (key === 'prompt_cache_breakpoint' ? undefined : inner));

/** A message whose lone text is no block. */
function plain(message) {
  const key = message.output === undefined ? 'content' : 'output';
  const [block, ...others] = Array.isArray(message[key]) ? message[key] : [];
  return others.length === 0 && /^(input_)?text$/.test(block?.type) ? { ...message, [key]: block.text } : message;
}

/** Tokens of a message, whatever breakpoints it has. */
export const tokensOf = (message) => Math.ceil(withoutMark(plain(message)).length / 4);

export class OpenAICache {
  #entries = new Map();
  #api;
  #isMarkedOnly;
  #isLiteral;

  /**
   * @param {'chat' | 'responses'} api
   * @param {object} open `isMarkedOnly`: entries are found at the breakpoints of the request alone, not where an earlier one had its own; `isLiteral`: a
   *   text and a block of that text are not the same
   */
  constructor(api, { isMarkedOnly, isLiteral }) {
    this.#api = api;
    this.#isMarkedOnly = isMarkedOnly;
    this.#isLiteral = isLiteral;
  }

  /** Tokens that a request reads, and its explicit breakpoints; throws where the API would refuse them. */
  send(front, messages, now, model) {
    const explicit = [...new Set(readBreakpoints(this.#api, messages, model))];
    let hash = createHash('sha256').update(JSON.stringify(front.text)).digest('hex');
    let tokens = front.tokens;
    const ends = messages.map((message) => {
      const text = withoutMark(this.#isLiteral ? message : plain(message));
      hash = createHash('sha256').update(hash).update(text).digest('hex');
      tokens += tokensOf(message);
      return { hash, tokens };
    });
    const last = messages.length - 1;
    const looked = this.#isMarkedOnly ? [...explicit.slice(-LOOKED_AT), last] : [...ends.keys()];
    const isThere = (index) => now - (this.#entries.get(ends[index].hash) ?? -Infinity) <= TTL && ends[index].tokens >= MINIMUM;
    const found = Math.max(-1, ...looked.filter(isThere));
    for (let index = 0; index <= found; index++) if (this.#entries.has(ends[index].hash)) this.#entries.set(ends[index].hash, now);
    for (const index of [...explicit.slice(-WRITTEN), last]) this.#entries.set(ends[index].hash, now);
    return { read: ends[found]?.tokens ?? 0, input: tokens, explicit };
  }
}
