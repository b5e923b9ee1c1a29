/**
 * A function of another file, which is loaded at the first call.
 *
 * @param name what the file exports it as
 * @param length number of its parameters
 * @param load returns what the file exports
 */
export function later<F>(name: string, length: number, load: () => object): F {
  let found: ((...all: unknown[]) => unknown) | undefined;
  const call = (...all: unknown[]) => {
    found ??= (load() as Record<string, typeof call>)[name];
    return found(...all);
  };
  return Object.defineProperties(call, { name: { value: name }, length: { value: length } }) as F;
}
