// Finds the session of each request, among those that there is room for.
import { createHash } from 'node:crypto';
import { createChatParser } from 'palimpsest/web';
import type { ChatRefusal, FittedChat } from 'palimpsest/web';
import type { Api } from './apis.mjs';

/** Maximum number of messages of a request that are fitted. */
const MAX_MESSAGES = 200_000;
/** Maximum UTF-16 code units of a message that name its conversation. */
const MAX_TEXT = 2 ** 16;
/** What a session takes beside its messages, and a conversation beside its sessions, as bytes of JSON. */
const OVERHEAD = 2 ** 12;

/** A request whose messages are chosen. */
interface Wanted {
  format: Api['format'];
  /** its JSON */
  bytes: Buffer;
  /** content of the first message of the user */
  prompt?: unknown;
  /** the first message of the model after it, if there is one yet */
  answer?: unknown;
}

/** A conversation with all that branched off after the model's first answer. */
class Conversation {
  used = 0;
  bytes = OVERHEAD;
  isForgotten = false;
  parse;
  /** Bytes of the last request of each session. */
  #sessions: Map<object, number> = new Map();

  constructor(parse: ReturnType<typeof createChatParser>) {
    this.parse = parse;
  }

  /** Takes down a request; returns by how much the conversation grew. @param length in bytes */
  hold(session: object, length: number) {
    const grown = length + OVERHEAD - (this.#sessions.get(session) ?? 0);
    this.#sessions.set(session, length + OVERHEAD);
    this.bytes += grown;
    return grown;
  }
}

/** The sessions of all conversations. */
export class Sessions {
  #options;
  #now;
  #bytes = 0;
  /** From the least to the most recently used, by what they begin with. */
  #all: Map<string, Conversation> = new Map();
  /** The failure of a request, by what was given to the parser. */
  #failures: WeakMap<object, unknown> = new WeakMap();

  constructor({
    now = Date.now,
    ...options
  }: {
    /** tokens of a request */
    limit: number;
    /** default: by the model of a request */
    roles?: 'alternate' | 'any' | undefined;
    /** ms after which an unused conversation is forgotten */
    idle: number;
    /** maximum of the JSON that is remembered: of the last request of each session */
    maxBytes: number;
    now?: () => number;
  }) {
    this.#options = options;
    this.#now = now;
  }

  /** Number of conversations that are remembered. */
  get size() {
    return this.#all.size;
  }

  /**
   * Chooses the messages of a request.
   *
   * @throws {Error} the messages can't be read
   */
  async choose(wanted: Wanted): Promise<FittedChat> {
    const request = requestOf(wanted.bytes);
    const conversation = this.#of(wanted);
    const chat = await conversation.parse(request);
    if (chat instanceof Response) {
      const { error } = (await chat.json()) as ChatRefusal;
      throw new Error(`the messages break a rule of the provider${error.rule === undefined ? '' : ` (${error.rule})`}`);
    }
    if (this.#failures.has(request)) throw this.#failures.get(request);
    // No session is told of a request for a summary.
    if (chat.session === undefined) return chat;
    const grown = conversation.hold(chat.session, wanted.bytes.length);
    // It may have had to go while this one was chosen.
    if (!conversation.isForgotten) this.#bytes += grown;
    this.#makeRoom();
    return chat;
  }

  /** Forgets conversations that were not used for long. */
  forgetIdle() {
    for (const [key, { used }] of this.#all) {
      if (this.#now() - used < this.#options.idle) return;
      this.#forget(key);
    }
  }

  /**
   * Returns the conversation of a request. Agents that begin with the same prompt are told apart by the model's first answer: it makes a
   * conversation of what had only the prompt, for the one who comes with an answer first.
   */
  #of({ format, prompt, answer }: Wanted) {
    this.forgetIdle();
    const begun = keyOf(format, prompt);
    const key = answer === undefined ? begun : keyOf(begun, answer);
    const from = this.#all.has(key) ? key : begun;
    const conversation = this.#all.get(from) ?? this.#open(format);
    conversation.used = this.#now();
    this.#all.delete(from);
    this.#all.set(key, conversation);
    this.#makeRoom();
    return conversation;
  }

  #makeRoom() {
    for (const key of this.#all.keys()) {
      if (this.#bytes <= this.#options.maxBytes) return;
      this.#forget(key);
    }
  }

  #forget(key: string) {
    const conversation = this.#all.get(key);
    if (conversation === undefined) return;
    conversation.isForgotten = true;
    this.#bytes -= conversation.bytes;
    this.#all.delete(key);
  }

  #open(format: Wanted['format']) {
    const conversation = new Conversation(this.#parser(format));
    this.#bytes += conversation.bytes;
    return conversation;
  }

  #parser(format: Wanted['format']) {
    return createChatParser({
      format,
      limit: this.#options.limit,
      roles: this.#options.roles,
      // What they take bounds them.
      conversations: Number.MAX_SAFE_INTEGER,
      maxBytes: Number.MAX_SAFE_INTEGER,
      maxMessages: MAX_MESSAGES,
      onError: (error, { params }) => void this.#failures.set(params, error),
    });
  }
}

const keyOf = (...parts: unknown[]) =>
  createHash('sha256')
    .update(JSON.stringify(parts.map((part) => textsIn(part))))
    .digest('base64');

/** Returns the texts in a message, without what moves or changes its shape with the provider's cache. */
function textsIn(message: unknown) {
  let texts = '';
  const rest = [message];
  while (rest.length > 0 && texts.length < MAX_TEXT) {
    const value = rest.pop();
    if (typeof value === 'string') texts += `${value}\0`;
    else if (value !== null && typeof value === 'object') {
      const members = Object.entries(value).filter(([key]) => key !== 'cache_control' && key !== 'type');
      rest.push(...members.map(([, member]) => member).reverse());
    }
  }
  return texts.slice(0, MAX_TEXT);
}

/** Returns a request as the parser takes it, over bytes that are there already. */
function requestOf(bytes: Buffer): Request {
  const values = [bytes];
  const getReader = () => ({ read: async () => ({ done: values.length === 0, value: values.pop() }) });
  const headers = { get: (name: string) => (name === 'content-type' ? 'application/json' : null) };
  return { headers, bodyUsed: false, body: { getReader } } as unknown as Request;
}
