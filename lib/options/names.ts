import { isObject, read, stepOf } from '../checks.js';
import type { Options } from './kinds.js';

/** An object of options: what errors call it, and its names. */
export type Scope = { at: string; names: Names };

/** The names that an object of options may have. */
export class Names {
  #all: Map<string, { inner: Names | undefined; each: Names | undefined }>;

  constructor(options: Options) {
    const namesOf = (inner: Options | undefined) => inner && new Names(inner);
    this.#all = new Map(
      Object.entries(options).map(([name, { kind }]) => [name, { inner: namesOf(kind.options), each: namesOf(kind.each) }]),
    );
  }

  /**
   * Calls `onUnknown` for each name that is none of these, also in the objects below. Names whose value is undefined are passed over:
   * programs write them when they hand on what they were not given.
   *
   * @param at what errors call the object
   * @param onUnknown gets the name, and the objects that it is in from the inside out
   */
  check(given: Record<string, unknown>, at: string, onUnknown: (name: string, scopes: Scope[]) => void, around: Scope[] = []) {
    for (const name in given) {
      const known = this.#all.get(name);
      const scopes = [{ at, names: this }, ...around];
      if (known === undefined) {
        if (isGiven(given, name)) onUnknown(name, scopes);
        continue;
      }
      const { inner, each } = known;
      if (inner === undefined && each === undefined) continue;
      const value = read(given, name, at);
      if (!isObject(value)) continue;
      inner?.check(value, `${at}.${name}`, onUnknown, scopes);
      if (each === undefined) continue;
      for (const key of Object.keys(value)) {
        const member = value[key];
        if (isObject(member)) each.check(member, `${at}.${name}${stepOf(key)}`, onUnknown, scopes);
      }
    }
  }

  own() {
    return [...this.#all.keys()];
  }

  /** @returns the names, and behind them the paths to those of the objects below */
  paths(): string[] {
    const below = [...this.#all].flatMap(([name, { inner }]) => (inner?.paths() ?? []).map((path) => `${name}.${path}`));
    return [...this.own(), ...below.sort((a, b) => depthOf(a) - depthOf(b))];
  }
}

/** What a library adds to all objects is no option. */
const isGiven = (given: Record<string, unknown>, name: string) =>
  (Object.hasOwn(given, name) || !(name in Object.prototype)) && given[name] !== undefined;

const depthOf = (path: string) => path.split('.').length;
