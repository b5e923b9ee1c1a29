// The order of the members of values, in few numbers. A store such as Postgres' `jsonb` returns them in another one.

import { setOwn } from '../providers/shared/copy.js';
import { isNest } from '../providers/shared/nest.js';

const isWalked = (value: unknown): value is Record<string, unknown> => isNest(value);

const keysOf = (object: Record<string, unknown>) =>
  Object.keys(object).filter((key) => object[key] !== undefined && typeof object[key] !== 'function');

/**
 * Returns the orders of all objects in a value: 0 where the keys are sorted, otherwise the number of an order that was there before, or the next
 * number and that order: for each place the key's place among the sorted ones.
 */
export function ordersOf(root: unknown): number[] {
  const numbers = [] as number[];
  const known = new Map<string, number>();
  const walk = (value: unknown) => {
    if (!isWalked(value)) return;
    if (Array.isArray(value)) return value.forEach(walk);
    const keys = keysOf(value);
    const sorted = keys.toSorted();
    const places = new Map(sorted.map((key, place) => [key, place]));
    const order = keys.map((key) => places.get(key) as number);
    const name = order.join();
    if (order.every((place, index) => place === index)) numbers.push(0);
    else if (known.has(name)) numbers.push(known.get(name) as number);
    else {
      known.set(name, known.size + 1);
      numbers.push(known.size, ...order);
    }
    for (const key of sorted) walk(value[key]);
  };
  walk(root);
  return numbers;
}

/** Returns a copy of a value with its members in the orders that {@link ordersOf} gave for it; undefined if these are of another value. */
export function inOrders(root: unknown, numbers: readonly number[]) {
  const known = [] as number[][];
  let at = 0;
  let isRight = true;
  const walk = (value: unknown): unknown => {
    if (!isWalked(value) || !isRight) return value;
    if (Array.isArray(value)) return value.map(walk);
    const sorted = keysOf(value).sort();
    const number = numbers[at++];
    if (number === known.length + 1) {
      known.push(numbers.slice(at, at + sorted.length));
      at += sorted.length;
    }
    const order = number === 0 ? [...sorted.keys()] : (known[number - 1] ?? []);
    isRight &&= order.length === sorted.length && new Set(order).size === order.length && order.every((place) => place < sorted.length);
    const members = sorted.map((key) => walk(value[key]));
    const copy = {};
    if (isRight) for (const place of order) setOwn(copy, sorted[place], members[place]);
    return copy;
  };
  const copy = walk(root);
  return isRight && at === numbers.length ? copy : undefined;
}
