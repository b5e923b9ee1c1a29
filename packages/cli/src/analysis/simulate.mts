// What the requests of a transcript were, and what they would have been with a session of the library.
import { createRequire } from 'node:module';
import { whyEach } from 'palimpsest/internal';
import { replyTokens } from '../transcripts/messages.mjs';
import { inputTokens } from '../usage.mjs';
import { cacheOf, dividedLike, estimated, isExpired } from './caching.mjs';
import type { CacheReport, Session, Why } from 'palimpsest';
import type { Counter } from './counting.mjs';
import type { Price } from './prices.mjs';
import type { Transcript, Usage } from '../types.mjs';

const { createSession }: typeof import('palimpsest') = createRequire(import.meta.url)('palimpsest');

/** Freezes a message and its blocks: what can't have changed, the session does not compare. */
function frozen<T>(value: T, depth: number = 2): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (depth > 0) for (const inner of Object.values(value)) frozen(inner, depth - 1);
  return Object.freeze(value);
}

/**
 * The provider's tokens for each counted one of a request's messages.
 *
 * @param input of the request, as the provider counted
 * @param overhead those of instructions and tools
 */
const ratioOf = (input: number, overhead: number, counted: number) => Math.max(0, input - overhead) / Math.max(1, counted);

/** A text of so many tokens, which stands for instructions and tools that the transcript doesn't have. */
const filler = (tokens: number) => ' a'.repeat(tokens);

/** A request of the transcript. */
export interface Played {
  /** number of messages up to its end */
  messages: number;
  from: number;
  time?: number | undefined;
  model?: string | undefined;
  /** as it was sent: recorded, or estimated */
  usage: Usage;
  isRecorded: boolean;
  withSession: Usage;
  epoch?: 'limit' | 'turn' | 'early' | 'cold';
  /** whether the session's request is within the limit */
  fits: boolean;
  /** whether the session sent every message as it is */
  isUncut: boolean;
  /** messages of the session's request */
  sent: object[];
  /** tokens of instructions and tools */
  overhead: number;
  /** what became of it in the provider's cache, where a session sent it and its usage was observed */
  cache?: CacheReport;
  /** these alone take the limit or more, so that there is no session */
  isUnlimited?: true;
  /** its number in the session, from 1 */
  number: number;
  /** until the next one: why messages of the history behind `from` are missing from it; undefined where nobody knows */
  why: (messages: number[]) => Why | undefined;
}

/**
 * Plays the requests of a transcript one by one. The transcript may grow between them; its messages are frozen.
 *
 * Where usage was recorded, every figure is in the provider's tokens: the first recorded request tells what instructions and tools take, and
 * each one scales the counts of the messages, also for those that have no usage. What a session's request reads from the cache is the share that
 * the recorded request read of what it had in common with the one before; without usage it is all of that, if the cache has not expired. Answers
 * are the same in both cases. Where the agent compacted its history, the session goes on with what that made of it.
 *
 * If instructions and tools alone take the limit or more, no request can fit: there is no session then, and each request counts as sent unchanged.
 */
export class Simulation {
  #cache;
  #tokensOf;
  /** Tokens of instructions and tools, as the provider counts them. */
  #overhead;
  #session: Session | undefined;
  /** Number of requests that were played. */
  #count = 0;
  #now = 0;
  #history: object[] = [];
  /** Prefix sums of the tokens of the history. */
  #upTo = [0];
  /** Provider's tokens for each counted one of messages. */
  #ratio = 1;
  /** Whether everything was sent as recorded so far, or since the agent compacted. */
  #isSame = true;
  /** The last request. */
  #before: { from: number; total: number; ratio: number; sent: number; time: number | undefined } | undefined;

  /** @param transcript with its first request, if it has any */
  constructor(
    transcript: Transcript,
    {
      limit,
      tokensOf,
      counter,
      price,
      together = (session) => session,
    }: {
      /** in tokens */
      limit: number;
      tokensOf: (message: object, index: number) => number;
      counter: Counter;
      price: Price | undefined;
      /** has the session share what it reads with those of other limits */
      together?: (session: Session) => Session;
    },
  ) {
    const { requests, format, system } = transcript;
    const cache = cacheOf(transcript, price);
    this.#cache = cache;
    this.#tokensOf = tokensOf;
    const first = requests.find(({ usage }) => usage !== undefined);
    if (first?.usage) {
      const { messages: end, from = 0 } = first;
      let counted = 0;
      for (let at = from; at < end; at++) counted += tokensOf(transcript.messages[at], at);
      const input = inputTokens(first.usage);
      this.#overhead = Math.max(0, Math.round(input - counted));
      this.#ratio = ratioOf(input, this.#overhead, counted);
    } else this.#overhead = system === undefined ? 0 : counter.ofText(system);
    if (this.#overhead >= limit) return;
    const session: Session = createSession({
      limit,
      format,
      ...(this.#overhead > 0 && { system: filler(this.#overhead) }),
      cache: { read: cache.read, write: cache.write, ttl: cache.ttl, minimum: cache.minimum },
      now: () => this.#now,
      // Nobody can mend a recording.
      warn: false,
      ...(counter.model !== undefined && { model: counter.model }),
    });
    this.#session = together(session);
  }

  #append({ messages }: Transcript, end: number) {
    for (let at = this.#history.length; at < end; at++) {
      this.#history.push(frozen(messages[at]));
      this.#upTo.push(this.#upTo[at] + this.#tokensOf(messages[at], at));
    }
  }

  #counted(from: number, to: number) {
    return this.#upTo[to] - this.#upTo[from];
  }

