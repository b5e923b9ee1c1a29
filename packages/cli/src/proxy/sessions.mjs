// @ts-check
// Finds the session of each request, among those of a bounded number of conversations.
import { createHash } from 'node:crypto';
import { createChatParser } from 'palimpsest/web';

/** Maximum number of branches of a conversation that are remembered: edited prompts, and agents that begin with the same prompt. */
const BRANCHES = 8;
/** Maximum number of messages of a request that are fitted. */
const MAX_MESSAGES = 200_000;
/** Maximum UTF-16 code units of the first prompt that name its conversation. */
const MAX_PROMPT = 2 ** 16;

/**
 * A request whose messages are chosen.
 *
 * @typedef {object} Wanted
 * @property {import('./apis.mjs').Api['format']} format
 * @property {Buffer} bytes its JSON
 * @property {unknown[]} prompts the first messages, up to the first of the user
 * @property {boolean} keepsThinking whether thinking must stay, because the model refuses a turn that lost it
 */

/** Conversations that begin with the same prompt, and their sessions. */
class Group {
  used = 0;
  bytes = 0;
  /** Bytes of the last request of each branch, from the least to the most recently used. @type {Map<object, number>} */
  #branches = new Map();

  /** @param {ReturnType<typeof createChatParser>} parse */
  constructor(parse) {
    this.parse = parse;
  }

  /** @param {object} session @param {number} bytes of its request */
  hold(session, bytes) {
    this.#branches.delete(session);
    this.#branches.set(session, bytes);
    if (this.#branches.size > BRANCHES) this.#branches.delete(this.#branches.keys().next().value ?? session);
    this.bytes = [...this.#branches.values()].reduce((sum, one) => sum + one, 0);
  }
}

/** The sessions of all conversations. */
export class Sessions {
  #options;
  #now;
  /** From the least to the most recently used. @type {Map<string, Group>} */
  #groups = new Map();
  /** The failure of a request, by what was given to the parser. @type {WeakMap<object, unknown>} */
  #failures = new WeakMap();

  /**
   * @param {object} options
   * @param {number} options.limit tokens of a request
   * @param {number} options.conversations maximum number that is remembered
   * @param {number} options.idle ms after which an unused one is forgotten
   * @param {number} options.maxBytes maximum of the JSON that is remembered: of the last request of each branch
   * @param {() => number} [options.now]
   */
  constructor({ now = Date.now, ...options }) {
    this.#options = options;
    this.#now = now;
  }

  /** Number of groups that are remembered. */
  get size() {
    return this.#groups.size;
  }

  /**
   * Chooses the messages of a request.
   *
   * @param {Wanted} wanted
   * @returns {Promise<import('palimpsest/web').FittedChat>}
   * @throws {Error} the messages can't be read
   */
  async choose({ format, bytes, prompts, keepsThinking }) {
    const key = createHash('sha256')
      .update(JSON.stringify([format, keepsThinking, textsIn(prompts)]))
      .digest('base64');
    const request = requestOf(bytes);
    const group = this.#groupOf(key, format, keepsThinking);
    const chat = await group.parse(request);
    if (chat instanceof Response) {
      const { error } = /** @type {import('palimpsest/web').ChatRefusal} */ (await chat.json());
      throw new Error(`the messages break a rule of the provider${error.rule === undefined ? '' : ` (${error.rule})`}`);
    }
    if (chat.step === undefined || chat.session === undefined) throw this.#failures.get(request);
    group.hold(chat.session, bytes.length);
    this.#makeRoom();
    return chat;
  }

  /** Forgets conversations that were not used for long. */
  forgetIdle() {
    for (const [key, { used }] of this.#groups) if (this.#now() - used >= this.#options.idle) this.#groups.delete(key);
  }

  /**
   * @param {string} key
   * @param {Wanted['format']} format
   * @param {boolean} keepsThinking
   */
  #groupOf(key, format, keepsThinking) {
    this.forgetIdle();
    const group = this.#groups.get(key) ?? new Group(this.#parser(format, keepsThinking));
    group.used = this.#now();
    this.#groups.delete(key);
    this.#groups.set(key, group);
    this.#makeRoom();
    return group;
  }

  #makeRoom() {
    let bytes = [...this.#groups.values()].reduce((sum, group) => sum + group.bytes, 0);
    for (const [key, group] of this.#groups) {
      if (this.#groups.size <= this.#options.conversations && bytes <= this.#options.maxBytes) return;
      this.#groups.delete(key);
      bytes -= group.bytes;
    }
  }

  /** @param {Wanted['format']} format @param {boolean} keepsThinking */
  #parser(format, keepsThinking) {
    return createChatParser({
      format,
      limit: this.#options.limit,
      conversations: BRANCHES,
      maxBytes: Number.MAX_SAFE_INTEGER,
      maxMessages: MAX_MESSAGES,
      ...(keepsThinking && { thinking: 'leave' }),
      onError: (error, { params }) => void this.#failures.set(params, error),
    });
  }
}

/**
 * Returns the texts in messages, without what moves or changes its shape with the provider's cache.
 *
 * @param {unknown[]} messages
 */
function textsIn(messages) {
  let texts = '';
  const rest = [...messages].reverse();
  while (rest.length > 0 && texts.length < MAX_PROMPT) {
    const value = rest.pop();
    if (typeof value === 'string') texts += `${value}\0`;
    else if (value !== null && typeof value === 'object') {
      const members = Object.entries(value).filter(([key]) => key !== 'cache_control' && key !== 'type');
      rest.push(...members.map(([, member]) => member).reverse());
    }
  }
  return texts.slice(0, MAX_PROMPT);
}

/**
 * Returns a request as the parser takes it, over bytes that are there already.
 *
 * @param {Buffer} bytes
 * @returns {Request}
 */
function requestOf(bytes) {
  const values = [bytes];
  const getReader = () => ({ read: async () => ({ done: values.length === 0, value: values.pop() }) });
  const headers = { get: (/** @type {string} */ name) => (name === 'content-type' ? 'application/json' : null) };
  return /** @type {any} */ ({ headers, bodyUsed: false, body: { getReader } });
}
