// Public types of palimpsest, written by hand.
//
// Lengths ("characters") are UTF-16 code units, as in `string.length`. Tokens are counted by the token counter or the tokenizer.

/**
 * Prices of a provider's cache, in multiples of the price of uncached input, and its lifetime. With `write` above 1, only prefixes that end
 * where an earlier request ended can be read, as at breakpoints; otherwise any prefix can.
 */
export interface CachePrices {
  /** Price of a token that is not read from the cache, from 0. Default 1. */
  write?: number | null | undefined;
  /** Price of a token that is read from the cache, from 0. */
  read: number;
  /** Lifetime of a prefix after the last request that contained it, in ms from 0; may be `Infinity`. */
  ttl: number;
  /** Minimum length of a prefix that is cached, in tokens from 0. Default 0. */
  minimum?: number | null | undefined;
}

/**
 * Options of `createSession` for a session whose `next` returns a step: {@link SessionSettings} with a limit of tokens, and without a store and a
 * summarizer.
 */
export type SessionOptions<T extends object = object> = SessionSettings<T> &
  OneLimit &
  OneCounter &
  CacheControlFormat &
  PricedCost & { store?: null | undefined; id?: null | undefined; summarizer?: null | undefined };

/**
 * Options of `createSession` for a session whose `next` returns a promise: {@link SessionSettings} with a limit of tokens and a `summarizer`, or a
 * `store` with an `id`, or both.
 */
export type AsyncSessionOptions<T extends object = object> = SessionSettings<T> &
  OneLimit &
  OneCounter &
  CacheControlFormat &
  PricedCost &
  ({ store: Store; id: string } | { store?: null | undefined; id?: null | undefined; summarizer: Summarizer });

/** Options of `createSession` where it turns out at run time whether there is a `summarizer`, or a `store` with an `id`. */
export type MaybeAsyncSessionOptions<T extends object = object> = SessionSettings<T> &
  OneLimit &
  OneCounter &
  CacheControlFormat &
  PricedCost &
  (
    | { store: Store | null | undefined; id: string }
    | { store?: null | undefined; id?: null | undefined; summarizer: Summarizer | null | undefined }
  );

/** `maxCost` is in the currency of `prices`. */
export type PricedCost = { prices: Prices } | { maxCost?: null | undefined };

/** `cacheControl` is for messages in Anthropic's format and in OpenAI's. */
export type CacheControlFormat =
  | { cacheControl?: false | null | undefined }
  | { format?: 'anthropic' | 'openai-chat' | 'openai-responses' | 'auto' | null | undefined };

/** What a million tokens cost, in any currency: numbers from 0 to 10⁹, such as `{ input: 5, output: 25 }`. */
export interface Prices {
  /** Of input that no cache has; the option `cache` says what share of it is paid for what is read from one or written to it. */
  input: number;
  /** Of answers, with what the model thinks. */
  output: number;
}

/**
 * Budgets, each an amount above 0 in the currency of {@link Prices}. A request counts as its usage says that was observed; before that, or without, by
 * its forecast, and without its answer. Days are UTC, by the option `now`. What is spent in a day is known to this process alone, since it
 * started.
 */
export interface MaxCost {
  /** For all requests of the session; the sum is saved with it. Default none. */
  session?: number | null | undefined;
  /** For all sessions of this process that have such a budget, each day. Default none. */
  day?: number | null | undefined;
  /** By the name of a tag: for all sessions of this process that have such a budget and the same value of that tag, each day. Default none. */
  tags?: Readonly<Record<string, number | null | undefined>> | null | undefined;
  /**
   * Whether `next` throws once a budget is spent: an Error with the code `ERR_PALIMPSEST_COST`, and `budget`, `spent` and `max` as in {@link CostEvent}. It
   * changes nothing: the session goes on when the day ends, or from `createSession(options, session)` with a larger budget. Integrations throw it to
   * the caller of the SDK. Default `false`.
   */
  refuse?: boolean | null | undefined;
}

/** 80 % or all of a budget is spent. */
export interface CostEvent {
  type: 'cost';
  /** Number of the session in this process, from 1: events of one session have the same. */
  session: number;
  /** Format of the messages. Absent before the first request that shows it. */
  format?: Format;
  /** Option `model`. Absent without it. */
  model?: string;
  /** Option `id`, the conversation in the store. Absent without it. */
  id?: string;
  /** Option `tags`. Absent without it. */
  tags?: Record<string, string>;
  /** Where the budget stands in {@link MaxCost}: `session`, `day`, or `tags.` and the name of a tag. */
  budget: string;
  share: 0.8 | 1;
  /** What was spent, at least `share` of `max`. */
  spent: number;
  /** The budget. */
  max: number;
}

/**
 * Each option of `createSession`: one of `limit`, `window` and `model`; all others are optional. `undefined` and `null` mean the default. There is no
 * other name: it is a TypeError. Shares are above 0 and below 1. {@link SessionOptions} and {@link AsyncSessionOptions} say which go together.
 */
export interface SessionSettings<T extends object = object> {
  /**
   * Maximum number of tokens of a request, above 0, including messages, `system`, `tools`, and what the provider adds. Combined with
   * `window` it is a TypeError.
   */
  limit?: number | null | undefined;
  /**
   * The model's context window in tokens, above 0. The limit is then the window less `maxOutputTokens`. As long as no usage was observed
   * and counts are approximate ({@link FitResult.exact}), the margin of {@link FitSettings} stays free: 40 % in Anthropic's format, 20 % in
   * others.
   */
  window?: number | null | undefined;
  /**
   * Maximum number of tokens of the answer, from 0 and below the window, as in the request. With `limit` a TypeError. Default 0; with the
   * window of `model` the largest answer of that model, where it is known.
   */
  maxOutputTokens?: number | null | undefined;
  /**
   * Name of the model, as in {@link FitSettings}: it gives the tokenizer and the window where `tokenizer`, `limit` and `window` don't. Without
   * these and `compactThreshold`, a session's limit is 128,000 tokens plus what can't be cut (`system`, `tools` and the instructions at the
   * beginning), or the window if that is smaller. It grows if what has to stay takes more. Default none.
   */
  model?: string | null | undefined;
  /**
   * Format of the messages. Default `auto`: the first messages that show it decide. One that is named is read as by {@link fit}, with whatever
   * else the messages have.
   */
  format?: Format | CustomFormat<any> | 'auto' | null | undefined;
  /** Token counting method. Default `o200k_base`, or that of `model`. */
  tokenizer?: Tokenizer | null | undefined;
  /** Counts the tokens of a message in place of `tokenizer`, as in {@link FitSettings}. Default none. */
  tokenCounter?: ((message: T) => number) | null | undefined;
  /** Instructions sent beside the messages; counted, never edited. Default none. */
  system?: SystemPrompt | null | undefined;
  /** Tools that are sent along; counted, never edited. Default none. */
  tools?: Tools | null | undefined;
  /** Trade-off between memory and cost; sets `low` and `coldLow`. Default `balanced`. */
  preset?: 'careful' | 'balanced' | 'thrifty' | null | undefined;
  /**
   * Share of what can be cut that an epoch leaves: of the limit without `system`, `tools` and the instructions at the beginning. Default 0.5;
   * `careful` 0.6, `thrifty` 0.3.
   */
  low?: number | null | undefined;
  /**
   * The same share after the cache has expired. Default 0.35, `careful` 0.6, `thrifty` 0.3, but not more than an
   * explicit `low`.
   */
  coldLow?: number | null | undefined;
  /**
   * The provider's cache, by the name of its prices, or these. Default: that of `model`, where it is known; otherwise `anthropic` and `gemini` for
   * models of these providers, or without `model` for the formats of these names, and `openai` for all others.
   */
  cache?: 'anthropic' | 'anthropic-1h' | 'openai' | 'gemini' | 'none' | CachePrices | null | undefined;
  /**
   * Adds the breakpoints of the provider's cache to copies of the messages. With a format other than `anthropic`, `openai-chat` and
   * `openai-responses` it is a TypeError. Default `false`.
   *
   * Anthropic's `cache_control` comes at the end of the request, at the end of the last epoch's result, and at the end of the last request if it is 20
   * blocks or more away. Together with your own, including those of `system` and `tools`, there are never more than 4. They live for an hour if the
   * cache does and no other breakpoint lives shorter.
   *
   * OpenAI's `prompt_cache_breakpoint` comes at the end of the instructions that the messages begin with, or of the first message where there are none,
   * and at the end of the last epoch's result; OpenAI itself puts one at the end of the request, unless its `prompt_cache_options.mode` is `explicit`.
   * Together with your own there are never more than 3, unless yours are. They are for models that are known to take them, GPT-5.6 and later, named in
   * `model` without a gateway in front: with any other model, and without one, nothing is added. Set it for OpenAI's own API only: others may refuse them.
   */
  cacheControl?: boolean | null | undefined;
  /**
   * Tokens of a request from which the provider compacts the conversation, or clears results in it, by itself, from 0: OpenAI's
   * `compact_threshold`, the `trigger` of Anthropic's edits. Where that is not above the limit, the session leaves it to the provider, and cuts only
   * what exceeds the limit. The integrations read it from requests. Default: the provider does not.
   */
  compactThreshold?: number | null | undefined;
  /**
   * Looks up what the user's words ask for, when they end the history, and appends the best passages of what the request lacks behind them: on a
   * copy of that message, under the line `[recalled from this conversation, not part of this message]`, and only if they are relevant enough.
   * They stay until the next epoch, so that the cached prefix holds, and the limit holds as well. `auto` appends up to 1,000 tokens, or a quarter of
   * the limit if that is less; `limit`, above 0, is another maximum. Default: nothing is appended.
   */
  recall?: 'auto' | { limit?: number | null | undefined } | null | undefined;
  /**
   * Returns what changes from request to request, such as the date, in place of a line of `system`: there, each change would keep the provider from
   * reading anything of the request from its cache. It is appended to the user's words, on a copy of their message, under the line
   * `[current, not part of this message]`, and again when the user speaks after it changed, or an epoch cut it. Where there is no room, it waits for the next epoch.
   * An empty string is not appended. Default none.
   */
  volatile?: (() => string) | null | undefined;
  /**
   * Treatment of signed thinking. `strip` removes the blocks after a change, because models with preserved thinking refuse them. `leave`
   * leaves them in place, for models that do not check and for requests with `drop_block`. `keep` cuts nothing before such a block, so that a request may not fit. Default
   * `strip`; in integrations `leave` where the request gives the model a fixed budget for thinking.
   */
  thinking?: 'strip' | 'keep' | 'leave' | null | undefined;
  /** Content that stays at any cost, as in {@link FitSettings}. Default: the system's instructions at the beginning, and its newest. */
  keep?: FitSettings<T>['keep'];
  /** Topic of the next answer, as in {@link FitSettings}. Default: the current exchange. */
  query?: FitSettings<T>['query'];
  /** Whether superseded content goes first, as in {@link FitSettings}. Default `true`. */
  prune?: FitSettings<T>['prune'];
  /**
   * Whether results of tools are written in fewer tokens, as in {@link FitSettings}: when they are first sent, and so in all requests from then on.
   * Results behind which the model had signed its thinking when the session first saw them stay whole, until a request has no room for them and
   * that thinking is gone. `keep.recent` makes no difference. Default `true`.
   */
  shorten?: FitSettings<T>['shorten'];
  /**
   * Limits of a request beside tokens, as in {@link FitSettings}. A request that would exceed one begins an epoch, which leaves three quarters of
   * it, so that the next ones only append; what it takes out stays out. Default: those of the provider that `model` or the format names.
   */
  requestLimits?: RequestLimits | false | null | undefined;
  /** Roles as the server wants them, as in {@link FitSettings}. Default: `alternate` for Mistral's models, where `model` names one. */
  roles?: 'alternate' | 'any' | null | undefined;
  /**
   * Summarises what goes, as in {@link FitSettings}; `next` then returns a promise. Summaries are requested in the background, from 80 % of
   * the limit on and at epochs, once per text, and never waited for: the next epoch uses an answer that comes late, and a failure costs
   * nothing but that summary. With a `store`, its summaries are kept there, and those of other processes are used. `'store'`: nothing is asked
   * here; workers put the summaries into the store. Default none.
   */
  summarizer?: Summarizer | 'store' | null | undefined;
  /** Maximum number of concurrent summarizer calls: an integer from 1, or `Infinity`. Default 4. */
  concurrency?: number | null | undefined;
  /**
   * The switch: `false`, or a function that returns it before each request, sends requests out as they come, byte for byte: without cuts, shorter results,
   * `marksNote`, recalled passages, `volatile` and breakpoints. They are counted and reported (`report.off`), and once it is `true` again the session goes
   * on behind them. `PALIMPSEST=off` in the environment of the process does so for every session and integration, and for the proxy. Default `true`.
   */
  enabled?: boolean | (() => boolean) | null | undefined;
  /**
   * Whether a mistake in how the session is used is a warning of the process, too; the report lists it anyway. `false` is for sessions that replay
   * a recording. Default `true`.
   */
  warn?: boolean | null | undefined;
  /** Returns the time in ms as a finite number; otherwise `next` throws a TypeError. Default `Date.now`. */
  now?: (() => number) | null | undefined;
  /**
   * Keeps the session outside the process; `next` then returns a promise. The first request takes up the state of the conversation `id`, and
   * each request saves it. If another process saved one meanwhile, its state is taken up and the request is chosen anew, so that processes
   * that share a conversation send the same prefix. A state of another history is replaced.
   *
   * If the store fails or does not answer in time, the request goes out, unsaved, with one warning of the process (code `PALIMPSEST_STORE`).
   * Default none.
   */
  store?: Store | null | undefined;
  /** Name of the conversation in the store, which it requires. Default none. */
  id?: string | null | undefined;
  /**
   * Maximum wait for each call to the store in ms, from 0. While a call hangs, later requests don't wait for the store at all. Default 1000.
   */
  storeTimeout?: number | null | undefined;
  /**
   * Removes secrets from texts before they are handed to the summarizer, saved or stored: a function such as {@link redactSecrets}, or
   * patterns whose matches become `[redacted]`. What is sent to the provider stays as it is; if a mark contains a secret, a resumed session
   * sends it redacted. Default none.
   */
  redact?: ((text: string) => string) | readonly RegExp[] | null | undefined;
  /**
   * What tells this session from others in events, reports and budgets, such as `{ user: 'u-17', feature: 'search' }`: up to 16 names of 1 to 64
   * UTF-16 code units, each with a string of up to 256. A tag that is `undefined` is left out. They are published and saved as they are, and not sent
   * to the provider: put no secret into them. A session that is resumed keeps those that were saved, unless this option is given. Default none.
   */
  tags?: Readonly<Record<string, string | undefined>> | null | undefined;
  /**
   * What a million tokens of the model cost. With them, reports and events say what was spent, also for answers and for what goes through the
   * cache, by the prices of `cache`. Default none.
   */
  prices?: Prices | null | undefined;
  /**
   * How much may be spent, above 0, in the currency of `prices`, which it requires: a number for the session, or several budgets. `onCost` is told once
   * when 80 % of a budget are spent and once at 100 %. Requests go out all the same, unless `refuse` is `true`. The switch `enabled` makes no
   * difference. Default none.
   */
  maxCost?: number | MaxCost | null | undefined;
  /**
   * Called when a request has spent 80 % or all of a budget, by `observe`, or by the next `next` where no usage was observed; one that takes both
   * steps at once is told of as 100 % alone. What it throws reaches the caller. Default: one warning of the process for each kind of budget and share,
   * with the code `PALIMPSEST_COST`, unless `warn` is `false`.
   */
  onCost?: ((event: CostEvent) => void) | null | undefined;
}

/** {@link createSession} with a summarizer or a store: the session's `next` returns promises. */
export function createSession<T extends object = object>(options: AsyncSessionOptions<T>, saved?: SavedSession | null): AsyncSession<T>;

/** {@link createSession} without both: the session's `next` returns a step. */
export function createSession<T extends object = object>(options: SessionOptions<T>, saved?: SavedSession | null): Session<T>;

/** {@link createSession} where a summarizer or a store may be given or not: `nextAsync` of either session returns a promise. */
export function createSession<T extends object = object>(
  options: MaybeAsyncSessionOptions<T>,
  saved?: SavedSession | null,
): AsyncSession<T> | Session<T>;