  /**
   * Plays the next request.
   *
   * @param transcript the one of the constructor, or one that begins with the requests which were played and their messages
   * @returns undefined if there is none
   */
  next(transcript: Transcript): Played | undefined {
    const request = transcript.requests[this.#count];
    if (request === undefined) return undefined;
    const { messages: end, from = 0, time } = request;
    const [cache, before] = [this.#cache, this.#before];
    this.#append(transcript, end);
    const counted = this.#counted(from, end);
    if (request.usage) this.#ratio = ratioOf(inputTokens(request.usage), this.#overhead, counted);
    const ratio = this.#ratio;
    const isIdle = isExpired(before?.time, time, cache.ttl);
    const total = request.usage ? inputTokens(request.usage) : Math.round(this.#overhead + counted * ratio);
    const overhead = Math.min(this.#overhead, total);
    const shared = before === undefined ? 0 : Math.min(total, before.from === from ? before.total : overhead);
    const output = request.usage?.output ?? Math.round(replyTokens(transcript, this.#count, this.#tokensOf) * ratio);
    const usage = request.usage ?? estimated(total, !isIdle && shared >= cache.minimum ? shared : 0, cache.write !== 1, output);

    if (time !== undefined) this.#now = Math.max(this.#now, time);
    // What the agent compacted is gone, with a session as without: it goes on from there.
    const step = this.#session?.next(from === 0 ? this.#history : this.#history.slice(from));
    const all = this.#overhead + counted;
    const isUncut = step === undefined || (step.messages.length === end - from && step.tokens.before === step.tokens.after);
    if (before?.from !== from) this.#isSame = true;
    this.#isSame &&= isUncut;
    let withSession = usage;
    if (step !== undefined && !this.#isSame) {
      // Of so many tokens of the session's, those of messages as they are counted here: the session scales instructions and tools, too.
      const messagesOf = (tokens: number) =>
        step.tokens.before === 0 ? 0 : Math.max(0, (tokens * all) / step.tokens.before - this.#overhead);
      const sent = Math.round(overhead + messagesOf(step.tokens.after) * ratio);
      const hit = request.usage && shared > 0 ? Math.min(1, usage.cacheRead / shared) : isIdle ? 0 : 1;
      // What the last request had, too, is as long as it was there.
      const same = before === undefined ? 0 : overhead + messagesOf(step.report.reusedTokens) * before.ratio;
      const most = Math.min(sent, before?.sent ?? 0);
      const reused = step.report.reusedTokens === 0 ? 0 : Math.min(most, Math.round(same * hit));
      withSession = dividedLike(sent, reused >= cache.minimum ? reused : 0, usage, cache, output);
    }
    if (request.usage)
      this.#session?.observe({
        input_tokens: withSession.input,
        cache_read_input_tokens: withSession.cacheRead,
        cache_creation_input_tokens: withSession.cacheWrite,
      });
    this.#before = { from, total, ratio, sent: inputTokens(withSession), time };
    this.#count++;
    const session = this.#session;
    return {
      number: this.#count,
      why: (asked) => session && whyEach(session, asked, this.#history.slice(from)),
      messages: end,
      from,
      ...(time !== undefined && { time }),
      ...(request.model !== undefined && { model: request.model }),
      usage,
      isRecorded: request.usage !== undefined,
      withSession,
      ...(step?.epoch && { epoch: step.epoch.reason }),
      fits: step?.fits ?? false,
      isUncut,
      sent: step?.messages ?? this.#history.slice(from),
      overhead,
      ...(step === undefined && { isUnlimited: true }),
    };
  }
}

/** Plays all requests of a transcript. */
export function* simulate(
  transcript: Transcript,
  {
    tokens,
    ...options
  }: {
    /** in tokens */
    limit: number;
    /** of each message */
    tokens: number[];
    counter: Counter;
    price: Price | undefined;
    together?: (session: Session) => Session;
  },
): Generator<Played> {
  const simulation = new Simulation(transcript, { ...options, tokensOf: (_, index) => tokens[index] });
  for (let played = simulation.next(transcript); played; played = simulation.next(transcript)) yield played;
}
