import { firstEditable } from '../agent/thinking.js';
import { pruningOf } from './opened.js';
import type { Conversation } from './earlier.js';
import type { FitSettings, Originals } from '../../index.js';
import type { Steps } from '../steps.js';
import type { Recalled } from '../tokens/recalled.js';

/** UTF-16 code units of a token in dense text. Where texts of this density would fit, counting them first is likely to be enough. */
const DENSE_UNITS = 3.5;

/** A conversation that fits as it is. Has what a result reads of a `Fitting`. */
class Whole {
  messages: object[];
  carried: Originals;
  before: number;
  isGuessed: boolean;
  pruning;
  #conversation;
  #counts;
  /** The tokens of each message, once they were asked for. */
  #tokens: Map<object, number> | undefined;
  thinking = undefined;

  /**
   * @param options of `fit`, checked
   * @param before tokens of everything
   */
  constructor(conversation: Conversation, options: FitSettings<object>, { tokens, isGuessed }: Recalled, before: number) {
    const { messages, carried } = conversation;
    this.#conversation = conversation;
    this.messages = messages;
    this.carried = carried;
    this.before = before;
    this.pruning = pruningOf(options);
    this.#counts = tokens;
    this.isGuessed = isGuessed;
  }

  get parts() {
    this.#conversation.parts ??= this.#conversation.format.read(this.messages);
    return this.#conversation.parts;
  }

  get isComplete() {
    return true;
  }

  tokensOf(message: object) {
    this.#tokens ??= new Map(this.messages.map((one, index) => [one, this.#counts[index]]));
    return this.#tokens.get(message);
  }

  fits() {
    return true;
  }

  heldByThinking() {
    return 0;
  }

  staleMessages() {
    return new Set();
  }

  whole() {
    return { written: { messages: this.messages.slice(), sources: [] }, edits: [], tokens: this.before };
  }

  close() {}
}

/**
 * Returns a conversation that fits as it is, at the cost of counting it; in steps.
 *
 * @param options of `fit`, checked
 * @param counts of its messages
 * @param limit tokens
 * @returns undefined if it doesn't fit, or isn't likely to, or signed thinking holds some of it
 */
export function* wholeWithin(
  conversation: Conversation,
  options: FitSettings<object>,
  counts: Recalled,
  limit: number,
): Steps<Whole | undefined> {
  if (conversation.stale !== Infinity || counts.sum() + counts.units / DENSE_UNITS > limit) return undefined;
  if (options.thinking === 'keep' && (yield* holdsThinking(conversation, counts))) return undefined;
  const before = (yield* counts.counting(options, 'fit(): options')) + counts.sum();
  return before <= limit ? new Whole(conversation, options, counts, before) : undefined;
}

/** Whether signed thinking holds messages before it; in steps. */
function* holdsThinking(conversation: Conversation, counts: Recalled): Steps<boolean> {
  const { format, messages } = conversation;
  if (conversation.parts === undefined && counts.fresh.length === 0) {
    const isSigned = (message: object) => format.read([message]).some(({ signed }) => signed);
    if (!counts.some(`${format.name} ${format.to} signed`, isSigned)) return false;
  }
  conversation.parts ??= yield* format.reading(messages);
  return firstEditable(conversation.parts, 'keep') > 0;
}
