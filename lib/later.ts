import type { Foreign } from './types.js';

/**
 * A function of another file, which is loaded at the first call.
 *
 * @param name what the file exports it as
 * @param length number of its parameters
 * @param load returns what the file exports
 */
export function later<F>(name: string, length: number, load: () => Record<string, any>): F {
  let found: Foreign;
  const call = (...all: unknown[]) => {
    found ??= load()[name];
    return found(...all);
  };
  return Object.defineProperties(call, { name: { value: name }, length: { value: length } }) as F;
}