// Once more, because TypeScript explains an error by the last overload.
/**
 * Starts a session, or resumes a saved one. A session chooses the messages of each request in an agent's loop, stays within the limit and
 * keeps the provider's cache warm.
 *
 * The options are not saved. A session that is resumed with the same options sends what the saved one would have sent, byte for byte.
 *
 * @example
 * import { createSession } from 'palimpsest';
 *
 * const session = createSession({ limit: 1000, format: 'openai-chat' });
 * const history = [];
 * for (let step = 0; step < 40; step++) {
 *   history.push({ role: 'user', content: `Step ${step}: why did worker-${step} wait ${step * 7} s for backup-${step}?` });
 *   const { messages } = session.next(history);
 *   // Send `messages` to the provider, and pass the usage that it reports to `session.observe`.
 *   history.push({ role: 'assistant', content: `It waited for the lock of backup-${step}, so I moved it to ${step % 24}:00.` });
 *   if (messages.length < history.length - 1) break;
 * }
 * console.log(session.report.epochs.limit + session.report.epochs.turn); // → 1
 *
 * @param saved output of `JSON.stringify(session)`, parsed
 * @throws {TypeError} an option is wrong, or `saved` was not written by a session of this version; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function createSession<T extends object = object>(options: SessionOptions<T>, saved?: SavedSession | null): Session<T>;

/** A conversation, request by request. */
export interface Session<T extends object = object> {
  /**
   * Returns the messages to send. Pass the complete history each time, including new messages; it is never changed.
   *
   * Most calls only append: messages that were sent before are sent again, as the same objects, followed by the new messages, unchanged. An
   * *epoch* chooses anew from the complete history, as {@link fit} does. If the history itself has changed, the messages before the change
   * are sent as before. Runs in time linear in the size of the new messages; with an epoch or a change, of the history.
   *
   * @throws {TypeError} `history` is not an array or shows another format than before, if none was named, or a message does not have the shape of its format;
   *   the session is then unchanged
   */
  next<M extends T>(history: readonly M[]): SessionStep<M>;
  /**
   * Asynchronous version of {@link Session.next} for servers: it works in slices of about a millisecond between which the event loop turns, and an epoch
   * is chosen on another thread; the collector of V8 may hold the loop longer. The messages must not change before it settles. Overlapping calls are
   * answered in order.
   */
  nextAsync<M extends T>(history: readonly M[]): Promise<SessionStep<M>>;
  /**
   * Takes the usage that the provider reported for the last request, unchanged: from OpenAI, Anthropic, Gemini, the AI SDK, OpenAI's
   * Agents SDK or LangChain (`usage_metadata`). From then on, all figures of steps, reports and events are in the provider's tokens, and
   * tokens that it did not read from the cache bring the next epoch nearer. Up to a factor of 4, usage scales all counts; beyond it, the
   * difference is taken for tokens beside the messages, such as tools that the options don't name. 0 tokens change nothing. Of Anthropic's `iterations` the first one counts.
   * Without usage, as before the first answer, it does nothing.
   *
   * @param diagnostics what the provider says of its cache, if you asked for it: `diagnostics` of Anthropic's message, or `prompt_cache_diagnostics` of
   * OpenAI's response. Its word goes to `said` of the misses, and is their cause where the session knows none. Default none.
   * @returns what the request read from the cache, and why it read no more; the same is in `report.cache.last`. Undefined without usage, as long as
   * it has given no number of cached tokens, and after the first call for a request
   * @throws {TypeError} `usage` is not an object, or has no number of input tokens; or `diagnostics` are nothing that a provider says
   */
  observe(usage: object | null | undefined, diagnostics?: object | null): CacheReport | undefined;
  /**
   * Searches what the last request lacks, as {@link recall} does. The index is built at the first call and grows with the history. Parts of
   * calls of the recall tool are not searched. Before the first `next` there is nothing to find.
   *
   * @throws {TypeError} `query` is not a string, or an option is wrong
   * @throws {RangeError} a number is out of range
   */
  recall(query: string, options?: SessionRecallOptions | null): RecallResult;
  /**
   * Pins a text, or a message of the history: each request from the next one on has it, word for word, until it ends or is unpinned. Pins are saved
   * with the session. It takes effect with the next `next`, and reads nothing of the history.
   *
   * A text is appended to the last words of the user or the last result that the request may still change, on a copy of that message, under the line
   * `[pinned, not part of this message]`; an epoch appends it at the end of what it leaves. A message stays as it was sent; what the last epoch
   * cut of it is appended likewise until the next one, which leaves it whole. A pin that ends stays where it was sent until the next epoch, so that the cached
   * prefix holds.
   *
   * Pins have up to half of what an epoch leaves of what can be cut, the first ones first. {@link SessionStepReport.pins} says which are not in a request,
   * and the first of them is a mistake of the session's `report`.
   *
   * @param what a text that is not blank, or the index of a message from 0, which may come with the next request. Where the history has another
   *   message in its place, it is not sent
   * @throws {TypeError} `what` is neither, an option is wrong, or an integration found the session by its messages, with which the conversation of
   *   another user may begin, too: name it by the integration's option `session`
   * @throws {RangeError} `until` is a number other than an integer from 1
   */
  pin(what: string | { message: number }, options?: PinOptions | null): void;
  /**
   * Ends pins: those with this label or text, or of this message. Without such a pin it does nothing.
   *
   * @throws {TypeError} `what` is neither a text that is not blank nor an object with the index of a message
   */
  unpin(what: string | { message: number }): void;
  /**
   * Returns a request that went out, byte for byte, with what was cut from it and why. No content is kept for it: the messages are those of the
   * history that you pass, and what was made of them follows from what the session keeps of its choices. That takes at most 2 % of the history and
   * 4 KB; the oldest requests go first.
   *
   * Also of a session that was saved and has made no request yet, and with requests of other processes over a store. Give the options that the
   * session had. Cache breakpoints of yours, and what no provider sees of a message, are those of the history that you pass.
   *
   * @param number the request's: the first one is 1, the last one {@link SessionReport.requests}
   * @param history one that begins with the request's. Default: that of the last request, which a session that was saved does not have before its next one
   * @throws {TypeError} `number` is not an integer from 1, `history` is not an array of messages, there is none, or the store of the session was not read yet:
   *   {@link AsyncSession.load}
   */
  at<M extends T>(number: number, history?: readonly M[] | null): SentRequest<M>;
  /**
   * Says why something is missing: where the history says it, which requests had it, in which one it went and why, what took its place, and what
   * would bring it back. As {@link Session.at}, it works from your history and what the session keeps of its choices, also after a restart. It reads
   * the history once for each change of what was cut. What a model thought is not searched.
   *
   * @param what a text, word for word, or a message of the history by its index
   * @param history default: that of the last request, which a session that was saved does not have before its next one
   * @throws {TypeError} `what` is neither a text that is not blank nor an object with the index of a message, `history` is not an array of messages, there
   *   is none, or the store of the session was not read yet: {@link AsyncSession.load}
   */
  why(what: string | { message: number }, history?: readonly T[] | null, options?: WhyOptions | null): Why;
  /**
   * Returns what the last request was made of: tools, instructions, rules, the task, files in work, older results, marks and the like, in tokens that
   * add up to those of the request. For a "/context" of an app, or a page about its sessions. It reads the request once.
   *
   * @param history one that begins with that of the last request. Only a session that was saved needs it, before its next request
   * @returns undefined before the first request; of a session that was saved also without its history, or for another one
   * @throws {TypeError} `history` is not an array of messages, or is given before the store of the session was read: {@link AsyncSession.load}
   */
  context(history?: readonly T[] | null): SessionContext | undefined;
  /** Totals of the session so far. */
  readonly report: SessionReport;
  /**
   * Returns the state of the session for `JSON.stringify`: at most 5 % of the size of the history and 2 KB, twice that of pinned texts, and for
   * {@link Session.at} 2 % and 4 KB more. It contains no copy of the history, but it does contain summaries, pinned texts, what `volatile` returned
   * and the marks that were put into messages.
   */
  toJSON(): SavedSession;
}

/** A request that went out, or why it is not known. */
export type SentRequest<M extends object = object> = KnownRequest<M> | UnknownRequest;

/** A request that went out. */
export interface KnownRequest<M extends object = object> {
  known: true;
  /** its number, from 1 */
  number: number;
  /** how many messages the history had */
  history: number;
  /** why all was chosen anew for it; absent where it only appended */
  epoch?: SessionEpoch['reason'];
  /** present where the session was switched off: it went out as it came */
  off?: true;
  /** what went out */
  messages: M[];
  /** what it had other than the history, in the history's order */
  cuts: SentCut[];
}

/** What a request had other than a message of the history. */
export interface SentCut {
  /** index of the message in the history */
  message: number;
  /**
   * `removed`: nothing of it was sent. `cut`: a part of it was not. `thinking`: its signed thinking was not. `marked`: it held the mark of messages
   * beside it that went. `shortened`: a result in it was written in fewer tokens, with nothing lost. `added`: what is pinned, recalled or volatile
   * stood behind its words.
   */
  how: 'removed' | 'cut' | 'thinking' | 'marked' | 'shortened' | 'added';
  /** number of the request that had it so first; absent where that is too long ago to be known, and for `shortened` */
  request?: number;
  /** why all was chosen anew for that request; absent where it was not, and for `shortened` */
  epoch?: SessionEpoch['reason'];
  /** the marks and added texts that stood in it */
  marks: string[];
}

/** A request that is not known. */
export interface UnknownRequest {
  known: false;
  number: number;
  /**
   * `not-sent`: there was none with this number yet. `dropped`: too long ago. `history`: its history is not the beginning of the one that was
   * passed. `choice`: what was cut makes something else of it now, because of another option, a secret that was redacted in what was saved, or
   * members that came back in another order.
   */
  why: 'not-sent' | 'dropped' | 'history' | 'choice';
  /** how many messages its history had, where that is known */
  history?: number;
  /** the same in words */
  text: string;
}

/** What a request is made of. */
export interface SessionContext {
  /** its number, from 1 */
  request: number;
  /** tokens of the request: {@link SessionStep.tokens}`.after`, or what the provider's usage made of it since */
  tokens: number;
  /** maximum number of tokens */
  limit: number;
  /** tokens that the limit has room for yet */
  free: number;
  /** the largest first. Their tokens add up to `tokens` */
  parts: ContextPart[];
  /** the same in one line */
  summary: string;
}

/** What a request holds of one kind. */
export interface ContextPart {
  /**
   * `tools`: their definitions. `instructions`: the system's. `rules`, `task`, `state`: messages that hold standing rules, the first request or the
   * newest one, the newest list, plan or summary. `pins`, `recalled`, `volatile`: what the session added, and pinned messages. `files`: the newest
   * results of calls that name a file. `results`: other results of the current turn. `older-results`: all others. `calls`: calls of tools.
   * `user`, `assistant`: what else they said. `thinking`: the model's. `media`: images, documents and unknown content. `marks`: what stands
   * in the place of what was cut. `other`: what the provider adds.
   */
  kind:
    | 'tools'
    | 'instructions'
    | 'rules'
    | 'task'
    | 'state'
    | 'pins'
    | 'recalled'
    | 'volatile'
    | 'files'
    | 'results'
    | 'older-results'
    | 'calls'
    | 'user'
    | 'assistant'
    | 'thinking'
    | 'media'
    | 'marks'
    | 'other';
  tokens: number;
  /** of the request's tokens, from 0 to 1 */
  share: number;
  /** how many messages of the request hold some of it; 0 for what is in front of them */
  messages: number;
  /** how many requests ago the oldest of it came, as far as the session knows; absent for what is in front of the messages */
  age?: number;
  /** what it cost in this request, in tokens at the price of uncached input, by the session's prices of the cache */
  cost: number;
}

/** Options of {@link Session.why}. */
export interface WhyOptions {
  /** number of the request in which it is looked for: later ones are left out. Default: the last one */
  request?: number | null | undefined;
}

/** Why something is missing from a request. */
export interface Why {
  /** where the history says it, or the message that was asked for, in its order: up to 50 places, the newest ones; empty if nothing says it */
  said: WhySaid[];
  /**
   * numbers of the requests that had it anywhere, word for word, in ranges of the first and the last one: also where it was pinned or recalled. Of a
   * message: those that had all of it
   */
  requests: [first: number, last: number][];
  /** numbers of the requests with this history that are known, in the same form */
  known: [first: number, last: number][];
  /** the same in words: a line, and one for each place */
  summary: string;
}

/** A place where something is said. */
export interface WhySaid {
  /** index of the message in the history */
  message: number;
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** the tool that is called, or whose result it is */
  tool?: string;
  /** numbers of the requests that had it in this place, in ranges of the first and the last one */
  requests: [first: number, last: number][];
  /**
   * why the last known request does not have it in this place, or, of a message that was asked for, has it in fewer tokens or without its thinking;
   * absent if it does
   */
  gone?: WhyGone;
  /** what would bring it back, present with `gone` */
  back?: WhyBack[];
}

/** Why something is not in a request. */
export interface WhyGone {
  /**
   * `removed`: nothing of the message was sent. `cut`: it was in a part that went. `thinking`: it was signed thinking, which went. `shortened`: the
   * result was written in fewer tokens, with nothing lost.
   */
  how: 'removed' | 'cut' | 'thinking' | 'shortened';
  /** number of the first request without it; absent where that is not known */
  request?: number;
  /** why all was chosen anew for that request; absent where it was not: the history was changed, or thinking was signed over something else */
  epoch?: SessionEpoch['reason'];
  /** the mark that took its place; absent where none could stand there */
  mark?: string;
  /** what superseded it, as {@link PruneSettings} has it, such as `stale read of a.ts`; absent where it went for the tokens */
  because?: string;
}

/** What would bring something back. */
export interface WhyBack {
  by: 'pin' | 'keep' | 'prune' | 'limit' | 'recall' | 'shorten' | 'thinking';
  /** what to call or to set */
  text: string;
}

/** Options of {@link Session.recall}. */
export interface SessionRecallOptions {
  /** Maximum number of tokens of all passages with their places, above 0. Default 500. */
  limit?: number | null | undefined;
  /**
   * Index of a message of the history, from 0. With `from`, `to` or both, the result is these messages as they were, from the first on, as far
   * as `limit` reaches, and `query` has no effect. The last one may be its first lines, or the beginning of a first line that is longer.
   * Default: the other one of the two.
   */
  from?: number | null | undefined;
  /** Index of the last of these messages, from 0. */
  to?: number | null | undefined;
}

/** Options of {@link Session.pin}. */
export interface PinOptions {
  /**
   * Name of the pin, by which it is unpinned and reported: one line of 1 to 100 UTF-16 code units. A new pin with the same one takes its place. The
   * model is shown it. Default none: a pin of the same text or message takes its place.
   */
  label?: string | null | undefined;
  /**
   * When it ends: after a number of requests, an integer from 1; at a time, by the session's `now`; or with the turn of the first request that has it
   * (`turn`), when the user says something new. Default: when it is unpinned.
   */
  until?: number | Date | 'turn' | null | undefined;
}

/** Pins, and which of them a request has word for word. */
export interface PinsReport {
  /** Number of pins. */
  found: number;
  /** How many of them the request has. */
  kept: number;
  /** Tokens of these, as the library counts them. */
  tokens: number;
  /** Their names: the label, or the place among the pins from 0, of a pin without one. In `fit`, the place in `keep.pinned`. */
  labels: (string | number)[];
  /** The names of the others. Absent if there are none. */
  lost?: (string | number)[];
}

/** A tool with which a model looks up what was cut from its conversation. */
export interface RecallTool {
  name: 'recall';
  description: string;
  /** JSON schema of the arguments: `query`; or `from` and `to`, the numbers of messages that a mark names. */
  parameters: {
    type: 'object';
    properties: {
      query: { type: 'string'; description: string };
      from: { type: 'integer'; description: string };
      to: { type: 'integer'; description: string };
    };
    additionalProperties: false;
  };
  /** Answers a call: passages with their places, or what is wrong with the arguments. Never throws. */
  execute(input: { query?: string | null; from?: number | null; to?: number | null }): string;
}

/**
 * Creates a tool with which the model looks up what was cut from the conversation of a session. From then on, the marks of removed messages have
 * their numbers: `[… messages 12–17: read_file ×2]` instead of `[… 6 messages: read_file ×2]`. Create it before the first `next`.
 *
 * What the integrations return has a method of the same name, which makes it in the shape of the SDK.
 *
 * @example
 * import { createSession, recallTool } from 'palimpsest';
 *
 * const session = createSession({ limit: 100_000 });
 * const { name, description, parameters, execute } = recallTool(session);
 * console.log(name, execute({ query: 'port of the proxy' })); // → recall Nothing that was cut matches.
 *
 * @throws {TypeError} `session` is not a session
 */
export function recallTool(session: Session | AsyncSession): RecallTool;

/** A tool with which a model pins a text. */
export interface PinTool {
  name: 'pin';
  description: string;
  /** JSON schema of the arguments: `text`; `label`, as in {@link PinOptions}; and `until`, a number of requests. */
  parameters: {
    type: 'object';
    properties: {
      text: { type: 'string'; description: string };
      label: { type: 'string'; description: string };
      until: { type: 'integer'; description: string };
    };
    required: ['text'];
    additionalProperties: false;
  };
  /** Answers a call: that it is pinned or unpinned, or what is wrong with the arguments. An empty `text` with a `label` unpins. Never throws. */
  execute(input: { text: string; label?: string | null; until?: number | null }): string;
}

/**
 * Creates a tool with which the model pins a text of its own in the conversation of a session, as {@link Session.pin} does.
 *
 * What the integrations return has a method of the same name, which makes it in the shape of the SDK. What is pinned by those is sent only with a
 * history that has the call.
 *
 * @example
 * import { createSession, pinTool } from 'palimpsest';
 *
 * const session = createSession({ limit: 100_000 });
 * const { name, description, parameters, execute } = pinTool(session);
 * console.log(name, execute({ text: 'The tests run with `make check`.', label: 'tests' })); // → pin Pinned.
 *
 * @throws {TypeError} `session` is not a session
 */
export function pinTool(session: Session | AsyncSession): PinTool;

/** A session with a summarizer or a store. */
export interface AsyncSession<T extends object = object> extends Omit<Session<T>, 'next'> {
  /** As {@link Session.nextAsync}. */
  next<M extends T>(history: readonly M[]): Promise<SessionStep<M>>;
  /**
   * Reads the conversation from the store, as the first `next` does: from then on `report`, `at`, `why` and `context` know the requests of other
   * processes and of those before a restart. Pass these three the history until the next request. It waits for requests that are under way. Without a
   * store, and once the session has read it, it does nothing.
   *
   * @throws {Error} the store failed, with the code `PALIMPSEST_STORE`: call it again, or go on with `next`, which works without the store
   */
  load(): Promise<void>;
}

/** Options of {@link createShadow}. */
export interface ShadowOptions {
  /** Share of the cut requests to sample: above 0, at most 1. Each sampled request is also sent whole, twice. */
  share: number;
  /**
   * Maximum number of tokens that all shadow requests may take, input (cached or not) and output: an integer from 1. A pair is sent only if what
   * is left holds both requests with the longest answers that they allow. Where a request allows any length, the length of the answer to the
   * cut request counts.
   */
  maxTokens: number;
  /** Called with each comparison, and with the sums of all of them. Default none. */
  onResult?: ((result: ShadowResult, report: ShadowReport) => void) | null | undefined;
}

/**
 * How the answers to a cut request and to the same request without a cut differ. A member is absent if they do the same. `tool`: they call other
 * tools, or only one calls any; `argument`: the same tools about something else (another command, file or pattern); `edit`: the same
 * edits, but only some of them apply to what was read; `answer`: neither calls a tool, and one has less than half of the other's specific facts.
 */
export interface ShadowResult {
  /** The answer to the cut request, compared with the first one to the whole request. */
  changed?: 'tool' | 'argument' | 'edit' | 'answer';
  /** The two answers to the whole request, compared with each other: what the model changes by itself. */
  noise?: 'tool' | 'argument' | 'edit' | 'answer';
}

/** A share with its interval. */
export interface ShadowRate {
  count: number;
  of: number;
  /** `count / of`, 0 to 1; 0 if there are none. */
  share: number;
  /** Ends of Wilson's score interval of 95 %, 0 to 1. */
  low: number;
  high: number;
}

