// A provider that bills requests by their bytes and a prompt cache. It shares nothing with the library: another tokenizer's code counts.
import { PrefixCache } from '../../../../__test__/support/agents/prefix-cache.mjs';
import { piece, sumTokens } from '../../../../__test__/support/agents/tokens.mjs';

/** Tokens of the shortest prefix that the cache keeps. */
const MINIMUM = 1024;

/**
 * Returns a function that bills the requests of one conversation, in order.
 *
 * @param {number} times how many tokens it counts for each of o200k
 * @param {object} [more]
 * @param {string} [more.system] instructions and tools of every request
 * @param {boolean} [more.hasWrites] it tells what was written to the cache, as Anthropic does
 * @returns {(messages: object[]) => import('../../src/types.mts').Usage}
 */
export function billing(times, { system = '', hasWrites = false } = {}) {
  const cache = new PrefixCache({ minimum: MINIMUM / times, step: 1, ttl: Number.POSITIVE_INFINITY });
  return (messages) => {
    const pieces = [piece('system', system), ...messages.map((message) => piece('message', JSON.stringify(message)))];
    const total = Math.round(times * sumTokens(pieces));
    const cacheRead = Math.min(total, Math.round(times * cache.use('model', pieces, 0).cached));
    const [input, cacheWrite] = hasWrites ? [0, total - cacheRead] : [total - cacheRead, 0];
    return { input, cacheRead, cacheWrite, output: 100 };
  };
}
