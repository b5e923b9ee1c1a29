// Options about money: what tokens cost, and what may be spent.

import { isObject, mismatch, stepOf } from '../checks.js';
import * as kinds from './kinds.js';
import type { Table } from './shared.js';
import type { MaxCost, Prices } from '../../index.js';

/** Above all there are, in any currency, and so low that no sum of costs is infinite. */
const HIGHEST = 1e9;
const price = kinds.numberWhere((value) => value >= 0 && value <= HIGHEST, `a price of a million tokens from 0 to ${HIGHEST}`);
const amount = kinds.numberWhere((value) => value > 0 && value < Infinity, 'an amount of money above 0');

const ofPrices = { input: { kind: price, isRequired: true }, output: { kind: price, isRequired: true } } satisfies Table<Prices>;
/** What a million tokens cost. */
export const prices = kinds.object(ofPrices);

/** An amount for each of some tags. */
function byTag(name: string, value: unknown): void {
  if (!isObject(value)) throw mismatch(name, 'an object with an amount of money for each tag', value);
  for (const [tag, most] of Object.entries(value)) if (most !== undefined && most !== null) amount(`${name}${stepOf(tag)}`, most, {});
}

const ofMaxCost = {
  session: { kind: amount },
  day: { kind: amount },
  tags: { kind: byTag },
  refuse: { kind: kinds.boolean, default: false },
} satisfies Table<MaxCost>;
const budgets = kinds.object(ofMaxCost);

/** How much may be spent; one number is for the session. */
export function maxCost(name: string, value: unknown, options: Record<string, unknown>): void {
  if (typeof value === 'number') amount(name, value, options);
  else if (isObject(value)) budgets(name, value, options);
  else throw mismatch(name, 'an amount of money or an object with session, day or tags', value);
  if (options.prices === undefined || options.prices === null)
    throw new TypeError(`${name} needs options.prices, what a million tokens cost: { input, output }`);
}
maxCost.options = ofMaxCost;
