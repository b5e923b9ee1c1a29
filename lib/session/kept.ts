import { readSaved } from './saved.js';
import type { Store } from '../../index.d.ts';

/**
 * A session's conversation in a store. Every call is bounded, and rejects if the store fails or does not answer in time.
 *
 * While a call hangs, later ones reject at once: the session waits for a store that is down once, not with every request.
 */
export class Kept {
  #store: Store;
  #id: string;
  #timeout: number;
  /** Version of the state in the store, as far as it is known; 0 for none. */
  #version = 0;
  /** Whether the store has that version for certain, unless another process saved. It is not known after a failed call. */
  #isCertain = false;
  /** The last state that was to be saved without an answer. It may be in the store. */
  #unanswered: string | undefined;
  #hanging: Promise<unknown> | undefined;

  /** @param options `storeTimeout` in ms */
  constructor({ store, id, storeTimeout }: { store: Store; id: string; storeTimeout: number }) {
    this.#store = store;
    this.#id = id;
    this.#timeout = storeTimeout;
  }

  get id() {
    return this.#id;
  }

  get version() {
    return this.#version;
  }

  get(keys: string[]) {
    return this.#bounded(() => this.#store.get(this.#id, keys));
  }

  put(entries: [key: string, value: string][]) {
    return this.#bounded(() => this.#store.put(this.#id, entries));
  }

  /** Returns the state in the store if it is not this session's, where that is not known yet. */
  async open(): Promise<ReturnType<typeof readSaved> | undefined> {
    return this.#isCertain ? undefined : this.#load();
  }

  /**
   * Saves a state, unless another process saved one since.
   *
   * @returns `other`: the state of the other process; absent if the
   * conversation was deleted
   */
  async save(state: string): Promise<{ isSaved: boolean; other?: ReturnType<typeof readSaved> | undefined }> {
    this.#isCertain = false;
    const before = this.#unanswered;
    this.#unanswered = state;
    const version = await this.#bounded(() => this.#store.save(this.#id, state, this.#version));
    this.#unanswered = before;
    if (version === 0) return { isSaved: false, other: await this.#load() };
    this.#version = version;
    this.#isCertain = true;
    return { isSaved: true };
  }

  async #load() {
    const found = await this.#bounded(() => this.#store.load(this.#id));
    const isOwn = found === undefined || found.version === this.#version || found.state === this.#unanswered;
    // A state that can't be read is nothing to save over: another version of palimpsest may have written it.
    const other = isOwn ? undefined : readSaved(JSON.parse(found.state));
    this.#version = found?.version ?? 0;
    this.#isCertain = true;
    this.#unanswered = undefined;
    return other;
  }

  async #bounded<T>(call: () => Promise<T>): Promise<T> {
    if (this.#hanging !== undefined) throw failure('ETIMEDOUT');
    const answer = (async () => call())();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => {
        this.#hanging = answer;
        const end = () => (this.#hanging = undefined);
        answer.then(end, end);
        reject(failure('ETIMEDOUT'));
      }, this.#timeout);
    });
    try {
      return await Promise.race([answer, late as Promise<never>]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const failure = (code: string) => Object.assign(new Error('the store did not answer in time'), { code });

/** Names a failure of a store without its message, which may quote what was to be stored. */
export function reasonOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const names = [code, name].filter((name) => typeof name === 'string' && /^\w{1,40}$/.test(name));
  return (names[0] as string | undefined) ?? 'an error';
}
