// Options that the integrations share.
import type {
  AsyncSession,
  AtMostOneLimit,
  OneCounter,
  PricedCost,
  Session,
  SessionSettings,
  SessionStep,
  ShadowOptions,
  Summarizer,
} from '../../index.js';

/**
 * Options of an integration: {@link IntegrationSettings} that go together.
 *
 * @typeParam Params the SDK's request, as `session`, `onStep` and `onError` get it
 */
export type IntegrationOptions<Params = unknown, T extends object = object> = IntegrationSettings<Params, T> & Together;

/** One limit at most, one way to count tokens, and a summarizer that is a function. */
export type Together = AtMostOneLimit & OneCounter & PricedCost & { summarizer?: Summarizer | null | undefined };

/**
 * Each option of an integration: those of `createSession` but its store, and how a request finds its session. The request gives `system`, `tools` and the
 * name of the model, and the window of the model where neither `limit` nor `window` is given. All are optional; `undefined` and `null` mean the
 * default.
 *
 * A failure of palimpsest loses no request: it goes out as it came, and `onError` is called, or the process emits one warning with the
 * code `PALIMPSEST_PASSED_THROUGH`. So it is with arguments of another version of the SDK that can't be read. A request that stays longer than
 * its limit, because nothing more of it can go, is sent as well, and told of by a `RangeError` or a warning with the code
 * `PALIMPSEST_OVER_LIMIT`; an answer that can't be read is passed on, with the code `PALIMPSEST_UNREAD`.
 *
 * @typeParam Params the SDK's request, as the functions below get it
 */
export interface IntegrationSettings<Params = unknown, T extends object = object>
  extends Omit<SessionSettings<T>, 'store' | 'id' | 'storeTimeout'> {
  /**
   * Names the session of a request: return one that `createSession` made, by an id of yours, such as one with a store. `null` and `undefined` leave it to be found.
   * Default: it is found by the messages. A request that continues another one belongs to its session; one that continues only the start of
   * it, with at least one answer of the model, gets a copy of that session; any other gets a new one.
   */
  session?: ((params: Params) => AnySession | null | undefined | Promise<AnySession | null | undefined>) | null | undefined;
  /**
   * Maximum number of conversations that are remembered, counting branches: an integer from 1. Beyond it the least recently used is
   * forgotten; if it goes on, it gets a new session. Default 100.
   */
  conversations?: number | null | undefined;
  /**
   * Adds `marksNote`, which explains the marks to the model, at the end of the system prompt of every request: from the first one on, so that
   * the cached prefix holds. It takes 259 tokens of `o200k_base`, which are counted within the limit; a session of yours counts them if its own
   * `system` ends with `marksNote`. `false` for models that take no system prompt. Default `true`.
   */
  explainMarks?: boolean | null | undefined;
  /** Called with each request that was chosen, before it is sent; a promise is waited for. Default none. */
  onStep?: ((step: SessionStep<T>, context: { session: AnySession; params: Params }) => void | Promise<void>) | null | undefined;
  /**
   * Called with each failure of palimpsest, and with a `RangeError` for each request that stays longer than its limit; a promise is waited for.
   * Errors that it throws reach the caller of the SDK, but for those about an answer. Default none: one warning of each kind.
   */
  onError?: ((error: unknown, context: { params: Params }) => void | Promise<void>) | null | undefined;
}

/** What an integration returns has the tool with which the model looks up what was cut from its conversation, in the shape of the SDK. */
export interface WithRecallTool<Tool> {
  /**
   * Creates the tool; it may be called without its object. From then on, the marks of removed messages have their numbers: create it before
   * the first request.
   */
  recallTool: () => Tool;
}

/** What an integration returns has the tool with which the model pins a text in its conversation, in the shape of the SDK. */
export interface WithPinTool<Tool> {
  /** Creates the tool; it may be called without its object. */
  pinTool: () => Tool;
}

/** An option of the integrations that send requests themselves. */
export interface WithShadow {
  /**
   * Also sends a sample of the cut requests whole, twice, with this client, and compares what the model does next.
   * They cost what whole requests cost, up to `maxTokens`. Default none.
   */
  shadow?: ShadowOptions | null | undefined;
}

/** A session of any options. */
export type AnySession = Session | AsyncSession;
