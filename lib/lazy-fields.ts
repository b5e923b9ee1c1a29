/** Key of the method by which `console.log` shows an object. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Shows the values of an object in the place of its getters. */
export const SHOWN = { [INSPECT]: { value: valuesOf } };

function valuesOf(this: object) {
  return { ...this };
}

/**
 * Returns a function that adds these fields to an object. Their values are those of the object that `make` returns; it is called when one
 * of them is first read. The accessors are the same for all objects, because V8 makes a hidden class for each new pair of them.
 *
 * @param enumerable whether JSON, copies and comparisons see them
 */
export function lazyFields<T>(names: readonly (keyof T & string)[], enumerable = true): (object: object, make: () => Partial<T>) => void {
  const key = Symbol(names[0]);
  const fields: [string, PropertyDescriptor & ThisType<Record<symbol, () => Partial<T>>>][] = names.map((name) => [
    name,
    {
      enumerable,
      configurable: true,
      get() {
        return this[key]()[name];
      },
      set(value: unknown) {
        Object.defineProperty(this, name, { enumerable, configurable: true, writable: true, value });
      },
    },
  ]);
  return (object, make) => {
    let made: Partial<T> | undefined;
    const value = () => {
      if (made === undefined) {
        made = make();
        // The function may hold the whole conversation.
        make = () => made as Partial<T>;
      }
      return made;
    };
    for (const [name, field] of fields) Object.defineProperty(object, name, field);
    Object.defineProperty(object, key, { value });
  };
}