/** The comparisons so far, without anything that was said. */
export interface ShadowReport {
  /** Number of requests that were cut. */
  requests: number;
  /** Of these, the ones that were compared. */
  compared: number;
  /** Of these, the ones whose shadow requests the provider refused or broke off. A request that exceeds the model's window is one of them. */
  failed: number;
  /**
   * Of these, the ones that were sampled and not sent whole: the provider runs tools for them, the answer broke off or looks something up, or four
   * others were under way.
   */
  skipped: number;
  /** How often the model did something else after a cut, and how often it did without one. */
  changed: ShadowRate;
  noise: ShadowRate;
  /** The comparisons in `changed` by what differed first. */
  kinds: { tool: number; argument: number; edit: number; answer: number };
  /** Tokens that shadow requests have taken, and may take. */
  tokens: number;
  maxTokens: number;
  /** Whether a pair was not sent because of `maxTokens`. No further one is sent then. */
  isSpent: boolean;
}

/** A request that was cut, as {@link Shadow.sample} takes it. */
export interface ShadowedRequest {
  /** Format of the provider's answers. */
  format: 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';
  /** Returns the whole request, without the cut. Asked for only if it is sampled. */
  whole: () => object;
  /** Input tokens of the whole request, from 0: `step.tokens.before`. */
  tokens: number;
  /** Maximum number of tokens of its answer, where it has one. */
  maxOutputTokens?: number | null | undefined;
}

/** A request that was sampled. */
export interface ShadowTrial {
  /** Takes the answer to the cut request, or each value of its stream in order, as the provider sent them. Never throws. */
  see(value: unknown): void;
  /**
   * Sends the shadow requests and compares. Call it when the answer was handed on.
   *
   * @param ask sends the whole request, and hands each value of the answer to `see`; it is called twice, one after the other. It may return
   *   `false` if the provider refused the request, which then costs nothing
   * @returns the comparison; undefined if there is none. Never rejects
   */
  run(ask: (see: (value: unknown) => void) => Promise<unknown>): Promise<ShadowResult | undefined>;
}

/** Compares what a model does after cuts with what it does without. */
export interface Shadow {
  /**
   * Takes a request that was cut, and decides at random whether it is compared.
   *
   * @throws {TypeError} the request is not such an object
   */
  sample(request: ShadowedRequest): ShadowTrial | undefined;
  readonly report: ShadowReport;
  /** Returns the report: {@link createShadow} goes on from it. */
  toJSON(): ShadowReport;
}

/**
 * Measures on your own traffic whether cutting changes what the model does next. A sample of the cut requests is also sent whole, twice: once to
 * compare, and once more to see how much the model varies by itself. No text is kept. The clients of `palimpsest/anthropic`, `…/openai` and
 * `…/gemini` do this with their option `shadow`, and `palimpsest proxy` does it with `--shadow`. This function is for loops of your own.
 *
 * Shadow requests cost what whole requests cost, up to `maxTokens`. Requests for which the provider runs tools are not sent again. After one that
 * fails, none is sent for a minute.
 *
 * @example
 * import { createSession, createShadow } from 'palimpsest';
 *
 * const session = createSession({ limit: 100_000 });
 * const shadow = createShadow({ share: 0.02, maxTokens: 5_000_000 });
 *
 * async function ask(client, request) {
 *   const { messages, tokens } = session.next(request.messages);
 *   const isCut = tokens.after < tokens.before;
 *   const whole = () => request;
 *   const trial = isCut ? shadow.sample({ format: 'anthropic', whole, tokens: tokens.before }) : undefined;
 *   const answer = await client.messages.create({ ...request, messages });
 *   trial?.see(answer);
 *   trial?.run(async (see) => see(await client.messages.create(request)));
 *   return answer;
 * }
 *
 * console.log(shadow.report.compared); // → 0
 *
 * @param saved report of an earlier one, to go on from
 * @throws {TypeError} an option is missing or wrong, or `saved` is no report
 * @throws {RangeError} a number is out of range
 */
export function createShadow(options: ShadowOptions, saved?: ShadowReport | null): Shadow;

/** State of a session as plain JSON. Its contents are internal. */
export interface SavedSession {
  /** Version of the shape; any other is refused. */
  version: number;
  [key: string]: unknown;
}

/** The request to send, and how it came about. */
export interface SessionStep<T> {
  /**
   * The messages to send: the history's own objects, copies of messages that were cut or that `cacheControl` marks, and marks in place of
   * removed messages.
   */
  messages: T[];
  /**
   * Whether `tokens.after` is within the limit, and the request within the `requestLimits`. If not, what has to stay exceeds them, and this is the
   * smallest valid request.
   */
  fits: boolean;
  /**
   * Tokens of the whole request, including `system` and `tools`: `before`, without any cut; `after`, as it is sent; `limit`, the maximum;
   * `minimum`, present if it does not fit, the smallest possible. All tokens of a step, in `epoch` and `report` too, are of one kind: the
   * library's counts before the first {@link Session.observe}; then the provider's, scaled by the last usage and rounded up.
   */
  tokens: { before: number; after: number; limit: number; minimum?: number };
  /** Present if this request begins an epoch. */
  epoch?: SessionEpoch;
  /** Present with `summarizer: 'store'` if texts in the store wait for summaries: the conversation, and the version of its saved state. */
  compaction?: { id: string; version: number };
  report: SessionStepReport;
}

/** A new choice from the complete history. It breaks the cached prefix. */
export interface SessionEpoch {
  /** Number of the epoch in the session, from 1. */
  number: number;
  /**
   * Why it came. `limit`: the request would exceed the limit, or one of the `requestLimits`. `turn`: the limit is near, and the user has just
   * spoken. `early`: carrying the surplus has cost as much as a rewrite, and the user has just spoken. `cold`: the cache has expired.
   */
  reason: 'limit' | 'turn' | 'early' | 'cold';
  /** The number of tokens it aimed at: a share of the limit, in the tokens of {@link SessionStep.tokens}. Need not be an integer. */
  target: number;
}

/** Report on one request. `String(report)` is `summary`. */
export interface SessionStepReport {
  /** Format of the messages. */
  format: Format;
  /**
   * `before`: messages of the history. `after`: messages sent. `reused`: of these, those at the start that the last request also began
   * with.
   */
  messages: { before: number; after: number; reused: number };
  /**
   * Tokens at the start of the request that the last request also began with, in the tokens of {@link SessionStep.tokens}. If the last request
   * is all of it and its usage was observed, this is the number that the provider counted for it.
   */
  reusedTokens: number;
  /**
   * Whether counts are treated as the provider's: with a `tokenCounter`, once usage was observed, and in OpenAI's formats and `message`
   * unless the tokenizer is `estimate`, or the history has content whose tokens can only be estimated.
   */
  exact: boolean;
  /**
   * With `thinking: 'strip'`: the turn whose calls are being answered lost its thinking. Models with a fixed thinking budget refuse that:
   * send this request without thinking. Otherwise absent.
   */
  strippedOpenTurn?: true;
  /** This step's epoch had to cut the user's last words, as in {@link FitReport.cutLastWords}. Later steps send them so. Otherwise absent. */
  cutLastWords?: true;
  /** As in {@link FitReport.rules}, of this step's epoch. Otherwise absent. */
  rules?: FitReport['rules'];
  /** What this step's epoch had no room for, as in {@link FitReport.lost}. Later steps send it so. Otherwise absent. */
  lost?: LostObligation[];
  /** Which pins of {@link Session.pin} this request has. Absent if there are none. */
  pins?: PinsReport;
  /** The limits beside tokens that the history exceeds. Absent if there are none. */
  requestLimits?: RequestLimitsReport;
  /** Kinds of content in the history that the format doesn't know and no step before named, as in {@link FitReport.unknownKinds}. Absent if there are none. */
  unknownKinds?: Record<string, number>;
  /** What the caller changed in what the last request began with, so that the provider can't read it from its cache. Absent if nothing. */
  prefix?: PrefixChange;
  /**
   * What this request can read from the provider's cache, and why not more, as it is forecast: the usage of a request comes after it.
   * {@link Session.observe} returns what became of it. In the tokens of {@link SessionStep.tokens}, of which `input` is `after`.
   */
  cache: CacheReport;
  /** The saved state belongs to another history or is damaged, and the session started anew. Only in the first step; otherwise absent. */
  foreign?: true;
  /** The request goes out as it came, as {@link SessionSettings.enabled} or the environment says. Otherwise absent. */
  off?: true;
  /** The report in one line. */
  summary: string;
}

/**
 * A change of what a request begins with, by the caller, where the conversation goes on: the provider reads nothing from its cache that stands
 * behind it. An undone answer, a branch, and the cuts of the session are none.
 */
export interface PrefixChange {
  /** Where: providers read tools first, then instructions, then messages. */
  at: 'tools' | 'system' | 'messages';
  /** Index of the tool, of the text of the instructions, or of the message. Absent for what a saved session has no more than a print of. */
  index?: number;
  change: 'changed' | 'added' | 'removed' | 'moved';
  /** Of a changed message: the first member that differs, such as `content[0].text` or `name`. */
  field?: string;
  /** Of a changed text: what kind of field differs. `text`: more than one field. Otherwise absent. */
  kind?: 'date' | 'id' | 'number' | 'text';
}

/**
 * What a request read from the provider's cache, and why it read no more. Each token of the request is in one part: `read`, `new`, `tail` and those of
 * `missed` add up to `input`.
 */
export interface CacheReport {
  /** The request of the session, from 1. */
  request: number;
  /** Tokens of the request. */
  input: number;
  /** Tokens that were read from the cache. */
  read: number;
  /** Tokens that no cache could have: of what came since the last request. `input - new` could have been read. */
  new: number;
  /**
   * Tokens at the end of what could be read, up to a tenth of it or fewer than the cache's `minimum`: caches stop at a breakpoint or a step. No miss.
   */
  tail: number;
  /** Tokens that could have been read and were not, each cause once. Empty if there are none. */
  missed: CacheMiss[];
  /** What the misses cost above reads, in tokens at the price of uncached input, by the prices of `cache`. */
  cost: number;
}

/** Tokens that could have been read from the cache, and why they were not. */
export interface CacheMiss {
  cause: CacheMissCause;
  /** Above 0. */
  tokens: number;
  /** As in {@link CacheReport}. */
  cost: number;
  /** What the caller changed. Absent if nothing, and of messages that were undone. */
  change?: PrefixChange;
  /** The provider's own word, such as `tools_changed`. Absent without one. */
  said?: string;
}

/**
 * Why a cache missed. If several are true, the first of these:
 *
 * - `idle`: more time has passed since the last request than the cache lives, and it has not read it all the same.
 * - `tools`, `system`: the caller changed what stands in front of the messages. `front`: one of the two, where a transcript doesn't show which.
 * - `compaction`: the provider or the agent compacted the history.
 * - `epoch`: the session cut.
 * - `messages`: the caller changed or took back earlier messages.
 * - `session`: the session wrote something else for earlier messages, such as a pin.
 * - `model`: another model, whose cache is its own.
 * - `provider`: something else that the provider names, in `said`.
 * - `never`: the provider has never read from a cache in this session, nor said that it wrote to one. It may be off, or Anthropic's breakpoints are missing.
 * - `unknown`: nobody knows. The provider had the same beginning and did not read it.
 */
export type CacheMissCause =
  | 'idle'
  | 'tools'
  | 'system'
  | 'front'
  | 'compaction'
  | 'epoch'
  | 'messages'
  | 'session'
  | 'model'
  | 'provider'
  | 'never'
  | 'unknown';

/** The misses of a cause. */
export interface CacheMissSum {
  /** Number of requests that had one. */
  requests: number;
  tokens: number;
  /** As in {@link CacheReport}. */
  cost: number;
}

/** What caches did for the requests of a session whose usage was observed, and said how many tokens were read. */
export interface SessionCacheReport {
  /** Number of these requests. */
  requests: number;
  /** Sums of {@link CacheReport}, which add up to `input` with the tokens of `missed`. */
  input: number;
  read: number;
  new: number;
  tail: number;
  /** By cause, of those that there were. */
  missed: Partial<Record<CacheMissCause, CacheMissSum>>;
  /** Of all misses. */
  cost: number;
  /** The last of these requests. Absent if another process observed it. */
  last?: CacheReport;
}

/** The first change of what a session's requests begin with, by the caller. */
export interface ChangedPrefix extends PrefixChange {
  /** The request that had it, from 1. */
  request: number;
  /** How many requests had one. */
  requests: number;
}

/** A mistake in how a session is used. Each is said once, with a warning of the process for the first of each kind (code `PALIMPSEST_SESSION`). */
export interface SessionMistake {
  /**
   * - `history-is-request`: the history is what `next` returned, so what was cut is lost.
   * - `alternating`: the session has the histories of several conversations in turn.
   * - `compacted`: something else makes the history smaller, such as a framework that puts a summary in place of older messages.
   * - `new-session`: each request of a conversation has a new session.
   * - `cut-last-words`: what the user said last had to be cut.
   * - `lost-rules`: standing instructions or what the user said must be done did not all fit; `report.lost` of the step says which.
   * - `lost-pins`: pins did not all fit; `report.pins` of the step says which.
   * - `no-room`: tools and instructions leave less of the limit than a session needs.
   */
  kind: 'history-is-request' | 'alternating' | 'compacted' | 'new-session' | 'cut-last-words' | 'lost-rules' | 'lost-pins' | 'no-room';
  /** The first request in which it was seen, from 1. */
  request: number;
  /** What is wrong, and what to do. */
  text: string;
}

/**
 * Totals of a session; a snapshot. Each is a sum over the requests, in the tokens of their {@link SessionStep.tokens}: the provider's for all
 * requests after the first observed usage. `String(report)` is `summary`.
 */
export interface SessionReport {
  /** The session's tags, where it has any. */
  tags?: Record<string, string>;
  requests: number;
  /** Number of epochs by reason. */
  epochs: Record<SessionEpoch['reason'], number>;
  /**
   * The limit of the last request, and what says it: the option `limit`; the window, of the option or the model, less what stays free of it; or the
   * default beside a `model`, as the window takes more than is worth its cost. Absent before the first request.
   */
  limit?: { tokens: number; by: 'limit' | 'window' | 'default' };
  /** `sent`: tokens of all requests, the sum of their `tokens.after`. `cached`: those of them that could be read from the cache. */
  tokens: { sent: number; cached: number };
  /**
   * Cost of the input of all requests, in tokens at the price of uncached input, by the prices of `cache`. `session`: as it was sent.
   * `uncut`: if nothing were ever cut. `trimmed`: if only the newest messages that fit were sent, and the system's.
   */
  cost: { session: number; uncut: number; trimmed: number };
  /**
   * What all requests have cost, in the currency of the option `prices`: by their usage, and by forecast where none was observed. Absent without
   * them.
   */
  spent?: number;
  /** What the provider's cache did, by the usage that was observed. Absent before that. */
  cache?: SessionCacheReport;
  /** Results that had been cut, and that the model asked for again: the same file or command, and at least half of the same lines. */
  faults: { count: number; per100: number };
  /** The first change by the caller of what requests begin with. Absent if there was none. */
  prefix?: ChangedPrefix;
  /** Tokens that results had less when they were first sent, as in {@link FitReport}. Absent if none was written shorter. */
  shortened?: FitReport['shortened'];
  /** The pins of the last request, as in {@link SessionStepReport.pins}. Absent if it had none. */
  pins?: PinsReport;
  /** Mistakes in how this session is used; those of a session before that it goes on with are not among them. Absent if there are none. */
  mistakes?: SessionMistake[];
  /** The report in one line. */
  summary: string;
}

/**
 * What every session of the process publishes on the channel `palimpsest:session` of `node:diagnostics_channel`: a message for each request,
 * for each usage that it observes, and for each budget that is spent. It holds numbers and names, never what messages say. It is a copy, and is not made at all as long as
 * the channel has no subscriber.
 */
export type SessionEvent = SessionRequestEvent | SessionUsageEvent | CostEvent;

/** A request that a session chose. */
export interface SessionRequestEvent {
  type: 'request';
  /** Number of the session in this process, from 1: events of one session have the same. */
  session: number;
  format: Format;
  /** Option `model`. Absent without it. */
  model?: string;
  /** Option `id`, the conversation in the store. Absent without it. */
  id?: string;
  /** Option `tags`. Absent without it. */
  tags?: Record<string, string>;
  /** As in {@link SessionStep}. */
  fits: boolean;
  /** As in {@link SessionStep}. */
  tokens: SessionStep<object>['tokens'];
  /** As in {@link SessionStep}. */
  epoch?: SessionEpoch;
  /** As in {@link SessionStep}. */
  report: SessionStepReport;
  /** Tokens of this request that can be read from the cache, in the tokens of `tokens`: `report.reusedTokens` at most. */
  cachedTokens: number;
  /** Cost of this request, as in {@link SessionReport}, in the tokens of `tokens` at the price of uncached input. */
  cost: SessionReport['cost'];
  /** Totals of the session, with this request. */
  totals: SessionReport;
}

/** A provider's usage that a session observed. */
export interface SessionUsageEvent {
  type: 'usage';
  /** Number of the session in this process, from 1: events of one session have the same. */
  session: number;
  /** Format of the messages. Absent before the first request that shows it. */
  format?: Format;
  /** Option `model`. Absent without it. */
  model?: string;
  /** Option `id`, the conversation in the store. Absent without it. */
  id?: string;
  /** Option `tags`. Absent without it. */
  tags?: Record<string, string>;
  /**
   * As the provider counted. `input`: tokens of the whole request. `cached`: those of them read from the cache. `output`: tokens of the answer. The last
   * two are absent if it gives no number.
   */
  tokens: { input: number; cached?: number; output?: number };
  /** What the request and its answer have cost, in the currency of `prices`. Absent without them. */
  paid?: number;
  /** What {@link Session.observe} returned. Absent if it returned nothing. */
  cache?: CacheReport;
}

/** Options of `fit`: {@link FitSettings} with a limit of tokens. */
export type FitOptions<T = object> = FitSettings<T> & OneLimit & OneCounter & AtOnce;

/** Options of `fitAsync`: those of `fit`, and a summarizer. */
export type FitAsyncOptions<T = object> = FitSettings<T> & OneLimit & OneCounter & SummarySettings;

/** How much a request may take: `limit`, or `window` less `maxOutputTokens`, or the window of `model` less the answer. */
export type OneLimit =
  | { limit: number; window?: null | undefined; maxOutputTokens?: null | undefined }
  | { window: number; limit?: null | undefined }
  // Beside a model, a limit or a window may be given or not.
  | { model: string; window?: null | undefined; maxOutputTokens?: null | undefined }
  | { model: string; limit?: null | undefined };

/** As {@link OneLimit}, where something else says it if the options don't. */
export type AtMostOneLimit = { window?: null | undefined; maxOutputTokens?: null | undefined } | { limit?: null | undefined };

