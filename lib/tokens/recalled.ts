import { ignoredIn } from '../providers/shared/compaction.js';
import { measuring, perMessage } from './measure.js';
import { memorise, memoryOfUnchanged, recall } from '../equality/memory.js';
import { providerOf } from './provider.js';
import { someDeferred, toolSchemas } from './schemas.js';
import { systemPrompts } from './system.js';
import { pace } from '../steps.js';
import type { Steps } from '../steps.js';
import type { Format, Tokenizer } from '../types.js';
import type { Memory } from '../equality/memory.js';

/** The tokens of a request's messages, of which some were counted before. */
export class Recalled {
  /** The tokens of each message; 0 where they aren't known. */
  tokens: Float64Array<ArrayBuffer>;
  /** The messages whose tokens aren't known, by index. */
  fresh: number[];
  /** The UTF-16 code units of texts and keys in those of them that can be remembered. */
  units: number;
  /** The most bytes that messages without files may have; NaN where that isn't known of all of them. */
  light: number;
  #messages;
  #format;
  #tokenizer;
  /** Whether something in the messages has tokens that are not known. */
  isGuessed = false;
  /** Whether the tokens of a message depend on nothing else, so that they are remembered. */
  #isShared;
  /** What tokens are remembered by: those that are not known for sure as -1 - tokens, so that one look tells both. */
  #key;
  /** What is known of each message as it is now; undefined where nothing can be. */
  #known: (Memory | undefined)[];
  /** Which messages the provider ignores. */
  #isIgnored: (index: number) => boolean;

  private constructor(messages: readonly object[], format: Format, tokenizer: Tokenizer, tools: unknown) {
    this.#messages = messages;
    this.#format = format;
    this.#tokenizer = tokenizer;
    this.#key = `${format.name} ${format.to} ${tokenizer}`;
    this.#isShared = !someDeferred(tools);
    this.tokens = new Float64Array(messages.length);
    this.fresh = [];
    this.units = 0;
    this.#known = new Array(messages.length);
    this.light = NaN;
    this.#isIgnored = ignoredIn(messages, format) ?? none;
  }

  /**
   * Looks up what is known of messages, in steps.
   *
   * @param tools those whose definitions messages may load: what they take depends on them then
   */
  static *recalling(messages: readonly object[], format: Format, tokenizer: Tokenizer, tools: unknown): Steps<Recalled> {
    const recalled = new Recalled(messages, format, tokenizer, tools);
    yield* recalled.#looking();
    return recalled;
  }

  *#looking(): Steps<void> {
    // Adding to a field would make a number object for each message.
    let light = 0;
    let isLight = true;
    for (let index = 0; index < this.#messages.length; index++) {
      if (pace.isDue) yield;
      const message = this.#messages[index];
      const known = recall(message) ?? memorise(message);
      this.#known[index] = known;
      if (known?.light === undefined) isLight = false;
      else light += known.light;
      const tokens: number = this.#isShared ? (known?.facts[this.#key] ?? NaN) : NaN;
      if (tokens >= 0) this.tokens[index] = tokens;
      else if (tokens < 0) {
        this.tokens[index] = -1 - tokens;
        this.isGuessed ||= !this.#isIgnored(index);
      } else {
        this.fresh.push(index);
        if (this.#isIgnored(index)) continue;
        for (const value of known?.snapshot.values ?? []) if (typeof value === 'string') this.units += value.length;
      }
    }
    this.light = isLight ? light : NaN;
  }

  /** The tokens of the messages that are known now, by index. */
  known() {
    const fresh = new Set(this.fresh);
    return (index: number) => (fresh.has(index) ? undefined : this.tokens[index]);
  }

  /** What is known of the message at `index`. */
  memoryAt(index: number) {
    return this.#known[index];
  }

  /** What is known of one of the messages, where its fingerprint may be remembered: a `toJSON` may give another text each time. */
  memoryOf(message: { toJSON?: unknown }) {
    return typeof message.toJSON === 'function' ? undefined : memoryOfUnchanged(message);
  }

  /** The sum of `first` and the tokens that are known, of messages that the provider reads. */
  sum(first = 0) {
    const { tokens } = this;
    // To ask about each message takes as long as to add.
    const isIgnored = this.#isIgnored;
    let sum = first;
    for (let index = 0; index < tokens.length; index++) if (isIgnored === none || !isIgnored(index)) sum += tokens[index];
    return sum;
  }

  /**
   * Counts the messages whose tokens aren't known, in steps, and remembers them. The tokens of a message don't depend on the others.
   *
   * @param at what errors call the options
   * @returns the tokens of the request that belong to no message
   * @throws {TypeError} a message isn't what its format has, or `system` or a tool is of no known shape
   */
  *counting({ tools, system }: { tools?: unknown; system?: unknown }, at: string): Steps<number> {
    const messages = this.fresh.map((index) => this.#messages[index]);
    const parts = yield* this.#reading(messages);
    const beside = { schemas: toolSchemas(tools, `${at}.tools`), prompts: systemPrompts(system, `${at}.system`) };
    const measured = yield* measuring(messages, parts, providerOf(this.#format), this.#tokenizer, beside);
    this.learn(perMessage(parts, measured), measured.guessed);
    return measured.request + measured.system;
  }

  *#reading(messages: readonly object[]) {
    try {
      return yield* this.#format.reading(messages);
    } catch (error) {
      // Errors name the place among all messages.
      this.#format.read(this.#messages);
      throw error;
    }
  }

  /**
   * Sets the tokens of the messages that were not known, and remembers them.
   *
   * @param guessed those of them, by place, whose tokens are not known for sure
   */
  learn(tokens: ArrayLike<number>, guessed: readonly number[]) {
    const isGuessed = new Set(guessed);
    this.isGuessed ||= guessed.some((place) => !this.#isIgnored(this.fresh[place]));
    for (let place = 0; place < this.fresh.length; place++) {
      const index = this.fresh[place];
      this.tokens[index] = tokens[place];
      const known = this.#known[index];
      if (known !== undefined && this.#isShared) known.facts[this.#key] = isGuessed.has(place) ? -1 - tokens[place] : tokens[place];
    }
    this.fresh = [];
    this.units = 0;
  }

  /**
   * Returns whether `has` is true of a message. What it says is remembered as long as the message is unchanged.
   *
   * @param name of the question, the same for all messages of all requests
   */
  some(name: string, has: (message: object) => boolean) {
    return this.#messages.some((message, index) => {
      const facts = this.#known[index]?.facts;
      if (facts === undefined) return has(message);
      facts[name] ??= has(message);
      return facts[name] as boolean;
    });
  }
}

const none = () => false;
