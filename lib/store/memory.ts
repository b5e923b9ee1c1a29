import { memoryStore as OPTIONS } from '../options/stores.js';
import { checkedStore, storeOptions } from './checked.js';
import type { Backend } from './checked.js';
import type { Store, StoreLimits } from '../../index.js';

export type { Store, StoreLimits };

class Memory implements Backend {
  #conversations: Map<string, { values: Map<string, string>; state: string; version: number }> = new Map();

  async get(id: string, keys: string[]) {
    const values = this.#conversations.get(id)?.values;
    return keys.map((key: string) => values?.get(key));
  }

  async put(id: string, entries: [key: string, value: string][], version: number | undefined) {
    if (version !== undefined && this.#conversations.get(id)?.version !== version) return false;
    const { values } = this.#at(id);
    for (const [key, value] of entries) if (!values.has(key)) values.set(key, value);
    return true;
  }

  async load(id: string) {
    const { state = '', version = 0 } = this.#conversations.get(id) ?? {};
    return version === 0 ? undefined : { state, version };
  }

  async save(id: string, state: string, version: number, next: number) {
    if ((this.#conversations.get(id)?.version ?? 0) !== version) return false;
    Object.assign(this.#at(id), { state, version: next });
    return true;
  }

  async delete(id: string) {
    this.#conversations.delete(id);
  }

  #at(id: string) {
    const found = this.#conversations.get(id) ?? { values: new Map(), state: '', version: 0 };
    this.#conversations.set(id, found);
    return found;
  }
}

/**
 * Creates a store in the memory of this process, for tests and for programs that keep nothing.
 *
 * @example
 * const session = createSession({ model: 'gpt-5.5', store: memoryStore(), id: 'chat-1' });
 * const { messages } = await session.next(history);
 *
 * @throws {TypeError | RangeError} an option is wrong; the error names it
 */
export function memoryStore(options?: StoreLimits | null): Store {
  return checkedStore(new Memory(), storeOptions('memoryStore()', OPTIONS, options));
}
