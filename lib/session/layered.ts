/** Maximum number of entries that are copied when some are added. */
const MOST = 64;

/** An immutable map: adding entries makes a new one, which shares nearly all entries with the old one. */
export class Layered<Value> {
  readonly #base: ReadonlyMap<string, Value>;
  /** The newest entries, also in place of those of the base. */
  readonly #newest: ReadonlyMap<string, Value>;

  constructor(base: ReadonlyMap<string, Value> = new Map(), newest: ReadonlyMap<string, Value> = new Map()) {
    this.#base = base;
    this.#newest = newest;
  }

  get(key: string): Value | undefined {
    return this.#newest.get(key) ?? this.#base.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  keys(): string[] {
    return [...new Set([...this.#base.keys(), ...this.#newest.keys()])];
  }

  with(added: ReadonlyMap<string, Value>): Layered<Value> {
    if (added.size === 0) return this;
    const newest = new Map([...this.#newest, ...added]);
    return newest.size <= MOST ? new Layered(this.#base, newest) : new Layered(new Map([...this.#base, ...newest]));
  }
}