/** Tokens are counted by a tokenizer or by your own counter. */
export type OneCounter = { tokenizer?: null | undefined } | { tokenCounter?: null | undefined };

/** What answers at once neither asks a summarizer nor waits. */
export interface AtOnce {
  summarizer?: undefined;
  concurrency?: undefined;
  signal?: undefined;
}

/** Which results stay as they are though the option `shorten` is on. `undefined` and `null` mean the default. */
export interface ShortenSettings {
  /**
   * Tools and commands that print files, code or other texts that edits quote: their results stay as they are. A string names a tool, with the name
   * of its server or without: `'show_code'` is `mcp__repo__show_code`, too. A RegExp is tested against the command line of a tool that runs commands
   * and against each command in it (`/^our-cat /`), and against the tool's name. Default none.
   */
  files?: readonly (string | RegExp)[] | null | undefined;
}

/**
 * Each option of `fit`. `undefined` and `null` mean the default. There is no other name: it is a TypeError. {@link FitOptions} says which go
 * together.
 */
export interface FitSettings<T = object> {
  /**
   * Maximum number of tokens for everything that is sent: messages, `system`, `tools`, and what the provider adds. At least 0. Required
   * unless `window` or `model` gives it; combined with `window` it is a TypeError.
   */
  limit?: number | null | undefined;
  /** The model's context window in tokens, above 0, in place of `limit`, which is then the window less `maxOutputTokens`. */
  window?: number | null | undefined;
  /**
   * Tokens of the window that are kept free for the answer, from 0 and less than the window. Default 0; with the window of `model` the
   * largest answer of that model, where it is known. With `limit` a TypeError.
   */
  maxOutputTokens?: number | null | undefined;
  /**
   * Name of the model, such as `gpt-5.5` or `claude-opus-5`; snapshots and the prefixes of gateways and clouds are understood. It gives the
   * tokenizer and the window where `tokenizer`, `limit` and `window` don't. An unknown name is a
   * TypeError. Messages of the AI SDK and LangChain are counted by the rules of the model's provider (without one by OpenAI's). What the
   * SDK doesn't send to that provider costs nothing and holds nothing. Default none.
   */
  model?: string | null | undefined;
  /**
   * Share of the tokens that stays free because counts may be below the provider's, from 0 and below 1. By default none where they are
   * {@link FitResult.exact}, and of a `limit` without `model` or `calibration`, which is in counted tokens; 0.05 with a `calibration`, the
   * share of `model`, and for a `window` without these 0.4 in Anthropic's format and 0.2 in others. Claude's tokenizer since Opus 4.7 makes up to 1.66 tokens of one of `o200k_base`, Gemini's and the earlier ones
   * of Claude up to 1.23, in English and code; other languages may need more.
   */
  margin?: number | null | undefined;
  /**
   * Our count of an earlier request (`tokens.after`) and the provider's (all input tokens of its usage, those from the cache and those
   * written to it included), both above 0. Counts are then taken to be below the provider's by that factor: the result has at most
   * `limit * counted / actual` tokens, less the `margin`, and never more than `limit`. No tokenizer differs by a factor above 4: then
   * something is not counted, such as the pages of a file, and `actual - counted` tokens stay free for it. One below a quarter has no
   * effect, because what was counted too much may be what goes. Default none.
   */
  calibration?: { counted: number; actual: number } | null | undefined;
  /** Token counting method. Default `o200k_base`, or that of `model`. */
  tokenizer?: Tokenizer | null | undefined;
  /**
   * Counts the tokens of a message in place of `tokenizer`, as a number from 0. It is called once for each input message and once for each
   * message that is written. Tokens outside of messages are then not counted, except for `system` and `tools`, which are counted with
   * the tokenizer of `model`, or `o200k_base`. Combined with `tokenizer` it is a TypeError.
   */
  tokenCounter?: ((message: T) => number) | null | undefined;
  /** Format of the messages. Default `auto`. */
  format?: Format | CustomFormat<any> | 'auto' | null | undefined;
  /** Instructions sent beside the messages; counted, never edited. Default none. */
  system?: SystemPrompt | null | undefined;
  /** Tools that are sent along; counted, never edited. Default none. */
  tools?: Tools | null | undefined;
  /**
   * Content that stays at any cost, in addition to the system's instructions at the beginning and its newest. If it exceeds the limit, `fits` is
   * false. With `thinking: 'strip'`, signed thinking goes even where `recent` or `patterns` name it. The mark of messages that went may stand in
   * a kept message, before or behind its text.
   */
  keep?:
    | {
        /** Number of messages at the end: an integer from 0, or `Infinity`. Default 0: the current exchange stays if it can. */
        recent?: number | null | undefined;
        /** Everything the user said or showed, or said when rejecting a call. Default `false`: the user's words are the last to go. */
        user?: boolean | null | undefined;
        /** Calls of these tools, by name, with their results. Default none. */
        tools?: readonly string[] | null | undefined;
        /**
         * Whether the arguments of a call stay as they are wherever the call stays. Otherwise a long text in them, of more than 400 UTF-16
         * code units, may be replaced by one mark for all of it, which quotes some of its lines. Default `false`.
         */
        arguments?: boolean | null | undefined;
        /** Lines and sentences that match one of these. Default none. */
        patterns?: readonly RegExp[] | null | undefined;
        /**
         * Pins: texts, which stay word for word where they stand last, with the lines that they are in; and indices of messages from 0, which stay
         * whole, after `originals` were put back. Unlike the others, pins have up to half of the limit, the first ones first; {@link FitReport.pins} says
         * which did not fit, or are in no message. A session has them as {@link Session.pin} does, without an end. Default none.
         */
        pinned?: readonly (string | number)[] | null | undefined;
      }
    | null
    | undefined;
  /**
   * Topic of the next answer: one or several texts. Related spans, and those next to them, are worth more. The first 4,000 characters
   * of each text and the first 256 distinct words of all texts count. Default: the current exchange, which is the user's last message and,
   * in an agent's loop, the model's last step. `false`, an empty string or an empty list: no query.
   */
  query?: string | readonly string[] | false | null | undefined;
  /** Whether superseded content is the first to go; an object adjusts what counts as superseded. Default `true`. */
  prune?: boolean | PruneSettings | null | undefined;
  /**
   * Whether results of tools are written in fewer tokens before anything is cut: without blanks before line numbers, escapes of terminals and
   * blanks between values of JSON, with objects of the same members as rows of a table, and with equal lines said once; of a result that is an
   * object, the strings in it. What may show a file stays as it is, because edits quote it; of files that Claude Code's tools number go the blanks
   * before the numbers. What `keep` names, and what a provider's own tools said, stays as well. An object says which results show files, see
   * {@link ShortenSettings}. `restore` gives back the results as they were. Default `true`.
   */
  shorten?: boolean | ShortenSettings | null | undefined;
  /**
   * Limits of a request beside tokens. Where they are exceeded, images and documents go until they are kept, the oldest first and those of the
   * user's last message last: `[… 1 image]` stands in the place of each, and one that can't be replaced goes with its call. `fits` is false where
   * that is not enough. `false`: there are none. Default: those of the provider that `model` or the format names.
   */
  requestLimits?: RequestLimits | false | null | undefined;
  /**
   * Roles as the server of the request wants them. `alternate`: the user and the assistant take turns, as Mistral's API and many chat templates
   * want it (vLLM, llama.cpp, LM Studio). Messages that do so still do when they are cut: two of a role that a cut brings side by side become one,
   * and elsewhere a mark, `[…]`, keeps their place. Messages that don't alternate as they were given are left so. For the formats `openai-chat`,
   * `message`, `ai-sdk-model` and `langchain`. `any`: roles need not alternate. Default: `alternate` for Mistral's models, where `model` names
   * one, and `any` for all others.
   */
  roles?: 'alternate' | 'any' | null | undefined;
  /**
   * Treatment of signed thinking, as in {@link PruneOptions}. `strip` removes signed thinking, starting at the last message, as far as
   * necessary, and all of it before anything else is cut. `leave` cuts as if the blocks were not signed: a block stays as it is, or goes
   * with its message; the message that begins an open turn stays if a later one of that turn has no block. `keep` cuts nothing before a signed block,
   * so that an agent's conversation hardly ever fits. Default `strip`.
   */
  thinking?: 'keep' | 'strip' | 'leave' | null | undefined;
  /**
   * Originals of earlier rounds, for messages that were fitted before; a full history needs none. They are put back first, so that each
   * round chooses from the full history. If thinking was signed since, `keep` puts nothing back, `strip` removes that thinking, and
   * `leave` puts everything back and removes nothing. Default none: marks of earlier rounds are then cut like any text, and the messages
   * that hold them are in `missing`.
   */
  originals?: Originals | null | undefined;
  /** Adds to the report the action taken on each message, and the reason. Default `false`. */
  trace?: boolean | null | undefined;
}

/**
 * What a request may hold beside its tokens: each a number above 0, or `Infinity`. `undefined` and `null` mean the provider's figure, by `model` or
 * by the format. Where no provider is named, or it documents nothing, there is no limit.
 */
export interface RequestLimits {
  /** Bytes of the JSON of messages, `system` and `tools` in UTF-8. Default 32,000,000 for Anthropic, 100,000,000 for Gemini. */
  bytes?: number | null | undefined;
  /** Images and pages of documents together. Default for Anthropic: 100; 600 for a window, or a limit, of more than 200,000 tokens. */
  media?: number | null | undefined;
  /** Images. Default 500 for OpenAI, 3,600 for Gemini. */
  images?: number | null | undefined;
  /** Documents. Default none. */
  documents?: number | null | undefined;
  /** Pages of all PDFs whose data is in the messages. Default 1,000 for Gemini. */
  pages?: number | null | undefined;
  /** Bytes of one image, as base64. Default 5,242,880 for Anthropic. */
  imageBytes?: number | null | undefined;
  /** Pixels of the longer side of an image. Default 8,000 for Anthropic. */
  imagePixels?: number | null | undefined;
  /** The same in a request with more than 20 images. Default 2,000 for Anthropic. */
  manyImagePixels?: number | null | undefined;
}

/**
 * The {@link RequestLimits} that a conversation exceeded. `before` and `after`: how much it had of each and how much is left; of `imageBytes`,
 * `imagePixels` and `manyImagePixels` the number of images that exceed it. `limit`: the limit.
 */
export type RequestLimitsReport = { [Name in keyof RequestLimits]?: { before: number; after: number; limit: number } };

/** What the forms that wait take as well. `undefined` and `null` mean the default. */
export interface SummarySettings {
  /**
   * Summarises what would go: prose of the model and of its tools in coherent groups, never code, never the user's words. An answer is used
   * if it is shorter than the text it replaces; facts that it lacks are appended. Default none.
   */
  summarizer?: Summarizer | null | undefined;
  /** Maximum number of concurrent summarizer calls: an integer from 1, or `Infinity`. Default 4. */
  concurrency?: number | null | undefined;
  /** Rejects the promise with the signal's reason when it is aborted. */
  signal?: AbortSignalLike | null | undefined;
}

/**
 * Fits a conversation into a token limit and keeps what is needed next. If it fits as it is, nothing is changed.
 *
 * Lines, sentences and members of JSON are kept or cut, over the whole history at once. This is budgeted maximum coverage, solved greedily:
 * the span with the highest value per token comes next. The value of a span is the sum of the specific terms (paths, identifiers, numbers,
 * rare words) that no kept span contains, weighted by how often and how recently they occurred and by whether others took them up; spans
 * related to `query` are worth more.
 *
 * Kept spans are unchanged and in order, with a mark in place of each gap. Calls and their results go only together, with a mark in their
 * place. The user's words, the current exchange and instructions in the middle go last, and the words of the user's last message after
 * everything else. Calls that wait for their results stay as they are.
 *
 * The provider accepts the result if it accepted the input, `restore` gives everything back, and the same input gives the same result on
 * every platform. Runs in time linear in the size of the messages, which are never changed.
 *
 * @example
 * import { countTokens, fit } from 'palimpsest';
 *
 * const log = Array.from({ length: 300 }, (_, line) => `12:00:${line % 60} worker-${line % 7} wrote ${line} rows`);
 * log[212] = 'ERROR: duplicate key value violates unique constraint "events_pkey" in src/claim.ts:48';
 * const messages = [
 *   { role: 'assistant', content: log.join('\n') },
 *   { role: 'user', content: 'Why does src/claim.ts fail?' },
 * ];
 * const { messages: fitted, fits } = fit(messages, { limit: 200 });
 * console.log(fits, countTokens(fitted) <= 200, fitted[0].content.includes('events_pkey')); // → true true true
 *
 * @throws {TypeError} an argument is wrong, the format is unknown or ambiguous, or a message does not have the shape of its format; the
 *   error names the place, as `messages[14].content[2].input`
 * @throws {RangeError} a numeric option is out of range
 */
export function fit<T extends object>(messages: readonly T[], options: FitOptions<T>): FitResult<T>;

/**
 * {@link fit} off the event loop, and with a `summarizer`, whose summaries replace what goes. It works in slices of about a millisecond between which
 * the loop turns, and chooses on another thread; the collector of V8 may hold the loop longer. The messages must not change before it settles. What is
 * wrong with the arguments rejects the promise.
 *
 * @example
 * import { fitAsync } from 'palimpsest';
 *
 * const log = Array.from({ length: 60 }, (_, line) => `Worker ${line % 7} waited for the backup, so I moved its lock.`).join(' ');
 * const messages = [{ role: 'user', content: 'Why did it wait?' }, { role: 'assistant', content: log }, { role: 'user', content: 'And now?' }];
 * const { fits, report } = await fitAsync(messages, { limit: 400, summarizer: async () => 'Each worker waited for the backup.' });
 * console.log(fits, report.summaries.asked > 0); // → true true
 *
 * @throws {TypeError} an argument is wrong, as with {@link fit}
 * @throws {RangeError} a numeric option is out of range
 * @throws the signal's reason, once it is aborted
 */
export function fitAsync<T extends object>(messages: readonly T[], options: FitAsyncOptions<T>): Promise<FitResult<T>>;

/** Result of `fit`: messages of the input type. */
export interface FitResult<T> {
  /** Messages that are not edited are the same objects. */
  messages: T[];
  /**
   * Everything that `restore` needs, as plain JSON. It replaces the originals that were passed as an option: of these, it has those that
   * could not be put back. Merge others with {@link mergeOriginals}. Its size is linear in that of the conversation.
   */
  originals: Originals;
  /**
   * What could not be put back of earlier rounds, as in {@link RestoreResult}: keys of passed originals, which `originals` still has;
   * keys of markers without an original; and places of messages with other marks, as `messages[3]`, by their index after originals were put
   * back. Empty if the conversation is whole. Passed originals of which the messages hold no mark, but all that they took out (as with a
   * full history), are of no use: they are neither here nor in `originals`.
   */
  missing: string[];
  /**
   * Whether the result is within the limit less the margin, and within the `requestLimits`. If not, it is the smallest valid result that keeps
   * what has to stay. Unless counts are `exact`, the provider may still count more.
   */
  fits: boolean;
  /**
   * Whether counts are the provider's own: with a `tokenCounter`, and in OpenAI's formats and `message` unless the tokenizer is
   * `estimate`, or the messages have content whose tokens can only be estimated: PDFs, what is encrypted or only referred to.
   * Elsewhere they are approximate, because the tokenizer is not public.
   */
  exact: boolean;
  /** Format of the messages, detected or given. */
  format: Format | (string & Record<never, never>);
  /**
   * Tokens of everything that is sent, as `countTokens` counts them. `limit` is the option. `margin`: tokens of it that stay free; absent if
   * there are none. `minimum`, present if the result does not fit, is the smallest limit that would do, margin included.
   */
  tokens: { before: number; after: number; limit: number; margin?: number; minimum?: number };
  report: FitReport;
}

/** Summary of a fitting. `String(report)` is `summary`. */
export interface FitReport {
  /** `kept`: unchanged messages; `cut`: those that lost a part or were written shorter; `removed`: those that are gone. */
  messages: { before: number; after: number; kept: number; cut: number; removed: number };
  /** Tokens saved in cut messages, and tokens of removed messages. */
  saved: { cut: number; removed: number };
  /**
   * Tokens that results of tools had less once they were written shorter, by what went: blanks before line numbers, escapes of terminals, blanks of
   * JSON, names of members in tables, equal lines. Kinds that occurred nowhere are absent, and so is the field if nothing was written shorter.
   */
  shortened?: { lineNumbers?: number; escapes?: number; json?: number; tables?: number; repeats?: number };
  /** With a summarizer: number of summaries that were requested, used, and refused (no text, not shorter, or an error). */
  summaries?: { asked: number; used: number; refused: number };
  /**
   * With `thinking: 'keep'`: tokens that may not be cut because signed thinking follows, including that thinking and its outcome, but
   * not the system's instructions. Content that `keep` names as well is included. Absent if there is none.
   */
  heldByThinking?: number;
  /**
   * With `thinking: 'strip'`: the turn whose calls are being answered (the last message with calls, if only their results follow it) lost
   * its thinking. Models with a fixed thinking budget refuse that: send this request without thinking. Otherwise absent.
   */
  strippedOpenTurn?: true;
  /**
   * Something of the user's last words had to go: text of the newest message of the user's that is no paste. Give a larger limit, or leave
   * more of it for the messages. At least a sentence or a line of them stays, if one has up to 256 tokens. Otherwise absent.
   */
  cutLastWords?: true;
  /**
   * Rules in what was sent as the user's text, where something was cut: lines that demand something, in standing instructions (CLAUDE.md,
   * AGENTS.md, skills), in files of rules that the agent read, and in the user's words; and entries of lists in standing instructions. `tokens` are
   * those of what stays. Absent if there are none, or nothing was cut.
   */
  rules?: { found: number; kept: number; tokens: number };
  /** What has to be in every request, and did not fit its share of the limit. Absent if all of it is there. */
  lost?: LostObligation[];
  /** What became of `keep.pinned`. Absent without it. */
  pins?: PinsReport;
  /** The limits beside tokens that the conversation exceeded. Absent if there are none. */
  requestLimits?: RequestLimitsReport;
  /**
   * Kinds of content that the format doesn't know, with the number of each: `{ 'block of type hologram': 2 }`. They stay as they are or go
   * with their turn, and count by their size. At most 100; found when first read.
   */
  unknownKinds: Record<string, number>;
  /** As in {@link PruneReport}; absent with `prune: false`. Found when first read, as is all of {@link PruneReport} that takes time. */
  unknownTools?: Record<string, number>;
  /** As in {@link PruneReport}; absent with `prune: false`. Found when first read, as is all of {@link PruneReport} that takes time. */
  guessedTools?: ToolMap;
  /** As in {@link PruneReport}, of `prune.toolMap`; absent with `prune: false`. Found when first read, as is all of {@link PruneReport} that takes time. */
  warnings?: string[];
  /** The report in one line. If the result does not fit, it ends in the reason: signed thinking, or the tokens that have to stay. */
  summary: string;
  /** One entry per message, with `trace`. */
  trace?: FitTrace[];
}

