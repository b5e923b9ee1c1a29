// @ts-check
// What requests cost, by the list of `@pydantic/genai-prices`.
import { calcPrice } from '@pydantic/genai-prices';

/** @typedef {import('../types.d.ts').Usage} Usage */

/**
 * US dollars of a token.
 *
 * @typedef {object} Rates
 * @property {number} input
 * @property {number} read from the cache
 * @property {number} write to the cache, for minutes or an hour as the request did
 * @property {number} output
 */

/**
 * @typedef {object} Price
 * @property {(usage: Usage) => number} costOf US dollars of a request
 * @property {(usage: Usage) => Rates} ratesOf those of a request
 * @property {{ read: number, write: number }} multiples prices of a token that is read from the cache and of one that is not, as multiples of uncached input
 * @property {string} provider id in the list
 */

/** Names of a model to look up: as it is, and without what gateways put around it. @param {string} model */
function namesOf(model) {
  const last = model.slice(model.lastIndexOf('/') + 1);
  // Amazon Bedrock: region and vendor before the name, a version behind it.
  const bare = last
    .replace(/^(?:[a-z-]+\.)+(?=[a-z])/, '')
    .replace(/(?:-v\d+)?:\d+$/, '')
    .replace(/[:@].*$/, '');
  return [...new Set([model, last, bare])];
}

/**
 * The price of a token in a request of so many: a number, or a base and tiers. The tier that a request reaches holds for all of its tokens.
 *
 * @param {any} price US dollars for a million tokens
 * @param {number} input tokens of the whole request
 * @returns {number | undefined}
 */
function priceAt(price, input) {
  if (price === undefined || typeof price === 'number') return price;
  /** @type {{ base: number, tiers: { start: number, price: number }[] }} */
  const { base, tiers } = price;
  return tiers.filter(({ start }) => input > start).sort((a, b) => b.start - a.start)[0]?.price ?? base;
}

/**
 * Returns a function that finds prices. Each model is looked up once, because that takes half a millisecond.
 *
 * @param {number} now time at which the prices hold, in ms
 * @returns {(model: string | undefined) => Price | undefined} undefined if the list does not have the model
 */
export function createPrices(now) {
  /** @type {Map<string, Price | undefined>} */
  const known = new Map();
  const timestamp = new Date(now);
  /** @param {string} model @returns {Price | undefined} */
  const lookUp = (model) => {
    const found = namesOf(model)
      .map((name) => calcPrice({ input_tokens: 1, output_tokens: 1 }, name, { timestamp }))
      .find((one) => one !== null);
    if (!found || found.model_price.input_mtok === undefined || found.model_price.output_mtok === undefined) return undefined;
    const { input_mtok, output_mtok, cache_read_mtok = input_mtok, cache_write_mtok = input_mtok } = found.model_price;
    const { cache_write_1h_mtok = cache_write_mtok } = found.model_price;
    const base = priceAt(input_mtok, 0) || 1;
    /** @type {Price['ratesOf']} */
    const ratesOf = ({ input, cacheRead, cacheWrite, cacheWriteHour = 0 }) => {
      const all = input + cacheRead + cacheWrite;
      const at = (/** @type {any} */ price) => (priceAt(price, all) ?? 0) / 1e6;
      const forHour = cacheWrite === 0 ? 0 : cacheWriteHour / cacheWrite;
      return {
        input: at(input_mtok),
        read: at(cache_read_mtok),
        write: (1 - forHour) * at(cache_write_mtok) + forHour * at(cache_write_1h_mtok),
        output: at(output_mtok),
      };
    };
    return {
      costOf: (usage) => {
        const rates = ratesOf(usage);
        return usage.input * rates.input + usage.cacheRead * rates.read + usage.cacheWrite * rates.write + usage.output * rates.output;
      },
      ratesOf,
      multiples: { read: (priceAt(cache_read_mtok, 0) ?? base) / base, write: (priceAt(cache_write_mtok, 0) ?? base) / base },
      provider: found.provider.id,
    };
  };
  return (model) => {
    if (model === undefined) return undefined;
    if (!known.has(model)) known.set(model, lookUp(model));
    return known.get(model);
  };
}
