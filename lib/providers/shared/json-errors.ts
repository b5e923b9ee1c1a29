import { describe, stepsOf, unreadable } from '../../checks.js';
import { misplaced } from '../../places.js';
import { isNest, MAX_LEVELS } from './nest.js';
import type { Fields } from './shapes.js';

/** A value of which the members are being visited. */
interface Step {
  value: Fields;
  key: string | number | undefined;
  keys: string[];
  next: number;
  height: number;
}

/**
 * Visits each value once, and throws for the first that JSON cannot hold, naming its place.
 *
 * @param place what errors call it
 * @param levels maximum nesting, where `root` describes something that is nested less
 */
export function checkJson(root: unknown, place: () => string, isText: boolean = true, levels: number = MAX_LEVELS) {
  const heights: Map<unknown, number | undefined> = new Map(); // height of each finished value; undefined while it is open
  const open: Step[] = [];
  const enter = (value: Fields, key?: string | number) => {
    const keys = readable(
      () => Object.keys(value),
      () => pathTo(open.length, ...(key === undefined ? [] : [key])),
    );
    heights.set(value, undefined);
    open.push({ value, key, keys, next: 0, height: 0 });
  };
  const pathTo = (depth: number | undefined, ...more: (string | number)[]) =>
    `${place()}${stepsOf([...open.slice(1, depth).map((step) => step.key as string | number), ...more])}`;
  if (root !== null && typeof root === 'object') enter(root as Fields);
  while (open.length > 0) {
    const at = open[open.length - 1];
    if (at.next === at.keys.length) {
      heights.set(at.value, at.height);
      open.pop();
      const outer = open.at(-1);
      if (outer !== undefined) outer.height = Math.max(outer.height, at.height + 1);
      continue;
    }
    const key = Array.isArray(at.value) ? at.next : at.keys[at.next];
    const path = () => pathTo(open.length, key);
    const inner = readable(() => at.value[at.keys[at.next++]], path);
    if (isText && typeof inner === 'bigint') throw misplaced(`${path()} must be a value that JSON has, got ${describe(inner)}`);
    if (!readable(() => isNest(inner), path)) continue;
    const below = heights.get(inner);
    if (heights.has(inner) && below === undefined) {
      const level = open.findIndex((step) => step.value === inner);
      throw misplaced(`${pathTo(level + 1)} is circular`);
    }
    if (open.length + (below ?? 0) > levels) throw misplaced(`${place()} is nested more than ${MAX_LEVELS} levels deep`);
    if (below === undefined) enter(inner as Fields, key);
    else at.height = Math.max(at.height, below + 1);
  }
  if (isText && typeof root === 'bigint') throw misplaced(`${place()} must be a value that JSON has, got bigint`);
}

/** @param place what errors call what is read */
function readable<T>(read: () => T, place: () => string): T {
  try {
    return read();
  } catch (cause) {
    throw misplaced(unreadable(place()), { cause });
  }
}