/** Something that has to be in every request, and is not all there. */
export interface LostObligation {
  /**
   * Standing instructions (`rules`), what the user said must or must not be done (`said`), what a request asks for word for word (`task`), the
   * newest list, plan or summary (`state`).
   */
  kind: 'rules' | 'said' | 'task' | 'state';
  /** Index of the message after `originals` were put back; in a session, of the history. */
  message: number;
  /** Number of its lines and sentences that are gone. */
  lines: number;
}

export interface FitTrace {
  /** Index of the message after `originals` were put back. */
  message: number;
  action: 'keep' | 'cut' | 'remove';
  /**
   * Why it stays: it belongs to the system's instructions (`system`), `keep` names it (`keep`), a valid conversation needs it (`valid`), it
   * belongs to the current exchange (`current`), the user said it (`user`), it holds rules, the task, or the newest list or summary
   * (`rules`, `task`, `state`), it is related to the query (`asked`), or it is worth its tokens
   * (`worth`). Why it goes: the limit of tokens (`limit`).
   */
  why: 'system' | 'keep' | 'valid' | 'current' | 'user' | 'rules' | 'task' | 'state' | 'asked' | 'worth' | 'limit';
  tokens: { before: number; after: number };
  /** The results in it that are written in fewer tokens. Absent if there are none. */
  shortened?: ShortenedTrace[];
}

/** A result that is written in fewer tokens. */
export interface ShortenedTrace extends PartPosition {
  /** What is written shorter. */
  by: (keyof NonNullable<FitReport['shortened']>)[];
  /** Why it is certain that it shows nothing that an edit quotes, in one line: the message and the call, and its command. */
  evidence: string;
}

/** What `fitRequest` takes: a provider's request, as its SDK takes it. */
export type ProviderRequest =
  | { messages: readonly object[] }
  | { input?: string | readonly object[] | undefined }
  | { contents: string | object };

/** The messages in a request. */
export type RequestMessage<R> = R extends { messages: readonly (infer M)[] }
  ? M
  : R extends { contents: infer C }
    ? OrObject<WithParts<C extends readonly (infer Item)[] ? Item : C>>
    : R extends { input?: infer I }
      ? OrObject<I extends readonly (infer Item)[] ? Item : never>
      : object;

type WithParts<T> = T extends object ? ('parts' extends keyof T ? T : never) : never;

type OrObject<T> = [T] extends [never] ? object : T;

/** Options of `fitRequest`: {@link FitRequestSettings}, with one limit at most. */
export type FitRequestOptions<T = object> = FitRequestSettings<T> & AtMostOneLimit & OneCounter & AtOnce;

/** Options of `fitRequestAsync`: those of `fitRequest`, and a summarizer. */
export type FitRequestAsyncOptions<T = object> = FitRequestSettings<T> & AtMostOneLimit & OneCounter & SummarySettings;

/** Each option of `fitRequest`: those of `fit` without what the request itself says. `undefined` and `null` mean the default. */
export interface FitRequestSettings<T = object> {
  /** Maximum number of tokens of the request, as in {@link FitSettings}. Default: `window` less the answer. */
  limit?: FitSettings<T>['limit'];
  /** The model's context window in tokens, above 0. Default: that of `model`. */
  window?: FitSettings<T>['window'];
  /**
   * Tokens of the window that are kept free for the answer. Default: those that the request asks for, as `max_tokens`,
   * `max_completion_tokens`, `max_output_tokens` or `maxOutputTokens`; otherwise as in {@link FitSettings}. With `limit` a TypeError.
   */
  maxOutputTokens?: FitSettings<T>['maxOutputTokens'];
  /** Name of the model, as in {@link FitSettings}. Default: that of the request, if it is a known one. */
  model?: FitSettings<T>['model'];
  /** Share of the limit that stays free, as in {@link FitSettings}. */
  margin?: FitSettings<T>['margin'];
  /** Our count of an earlier request and the provider's, as in {@link FitSettings}. Default none. */
  calibration?: FitSettings<T>['calibration'];
  /** Token counting method. Default `o200k_base`, or that of the model. */
  tokenizer?: FitSettings<T>['tokenizer'];
  /** Counts the tokens of a message in place of `tokenizer`, as in {@link FitSettings}. Default none. */
  tokenCounter?: FitSettings<T>['tokenCounter'];
  /**
   * Format of the messages, where the request does not show whether it is one to Anthropic or to OpenAI: if it has neither instructions nor
   * tools, it is Anthropic's if the model is called Claude. Default `auto`.
   */
  format?: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'auto' | null | undefined;
  /** Content that stays at any cost, as in {@link FitSettings}. */
  keep?: FitSettings<T>['keep'];
  /** Topic of the next answer, as in {@link FitSettings}. Default: the current exchange. */
  query?: FitSettings<T>['query'];
  /** Whether superseded content goes first, as in {@link FitSettings}. Default `true`. */
  prune?: FitSettings<T>['prune'];
  /** Whether results of tools are written in fewer tokens first, as in {@link FitSettings}. Default `true`. */
  shorten?: FitSettings<T>['shorten'];
  /** Limits of a request beside tokens, as in {@link FitSettings}. Default: those of the provider that `model` or the format names. */
  requestLimits?: RequestLimits | false | null | undefined;
  /** Roles as the server wants them, as in {@link FitSettings}. Default: `alternate` for Mistral's models, by the request's `model`, too. */
  roles?: FitSettings<T>['roles'];
  /**
   * Treatment of signed thinking, as in {@link FitSettings}. Default `strip`, or `leave` where the request gives the model a fixed budget for
   * thinking: such a model refuses an open turn that lost its own.
   */
  thinking?: FitSettings<T>['thinking'];
  /** Originals of earlier rounds, as in {@link FitSettings}. Default none. */
  originals?: FitSettings<T>['originals'];
  /** Adds to the report the action taken on each message, and the reason. Default `false`. */
  trace?: FitSettings<T>['trace'];
}

/** Result of `fitRequest`: that of `fit`, and the request with the fitted messages. */
export interface FitRequestResult<R> extends FitResult<RequestMessage<R>> {
  /** A copy of the request whose messages are fitted; everything else in it is the same. */
  request: R;
}

/**
 * Fits a whole request to a provider: the messages, its instructions and its tools are counted, the messages are fitted as by {@link fit},
 * and everything else stays. It takes what these take:
 *
 * | | messages | counted as well | answer |
 * |---|---|---|---|
 * | Anthropic, `messages.create` | `messages` | `system`, `tools` | `max_tokens` |
 * | OpenAI, `chat.completions.create` | `messages` | `tools`, `functions` | `max_completion_tokens`, `max_tokens` |
 * | OpenAI, `responses.create` | `input` | `instructions`, `tools` | `max_output_tokens` |
 * | Gemini, `models.generateContent` | `contents` | `systemInstruction`, `tools` | `maxOutputTokens` |
 *
 * Of Gemini also the REST API's body. An `input` or `contents` that is a text is one message of the user, and stays a text. Schemas for the
 * answer (`response_format` and the like) are not counted.
 *
 * The limit is `limit`, or else the window less the answer. The window is that of `window` or of the model.
 *
 * `restore(request.messages, originals)` (`input`, `contents`) gives the messages back.
 *
 * @example
 * import { fitRequest, restore } from 'palimpsest';
 *
 * const log = Array.from({ length: 300 }, (_, line) => `12:00:${line % 60} worker-${line % 7} wrote ${line} rows`).join('\n');
 * const request = {
 *   model: 'gpt-5.5',
 *   max_completion_tokens: 100,
 *   messages: [
 *     { role: 'assistant', content: log },
 *     { role: 'user', content: 'How many rows?' },
 *   ],
 * };
 * const { request: fitted, originals, tokens } = fitRequest(request, { window: 500 });
 * console.log(tokens.limit, tokens.after <= 400, fitted.model); // → 400 true gpt-5.5
 * console.log(restore(fitted.messages, originals).messages[0]?.content === log); // → true
 *
 * @throws {TypeError} an argument is wrong, or something that counts is at the provider (`previous_response_id`, `conversation`, `prompt`,
 *   `thread`, `cachedContent`): send everything, or fit the new messages alone with `fit`
 * @throws {RangeError} a number is out of range
 */
export function fitRequest<R extends ProviderRequest>(
  request: R,
  options?: FitRequestOptions<RequestMessage<R>> | null,
): FitRequestResult<R>;

/** {@link fitRequest} off the event loop, as {@link fitAsync}. */
export function fitRequestAsync<R extends ProviderRequest>(
  request: R,
  options?: FitRequestAsyncOptions<RequestMessage<R>> | null,
): Promise<FitRequestResult<R>>;

/** What counts as superseded: the options of `prune` that `fit` and sessions take, too. */
export type PruneSettings = Pick<PruneOptions, 'edits' | 'failures' | 'keep' | 'toolMap'>;

/** Options of `prune`. `undefined` and `null` mean the default. There is no other name: it is a TypeError. */
export interface PruneOptions {
  /** Format of the messages. Default `auto`. */
  format?: Format | CustomFormat<any> | 'auto' | null | undefined;
  /**
   * `stub` leaves a short text in place of a result, and of the long arguments of a superseded write or edit. `remove` takes a call out
   * together with its results. Two things stay in both modes: what is left of a failed command or a cut result, and the call of an edit
   * whose result only a later read holds. Default `stub`.
   */
  mode?: 'stub' | 'remove' | null | undefined;
  /**
   * `safe` removes an edit only if a later whole write of the file, or a later read that stays, holds its result. `last` keeps only the
   * last edit of a file, even if the state of the file can then no longer be derived from the messages. Default `safe`.
   */
  edits?: 'safe' | 'last' | null | undefined;
  /**
   * How failed commands are recognised. `status`: by the format's own flag (`is_error` and the like), or by the lines that the agent's
   * harness writes above or below what a program printed, for the tools of agents that are known. Nothing that a program prints tells a
   * failure. `words`: you confirm that words do, where neither says anything: `error:`, `failed`, `exception`, `command not found`,
   * `permission denied`, `no such file`, `cannot` and `fatal:` in the output, but not "0 failed". Default `status`.
   */
  failures?: 'status' | 'words' | null | undefined;
  /**
   * Treatment of signed thinking, as Claude returns it: models with preserved thinking accept such a block only after exactly the
   * content that it was made from.
   * - `keep` edits nothing before a signed block.
   * - `strip` edits, and removes the signed thinking after the first edit, even in the last `keep.recent` messages.
   * - `leave` edits, and leaves the blocks in place, except those whose entire outcome is removed. For Claude models without prefix checks,
   *   and for requests with `prefix_mismatch_behavior: 'drop_block'`, which is not available with `between_tools` thinking.
   *
   * Thinking without a signature, OpenAI's encrypted reasoning and Gemini's thought signatures prevent no edits and are not changed; from
   * GPT-6.2 on, OpenAI silently drops reasoning after an edit. Default `keep`.
   */
  thinking?: 'keep' | 'strip' | 'leave' | null | undefined;
  /**
   * Content that is kept. The user's texts, including what the user said to a call and a tool's result passes on, and the system's
   * instructions are never touched.
   */
  keep?:
    | {
        /** Number of messages at the end: an integer from 0, or `Infinity`. Default 6. */
        recent?: number | null | undefined;
        /** Names of tools, as calls give them. Default none. */
        tools?: readonly string[] | null | undefined;
        /**
         * Patterns of files: `*` matches anything but `/`, `**` anything, `?` one character. A pattern without `/` is matched against a
         * file's name, one that begins with `/` against its whole path, any other against the end of the path. Default none.
         */
        paths?: readonly string[] | null | undefined;
      }
    | null
    | undefined;
  /**
   * Tools by name, which complement or override the built-in ones. A name also stands for the tool of a server: `load_page` for
   * `mcp__docs__load_page`, `docs.load_page` and, if it has several words, `docs_load_page`. Default none.
   */
  toolMap?: ToolMap | null | undefined;
  /** Adds to the report the reason of each edit, and the operation that supersedes it. Default `false`. */
  trace?: boolean | null | undefined;
}

/** Tools by the name that calls give them. */
export interface ToolMap {
  [name: string]: ToolDescription;
}

/** The kind of a tool, and the names of its arguments. A dot leads into an object, or into each element of an array. */
export interface ToolDescription {
  kind: 'read' | 'write' | 'edit' | 'command' | 'search' | 'other';
  /** Argument with the path of the file, or with a list of paths. Required for `read`, `write` and `edit`. */
  path?: string | undefined;
  /** `edit`: argument with the new text; without it only a whole write or a read of all lines supersedes the edit. */
  text?: string | undefined;
  /** Argument with the command, a string or a list of words. Required for `command`. */
  command?: string | undefined;
  /** `command`: argument with the working directory. */
  cwd?: string | undefined;
  /** `read`: arguments with the first line, counted from 1, and the number of lines. */
  offset?: string | undefined;
  limit?: string | undefined;
  /** `read`: arguments with the first and the last line, counted from 1. */
  start?: string | undefined;
  end?: string | undefined;
}

/**
 * Removes superseded content from an agent's conversation: stale reads, superseded edits, commands that were run again, failed commands
 * except for the lines that tell what failed, repeated results and images, and the middle of very long outputs.
 *
 * Not touched are the user's texts and content that the provider requires unchanged (signatures, encrypted items, and thinking unless
 * `thinking: 'strip'`). The provider accepts the result if it accepted the input, no text gets longer, and pruning twice equals pruning
 * once. Runs in time linear in the size of the messages, which are never changed.
 *
 * @example
 * import { prune } from 'palimpsest';
 *
 * const call = (id, name, args) => ({
 *   role: 'assistant',
 *   content: null,
 *   tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
 * });
 * const messages = [
 *   { role: 'user', content: 'Shorten a.ts.' },
 *   call('call_1', 'Read', { file_path: 'a.ts' }),
 *   { role: 'tool', tool_call_id: 'call_1', content: 'export const a = 1;\n'.repeat(40) },
 *   call('call_2', 'Write', { file_path: 'a.ts', content: 'export const a = 1;\n' }),
 *   { role: 'tool', tool_call_id: 'call_2', content: 'The file was written.' },
 * ];
 * const { messages: shorter, report } = prune(messages, { keep: { recent: 2 } });
 * console.log(report.staleReads, shorter[2].content.replace(/:\w+/, ':…')); // → 1 [palimpsest:… stale read of a.ts, 40 lines]
 *
 * @throws {TypeError} an argument is wrong, the format is unknown or ambiguous, or a message does not have the shape of its format; the
 *   error names the place, as `messages[14].content[2].input`
 * @throws {RangeError} `keep.recent` is out of range
 */
export function prune<T extends object>(messages: readonly T[], options?: PruneOptions): PruneResult<T>;

/** Result of `prune`: messages of the input type. */
export interface PruneResult<T> {
  /** Messages that are not edited are the same objects. */
  messages: T[];
  /** Everything that `restore` needs, as plain JSON. Merge those of several rounds with {@link mergeOriginals}. */
  originals: Originals;
  /** Format of the messages, detected or given. */
  format: Format | (string & Record<never, never>);
  report: PruneReport;
}

/** Summary of a pruning. `String(report)` is `summary`. */
export interface PruneReport {
  messages: { before: number; after: number };
  /**
   * Tokens as `countTokens` counts them. Counting takes longer than pruning, so it happens when this field or `summary` is first read
   * (`JSON.stringify` reads it too), on the messages as they are then: do not change them before. Arrays may grow.
   */
  tokens: { before: number; after: number };
  /**
   * Reads of files that were changed, or read again, later. Two kinds of reads are treated less strictly if the change was a partial one: a
   * read of some lines with up to 2,000 characters stays; any other of 1,000 characters or more keeps, in mode `stub`, up to half of
   * its text, the lines with names that occur nowhere else.
   */
  staleReads: number;
  /** Writes and edits whose result a later operation holds. */
  staleEdits: number;
  /** Commands that were run again later. */
  staleCommands: number;
  /**
   * Failed commands, cut to the lines in which the harness and the program tell it. If they were not run again, an output of 1,000
   * characters or more keeps up to half of its text: lines that look like errors, and lines with names that occur nowhere else.
   */
  failedCommands: number;
  /**
   * Signed thinking blocks that were removed: with `thinking: 'strip'` because something before them was edited, with `leave` because
   * another block of their message went with the call that it led to.
   */
  strippedThinking: number;
  /**
   * With `thinking: 'strip'`: the turn whose calls are being answered (the last message with calls, if only their results follow it) lost
   * its thinking. Models with a fixed thinking budget refuse that: send this request without thinking. Otherwise absent.
   */
  strippedOpenTurn?: true;
  others: {
    /** Reads cut by the lines that a later read shows too. */
    overlappingReads: number;
    /** Searches that were repeated later. */
    staleSearches: number;
    /** Results of 160 characters or more that the result of a later call repeats. */
    identicalResults: number;
    /**
     * Outputs of more than 16,000 characters, reads excepted. They keep the first and the last 4,000 characters and, in between, up to
     * 6,000 of lines that look like errors, that name the next file of a diff or that later messages refer to.
     */
    oversizedOutputs: number;
    /** Images of tools, and encoded data of 512 characters or more in results, that a later result repeats. */
    repeatedMedia: number;
    /** Messages of the model without content. */
    emptyMessages: number;
    /** Texts of the model that only announced calls which were removed. */
    announcements: number;
  };
  /**
   * Tools that neither the built-in list nor `toolMap` knows, and the number of their calls: the 100 with the most calls. Nothing of them is
   * superseded, unless a later result repeats it. Names are cut after 128 characters.
   */
  unknownTools: Record<string, number>;
  /**
   * Tools of which calls may be reads, because all words of the name (after that of a server) say so, as in `get_document`, and an argument names
   * what is read (`path`, `uri` …); 100 at most. What is only guessed takes nothing out. Pass these as `toolMap` to confirm that a later call with
   * the same path shows all of it again.
   */
  guessedTools: ToolMap;
  /**
   * What seems wrong in `toolMap`, 100 texts at most: a tool that no call names, and an argument that no call of it has. Each begins with
   * its place: `options.toolMap["loadFile"].path: no call has the argument "file"`.
   */
  warnings: string[];
  /** The report in one line. */
  summary: string;
  /** One entry per edit, with `trace`. */
  trace?: PruneTrace[];
}

