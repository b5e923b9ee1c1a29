import type { Fields } from './shapes.js';
import type { Foreign, Path } from '../../types.js';

/** Makes a shallow copy with the same own keys in the same order; an instance stays an instance. */
export function copyOf<T extends object>(value: T): T {
  if (Array.isArray(value)) return value.slice() as T & unknown[];
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return { ...value };
  const copy: T = Object.create(prototype);
  for (const key of Reflect.ownKeys(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key) as PropertyDescriptor;
    // The copy of a frozen object can be edited.
    if ('value' in property) property.writable = true;
    Object.defineProperty(copy, key, { ...property, configurable: true });
  }
  return copy;
}

/** Sets an own property, even one named `__proto__`. */
export function setOwn(object: object, key: string | number, value: unknown) {
  if (key !== '__proto__') (object as Fields)[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Replaces the value at `path` and copies the objects along the path, unless they are copies already.
 *
 * @param owned the copies so far
 * @returns `root` or the copy of it; with an empty path the value
 */
export function setIn(root: Foreign, path: Path, value: unknown, owned: Set<object>, depth = 0): Foreign {
  if (depth === path.length) return value;
  let copy: Fields = root;
  if (!owned.has(root)) {
    copy = copyOf(copy);
    owned.add(copy);
  }
  const key = path[depth];
  setOwn(copy, key, setIn(copy[key], path, value, owned, depth + 1));
  return copy;
}

/** The value at `path`; undefined where there is none. */
export function getIn(root: unknown, path: Path): Foreign {
  let value = root;
  for (const key of path) value = value !== null && typeof value === 'object' ? (value as Fields)[key] : undefined;
  return value;
}
