// What `palimpsest/express` and `palimpsest/web` share.
import type { CacheReport, Format, RequestMessage, SessionStep } from '../../index.js';
import type { AnySession, IntegrationSettings, Together } from './options.js';

/**
 * Options of a chat endpoint: {@link EndpointSettings} that go together.
 *
 * @typeParam Params the server's request, as `session`, `onStep` and `onError` get it
 */
export type EndpointOptions<Params = unknown> = EndpointSettings<Params> & Together;

/**
 * Each option of a chat endpoint: those of all integrations, and bounds. `undefined` and `null` mean the default.
 *
 * `system`, `tools`, `model` and `maxOutputTokens` are the server's own, where it doesn't send those of the body; by default those of the body
 * count. Give `limit`, `window` or `model`: otherwise the client chooses the window by the model that it names.
 *
 * @typeParam Params the server's request, as `session`, `onStep` and `onError` get it
 */
export interface EndpointSettings<Params = unknown> extends Omit<IntegrationSettings<Params>, 'explainMarks'> {
  /** Format of the messages. Default `auto`: the messages show it, or else the rest of the body and the model. */
  format?: Format | 'auto' | null | undefined;
  /**
   * Maximum number of conversations that are remembered, as in {@link IntegrationSettings}: an integer from 0. Each keeps its messages in memory.
   * With 0 each request stands for itself: for servers that don't keep state, at the price of the provider's cache, whose prefix breaks
   * in every request above the limit. Such a request gets all of the limit: `low` is 0.9999 unless it or a `preset` is given. Default 100.
   */
  conversations?: number | null | undefined;
  /**
   * Maximum size of a body that is read here, in bytes: an integer from 1. A larger one is answered with 413. Give 40000000 for clients whose
   * histories hold many images: what is more than the provider takes goes. `conversations` times this many bytes may stay in memory. Default 4000000.
   */
  maxBytes?: number | null | undefined;
  /** Maximum number of messages: an integer from 1. More are answered with 413. Default 10000. */
  maxMessages?: number | null | undefined;
}

/** A request to a chat endpoint whose conversation fits. */
export interface FittedChat<R = any> {
  /**
   * The body with fitted messages; the body itself if no message was changed. As with a parsed body, its type is what you say: of other
   * members than the messages, and the instructions, tools and limits of a provider's request, nothing was checked.
   */
  request: R;
  /** The fitted messages. Those that were not edited are the body's own objects. */
  messages: ChatMessage<R>[];
  /** Format of the messages, detected or given. Absent if palimpsest failed to read them. */
  format?: Format;
  /**
   * What was chosen, with `fits`, `tokens` and `report`. Absent if palimpsest failed: the request is as it came. Absent also of a request for a
   * summary of all messages, which stay whole.
   */
  step?: SessionStep<object>;
  /** The session that chose. Absent without a step. */
  session?: AnySession;
  /**
   * Takes the usage of the provider's answer, and what it says of its cache, as `observe` of a session does, and returns what that returns; never
   * throws. Without usage it does nothing.
   */
  observe(usage: object | null | undefined, diagnostics?: object | null): CacheReport | undefined;
}

/** The messages of a body. */
export type ChatMessage<R> = 0 extends 1 & R ? any : RequestMessage<R>;

/** The answer to a wrong request, as JSON. */
export interface ChatRefusal {
  error: {
    /** What is wrong, and where: `messages[3].content: …`. It never quotes the body. */
    message: string;
    /** The place in the body, if it is known: `messages[3].content`. */
    path?: string;
    /** The rule of `validate` that is broken, if it is one. */
    rule?: string;
  };
}