/** Position of a text. */
export interface PartPosition {
  /** Index of its message. */
  message: number;
  /** Path inside the message. */
  path: (string | number)[];
  /** Tool of a call. */
  name?: string;
  callId?: string;
}

/** An edit and its reason. */
export interface PruneTrace extends PartPosition {
  reason:
    | 'staleRead'
    | 'staleEdit'
    | 'staleCommand'
    | 'failedCommand'
    | 'overlappingRead'
    | 'staleSearch'
    | 'identicalResult'
    | 'oversizedOutput'
    | 'repeatedMedia'
    | 'emptyMessage'
    | 'announcement'
    | 'strippedThinking';
  action: 'replace' | 'remove';
  charsBefore: number;
  charsAfter: number;
  /**
   * What shows that the text can go, in one line: the message and the call that say it, the command, and the directory in which it ran; or the harness's
   * line that tells a failure. Absent for thinking.
   */
  evidence?: string;
  /** The later operation that supersedes the text. */
  supersededBy?: PartPosition;
}

export interface RecallOptions {
  /** Maximum tokens of `text`: of all passages with the lines that name their places. Above 0. Default 500. */
  limit?: number | null | undefined;
  /** Name of the model, which gives the tokenizer, as in {@link FitSettings}. Default none. */
  model?: string | null | undefined;
  /** Default `'o200k_base'`, or that of `model`. */
  tokenizer?: Tokenizer | null | undefined;
  /** Format of the history and of the messages. Default `'auto'`: it is detected from the history. */
  format?: Format | CustomFormat<any> | 'auto' | null | undefined;
}

/** A passage of a history, as it was written. */
export interface RecallPassage {
  /** Part of a text of the message: of its content, of a result as the model is shown it, or of a call's arguments as JSON. */
  text: string;
  /** Index of the message in the history. */
  message: number;
  /** `tool` for results, whichever message holds them. */
  role: 'user' | 'assistant' | 'tool';
  /** In a call or a result: name of the tool. Absent if it is unknown. */
  tool?: string;
  /**
   * In a call or a result: the call's main argument, such as a path or a command; its first line, up to 80 UTF-16 code units and `…`. Absent
   * if it has none.
   */
  argument?: string;
  /** First and last line in the text that the passage is from, counted from 1. Absent if that text has one line. */
  lines?: [first: number, last: number];
  /** Tokens of `text`. */
  tokens: number;
  /** How much of the query the passage covers, from 0 to 1, weighted by the rarity of its words. */
  score: number;
}

export interface RecallResult {
  /** Best first. They do not overlap. */
  passages: RecallPassage[];
  /** Tokens of `text`. */
  tokens: number;
  /** What a model is shown: each passage behind its place, such as `[message 12, read_file src/a.ts, lines 10–14]`. Empty without passages. */
  text: string;
}

/**
 * Searches a history for what is not in the messages that are sent: whole messages that were removed, and cut parts of others.
 *
 * Passages are ranked by BM25 over words and parts of names (`header` finds `parseHeader`, `read.ts` finds `src/io/read.ts`), in every
 * script; of equal ones, the latest come first. Strings in double quotes in the query have to stand in each passage as they are.
 * Instructions and reasoning are not searched. Linear in the length of the texts; the same arguments give the same result.
 *
 * @param history the whole history, as it was before anything was cut
 * @param messages what is sent: the result of `fit`, `prune` or a session for this history
 * @param query words, names, a question, or a call
 *
 * @example
 * import { recall } from 'palimpsest';
 *
 * const history = [
 *   { role: 'user', content: 'Deploy it.' },
 *   { role: 'assistant', content: 'Done. The key of the staging server is in /etc/deploy/staging.pem.' },
 *   { role: 'user', content: 'Now show me the logs.' },
 * ];
 * const sent = history.slice(2);
 * console.log(recall(history, sent, 'stagingKey').passages[0].text);
 * // → Done. The key of the staging server is in /etc/deploy/staging.pem.
 *
 * @throws {TypeError} an argument or option is of the wrong type, or the messages are of no known format
 * @throws {RangeError} `limit` is not above 0
 */
export function recall<T extends object, S extends object = T>(
  history: readonly T[],
  messages: readonly S[],
  query: string,
  options?: RecallOptions | null,
): RecallResult;

/**
 * Everything taken out of a conversation, by key: all that `restore` needs. Plain JSON as far as the messages are (parts of LangChain's
 * instances stay instances). A key is made of what its entry says, so it means the same in every round. Merge the originals of several rounds
 * with {@link mergeOriginals}.
 */
export interface Originals {
  [key: string]: Original;
}

/** One item that was taken out. Its fields are for `restore`. */
export interface Original {
  [field: string]: unknown;
}

/**
 * Merges the originals of several rounds: of `fit` and `prune`, and the `verbatim` of `compress` with `format`. The order hardly matters, nor
 * does it matter whether some went through a store, or are there twice. Of an entry that is there with secrets and without, the one with
 * secrets is taken.
 *
 * @example
 * import { fit, mergeOriginals, prune, restore } from 'palimpsest';
 *
 * const log = Array.from({ length: 200 }, (_, line) => `12:00:${line % 60} wrote ${line} rows`).join('\n');
 * const messages = [{ role: 'assistant', content: log }, { role: 'user', content: 'How many rows?' }];
 * const pruned = prune(messages);
 * const fitted = fit(pruned.messages, { limit: 300 });
 * const originals = mergeOriginals(pruned.originals, fitted.originals);
 * console.log(restore(fitted.messages, originals).messages[0].content === log); // → true
 *
 * @param originals those of each round, preferably from first to last; never changed
 * @returns a new object, with the same entries. They say in which order the rounds were, so a store may sort their keys
 * @throws {TypeError} an argument holds anything but originals
 * @throws {Error} two different entries have the same key, code `ERR_PALIMPSEST_COLLISION`. The keys in stubs are short, so in a trillion pairs of
 *   stubs two may have the same one
 */
export function mergeOriginals(...originals: readonly Originals[]): Originals;

export interface RestoreResult<T> {
  /** The original conversation. Messages from which nothing was taken are the same objects. */
  messages: T[];
  /**
   * What could not be put back, each once. Keys of originals:
   * - the stub or cut message was changed or is gone (the change stays);
   * - the message reads like others, some of which were added or taken away;
   * - the messages around a removed message are gone;
   * - a marker is present, but its original is not.
   *
   * And places in `messages` of this result, as `messages[3]`: the message holds a mark without a key (`[… 42 lines]`, `[…]`), and nothing
   * was put back for it. Either its original is not in `originals`, or its key is in this list. A text that only quotes a mark reads the
   * same, and is listed too. Others write `[…]` as well, so it counts only if there is another mark in the conversation, or a key in this
   * list. Instructions (`system`, `developer`) are not looked at. What left no mark can't be noticed without its original.
   *
   * Originals that an earlier call put back are not listed.
   */
  missing: string[];
  /** Number of originals that were put back. */
  restored: number;
  /**
   * Keys of originals that were put back without their secrets: `saveOriginals` redacted them, so these messages are not exact. Absent if
   * there is none.
   */
  redacted?: string[];
}

/**
 * Puts back what `prune`, `fit` or `compress` (with `format`) took out. The result equals the input of that call, including key order, even
 * if messages were appended since, if messages and originals went through JSON, and after several rounds.
 *
 * A stub is found by the key in its marker, wherever its message is now; a text that quotes a stub is not changed. Everything else is found
 * by a 64-bit hash of the message that was written, or is put back between the messages that it stood between. If that is not certain,
 * nothing is put back, and the key is in `missing`.
 *
 * Cache breakpoints (`cache_control`, `cacheControl`, the option `cachePoint`) may be added, moved and removed at any time, and a text may be put into
 * a block of its own for one: the message that is put back has them where they are now. If it lacks the block of a breakpoint, the breakpoint
 * goes to the nearest block before it, and is left out if there is none, or if that block has one. Any other change stays, and is named.
 *
 * @example
 * import { fit, restore } from 'palimpsest';
 *
 * const log = Array.from({ length: 200 }, (_, line) => `12:00:${line % 60} wrote ${line} rows`).join('\n');
 * const messages = [{ role: 'assistant', content: log }, { role: 'user', content: 'How many rows?' }];
 * const fitted = fit(messages, { limit: 300 });
 * const { messages: restored, missing } = restore(fitted.messages, fitted.originals);
 * console.log(restored[0].content === log, missing.length); // → true 0
 *
 * @param messages messages of any format; never changed
 * @param originals originals of all rounds; a store may sort their keys, as `jsonb` does
 * @throws {TypeError} `messages` is not an array of objects, or `originals` holds anything but originals
 */
export function restore<T extends object>(messages: readonly T[], originals: Originals): RestoreResult<T>;

/**
 * Text for the model's instructions, in English, of some 259 tokens: what the marks mean that `fit`, `prune` and sessions put in the place
 * of what they take out, and that a file can be read again.
 */
export const marksNote: string;

/**
 * Format of messages. `'auto'`, accepted wherever a format is, detects it: a message that only one format has decides. Plain texts with
 * roles, which several formats share, are treated as `'openai-chat'`. Messages with features of two formats, or of none, are a TypeError
 * that names them.
 */
export type Format =
  /** OpenAI's chat completions, and compatible APIs. */
  | 'openai-chat'
  /** Items of OpenAI's Responses API. */
  | 'openai-responses'
  /** `AgentInputItem` of OpenAI's Agents SDK: `result.history`, the items of a `Session`, the input of a `Model`. */
  | 'openai-agents'
  /** Anthropic's Messages API. */
  | 'anthropic'
  /**
   * `ModelMessage` of the Vercel AI SDK 5 to 7, `CoreMessage` of version 4, and the prompt of its providers and middleware:
   * `LanguageModelV2Prompt`, `LanguageModelV3Prompt` and `LanguageModelV4Prompt`.
   */
  | 'ai-sdk-model'
  /** `UIMessage` of the Vercel AI SDK 4 to 7. */
  | 'ai-sdk-ui'
  /** `Content` of the Gemini API. */
  | 'gemini'
  /** Message instances of LangChain and LangGraph. */
  | 'langchain'
  /** `MastraDBMessage` of Mastra, as its memory stores it: with `content.format` 2. */
  | 'mastra'
  /** `Message` of the AG-UI protocol, as CopilotKit and others store it: with `toolCalls` and `toolCallId`. */
  | 'ag-ui'
  /** {@link Message}, as `compress` takes it. */
  | 'message';

/** A format that {@link defineFormat} returned. */
export interface CustomFormat<T extends object = object> {
  readonly name: string;
  /** Types the messages; there is no such member. */
  readonly '~messages'?: T;
}

/** A piece of a message that can be read, shortened or taken out on its own. */
export type FormatPart = FormatTextPart | FormatCallPart | FormatResultPart;

interface FormatPlace {
  /**
   * Where its value stands in the message: keys, and indices of lists, such as `['content', 0, 'text']`. A part that is taken out takes along the
   * innermost element of a list that it stands in; one that stands in no list becomes an empty text, as long as other parts of the message stay.
   */
  path: readonly (string | number)[];
}

/** What somebody says or thinks, a file, or what only its owner can read. */
export interface FormatTextPart extends FormatPlace {
  /** `text` and `reasoning` lead to a string; `media` and `other`, which are never changed, to any value. */
  kind: 'text' | 'reasoning' | 'media' | 'other';
  role: 'system' | 'user' | 'assistant';
  /** Reasoning: the provider checks a signature of it, so that it only holds behind what it was made after. Default `false`. */
  isSigned?: boolean;
}

/** A call of a tool. */
export interface FormatCallPart extends FormatPlace {
  /** Its value is the arguments: an object, or its JSON. */
  kind: 'call';
  name: string;
  /** Links it with its results. */
  id: string;
}

/** What a tool gave back. */
export interface FormatResultPart extends FormatPlace {
  /** Its value is a string or any JSON. */
  kind: 'result';
  /** Of its call. */
  id: string;
  /** Whether the tool failed. Default: it is not known. */
  isError?: boolean;
}

/** What {@link defineFormat} takes. */
export interface FormatDefinition<T extends object = object> {
  /** A name of your own, for reports and saved sessions. */
  name: string;
  /**
   * Lists the parts of a message in their order. It is called often, and must say the same of equal messages. Nothing that no part leads to is
   * changed or counted.
   */
  parts(message: T): readonly FormatPart[];
  /** The provider by whose rules messages are counted. Default: that of `model`, or `openai`. */
  provider?: 'openai' | 'anthropic' | 'gemini' | null | undefined;
}

/**
 * Defines a format for messages of a type of your own, as an agent or a database has them, for the option `format` of `fit`, `prune`,
 * `createSession`, `recall` and `countTokens`. `restore` needs no format. What a provider refuses is known of its own messages alone: see that each message that you send becomes
 * valid whichever of its parts are gone.
 *
 * @throws {TypeError} the definition is wrong; the error names what
 */
export function defineFormat<T extends object>(definition: FormatDefinition<T>): CustomFormat<T>;

/** A violation of a provider's rule. */
export interface Problem {
  /** Name of the rule, such as `tool-result-without-call`. */
  rule: string;
  /** Position, starting at the input array: `messages[14].content[2]`. For a call without a result it is the position of the call. */
  path: string;
  /** The offending content, with its id, and why the provider refuses it. For people: the wording may change. */
  message: string;
}

export interface ValidateOptions {
  /** Format of the messages. Default `'auto'`: it is detected, and an ambiguous or unknown format is an error. */
  format?: Format | 'auto' | null | undefined;
  /**
   * Name of the model, as in {@link FitSettings}: it names the provider whose `requestLimits` hold, for what the SDK sends to that
   * provider. A Gemini 3 wants the calls of the current turn signed. Default: the format names the provider, where it can.
   */
  model?: string | null | undefined;
  /** Limits of a request beside tokens. `false`: there are none. Default: those of the provider that `model` or the format names. */
  requestLimits?: RequestLimits | false | null | undefined;
}

/**
 * Finds everything in these messages that the provider would refuse, in message order. Returns an empty array if there is nothing. Broken
 * messages never throw, whatever they contain. Runs in time linear in the size of the messages.
 *
 * Calls at the end of the history are problems of their own rule, `tool-call-at-end`: they are expected in the middle of an agent loop, but
 * a provider refuses them without their results.
 *
 * @example
 * import { validate } from 'palimpsest';
 *
 * const messages = [
 *   { role: 'user', content: 'What is in a.ts?' },
 *   { role: 'tool', tool_call_id: 'call_1', content: 'export {};' },
 * ];
 * const [problem] = validate(messages, { format: 'openai-chat' });
 * console.log(problem.rule, problem.path); // → tool-result-without-call messages[1]
 *
 * @throws {TypeError} `messages` is not an array, `options` is not an object, or `format` is ambiguous or unknown
 */
export function validate<T>(messages: readonly T[], options?: ValidateOptions | null): Problem[];

/**
 * Token counting method. `o200k_base` is the encoding of GPT-4o and later OpenAI models, `cl100k_base` that of GPT-4 and GPT-3.5. Both are
 * exact; text like `<|endoftext|>` counts as ordinary characters, and a lone surrogate as U+FFFD. `estimate` counts a token for every
 * 3.5 UTF-16 code units, rounded up per text.
 */
export type Tokenizer = 'o200k_base' | 'cl100k_base' | 'estimate';

/** Text of the instructions: a block or part with a `text`. */
export interface SystemPromptText {
  type?: 'text' | 'input_text' | undefined;
  text?: string | undefined;
}

/**
 * Message with instructions: of the role `system` or `developer`, LangChain's `SystemMessage`, or Gemini's `Content`. Its content is a
 * string or a list of texts.
 */
export type SystemPromptMessage =
  | { role: 'system' | 'developer'; content: string | readonly object[] }
  | { getType(): string; content: string | readonly object[] }
  | { parts?: readonly object[] | undefined };

/**
 * Instructions sent beside the messages, as the provider takes them: a string (OpenAI's `instructions`), Anthropic's blocks, Gemini's
 * `systemInstruction`, the AI SDK's `instructions` or LangChain's `SystemMessage`. Texts only.
 */
export type SystemPrompt = string | SystemPromptText | SystemPromptMessage | readonly (string | SystemPromptText | SystemPromptMessage)[];

/**
 * Tools as they are sent along: a list in the shape of any provider, of MCP or of LangChain, or the AI SDK's `ToolSet`, by name. Arguments
 * count as the JSON schema that is sent. It is taken from zod 4, `jsonSchema()`, and whatever supports Standard JSON Schema; of other
 * schemas, such as zod 3's, the names and descriptions of the arguments count. Built-in tools count by their names, tools that a provider or
 * an SDK loads itself (from MCP servers, for example) not at all.
 */
export type Tools = readonly unknown[] | { readonly [name: string]: unknown };

export interface CountTokensOptions {
  /** Name of the model, which gives the tokenizer and the provider's rules, as in {@link FitSettings}. Default none. */
  model?: string | null | undefined;
  /** Default `'o200k_base'`, or that of `model`. */
  tokenizer?: Tokenizer | null | undefined;
  /**
   * Format of the messages. Default `'auto'`: it is detected, by `tools` and `system` where the messages read the same in several formats.
   * No effect on a string.
   */
  format?: Format | CustomFormat<any> | 'auto' | null | undefined;
  /**
   * Instructions sent beside the messages. OpenAI's count as a message of the role `system`, those of Anthropic and Gemini as their texts.
   * Default none; with a string a TypeError.
   */
  system?: SystemPrompt | null | undefined;
  /** Tools that are sent along. Default none; with a string a TypeError. */
  tools?: Tools | null | undefined;
}

/**
 * Counts the tokens of a text, or of a request with these messages: the texts, and what the provider adds for each message, name, call,
 * tool and image. The count is exact for OpenAI's messages as far as OpenAI documents it. For other providers, whose tokenizers are not
 * public, it is an approximation.
 *
 * Images count by the provider's rule; their size is read from inline PNG, JPEG, GIF and WebP data. An image that is only referred to
 * counts as one of 1024 × 1024 pixels (OpenAI), as the largest (Anthropic, 1600 tokens) or as a tile (Gemini, 258 tokens). Files of text
 * count as their text, PDFs by their pages, sounds and films by their length. Deferred tools count
 * once something in the messages loads them.
 *
 * @example
 * import { countTokens } from 'palimpsest';
 *
 * console.log(countTokens('Hello, world! <|endoftext|>')); // → 11
 * console.log(countTokens([{ role: 'user', content: 'Hello, world!' }], { format: 'openai-chat' })); // → 11
 *
 * @throws {TypeError} an argument is wrong, or the format of the messages is unknown
 */
