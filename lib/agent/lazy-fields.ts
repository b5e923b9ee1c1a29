import type { Foreign } from '../types.js';
import type { PruneReport } from '../../index.js';

/**
 * Returns a function that adds these fields to a report. Their values are those of the object that `make` returns; it is called when one
 * of them is first read. The accessors are the same for all objects, because V8 makes a hidden class for each new pair of them.
 */
export function lazyFields<Name extends keyof PruneReport>(
  ...names: Name[]
): (report: object, make: () => Pick<PruneReport, Name>) => void {
  const key = Symbol(names[0]);
  const fields: [string, PropertyDescriptor & ThisType<any>][] = names.map((name) => [
    name,
    {
      enumerable: true,
      configurable: true,
      get() {
        return this[key]()[name];
      },
      set(value) {
        Object.defineProperty(this, name, { enumerable: true, configurable: true, writable: true, value });
      },
    },
  ]);
  return (report, make) => {
    let made: Foreign;
    const value = () => {
      if (made === undefined) {
        made = make();
        // The function may hold the whole conversation.
        make = () => made;
      }
      return made;
    };
    for (const [name, field] of fields) Object.defineProperty(report, name, field);
    Object.defineProperty(report, key, { value });
  };
}

/** Adds what `reportTools` returns to a report. Most callers never read it, and the arguments of calls need not be read before. */
export const addTools = lazyFields('unknownTools', 'guessedTools', 'warnings');
