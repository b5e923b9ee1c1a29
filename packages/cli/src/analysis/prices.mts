// What requests cost, by the list of `@pydantic/genai-prices`.
import { calcPrice } from '@pydantic/genai-prices';
import type { ModelInfo, ModelPrice } from '@pydantic/genai-prices';
import { multipleOf } from './tiers.mjs';
import type { Usage } from '../types.mjs';

/** Tokens that a request may have, whatever window the list gives: models of 200,000 took 1M of whoever asked, and GPT-5.5 takes 1.05M. */
const MIN_WINDOW = 1_050_000;

/** A price in the list. */
type MaybeTiered = ModelPrice['input_mtok'];

/** US dollars of a token. */
export interface Rates {
  input: number;
  /** from the cache */
  read: number;
  /** to the cache, for minutes or an hour as the request did */
  write: number;
  output: number;
}

export interface Price {
  /** whether the tier that served a request has a price */
  isKnown: (usage: Usage) => boolean;
  /** US dollars of a request */
  costOf: (usage: Usage) => number;
  /** of these, those of its answer: the output, and what tools were called */
  answerCostOf: (usage: Usage) => number;
  /** those of a request */
  ratesOf: (usage: Usage) => Rates;
  /** names of the tools that a request called and that have no price */
  toolsWithout: (usage: Usage) => string[];
  /** tokens of the longest request, where the list has them */
  window?: number;
  /** prices of a token that is read from the cache and of one that is not, as multiples of uncached input */
  multiples: { read: number; write: number };
  /** id in the list */
  provider: string;
}

/** Names of a model to look up: as it is, and without what gateways put around it. */
function namesOf(model: string) {
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
 * @param price US dollars for a million tokens
 * @param input tokens of the whole request
 */
function priceAt(price: MaybeTiered, input: number): number | undefined {
  if (price === undefined || typeof price === 'number') return price;
  const { base, tiers }: { base: number; tiers: { start: number; price: number }[] } = price;
  return tiers.filter(({ start }) => input > start).sort((a, b) => b.start - a.start)[0]?.price ?? base;
}

const HALF_HOUR = 1_800_000;

/** Names the time from which to which prices hold: from a day on, or from one half hour of each day to another. */
function periodsOf(prices: ModelInfo['prices']): (time: number) => string {
  const constraints = Array.isArray(prices) ? prices.flatMap(({ constraint }) => (constraint ? [constraint] : [])) : [];
  const starts = constraints.flatMap((one) => (one.type === 'start_date' ? [Date.parse(one.start_date)] : []));
  const isDaily = starts.length < constraints.length;
  return (time) => `${starts.filter((start) => start <= time).length} ${isDaily ? Math.floor(time / HALF_HOUR) % 48 : ''}`;
}

/** What the list says of a model at a time. */
const findIn = (names: string[], time: number) =>
  names.map((name) => calcPrice({ input_tokens: 1, output_tokens: 1 }, name, { timestamp: new Date(time) })).find((one) => one !== null) ??
  undefined;

/** Names the time at which prices of a model are those of another: equal names have equal prices. */
export const periodIn = (model: string, time: number) => periodsOf(findIn(namesOf(model), time)?.model.prices ?? {})(time);

/**
 * Returns a function that finds the price of a model at a time. Each is looked up once, because that takes half a millisecond.
 *
 * @param now time at which prices hold where none is given, in ms
 * @returns undefined if the list does not have the model
 */
export function createPrices(now: number): (model: string | undefined, time?: number) => Price | undefined {
  const known: Map<string, { periodOf: (time: number) => string; prices: Map<string, Price | undefined> }> = new Map();
  const lookUp = (model: string, time: number): Price | undefined => {
    const names = namesOf(model);
    const found = findIn(names, time);
    if (!found || found.model_price.input_mtok === undefined || found.model_price.output_mtok === undefined) return undefined;
    const { input_mtok, output_mtok, cache_read_mtok = input_mtok, cache_write_mtok = input_mtok } = found.model_price;
    const { cache_write_1h_mtok = cache_write_mtok } = found.model_price;
    const base = priceAt(input_mtok, 0) || 1;
    const { provider } = found;
    const served = (usage: Usage) => multipleOf(provider.id, names.at(-1) ?? model, usage);
    const ratesOf: Price['ratesOf'] = (usage) => {
      const { input, cacheRead, cacheWrite, cacheWriteHour = 0 } = usage;
      const all = input + cacheRead + cacheWrite;
      const multiple = (served(usage) ?? 0) / 1e6;
      const at = (price: MaybeTiered) => (priceAt(price, all) ?? 0) * multiple;
      const forHour = cacheWrite === 0 ? 0 : cacheWriteHour / cacheWrite;
      return {
        input: at(input_mtok),
        read: at(cache_read_mtok),
        write: (1 - forHour) * at(cache_write_mtok) + forHour * at(cache_write_1h_mtok),
        output: at(output_mtok),
      };
    };
    const list: Record<string, number | undefined> = {
      'web search': priceAt(found.model_price.web_searches_kcount, 0),
      'file search': priceAt(found.model_price.storage_searches_kcount, 0),
    };
    const answerCostOf: Price['answerCostOf'] = (usage) => {
      const calls = Object.entries(usage.tools ?? {}).reduce((sum, [name, count]) => sum + (count * (list[name] ?? 0)) / 1e3, 0);
      return usage.output * ratesOf(usage).output + calls;
    };
    const window = found.model.context_window;
    return {
      isKnown: (usage) => served(usage) !== undefined,
      costOf: (usage) => {
        const rates = ratesOf(usage);
        return usage.input * rates.input + usage.cacheRead * rates.read + usage.cacheWrite * rates.write + answerCostOf(usage);
      },
      answerCostOf,
      ratesOf,
      toolsWithout: ({ tools = {} }) => Object.keys(tools).filter((name) => list[name] === undefined),
      ...(window !== undefined && { window: Math.max(window, MIN_WINDOW) }),
      multiples: { read: (priceAt(cache_read_mtok, 0) ?? base) / base, write: (priceAt(cache_write_mtok, 0) ?? base) / base },
      provider: provider.id,
    };
  };
  return (model, time = now) => {
    if (model === undefined) return undefined;
    const own = known.get(model) ?? { periodOf: periodsOf(findIn(namesOf(model), now)?.model.prices ?? {}), prices: new Map() };
    known.set(model, own);
    const period = own.periodOf(time);
    if (!own.prices.has(period)) own.prices.set(period, lookUp(model, time));
    return own.prices.get(period);
  };
}
