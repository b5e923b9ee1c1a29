// What the packages of this repository take of the library beside its public functions. It is no part of the interface, and may change in any version:
// they depend on the very version that they are published with.
import * as models from './models.js';
import * as presets from './options/presets.js';
import * as diagnostics from './providers/diagnostics.js';
import * as providers from './providers/index.js';
import * as requests from './providers/request.js';
import * as caches from './session/cache.js';
import * as sessions from './session/index.js';
import * as misses from './session/misses.js';
import { Reads } from './session/reads.js';
import * as effects from './shadow/effects.js';
import type { CacheMissCause, CacheReport, Format, SavedSession, Session, SessionContext, Why } from '../index.js';
import type { IntegrationSettings } from './integrations/options.js';

/** Where a request has what is read of it. A path is a key, or several with dots between them. */
export interface RequestPaths {
  messages: 'messages' | 'input' | 'contents';
  /** maximum tokens of the answer */
  output: string[];
  /** what stands for content that the provider keeps */
  stored: string[];
}

/** The requests of providers' APIs, by the format of their messages. */
export const REQUESTS: Record<'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini', RequestPaths> = requests.SHAPES;

/** Returns the first value that a request has at one of some paths. */
export const valueAt = (request: object, paths: string[]): unknown => requests.firstOf(request, paths)?.value;

/** Returns whether a message is the model's, in any format. */
export const isAnswer: (message: object) => boolean = providers.isAnswer;

/** Why a request may not be sent again for a comparison, in words without content; undefined if it may. */
export const effectOf: (format: keyof typeof REQUESTS, request: object) => string | undefined = effects.effectOf;

/**
 * Returns a function that has sessions share what they read of messages. They get the same objects, which nobody changes, and have the same options but
 * for their limits.
 */
export function readingTogether(): <S extends Session>(session: S) => S {
  const reads = new Reads();
  return (session) => sessions.readTogether(session, reads);
}

/** Says of each of some messages why it is missing from requests, as `why` of a session does of one. It reads the history as often as for one. */
export const whyEach: (session: Session, messages: readonly number[], history: readonly object[]) => Why = sessions.explain;

/**
 * Says what the last request of a session was made of, and of each message why it is missing from it, in slices between which the event loop turns;
 * undefined for what has made no request.
 */
export const inspected: (session: object) => Promise<{ context: SessionContext; why: Why } | undefined> = sessions.inspect;

/** Returns what an answer, or an event of a stream, says of the provider's cache; undefined if nothing. */
export const diagnosticsIn: (value: object) => object | undefined = diagnostics.diagnosticsIn;

/** A part of a message, as `Part` in types.ts. */
export interface MessagePart {
  /** index of its message */
  message: number;
  /** inside the message */
  path: (string | number)[];
  /** `tool` for what stands in a result */
  role: 'system' | 'user' | 'assistant' | 'tool';
  kind: 'text' | 'call' | 'result' | 'reasoning' | 'media' | 'opaque';
  /** empty for media and what is opaque */
  text: string;
  /** of a call: the tool */
  name?: string;
  callId?: string;
  /** of a result: the index in the list of the call that it answers; -1 if there is none */
  call?: number;
}

/**
 * Reads the parts of messages, in order.
 *
 * @throws {TypeError} they don't have the shape of the format
 */
export const readParts = (messages: object[], format: Format | 'auto'): MessagePart[] =>
  (format === 'auto' ? providers.formatOf(messages) : providers.formatNamed(format)).read(messages);

/** What is known of a request before its answer, as `Forecast` in session/misses.ts; tokens are the provider's. */
export interface CacheForecast {
  tokens: number;
  /** those that are not new since the request before */
  old: number;
  /** whether the provider has counted these */
  isCounted: boolean;
  /** those at its start that a cache can have */
  readable: number;
  /** those of tools and instructions */
  front: number;
  /** whether the cache had expired */
  isIdle: boolean;
  /** why what is old is not all readable */
  behind: { cause: CacheMissCause };
  /** prices as multiples of uncached input, and the shortest prefix that is kept */
  cache: { write: number; read: number; minimum: number };
}

/** What a request read from the provider's cache, and why it read no more. */
export const cacheReport: (
  request: number,
  forecast: CacheForecast,
  answered: { input: number; read: number; otherwise: CacheMissCause },
) => CacheReport = misses.cacheReport;

/** The causes of misses in a line. */
export const missesInWords: (missed: Partial<Record<CacheMissCause, { requests: number }>>) => string = misses.missesInWords;

/** A cache, as `Cache` in session/cache.ts. */
export type CacheRow = { write: number; read: number; ttl: number; minimum: number };

/**
 * The cache of a model, as a session has it.
 *
 * @param vendor whose it is if the model is not known
 */
export const cacheOfModel = (model: string | undefined, vendor: 'openai' | 'anthropic' | 'gemini'): CacheRow =>
  caches.cacheOf(undefined, model === undefined ? undefined : { ...models.findModel(model), cache: models.findCache(model) }, { vendor });

/** The cache of a name that the option `cache` takes. */
export const cacheNamed = (name: 'anthropic' | 'anthropic-1h' | 'openai' | 'gemini' | 'none'): CacheRow => presets.CACHES[name];

/** Options of a package for a harness: there is one conversation at a time, which the harness names. */
export type HarnessSettings = Omit<IntegrationSettings, 'session' | 'conversations' | 'onStep'>;

/** Chooses what the requests of a harness send, of one conversation after another. */
export interface Harness {
  /** the session of the last request; undefined before the first one of a conversation */
  readonly session: Session | undefined;
  /** whether the last request has what a session chose, within the limit */
  readonly isFitting: boolean;
  /** Turns to another conversation. @param saved its state; undefined: it has none yet */
  open(saved?: SavedSession): void;
  /**
   * Chooses the messages of a request. If something of ours fails, or the provider keeps the history, the request is returned as it is.
   *
   * @param beside `window`: the model's, in tokens, as the harness has it
   * @throws {Error} what the option `onError` throws, and `maxCost` with `refuse`
   */
  choose(
    body: Record<string, unknown>,
    beside: { format: keyof typeof REQUESTS; window?: number | undefined },
  ): Promise<Record<string, unknown>>;
  /** Takes what the provider counted of the last request, once; never throws. `input` is without what was read from the cache or written to it. */
  observe(usage: { input: number; output: number; read: number; write: number }): void;
  /**
   * Returns the state where it has to be written: behind a request that cut, because later ones follow from that and the history; and, with `isEnd`, where
   * there was any request since. Undefined otherwise.
   */
  state(isEnd?: boolean): SavedSession | undefined;
  /** The tool with which the model looks up what was cut from the conversation. Create it before the first request. */
  recallTool(): { name: string; description: string; parameters: object; execute: (input: unknown) => string };
}

/**
 * Creates what chooses the requests of a harness. It is loaded here, because the command line has no use for it.
 *
 * @param caller name in errors and warnings
 * @throws {TypeError | RangeError} an option is wrong
 */
export const createHarness = (caller: string, options?: HarnessSettings | null): Harness => {
  const { HarnessSessions } = require('./integrations/harness.js') as typeof import('./integrations/harness.js');
  return new HarnessSessions(caller, options);
};
