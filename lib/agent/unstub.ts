import { copyOf, setOwn } from '../providers/shared/copy.js';
import { fingerprintOf } from '../equality/fingerprint.js';
import { keysIn } from './marker.js';
import { rebuild } from './structure.js';
import { walked } from './marked.js';
import { placeKind } from './stubs.js';
import type { Place, Stub } from './rounds.js';
import type { Path } from '../types.js';

const ABSENT = Symbol('there was nothing');

/** A place of a stub, so many levels above the value that is read. */
type Above = { key: string; place: Place; up: number };

/** Returns the original in the place of a stub. */
function originalOf(place: Place) {
  if (!Object.hasOwn(place, 'value') || place.value === undefined) return ABSENT;
  return rebuild([place.value], [])[0];
}

/**
 * Replaces the stubs in one message by the originals.
 *
 * @param stubs entries by key
 * @param found gets the keys that were restored
 * @returns the message, or a copy of it
 */
export function restoreStubs(message: object, stubs: ReadonlyMap<string, Pick<Stub, 'places'>>, found: Set<string>): object {
  const done = new Map<object, unknown>(); // objects that stand twice stay one
  const path: Path = [];
  /** Places above the text that was just read: checked on the way up. */
  let above: Above[] = [];

  const fits = (value: unknown, place: Place) => place.in === placeKind(message, path) && fingerprintOf(value) === place.written;
  const take = (key: string, place: Place) => {
    found.add(key);
    return originalOf(place);
  };

  const visit = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      for (const key of keysIn(value)) {
        for (const place of stubs.get(key)?.places ?? []) {
          if (place.up > 0) above.push({ key, place, up: place.up });
          else if (fits(value, place)) return take(key, place);
        }
      }
      return value;
    }
    if (!walked(value, depth)) return value;
    if (done.has(value)) return done.get(value);
    let result = value;
    const waiting: Above[] = [];
    for (const key of Object.keys(value)) {
      above = [];
      path.push(Array.isArray(value) ? Number(key) : key);
      const inner = visit(value[key], depth + 1);
      path.pop();
      for (const { key: name, place, up } of above) {
        if (up > 1) waiting.push({ key: name, place, up: up - 1 });
        else if (fits(value, place)) {
          above = [];
          const original = take(name, place);
          done.set(value, original);
          return original;
        }
      }
      if (inner === value[key]) continue;
      if (result === value) result = copyOf(value);
      if (inner === ABSENT) delete result[key];
      else setOwn(result, key, inner);
    }
    above = waiting;
    done.set(value, result);
    return result;
  };
  return visit(message, 0) as object;
}
