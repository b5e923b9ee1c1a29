// What requests cost in money, and what is told or refused when a budget is spent.

import { isCount } from '../checks.js';
import type { Usage } from '../providers/usage.js';
import type { CostEvent, SessionSettings } from '../../index.js';
import type { Cache } from './cache.js';
import type { Tags } from './state.js';

/** What a session spent. It is immutable. */
export interface Spent {
  sum: number;
  /** what of it is the forecast of the last request, until its usage is observed */
  due: number;
}

export const NOTHING_SPENT: Spent = Object.freeze({ sum: 0, due: 0 });

/** The last share of a budget that was told of, by the amount of the budget. */
type Told = ReadonlyMap<number, Share>;
type Share = CostEvent['share'];

/** A budget: its name in `maxCost`, its amount, and its sum where several sessions share it. */
interface Budget {
  name: string;
  max: number;
  shared: Shared | undefined;
}

/** What the sessions of this process spent of a budget that they share on a day. */
interface Shared {
  sum: number;
  told: Map<number, Share>;
}

const DAY = 86_400_000;
const MILLION = 1e6;
/** Days whose sums are kept: what is answered after midnight belongs to the day before, and a session may have a clock of its own. */
const MOST_DAYS = 4;

/** Sums of this process, by day and budget. */
const days: Map<number, Map<string, Shared>> = new Map();

function sharedOn(day: number, key: string): Shared {
  const sums = days.get(day) ?? new Map<string, Shared>();
  // The day that was asked about last is the last one.
  days.delete(day);
  days.set(day, sums);
  if (days.size > MOST_DAYS) days.delete(days.keys().next().value as number);
  const shared = sums.get(key) ?? { sum: 0, told: new Map() };
  sums.set(key, shared);
  return shared;
}

const CODE = 'ERR_PALIMPSEST_COST';

/** Whether an error refuses a request because a budget is spent: no integration may send that request all the same. */
export const isRefusal = (error: unknown) => error instanceof Error && (error as { code?: unknown }).code === CODE;

/** A sum without the tail of digits that adding up leaves. */
const shown = (money: number) => String(Number(money.toPrecision(6)));

/** What a warning says, where nobody else is told. */
export const warningOf = ({ budget, share, spent, max }: Pick<CostEvent, 'budget' | 'share' | 'spent' | 'max'>) =>
  `createSession(): ${100 * share}% of options.maxCost.${budget} is spent, ${shown(spent)} of ${shown(max)}: options.onCost is told each time`;

/** The prices of a session and its budgets. */
export class Costs {
  readonly #prices;
  readonly #max;
  readonly #refuses;
  /** of the session's own budget */
  #told = new Map<number, Share>();

  /** @param options checked; undefined is returned where they have no prices */
  static of({ prices, maxCost }: SessionSettings<object>): Costs | undefined {
    return prices == null ? undefined : new Costs({ ...prices }, typeof maxCost === 'number' ? { session: maxCost } : (maxCost ?? {}));
  }

  constructor(
    prices: NonNullable<SessionSettings['prices']>,
    { session, day, tags, refuse }: Exclude<SessionSettings['maxCost'], number | null | undefined>,
  ) {
    this.#prices = prices;
    this.#max = { session, day, tags: Object.entries(tags ?? {}) };
    this.#refuses = refuse === true;
  }