export function countTokens(input: string | readonly object[], options?: CountTokensOptions | null): number;

export interface WarmUpOptions {
  /** The tokenizer that later calls will use. Default `'o200k_base'`. */
  tokenizer?: Tokenizer | null | undefined;
}

/**
 * Does at once what the first calls of a process do beside their work: reads the code of {@link compress}, {@link prune}, {@link fit},
 * {@link restore}, {@link countTokens}, {@link createSession} and {@link validate}, compiles the patterns of the engine, and lays out the
 * vocabulary of `tokenizer`. For servers: call it before they take requests. It takes some tens of milliseconds, and keeps nothing
 * beside what those calls would keep.
 *
 * @example
 * import { countTokens, warmUp } from 'palimpsest';
 *
 * warmUp();
 * console.log(countTokens('Hello, world!')); // → 4
 *
 * @throws {TypeError} an option is wrong
 */
export function warmUp(options?: WarmUpOptions | null): void;

/**
 * Keeps conversations outside the process: values that never change, and the state of a session. `palimpsest/store/memory`, `…/sqlite`,
 * `…/redis` and `…/postgres` have one each; an object of your own with these methods works as well.
 *
 * Ids and keys are strings of 1 to 1,000 bytes of UTF-8, and a call takes at most 10,000 keys. All strings come back as they were, lone
 * surrogates included. Arguments of the wrong type reject with a TypeError, those beyond a limit with a RangeError; neither shows a value.
 */
export interface Store {
  /** Returns the values of a conversation by their keys, in the same order; `undefined` for those that are not there. */
  get(id: string, keys: readonly string[]): Promise<(string | undefined)[]>;
  /**
   * Inserts values, all or none. Those whose keys are there already are ignored, so that writing twice is the same as once: use keys that
   * name their values, such as hashes.
   *
   * @param version if given, they are inserted only if the state has this version: nothing is left behind by a worker that comes after `delete`
   * @returns whether they were inserted; without `version` always `true`
   */
  put(id: string, entries: readonly (readonly [key: string, value: string])[], version?: number): Promise<boolean>;
  /** Returns the state of a conversation and its version; `undefined` if it has none. */
  load(id: string): Promise<{ state: string; version: number } | undefined>;
  /**
   * Replaces the state of a conversation if its version is still `version`, that of `load` or of the last `save`, or 0 for none (compare and
   * swap).
   *
   * @returns the new version, above 0; or 0 if another state was saved, or all was deleted, meanwhile, and nothing was written
   */
  save(id: string, state: string, version: number): Promise<number>;
  /** Deletes a conversation, both its values and its state. Versions of before are never valid again. */
  delete(id: string): Promise<void>;
}

/**
 * Replaces API keys of known services, access tokens, passwords in URLs and private keys by `[redacted]`: the forms that `compress` never
 * cuts as `api_key`, and a few more. It finds what looks like a secret; passwords in prose it can't know. Runs in time linear in the text.
 *
 * @example
 * import { redactSecrets } from 'palimpsest';
 *
 * console.log(redactSecrets('postgres://app:swordfish@db/main')); // → postgres://app:[redacted]@db/main
 *
 * @throws {TypeError} `text` is not a string
 */
export function redactSecrets(text: string): string;

/** Options of {@link saveOriginals}. `undefined` and `null` mean the default. */
export interface SaveOriginalsOptions {
  /** Removes secrets from what is stored, as in {@link SessionSettings}. Restoring then lists what is not exact. Default none. */
  redact?: ((text: string) => string) | readonly RegExp[] | null | undefined;
}

/**
 * Keeps the `originals` of `fit` and `prune`, or the `verbatim` of `compress`, in a store. They are split into parts that are named by their
 * content, and each part is written once: what is written is in proportion to what is new since the last save. Everything must be JSON;
 * class instances become plain objects.
 *
 * @example
 * import { fit, loadOriginals, restore, saveOriginals } from 'palimpsest';
 * import { memoryStore } from 'palimpsest/store/memory';
 *
 * const log = Array.from({ length: 300 }, (_, line) => `worker ${line} is done`).join('\n');
 * const history = [{ role: 'user', content: log }, { role: 'assistant', content: 'All of them are.' }, { role: 'user', content: 'Go on.' }];
 * const { messages: sent, originals } = fit(history, { limit: 200 });
 * const store = memoryStore();
 * const key = await saveOriginals(store, 'chat-1', originals);
 * const { messages } = restore(sent, (await loadOriginals(store, 'chat-1', key)) ?? {});
 * console.log(JSON.stringify(messages) === JSON.stringify(history)); // → true
 *
 * @returns a key that loads exactly these, for as long as the conversation is in the store
 * @throws {TypeError} an argument is wrong; the error names it
 * @throws {Error} the store has damaged parts of these originals, code `ERR_PALIMPSEST_PARTS`; it does not keep what is put there; or whatever
 *   it rejects with
 */
export function saveOriginals(
  store: Pick<Store, 'get' | 'put'>,
  id: string,
  originals: Originals | VerbatimMap<any>,
  options?: SaveOriginalsOptions | null,
): Promise<string>;

/**
 * Returns what {@link saveOriginals} kept, for `restore` or `uncompress`.
 *
 * @typeParam O what was saved: by default the originals of `fit`, `prune` or a session; `VerbatimMap` of `compress`
 * @param key what `saveOriginals` returned. Default: the last that was saved
 * @returns undefined if nothing was saved
 * @throws {TypeError} an argument is wrong; the error names it
 * @throws {Error} parts are missing, code `ERR_PALIMPSEST_PARTS`; a newer version saved them; or whatever the store rejects with
 */
export function loadOriginals<O extends Originals | VerbatimMap<any> = Originals>(
  store: Pick<Store, 'get'>,
  id: string,
  key?: string | null,
): Promise<O | undefined>;

/** Limits of a store. `undefined` and `null` mean the default. */
export interface StoreLimits {
  /** Maximum size of a value, in bytes of UTF-8: an integer from 1. Default 16,777,216. */
  maxValueBytes?: number | null | undefined;
  /** Maximum size of a state, in bytes of UTF-8: an integer from 1. Default 4,194,304. */
  maxStateBytes?: number | null | undefined;
}

/** A message of a conversation. Other keys are kept as they are. */
export interface Message {
  /** Identifies the message in `verbatim`, in references and in provenance. The only field that is required at run time. */
  id: string;
  /** The caller's own numbering; copied, never read. */
  index: number;
  /** `system`, `user`, `assistant`, `tool`, or any other name. */
  role?: string | undefined;
  /** The text. A value that is not a string counts as an empty text and is kept as it is. */
  content?: string | undefined;
  /** Kept as it is, except for the key `_cce_original` of messages that stand for others. */
  metadata?: MessageMetadata | undefined;
  /** A message with at least one tool call is never rewritten, unless `forceConverge` has to cut it. */
  tool_calls?: unknown[] | undefined;
  // `any`, because only then is an interface without an index signature assignable to this one.
  [key: string]: any;
}

export interface MessageMetadata {
  /** Present on messages that stand for others. */
  _cce_original?: Provenance | undefined;
  [key: string]: any;
}

/** The originals that a message of the result stands for. */
export interface Provenance {
  /** Keys of the originals in `verbatim`, in conversation order. */
  ids: string[];
  /** Derived from `ids`: the same originals give the same id. */
  summary_id: string;
  /** Ids of the summaries that the originals themselves carried; absent if there are none. */
  parent_ids?: string[];
  /** `sourceVersion` of the compression. */
  version: number;
}

/**
 * Minimum shape of your own message type: an id. Interfaces without an index signature are accepted, and so is content that is null or
 * a list of parts; it is kept as it is.
 */
export interface MessageLike {
  id: string;
  index?: number | undefined;
  role?: string | undefined;
  content?: unknown;
  metadata?: object | null | undefined;
  tool_calls?: unknown;
}

/** Your own message type, with the fields that compression may add. */
export type Compressed<M> = M & Omit<KnownFields, keyof M>;

interface KnownFields {
  content?: string | undefined;
  metadata?: MessageMetadata | undefined;
  tool_calls?: unknown[] | undefined;
}

/**
 * The originals by id: a plain object that can be stored as JSON. If an id is taken, by another original or by one that an earlier summary
 * in the conversation stands for, the key is `id (2)`, or the next free number.
 */
export type VerbatimMap<M = Message> = Record<string, M>;

/** Finds an original by id, synchronously; returns undefined if there is none. */
export type StoreLookup<M = Message> = (id: string) => M | null | undefined;

/**
 * Writes a summary of a text. If the summarizer fails, or its answer is not a string, is empty or is not shorter than the text, the text is
 * summarised without an LLM.
 */
export type Summarizer = (text: string) => string | PromiseLike<string>;

/** Decides whether a text is kept word for word. A failure rejects the call of `compress`. */
export type Classifier = (text: string) => ClassifierResult | PromiseLike<ClassifierResult>;

export interface ClassifierResult {
  /** `preserve`: the message is kept as it is. `compress`: it is summarised unless another rule keeps it. */
  decision: 'preserve' | 'compress';
  /** From 0 to 1. `compress` does not read it. */
  confidence: number;
  /** Shown in the trace. */
  reason: string;
}

/**
 * Scores sentences, one number each. Sentences with higher scores enter a summary first. Negative scores, such as logarithms of
 * probabilities, are allowed; surplus scores are ignored. If the scorer fails, returns too few scores or a score that is not a number, the
 * built-in scores are used alone, and `callback_fallbacks` of the statistics counts it.
 *
 * A promise is accepted only in a call with a summarizer or classifier; otherwise it is an Error.
 */
export type EntropyScorer = (sentences: string[]) => SentenceScores | PromiseLike<SentenceScores>;

export type SentenceScores = readonly number[] | Float32Array | Float64Array;

/** A pattern that keeps every message whose text it matches. */
export interface PreservePattern {
  /** Called as `test(text)`. A RegExp with the flag `g` or `y` resumes at its last match, even in another message. */
  re: Pick<RegExp, 'test'>;
  /** Shown in the trace as `pattern:<label>`. */
  label: string;
}

/** The part of `AbortSignal` that is used; it needs neither DOM nor Node types. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Options of `compress`. `undefined` and `null` mean the default. A value of the wrong type throws a TypeError that names the option and
 * the type it got. A name that is no option has no effect; a warning of the process tells once.
 */
export interface CompressOptions<M = Message> {
  /** Roles whose messages are never rewritten. Default `['system']`; `[]` protects none. */
  preserve?: (Iterable<string> & object) | null | undefined;
  /**
   * Number of messages at the end that are kept as they are. Default 4; 0, a negative number or NaN: none. No effect with `tokenBudget`.
   */
  recencyWindow?: number | null | undefined;
  /** Version of the conversation, copied to `original_version` and to provenance. Default 0. */
  sourceVersion?: number | null | undefined;
  /** Replaces repeated texts of 200 characters or more with a reference. Default true. */
  dedup?: boolean | null | undefined;
  /** Also replaces texts that are nearly the same, compared line by line. Default false. */
  fuzzyDedup?: boolean | null | undefined;
  /** Minimum share of common lines, 0 to 1, for two texts to count as nearly the same. Default 0.85. */
  fuzzyThreshold?: number | null | undefined;
  /**
   * Replaces consecutive messages that belong together with one summary: a question and its answer, a request and the report of what was
   * done, a statement and its correction, or a long statement and a short consent. Messages that a hard reason, a pattern or the classifier
   * keeps are exempt. `summarizer` and `embedSummaryId` have no effect on these summaries. Default false.
   */
  conversationFlow?: boolean | null | undefined;
  /**
   * Replaces consecutive messages of 80 characters or more on the same subject with one summary. Clusters are found as
   * {@link clusterMessages} does, among the last 200 messages before the recency window. The exemptions are those of `conversationFlow`.
   * Default false.
   */
  semanticClustering?: boolean | null | undefined;
  /** With `semanticClustering`: minimum average similarity, 0 to 1, of messages that share a summary. Default 0.15. */
  clusterThreshold?: number | null | undefined;
  /**
   * Adds the defining sentence of a name such as `readToken` to a summary that lost it, if a kept message uses the name:
   * `[summary: [context: …] …]`. The sentence is added only if the summary stays shorter than the text it replaces. Default false.
   */
  coreference?: boolean | null | undefined;
  /**
   * Builds summaries from clauses and the clauses they depend on, as {@link summarizeWithEDUs} does, instead of whole sentences.
   * No effect with a summarizer. Default false.
   */
  discourseAware?: boolean | null | undefined;
  /** Writes the id of a summary into its text. Default false. */
  embedSummaryId?: boolean | null | undefined;
  /** Patterns; messages that match one of them are kept as they are. Default none. */
  preservePatterns?: readonly PreservePattern[] | null | undefined;
  /**
   * Maximum number of tokens of the result; `fits` tells whether it was met. Default none. If the next answer depends on what the user
   * asks, prefer {@link fit}, which takes the question into account. NaN is a RangeError.
   */
  tokenBudget?: number | null | undefined;
  /**
   * With `tokenBudget`: number of messages at the end that are kept as they are even if the budget cannot be met. Default 0; a value below
   * `Number.MIN_SAFE_INTEGER` is a RangeError.
   */
  minRecencyWindow?: number | null | undefined;
  /** With `tokenBudget`: truncates long messages, longest first, if summaries do not suffice. Default false. */
  forceConverge?: boolean | null | undefined;
  /**
   * Counts the tokens of a message, synchronously. What it throws is passed on; a result that is not a number is a TypeError.
   * Default {@link defaultTokenCounter}.
   */
  tokenCounter?: ((message: M) => number) | null | undefined;
  /**
   * Counts everything of the messages that is sent, as {@link countTokens} does: content, names, calls with their arguments, and OpenAI's
   * overhead. Without it, a token is counted for every 3.5 characters of the content. Combined with `tokenCounter` it is a TypeError.
   * Default none.
   */
  tokenizer?: Tokenizer | null | undefined;
  /** Conversations with fewer tokens are returned unchanged. Default none. */
  compressionThreshold?: number | null | undefined;
  /** Messages with more tokens are compressed even if they are recent or a hard reason would keep them. Default none. */
  observationThreshold?: number | null | undefined;
  /** Writes summaries, usually with an LLM; the result is then a promise. Default none: summaries by rules. */
  summarizer?: Summarizer | null | undefined;
  /** Decides what is kept word for word, usually with an LLM; the result is then a promise. Default none: rules alone. */
  classifier?: Classifier | null | undefined;
  /**
   * `hybrid`: the classifier is asked about messages that no hard reason keeps. `full`: the classifier overrides those reasons.
   * No effect without a classifier. Default `'hybrid'`.
   */
  classifierMode?: 'hybrid' | 'full' | null | undefined;
  /**
   * Writes summaries from the tokens that it keeps; it takes precedence over `summarizer`. It may return a promise only if the result is a
   * promise anyway, because of a `summarizer` or `classifier`; otherwise a promise is an Error. If it fails, answers with another type or
   * keeps nothing, the rules write the summary. Default none.
   */
  mlTokenClassifier?: MLTokenClassifier | null | undefined;
  /**
   * Adapters for text formats. The first adapter that detects a text decides which pieces stay and which are summarised. Only texts that no
   * other rule keeps and that contain no code fence are offered. What an adapter throws is passed on. If an answer has the wrong type (a
   * promise included), the text is summarised as a whole, or kept if the answer came from `reconstruct`. Default none.
   */
  adapters?: readonly FormatAdapter[] | null | undefined;
  /**
   * Trims tool results first: listings of installed packages, build steps, notices of package managers, passing tests, repetitions of what
   * the agent just said, and files that were rewritten later. `verbatim` holds what was trimmed. Messages with preserved roles or
   * tool calls are not trimmed. Default false.
   */
  agentToolPrepass?: boolean | null | undefined;
  /**
   * Keeps messages that matter to later ones, see {@link computeImportance}. With `forceConverge`, the least important messages are
   * truncated first. Default false.
   */
  importanceScoring?: boolean | null | undefined;
  /** Minimum importance at which a message is kept; NaN keeps none. Default 0.65. */
  importanceThreshold?: number | null | undefined;
  /**
   * Replaces a message that later ones retract or correct with a summary and a reference to the last correction, which is kept as it is.
   * See {@link analyzeContradictions}. Default false.
   */
  contradictionDetection?: boolean | null | undefined;
  /** Minimum topic overlap of both messages, 0 to 1; 1.5 times as much if their roles differ. Default 0.15. */
  contradictionTopicThreshold?: number | null | undefined;
  /**
   * Omits messages that would be summarised if none of their sentences reaches this score. {@link bestSentenceScore} has the scale, on
   * which one identifier scores 3; plain words with dates or names score low. Default 0: none is omitted.
   */
  relevanceThreshold?: number | null | undefined;
  /**
   * Length of summaries: `gentle`, about 30 % of the text; `moderate`, half of that, and more for texts full of names; `aggressive`, little
   * more than names. `auto` uses the first of these that meets `tokenBudget`, and `gentle` without a budget. Default `'gentle'`.
   */
  compressionDepth?: 'gentle' | 'moderate' | 'aggressive' | 'auto' | null | undefined;
  /**
   * Strategy for meeting `tokenBudget`. `binary-search` finds the largest recency window that fits. `tiered` keeps `recencyWindow` and
   * shortens the summaries before it, then omits messages that say little, until the budget is met; code, structures, keys, tool calls and
   * whatever an option keeps are not touched. Default `'binary-search'`.
   */
  budgetStrategy?: 'binary-search' | 'tiered' | null | undefined;
  /**
   * Scores the sentences from which a summary is chosen, usually with a language model. With a `summarizer`, it is asked only if the
   * summarizer gave no usable answer. Default none: built-in scores alone.
   */
  entropyScorer?: EntropyScorer | null | undefined;
  /**
   * `augment`: 60 % the scorer's and 40 % the built-in scores, both scaled to 0 to 1. `replace`: the scorer's alone. Default `'augment'`.
   */
  entropyScorerMode?: 'augment' | 'replace' | null | undefined;
  /** Adds `decisions` to the statistics: the action taken on each message, and the reason. Default false. */
  trace?: boolean | null | undefined;
  /**
   * Maximum number of concurrent calls of the summarizer or classifier: a positive integer or Infinity, otherwise a RangeError.
   * Default 4; 1 makes the calls one after the other.
   */
  concurrency?: number | null | undefined;
  /**
   * Aborts a call that waits for a summarizer or classifier: the promise rejects with the signal's reason, and no further callback starts.
   * No effect without a summarizer or classifier. Default none.
   */
  signal?: AbortSignalLike | null | undefined;
  /** Format of the messages if they are not {@link Message}: see {@link FormatCompressOptions}. Default none. */
  format?: null | undefined;
}

