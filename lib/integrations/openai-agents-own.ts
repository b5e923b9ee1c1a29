/** What is read of an item. */
interface Item {
  type?: unknown;
  role?: unknown;
  id?: unknown;
  callId?: unknown;
}

/**
 * The messages that a run was given, in requests to which a filter is applied. The SDK stores these in its session as the filter returns
 * them, so they have to go out whole: shortened ones would be lost, and for removed ones it would store another item in their place. All
 * other items it stores as they were.
 */
export class OwnMessages {
  #own: WeakSet<object> = new WeakSet();

  /** Learns them from the first request of a run, at whose end they stand: behind the answers of earlier runs. */
  learn(input: readonly Item[]) {
    for (let index = input.length - 1; index >= 0 && isGiven(input[index]); index--) this.#own.add(input[index]);
  }

  /**
   * Puts them back where a shorter one stands in their place, or none.
   *
   * @param sent the same items, some of them shortened or removed
   * @returns `sent` if they are in it
   */
  putBack<I extends Item>(input: readonly I[], sent: readonly I[]): I[] {
    const whole = new Set(sent);
    if (!input.some((item) => this.#own.has(item) && !whole.has(item))) return sent as I[];
    const before = new Set(input);
    const result: I[] = [];
    let left = sent.length - 1;
    for (let index = input.length - 1; index >= 0; index--) {
      const item = input[index];
      const last = sent[left];
      const isThere = last === item || (last !== undefined && !before.has(last) && isCopy(last, item));
      if (isThere) left--;
      if (this.#own.has(item)) result.push(item);
      else if (isThere) result.push(last);
    }
    return result.reverse();
  }
}

const isGiven = (item: Item) => (item?.type === undefined || item.type === 'message') && (item?.role === 'user' || item?.role === 'system');

/** Returns whether an item can be the shortened other one. */
const isCopy = (copy: Item, item: Item) => (['type', 'role', 'id', 'callId'] as const).every((key) => copy[key] === item[key]);