  /** The day in UTC of a time in ms, for which budgets are shared; undefined where none is. */
  dayAt(now: () => number): number | undefined {
    if (this.#max.day == null && this.#max.tags.length === 0) return undefined;
    const time = now();
    // A time that is none is refused where the request is chosen.
    return Number.isFinite(time) ? Math.floor(time / DAY) : undefined;
  }

  /**
   * What a request is going to cost without its answer.
   *
   * @param tokens at the price of uncached input
   */
  forecast(tokens: number) {
    return (tokens * this.#prices.input) / MILLION;
  }

  /** What a request and its answer have cost. */
  paid({ input, cached = 0, written = 0, output = 0 }: Usage, { read, write }: Cache) {
    const fromCache = Math.min(cached, input);
    const toCache = Math.min(written, input - fromCache);
    const tokens = input - fromCache - toCache + read * fromCache + write * toCache;
    return (tokens * this.#prices.input + output * this.#prices.output) / MILLION;
  }

  /** Adds money to the sums that the session shares with others, in place of its forecast in them. */
  share(money: number, day: number | undefined, tags: Tags | undefined, forecast = 0) {
    for (const { shared } of this.#budgets(day, tags)) if (shared !== undefined) shared.sum = Math.max(0, shared.sum - forecast) + money;
  }

  /** Yields what is to be told of the budgets, each once. Who goes on after an error is told of the rest. */
  *news(spent: Spent, day: number | undefined, tags: Tags | undefined): Generator<Pick<CostEvent, 'budget' | 'share' | 'spent' | 'max'>> {
    for (const { name, max, shared } of this.#budgets(day, tags)) {
      const sum = shared?.sum ?? spent.sum;
      const told = shared?.told ?? this.#told;
      const share = sum >= max ? 1 : sum >= 0.8 * max ? 0.8 : undefined;
      if (share === undefined || share <= (told.get(max) ?? 0)) continue;
      told.set(max, share);
      yield { budget: name, share, spent: sum, max };
    }
  }

  /**
   * Refuses a request where a budget is spent and the options want that.
   *
   * @throws {Error} with the code `ERR_PALIMPSEST_COST`
   */
  check(spent: Spent, day: number | undefined, tags: Tags | undefined) {
    if (!this.#refuses) return;
    for (const { name, max, shared } of this.#budgets(day, tags)) {
      const sum = shared?.sum ?? spent.sum;
      if (sum < max) continue;
      const wait = shared === undefined ? '' : ', or go on when the day ends (UTC)';
      const text = `next(): options.maxCost.${name} is spent, ${shown(sum)} of ${shown(max)}: raise it in createSession(options, session)${wait}`;
      throw Object.assign(new Error(text), { code: CODE, budget: name, spent: sum, max });
    }
  }

  /** What was told of the session's own budget, to be saved. */
  get told(): Told {
    return this.#told;
  }

  /** Takes up what a saved session was told. */
  wasTold(told: Told) {
    for (const [max, share] of told) if (share > (this.#told.get(max) ?? 0)) this.#told.set(max, share);
  }

  /** The budgets that have an amount, and a tag if they are of one. */
  *#budgets(day: number | undefined, tags: Tags | undefined): Generator<Budget> {
    const max = this.#max;
    if (max.session != null) yield { name: 'session', max: max.session, shared: undefined };
    if (day === undefined) return;
    if (max.day != null) yield { name: 'day', max: max.day, shared: sharedOn(day, '') };
    for (const [tag, most] of max.tags) {
      const value = tags !== undefined && Object.hasOwn(tags, tag) ? tags[tag] : undefined;
      if (most != null && value !== undefined)
        yield { name: `tags.${tag}`, max: most, shared: sharedOn(day, JSON.stringify([tag, value])) };
    }
  }
}

/** What a saved state has of what was spent, and told of that. */
export const savedSpent = ({ sum, due }: Spent, told: Told | undefined) =>
  sum === 0 ? {} : { spent: [sum, due, ...(told === undefined ? [] : [...told].flat())] };

/** Reads what {@link savedSpent} wrote; undefined for anything else. */
export function spentIn(json: unknown): { spent: Spent; told: Told } | undefined {
  if (json === undefined) return { spent: NOTHING_SPENT, told: new Map() };
  if (!Array.isArray(json) || json.length < 2 || json.length % 2 !== 0 || !json.every(isCount)) return undefined;
  const [sum, due, ...pairs] = json as number[];
  const told = new Map<number, Share>();
  for (let at = 0; at < pairs.length; at += 2) told.set(pairs[at], pairs[at + 1] >= 1 ? 1 : 0.8);
  return { spent: { sum, due: Math.min(sum, due) }, told };
}