/** Options for a synchronous result. */
export interface SyncCompressOptions<M = Message> extends CompressOptions<M> {
  summarizer?: null | undefined;
  classifier?: null | undefined;
}

/** Options for a promise. */
export type AsyncCompressOptions<M = Message> = CompressOptions<M> & ({ summarizer: Summarizer } | { classifier: Classifier });

/**
 * Options of `compress` for a provider's messages, which need no ids. Each text of a message, and each tool result that is a text, is
 * compressed separately and stays in its place; messages are neither removed nor merged. Not changed are calls and the texts beside them in
 * the same message, data that is not text, and content that the provider requires unchanged, such as signed thinking and everything before
 * it (see `thinking` of {@link PruneOptions}).
 *
 * Roles in `preserve` are `system` (developer messages included), `user`, `assistant` and `tool`, whatever the format calls them. Windows
 * count the provider's messages. A `tokenizer` counts as {@link countTokens} does with this format.
 */
export interface FormatCompressOptions extends Omit<CompressOptions, 'format' | 'tokenCounter'> {
  /** Format of the messages; `'auto'` detects it. */
  format: Format | 'auto';
  /**
   * Counts the tokens of a text, passed as a message `{ id, index, role, content }` whose `index` is the position of its message. Calls and
   * media are not passed. Default {@link defaultTokenCounter}.
   */
  tokenCounter?: ((message: Message) => number) | null | undefined;
}

/** Options of `compress` for a provider's messages and a synchronous result. */
export interface SyncFormatCompressOptions extends FormatCompressOptions {
  summarizer?: null | undefined;
  classifier?: null | undefined;
}

/** Options of `compress` for a provider's messages and a promise. */
export type AsyncFormatCompressOptions = FormatCompressOptions & ({ summarizer: Summarizer } | { classifier: Classifier });

/** Result of `compress` for a provider's messages. Its statistics count texts; a message without text counts as one. */
export interface FormatCompressResult<T> extends Omit<CompressResult, 'messages' | 'verbatim'> {
  /** Messages of the input type, as many as came in. Unchanged messages are the same objects. */
  messages: T[];
  /** Originals for `uncompress` and `restore`. Merge those of several rounds with {@link mergeOriginals}. */
  verbatim: Originals;
}

export interface CompressResult<M = Message> {
  /**
   * The smaller conversation. Unchanged messages are the same objects, and the input is never changed. With `compressionThreshold` or
   * `tokenBudget` it is the input array itself if there was nothing to do.
   */
  messages: M[];
  compression: CompressionStats;
  /** The originals that `messages` stands for. Keep it: `uncompress` needs it. */
  verbatim: VerbatimMap<M>;
  /** Only with `tokenBudget`: whether `tokenCount` is within the budget. */
  fits?: boolean;
  /** Only with `tokenBudget`: tokens of `messages`. */
  tokenCount?: number;
  /** Only with `tokenBudget`: the recency window that was found; the number of messages if there was nothing to do. */
  recencyWindow?: number;
}

/** Counts refer to input messages. Apart from the first five fields, a count of 0 is absent unless its comment says otherwise. */
export interface CompressionStats {
  /** `sourceVersion`. */
  original_version: number;
  /** Characters before divided by characters after; 1 if no message was summarised, truncated or replaced by an exact reference. */
  ratio: number;
  /** Tokens before divided by tokens after; 1 in the same cases. */
  token_ratio: number;
  /** Messages whose text was summarised, truncated or trimmed. */
  messages_compressed: number;
  /** Messages that were kept as they are. */
  messages_preserved: number;
  /** Messages replaced by a reference to the same text. */
  messages_deduped?: number;
  /** Messages replaced by a reference to nearly the same text. */
  messages_fuzzy_deduped?: number;
  /** Messages that a pattern kept. */
  messages_pattern_preserved?: number;
  /** Messages that the classifier was asked about. */
  messages_llm_classified?: number;
  /** Messages that the classifier kept. */
  messages_llm_preserved?: number;
  /** With `agentToolPrepass`: tool results that were trimmed; present even if 0. */
  messages_tool_prepass_trimmed?: number;
  /** With `agentToolPrepass`: characters that were trimmed; present even if 0. */
  chars_tool_prepass_removed?: number;
  /** Messages that were kept for their importance. */
  messages_importance_preserved?: number;
  /** Messages replaced by a reference to the message that supersedes them. They count neither as compressed nor as preserved. */
  messages_contradicted?: number;
  /** Messages omitted because of `relevanceThreshold`; they also count as compressed. */
  messages_relevance_dropped?: number;
  /** With `trace`: how often an unusable answer of a callback was replaced by the rules, by option. */
  callback_fallbacks?: { entropyScorer?: number; mlTokenClassifier?: number; adapters?: number };
  /** With `trace`, unless there was nothing to do. */
  decisions?: CompressDecision[];
  /**
   * Share of the entities that are still named, 0 to 1, rounded to three digits. This field and the next three are present only if a
   * message was summarised, truncated, trimmed, superseded or replaced by an exact reference, and absent if trimming alone met the budget.
   */
  entity_retention?: number;
  /** Share of code fences, braces and tables that are still there, 0 to 1, rounded to three digits. */
  structural_integrity?: number;
  /** Share of named entities whose message is still there, 0 to 1, rounded to three digits. */
  reference_coherence?: number;
  /** The three fields above, weighted 0.4, 0.4 and 0.2, rounded to three digits. */
  quality_score?: number;
  /**
   * {@link computeFactRetention} of the conversation and the result, rounded to three digits. Computed on first access, because that takes
   * about as long as the call; not enumerable, so JSON and copies do not contain it.
   */
  readonly fact_retention: number;
}

/** The action taken on a message, and the reason. */
export interface CompressDecision {
  /** With `format`: the path of the text, such as `messages[3].content[1].text`, or of a message without text. */
  messageId: string;
  /** Position in the input conversation. */
  messageIndex: number;
  action: 'preserved' | 'compressed' | 'deduped' | 'fuzzy_deduped' | 'truncated' | 'code_split' | 'contradicted';
  /**
   * The rule that decided: `preserved_role`, `recency_window`, `tool_calls`, `short_content`, `already_compressed`,
   * `exact_duplicate`, `fuzzy_duplicate`, `duplicate_reverted`, `code_split`, `code_split_reverted`, `code_fence_no_prose`,
   * `hard_t0:<hard reasons>`, `pattern:<label>`, `llm_preserved:<the classifier's reason>`, `json_structure`,
   * `adapter:<name>`, `adapter_reverted:<name>`, `tool_prepass`, `compressible_prose`, `merged_compressed`,
   * `flow:<type of chain>`, `cluster:<label>`, `merge_reverted`, `single_reverted`, `force_converge`,
   * `importance:<0.00 to 1.00>`, `correction:<signal>`, `contradicted:<signal>`, `contradiction_reverted`,
   * `relevance_dropped:<score>`, `tightened` or `omitted`. `…_reverted` means that the replacement was rejected because it is not
   * shorter than the message or, for a duplicate, because it is longer.
   */
  reason: string;
  /** Characters of the message. */
  inputChars: number;
  /** Characters of its replacement; of a merged summary, its share. */
  outputChars: number;
}

/**
 * Makes the texts of a provider's messages smaller, as `format` names them. Messages need no ids, and are neither removed nor merged: each
 * text is compressed where it stands. Returns messages of the same type, which the provider accepts if it accepted the input; `uncompress`
 * and `restore` give the originals back.
 *
 * @example
 * import { compress, restore } from 'palimpsest';
 *
 * const note = 'The report job waited for the lock of the backup, therefore it was moved by an hour. ';
 * const messages = [
 *   { role: 'assistant', content: [{ type: 'text', text: note.repeat(8) }] },
 *   { role: 'user', content: 'Good. Write that down.' },
 * ];
 * const { messages: shorter, verbatim } = compress(messages, { format: 'anthropic', recencyWindow: 1 });
 * console.log(shorter[0].content[0].text.length < messages[0].content[0].text.length); // → true
 * console.log(restore(shorter, verbatim).messages[0].content[0].text === note.repeat(8)); // → true
 *
 * @throws {TypeError} `messages` is not an array, an option has the wrong type, the format is unknown or ambiguous, or a message does not
 *   have the shape of its format; thrown synchronously, even if the result would be a promise
 * @throws {RangeError} a numeric option is out of range
 */
export function compress<T extends object>(messages: readonly T[], options: SyncFormatCompressOptions): FormatCompressResult<T>;

/** The same with a summarizer or a classifier: a promise of the result. */
export function compress<T extends object>(messages: readonly T[], options: AsyncFormatCompressOptions): Promise<FormatCompressResult<T>>;

/**
 * The same with options that may contain a summarizer or a classifier: the result or a promise of it. With options of the type
 * {@link SyncFormatCompressOptions} it is the result.
 */
export function compress<T extends object>(
  messages: readonly T[],
  options: FormatCompressOptions,
): FormatCompressResult<T> | Promise<FormatCompressResult<T>>;

/**
 * Makes a conversation smaller and keeps the originals in `verbatim`. Returns a promise if a summarizer or classifier is given, and the
 * result itself otherwise.
 *
 * @example
 * import { compress, uncompress } from 'palimpsest';
 *
 * const note = 'The report job waited for the lock of the backup, therefore it was moved by an hour. ';
 * const messages = [
 *   { id: 'a', index: 0, role: 'assistant', content: note.repeat(8) },
 *   { id: 'b', index: 1, role: 'user', content: 'Good. Write that down.' },
 * ];
 * const { messages: shorter, verbatim } = compress(messages, { recencyWindow: 1 });
 * console.log(shorter[0].content.length < messages[0].content.length); // → true
 * console.log(uncompress(shorter, verbatim).messages[0] === messages[0]); // → true
 *
 * @throws {TypeError} `messages` is not an array of objects with an id, or an option has the wrong type; thrown synchronously, even if the
 *   result would be a promise
 * @throws {RangeError} a numeric option is out of range
 */
export function compress<M extends MessageLike>(
  messages: readonly M[],
  options?: SyncCompressOptions<Compressed<M>>,
): CompressResult<Compressed<M>>;

/** {@link compress} with a summarizer or a classifier: a promise of the result. */
export function compress<M extends MessageLike>(
  messages: readonly M[],
  options: AsyncCompressOptions<Compressed<M>>,
): Promise<CompressResult<Compressed<M>>>;

/**
 * {@link compress} with options of the type {@link CompressOptions}, which does not say whether there are callbacks: the type is that of a call without
 * any, as in `context-compression-engine`. With a summarizer or a classifier the value is a promise all the same: give such options the type
 * {@link AsyncCompressOptions}, or write `await`.
 */
export function compress<M extends MessageLike>(
  messages: readonly M[],
  options?: CompressOptions<Compressed<M>>,
): CompressResult<Compressed<M>>;

export interface UncompressOptions {
  /**
   * Also restores originals that stand for others, in at most 10 more passes and about a million messages; messages that are still
   * compressed then stay as they are. Default false.
   */
  recursive?: boolean | null | undefined;
}

export interface UncompressResult<M = Message> {
  /** The conversation with the originals in place of the messages that stood for them, by reference. */
  messages: M[];
  /** Messages for which at least one original was found, over all passes. */
  messages_expanded: number;
  /** Messages that the last pass left as they were, not counting copies behind found originals. */
  messages_passthrough: number;
  /** Ids that were not found, in order; each pass that looked for an id lists it. */
  missing_ids: string[];
  /** As in {@link RestoreResult}, for messages of a provider. A message with an id that was redacted has a member `redacted: true` itself. */
  redacted?: string[];
}

/**
 * Puts the originals back in place of the messages that stand for them.
 *
 * Only own properties of a store object are read. A message stays as it is if none of its originals is found. If some are found, they
 * replace it, followed by a copy of the message whose `_cce_original.ids` lists only the missing ones. Nothing is lost: a later call with
 * the complete store restores each original exactly once, the late ones in place of that copy.
 *
 * @example
 * import { compress, uncompress } from 'palimpsest';
 *
 * const content = 'We talked about the garden, the pond and the old bench. '.repeat(20);
 * const messages = Array.from({ length: 16 }, (_, index) => ({ id: `m${index}`, index, role: 'user', content: `${index}. ${content}` }));
 * const { messages: shorter, verbatim } = compress(messages);
 * console.log(JSON.stringify(uncompress(shorter, verbatim).messages) === JSON.stringify(messages)); // → true
 *
 * @throws {TypeError} `messages` is not an array or contains null, `store` is neither an object nor a function or returns a promise, or
 *   `options` is not an object
 */
export function uncompress<M extends MessageLike, O extends MessageLike = M>(
  messages: readonly M[],
  store: VerbatimMap<O> | StoreLookup<O>,
  options?: UncompressOptions | null,
): UncompressResult<M | O>;

/**
 * Puts back the texts of a provider's messages. This is {@link restore} with the result type of `uncompress`. All rounds in `verbatim` are
 * undone, with or without `recursive`; `missing_ids` lists keys of `verbatim`.
 *
 * @throws {TypeError} `messages` is not an array of objects, or `verbatim` holds anything but originals
 */
export function uncompress<T extends object>(
  messages: readonly T[],
  verbatim: Originals,
  options?: UncompressOptions | null,
): UncompressResult<T>;

/** Sends a prompt to an LLM and returns its answer. */
export type CallLlm = (prompt: string) => string | PromiseLike<string>;

export interface CreateSummarizerOptions {
  /** Length of the answer in tokens, above 0, as the prompt requests it; nothing is cut. Default 300. */
  maxResponseTokens?: number | null | undefined;
  /** Text at the start of every prompt, followed by a blank line. Default none. */
  systemPrompt?: string | null | undefined;
  /**
   * `aggressive` requests terse bullet points in half of the tokens, `structured` the state that an agent needs in later turns. Default
   * `normal`.
   */
  mode?: 'normal' | 'aggressive' | 'structured' | null | undefined;
  /** Kinds of text to keep as written, in addition to those that the prompt names already. No effect in mode `structured`. */
  preserveTerms?: readonly string[] | null | undefined;
}

export interface CreateClassifierOptions {
  /** Length of the answer in tokens, above 0, as the prompt requests it; nothing is cut. Default 100. */
  maxResponseTokens?: number | null | undefined;
  /** Text at the start of every prompt, followed by a blank line. Default none. */
  systemPrompt?: string | null | undefined;
  /** Additional criteria for keeping a message as it is. Default none. */
  alwaysPreserve?: readonly string[] | null | undefined;
  /** Additional criteria for summarising a message. Default none. */
  alwaysCompress?: readonly string[] | null | undefined;
}

/**
 * Creates a `summarizer` from a function that calls an LLM. What the call returns, throws or rejects with is passed on.
 *
 * @example
 * import { compress, createSummarizer } from 'palimpsest';
 *
 * // In place of this function, send the prompt to your LLM and return the text of its answer.
 * const callLlm = async (prompt) => (prompt.includes('rain') ? 'It rained.' : 'They talked.');
 * const messages = [
 *   { id: 'a', index: 0, role: 'user', content: 'Then the rain came, and everybody ran into the house. '.repeat(8) },
 *   { id: 'b', index: 1, role: 'assistant', content: 'I see.' },
 * ];
 * const { messages: shorter } = await compress(messages, { summarizer: createSummarizer(callLlm), recencyWindow: 1 });
 * console.log(shorter[0].content.includes('It rained.')); // → true
 *
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createSummarizer<R extends string | PromiseLike<string>>(
  callLlm: (prompt: string) => R,
  options?: CreateSummarizerOptions | null,
): (text: string) => R;

/**
 * Creates a `classifier` from a function that calls an LLM. An answer without a verdict yields `compress` with confidence 0 and the reason
 * `unparseable`. What the call throws or rejects with is passed on; an answer that is not a string is a TypeError.
 *
 * @example
 * import { createClassifier } from 'palimpsest';
 *
 * // In place of this function, send the prompt to your LLM and return the text of its answer.
 * const callLlm = (prompt) => '{ "decision": "preserve", "confidence": 0.9, "reason": "a figure" }';
 * const classify = createClassifier(callLlm, { alwaysPreserve: ['figures'] });
 * console.log(classify('The invoice is over 412 euros.').decision); // → preserve
 *
 * @returns a classifier that is synchronous if `callLlm` is, and otherwise returns a promise
 * @throws {TypeError | RangeError} an argument is wrong
 */
export function createClassifier(
  callLlm: (prompt: string) => string,
  options?: CreateClassifierOptions | null,
): (text: string) => ClassifierResult;

export function createClassifier(
  callLlm: (prompt: string) => PromiseLike<string>,
  options?: CreateClassifierOptions | null,
): (text: string) => Promise<ClassifierResult>;

export function createClassifier(
  callLlm: CallLlm,
  options?: CreateClassifierOptions | null,
): (text: string) => ClassifierResult | Promise<ClassifierResult>;

/** A classifier's verdict on one token of a text. */
export interface TokenClassification {
  /** The token as it is to be written. */
  token: string;
  /** Whether to keep it. */
  keep: boolean;
  /** From 0 to 1. */
  confidence: number;
}

/** Splits a text into tokens and decides for each whether it is kept. Usually a model. */
export type MLTokenClassifier = (content: string) => TokenClassification[] | PromiseLike<TokenClassification[]>;

/** Separates the parts of a text that stay word for word from those that are summarised. Its methods are synchronous. */
export interface FormatAdapter {
  /** Shown in the trace as `adapter:<name>`. */
  name: string;
  /** Returns whether a text is in this format. */
  detect(content: string): boolean;
  /** Returns the pieces that stay as they are. */
  extractPreserved(content: string): string[];
  /** Returns the pieces that are summarised together, joined by spaces. */
  extractCompressible(content: string): string[];
  /** Returns the new text; the summary is empty if there was nothing to summarise. */
  reconstruct(preserved: string[], summary: string): string;
}
