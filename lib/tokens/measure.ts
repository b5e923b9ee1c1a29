import native from '../native.js';
import { inOneGo } from '../steps.js';
import { gatherRequest } from './gather.js';
import { providerOf } from './provider.js';
import type { Format, Part, Provider, Tokenizer, Tool } from '../types.js';
import type { Steps } from '../steps.js';

/** The tokens of a request. */
export interface Measured {
  /** of each part: its text, and for a call name and id */
  parts: Float64Array;
  /** of each message beyond its parts */
  own: Float64Array;
  /** of tools, and of the request itself */
  request: number;
  /** of the system prompts beside the messages */
  system: number;
  /** the messages with something whose tokens are not known; some more than once, and `NONE` for the request */
  guessed: number[];
}

/** Counts the tokens of a request; takes what {@link gatherRequest} takes. */
export function measure(...all: Parameters<typeof gatherRequest>): Measured {
  return inOneGo(measuring(...all));
}

/** The same, in steps. */
export function* measuring(
  messages: readonly object[],
  parts: readonly Part[],
  provider: Provider,
  tokenizer: Tokenizer,
  more?: Parameters<typeof gatherRequest>[4],
): Steps<Measured> {
  const gathered = yield* gatherRequest(messages, parts, provider, tokenizer, more);
  const tokens = yield { now: () => native.measureRequest(gathered), later: () => native.measureRequestAsync(gathered) };
  const request = parts.length + messages.length;
  return {
    parts: tokens.subarray(0, parts.length),
    own: tokens.subarray(parts.length, request),
    request: tokens[request],
    system: tokens[request + 1],
    guessed: gathered.guessed,
  };
}

/** The tokens of each message, its parts included. */
export function perMessage(parts: readonly Part[], measured: Measured) {
  const tokens = measured.own.slice();
  parts.forEach(({ message }, index) => (tokens[message] += measured.parts[index]));
  return tokens;
}

/**
 * Counts the tokens of each message, in steps.
 *
 * @param texts tokens of texts that were counted already
 */
export function* countingMessages(
  messages: readonly object[],
  format: Format,
  tokenizer: 'o200k_base' | 'cl100k_base' | 'estimate',
  texts: ReadonlyMap<string, number>,
  deferred: readonly Tool[],
) {
  const parts = yield* format.reading(messages);
  return perMessage(parts, yield* measuring(messages, parts, providerOf(format), tokenizer, { texts, deferred }));
}
