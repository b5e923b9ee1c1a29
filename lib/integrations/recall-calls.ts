import type { Session } from '../../index.d.ts';

// Which request a call of the recall tool answers. A wrong answer shows a user what somebody else wrote, so whatever is not certain is not
// known: ids that several requests have, and calls of an answer whose conversation went on without them.

/** A request that a session chose the messages of. */
class Asked {
  session: Session<object>;
  number: number;
  length: number;
  /** Another request of the session has no more messages than this one: both answers follow the same history, and one of them may be somebody else's. */
  isRepeated = false;

  /**
   * @param number of the request in its session
   * @param length number of its messages
   */
  constructor(session: Session, number: number, length: number) {
    this.session = session;
    this.number = number;
    this.length = length;
  }

  /** Whether the session was given no later request: what it recalls is still of this one. */
  get isLast() {
    return latest.get(this.session) === this;
  }

  /** Whether this request contains the results of the calls that answered another one. */
  follows(other: Asked) {
    return this.session === other.session && this.number > other.number && this.length > other.length && !other.isRepeated;
  }
}

/** The last request of each session. */
const latest: WeakMap<Session, Asked> = new WeakMap();

/** Records that a session is about to be given a request. */
export function ask(session: Session, { length }: readonly unknown[]) {
  const before = latest.get(session);
  const asked = new Asked(session, (before?.number ?? 0) + 1, length);
  if (before !== undefined && length <= before.length) before.isRepeated = asked.isRepeated = true;
  latest.set(session, asked);
  return asked;
}

/** Maximum number of ids that are known to be of no use. */
const MAX_LOST = 10_000;

/** The requests that the latest calls of the recall tool answer. */
export class Calls {
  #max;
  #byText: Map<string, Asked> = new Map();
  /** Null: several requests have it. */
  #byObject: WeakMap<object, Asked | null> = new WeakMap();
  /** Ids of which nobody can tell any more whose they are. */
  #lost: Set<string> = new Set();

  /** @param max number of calls whose requests are remembered */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * @param key a text or an object that may identify a call
   * @param asked null: a request that no session chose the messages of
   * @param isUnique no other conversation has the key
   */
  add(key: unknown, asked: Asked | null, isUnique: boolean = false) {
    if (key !== null && typeof key === 'object') this.#byObject.set(key, kept(this.#byObject.get(key), asked, isUnique));
    if (typeof key !== 'string' || key === '') return;
    const one = kept(this.#textual(key), asked, isUnique);
    this.#byText.delete(key);
    this.#lost.delete(key);
    if (one === null) return this.#lose(key);
    this.#byText.set(key, one);
    if (this.#byText.size <= this.#max) return;
    // Whose id it was is forgotten, but not that it was somebody's.
    const [oldest] = this.#byText.keys();
    this.#byText.delete(oldest);
    this.#lose(oldest);
  }

  /**
   * Returns the request of a call; null if it can't be told, undefined if nothing is known of these keys.
   *
   * @param keys each may tell alone
   */
  of(keys: unknown[]) {
    const found = keys.map((key) => (key !== null && typeof key === 'object' ? this.#byObject.get(key) : this.#textual(key)));
    return found.find(Boolean) ?? (found.includes(null) ? null : undefined);
  }

  #textual(key: unknown) {
    return this.#lost.has(key as string) ? null : this.#byText.get(key as string);
  }

  #lose(key: string) {
    this.#lost.add(key);
    if (this.#lost.size > MAX_LOST) this.#lost.delete(this.#lost.values().next().value as string);
  }
}

/** Returns the request that a key stands for from now on; null if that can't be told. */
function kept(before: Asked | null | undefined, asked: Asked | null, isUnique: boolean) {
  if (before === undefined || before === asked || isUnique) return asked;
  return before !== null && asked?.follows(before) ? asked : null;
}
