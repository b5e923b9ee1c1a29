import { describe } from '../checks.js';
import { isSame } from '../equality/fingerprint.js';
import { whatIs } from '../given.js';
import { newKinds } from '../fit/unknown-kinds.js';
import { limitsReport } from '../fit/limits-report.js';
import { added, exactly, excessesOf, NOTHING } from '../limits/load.js';
import { openingAny } from '../fit/compacted.js';
import { withBreakpoints } from '../providers/anthropic/breakpoints.js';
import { hintsOf } from '../providers/hints.js';
import { addressed, detect, formatNamed } from '../providers/index.js';
import { isExact, marginOf } from '../margins.js';
import { modelOf, rolesOf } from '../model-of.js';
import native from '../native.js';
import { checkOptions, defaultOf } from '../options/index.js';
import { withCaller } from '../places.js';
import { windowLimit } from '../options/limits.js';
import { PRESETS } from '../options/presets.js';
import { warnOnce } from '../options/warnings.js';
import { redactorOf } from '../redact.js';
import { sessionRecall } from '../options/session.js';
import { withPauses } from '../pauses.js';
import { inOneGo } from '../steps.js';
import { aligning } from './align.js';
import { cacheOf } from './cache.js';
import { Counter } from './counter.js';
import { History } from './history.js';
import { Kept, reasonOf } from './kept.js';
import { askedAgain, Faults } from './faults.js';
import { Ledger } from './ledger.js';
import { Mistakes } from './mistakes.js';
import { isExcess, isSurplus, reasonFor } from './policy.js';
import { frontChange, messagesChange, savedFrontChange } from './prefix.js';
import { createReport } from './report.js';
import { readSaved, takeUp, writeSaved } from './saved.js';
import { additionFor, checkedSearch, recalled } from './recalling.js';
import { checkSession, toolFor } from './recall-tool.js';
import { Remembered } from './remembered.js';
import { reusedOf, Sent } from './sent.js';
import { START } from './state.js';
import { Summaries } from './summaries.js';
import { publish } from './telemetry.js';
import { systemPrompts } from '../tokens/system.js';
import { observedUnits, UNKNOWN, unitsIn } from './units.js';
import { readUsage } from '../providers/usage.js';
import { currentOf, isTold, lastWords } from './volatile.js';
import type { Aligned } from './align.js';
import type { Cache } from './cache.js';
import type { Fitting } from '../fit/fitting.js';
import type { Item } from './sent.js';
import type { Steps } from '../steps.js';
import type { State } from './state.js';
import type { Units } from './units.js';
import type { Part } from '../types.js';
import type { Adapter, Format } from '../types.js';
import type { Exceeding } from '../fit/limited.js';
import type { Model } from '../models.js';
import type { SessionFacts } from '../../binding';
import type * as api from '../../index.js';
import type {
  PrefixChange,
  RecallResult,
  SavedSession,
  SessionRecallOptions,
  SessionReport,
  SessionSettings,
  SessionStep,
  SessionUsageEvent,
} from '../../index.js';

/**
 * Tokens for what can be cut if nobody gave a limit. Above that, each further point that is kept costs twice as much (`research/sessions.md`).
 */
const DEFAULT_ROOM = 128_000;
/** Share of the limit that an epoch may use in the same case. */
const LIMIT_MARGIN = 0.9;
/** Share of a limit beside tokens that an epoch leaves of it, so that the requests after it only append. */
const LEFT_OF_LIMIT = 0.75;
/** Share of what was appended that stays free until the provider has counted it, where counts are not exact. */
const APPENDED_MARGIN = 0.1;
/** Share of what can be cut up to which an epoch leaves whole what the model has not answered yet. */
const UNANSWERED = 0.5;
/** Share of what an epoch leaves up to which the newest messages stay whole in the middle of a turn: the next edits quote them. */
const AT_WORK = 0.3;
/** Factor over its target from which an epoch has missed it. */
const MISSED = 1.02;
/** Share of the limit from which summaries are requested ahead of an epoch. */
const AHEAD = 0.8;
/** Maximum number of times that a request is chosen anew because another process saved its state first. */
const MAX_TRIES = 10;

/** Formats that the other options imply, for messages that do not show theirs. */
function hints({ tools, system, cache, cacheControl }: SessionSettings<object>, model: Model | undefined) {
  if (cacheControl) return ['anthropic'];
  const provider = typeof cache === 'string' ? cache.split('-')[0] : model?.provider;
  return hintsOf({ tools, system, provider });
}

/** The shares of the limit that epochs leave. */
function sharesOf({ preset, low, coldLow }: SessionSettings<object>) {
  const shares = PRESETS[(preset ?? defaultOf('createSession', 'preset')) as keyof typeof PRESETS];
  return { low: low ?? shares.low, coldLow: coldLow ?? Math.min(low ?? 1, shares.coldLow) };
}

/** Returns how much is recalled when the user speaks; undefined if nothing is. */
function recallOf({ recall }: SessionSettings<object>) {
  if (recall === undefined || recall === null) return undefined;
  return { limit: (recall === 'auto' ? undefined : recall.limit) ?? (sessionRecall.limit.default as number) };
}

/** What another session saved. */
type Saved = ReturnType<typeof readSaved>;
/** How much a request may take. */
interface Bounds {
  limit: number;
  /** what says it */
  by: NonNullable<SessionReport['limit']>['by'];
  /** what even the messages that have to stay may not exceed */
  most: number;
}

/** What decides whether a request begins an epoch, and how much one leaves. */
interface Situation extends Bounds {
  /** the provider's tokens for each one counted here */
  factor: number;
  isExact: boolean;
  cache: Cache;
  time: number;
  isWarm: boolean;
  tokens: number;
  surplus: number;
  carried: number;
  reason: ReturnType<typeof reasonFor>;
  /** tokens that an epoch leaves, and the most that it may leave for the user's last words */
  target: number;
  ceiling: number;
  /** tokens that can't be cut */
  fixed: number;
  /** what is another in front of the messages than last time */
  frontChange: PrefixChange | undefined;
  /** number of the newest messages that an epoch leaves whole */
  whole: number;
  /** what the history exceeds of the limits beside tokens */
  exceeding: Exceeding | undefined;
}

/** Marks a session as one whose model has the recall tool. */
let offer: (session: object) => void;
/** Tells a session what writes its requests. */
let address: (session: object, adapter: Adapter | undefined) => void;
/** Tells a session that others sent requests of its conversation, so that it can't know what new thinking was signed over. */
let estrange: (session: object) => void;
/** Returns the next request of a session at once. */
let choose: (session: SessionBase, history: readonly object[]) => SessionStep<object>;

/** What all sessions have in common. */
class SessionBase {
  #options;
  /** The model that the options name. */
  #model;
  /** What writes the requests, where that is known. */
  #adapter: Adapter | undefined;
  #now;
  #isFormatGiven;
  #state: State = START;
  #ledger = new Ledger();
  #mistakes;
  #faults = new Faults();
  /** The limit of the last request. */
  #limitSaid: SessionReport['limit'];
  /** What the provider's usage said of counts. */
  #units: Units = UNKNOWN;
  #summaries;
  /** How much is recalled when the user speaks. */
  #recall: { limit: number } | undefined;
  /** Whether the model has the tool that looks up what went, for which marks keep the numbers of messages. */
  #isOffered = false;
  /** What can be recalled, once something was. */
  #remembered: Remembered | undefined;
  /** What the engine knows of the texts that the last epoch read, unless it dropped it. */
  #facts: SessionFacts | undefined;
  /** State saved by another session, until the first history comes. */
  #saved: Saved | undefined;
  /** Promise of the last step that was started. */
  #running: Promise<unknown> = Promise.resolve();
  /** The conversation in a store. */
  #kept: Kept | undefined;
  #redact;
  /** Publishes the last request that was chosen. */
  #tell = () => {};

  constructor(options: SessionSettings<object>, saved?: SavedSession | null) {
    systemPrompts(options.system, 'createSession(): options.system');
    this.#model = modelOf(options, 'createSession(): options');
    const tokenizer = options.tokenizer ?? this.#model?.tokenizer;
    this.#options = { ...options, tokenizer, thinking: options.thinking ?? 'strip', roles: rolesOf(options), shares: sharesOf(options) };
    this.#now = options.now ?? Date.now;
    this.#mistakes = new Mistakes(options.warn ?? defaultOf('createSession', 'warn'));
    this.#recall = recallOf(options);
    this.#saved = saved === undefined || saved === null ? undefined : readSaved(saved);
    this.#isFormatGiven = options.format != null && options.format !== 'auto';
    if (this.#isFormatGiven) this.#state = this.#withFormat(START, this.#formatNamed(options.format as Format['name']), true);
    this.#redact = redactorOf(options.redact, 'createSession()');
    if (options.store)
      this.#kept = new Kept({
        store: options.store,
        id: options.id as string,
        storeTimeout: options.storeTimeout ?? defaultOf('createSession', 'storeTimeout'),
      });
    if (options.summarizer) this.#summaries = new Summaries({ ...options, redact: this.#redact }, this.#saved?.json.summaries, this.#kept);
    this.#units = unitsIn(this.#saved?.json) ?? UNKNOWN;
  }

  get report() {
    return (this.#saved?.ledger ?? this.#ledger).report(this.#mistakes.list, this.#limitSaid);
  }

  nextAsync<M extends object>(history: readonly M[]): Promise<SessionStep<M>> {
    // The array may grow while this waits for earlier steps.
    const given = Array.isArray(history) ? history.slice() : history;
    const step = this.#running.then(() => (this.#kept ? this.#keeping(given, this.#kept) : withPauses(this.#naming(given))));
    this.#running = step.catch(() => {});
    return step as Promise<SessionStep<M>>;
  }

  observe(usage: unknown) {
    // Before the first answer there is none.
    if (usage == null) return;
    const observed = readUsage(usage);
    if (observed === undefined) return;
    const { input, cached } = observed;
    const { last, format } = this.#state;
    this.#correct(observedUnits(this.#units, last.tokens - this.#units.beside, input));
    publish(() => ({ type: 'usage', ...this.#named(format), tokens: { input, ...(cached === undefined ? {} : { cached }) } }));
    if (cached === undefined || last.reused === 0) return;
    // A cache miss was paid for in full, so the surplus has cost more.
    const missed = Math.max(0, 1 - cached / (last.reused * (this.#units.factor ?? 1)));
    const { write, read } = cacheOf(this.#options.cache, format);
    this.#state = { ...this.#state, carried: this.#state.carried + missed * Math.max(0, write - read) * last.surplus };
  }

  /** Replaces the units, and restates the tokens of the last request in them. */
  #correct(units: Units) {
    const { last } = this.#state;
    this.#state = { ...this.#state, last: { ...last, tokens: last.tokens - this.#units.beside + units.beside } };
    this.#units = units;
  }

  recall(query: string, options?: SessionRecallOptions | null): RecallResult {
    const search = { ...checkedSearch(query, options), tokenizer: this.#options.tokenizer ?? 'o200k_base' };
    const { history, last, format } = this.#state;
    if (history.length === 0) return recalled(new Remembered(), [], search);
    return recalled(inOneGo(this.#remembering(history, format)), format.read(last.messages), search);
  }

  toJSON(): SavedSession {
    if (this.#saved !== undefined) return this.#saved.json as SavedSession;
    return writeSaved(this.#state, { ledger: this.#ledger, units: this.#units, summaries: this.#summaries, redact: this.#redact });
  }

  /**
   * Chooses the messages and saves the state. If another process saved one since, its state is taken up and the messages are chosen anew. A
   * store that fails costs nothing but the saving.
   */
  async #keeping(given: readonly object[], kept: Kept): Promise<SessionStep<object>> {
    await this.#daring(async () => this.#takeUp(await kept.open()));
    for (let tries = 1; ; tries++) {
      const before = { state: this.#state, ledger: this.#ledger.toJSON(), units: this.#units, saved: this.#saved };
      const step = await withPauses(this.#naming(given));
      const state = JSON.stringify(this);
      const outcome = await this.#daring(async () => {
        const texts = this.#summaries?.entries() ?? [];
        if (texts.length > 0) {
          await kept.put(texts);
          this.#summaries?.forget(texts);
        }
        return kept.save(state);
      });
      if (outcome?.isSaved) {
        this.#tell();
        const isWanting = this.#summaries?.takeWanting();
        return isWanting ? { ...step, compaction: { id: kept.id, version: kept.version } } : step;
      }
      if (outcome === undefined || tries === MAX_TRIES) {
        this.#tell();
        return step;
      }
      this.#state = before.state;
      this.#ledger = Ledger.from(before.ledger) as Ledger;
      this.#units = before.units;
      this.#saved = before.saved;
      this.#takeUp(outcome.other);
    }
  }

  /** Returns the outcome of `work` with the store; undefined if it fails, with a warning. */
  async #daring<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const text = `createSession(): the store failed (${reasonOf(error)}), and the request goes out without it`;
      warnOnce(text, 'PALIMPSEST_STORE');
    }
  }

  /** Goes on with the state of another process; undefined: there is none. */
  #takeUp(saved: Saved | undefined) {
    if (saved === undefined) return;
    this.#saved = saved;
    this.#units = unitsIn(saved.json) ?? this.#units;
    this.#summaries?.join(saved.json.summaries);
  }

  *#naming(given: readonly object[]): Steps<SessionStep<object>> {
    try {
      return yield* this.#daringSaved(given);
    } catch (error) {
      throw withCaller('next', error);
    }
  }

  /** Makes a step. If it fails with a saved state, which may be damaged, it is made without: an error of the history comes again. */
  *#daringSaved(given: readonly object[]): Steps<SessionStep<object>> {
    const saved = this.#saved;
    try {
      return yield* this.#stepping(given);
    } catch (error) {
      if (saved === undefined || this.#saved !== saved) throw error;
      return yield* this.#stepping(given, saved);
    }
  }

  /** @param refused a saved state that is taken for that of another history */
  *#stepping(given: readonly object[], refused?: Saved): Steps<SessionStep<object>> {
    if (!Array.isArray(given)) throw new TypeError(`next(): history must be an array of messages, got ${whatIs(given, 'messages')}`);
    const base = this.#state;
    const { state, isForeign } = yield* this.#taken(given, yield* this.#current(base, given), refused);
    const isStripping = this.#options.thinking === 'strip';
    let step = yield* aligning(state, given, { isStripping, isFormatGiven: this.#isFormatGiven, keep: this.#options.keep });
    const situation = this.#situation(step);
    const { reason } = situation;
    // The content that was counted too high may be what goes.
    if (this.#units.beside < 0 && (reason !== undefined || step.start < (this.#saved?.length ?? state.history.length))) {
      this.#correct({ ...this.#units, beside: 0 });
      return yield* this.#stepping(given, refused);
    }
    let chosen = reason === undefined ? step.sent : yield* this.#choosing(step, situation);
    if (reason !== undefined && this.#options.thinking !== 'keep' && this.#isOver(chosen, state, situation)) {
      // No signed thinking is left, so that what it was signed over may be written shorter.
      const history = yield* state.counter.withShorter(step.history);
      if (history !== undefined) {
        step = { ...step, history };
        chosen = yield* this.#choosing(step, situation);
      }
    }
    const sent = yield* this.#telling(step, yield* this.#recalling(step, chosen, situation), situation);
    if (reason === undefined && situation.tokens > AHEAD * situation.limit && this.#summaries?.isDue(step.history))
      yield* this.#askingAhead(step, situation);
    // A step that ended meanwhile comes first.
    if (this.#state !== base) return yield* this.#stepping(given, refused);
    if (isForeign !== undefined) {
      if (!isForeign && this.#saved !== undefined) this.#ledger = this.#saved.ledger;
      this.#saved = undefined;
    }
    const isLonger = step.start === base.history.length;
    const isAppended = isLonger && chosen === base.sent;
    return this.#finish(
      step,
      {
        sent,
        isAppended,
        isCompacted: isLonger && step.start > 0 && chosen === step.sent && step.isCompacted,
        cutsLastWords: reason !== undefined && chosen.cutsLastWords,
      },
      situation,
      isForeign === true && base.history.length === 0,
    );
  }

  /** Returns the state in the format of the history, with what is sent beside the messages now. */
  *#current(state: State, given: readonly object[]): Steps<State> {
    const counted = this.#recounted(state);
    // What writes the requests may be another now.
    if (counted.isFormatShown) return yield* this.#converting(counted, this.#addressed(counted.format), true);
    const { format, isShown } = detect(given, [
      state.format?.name,
      this.#saved?.json.format,
      ...hints(this.#options, this.#model),
    ] as string[]);
    return yield* this.#converting(counted, this.#addressed(format), isShown);
  }

  /** Counts what is sent beside the messages again if it changed. */
  #recounted(state: State): State {
    if (state.format === undefined || state.counter.isCurrent(this.#options)) return state;
    return this.#withFormat(state, state.format, state.isFormatShown);
  }

  /** What stands in front of the messages and is another than last time, so that nothing can be read from the cache. */
  #frontChange({ counter, last }: State): PrefixChange | undefined {
    if (last.front === undefined) return undefined;
    const change = savedFrontChange(last.front, counter.frontPrints);
    const before = this.#state.counter;
    return change && ((before && frontChange(before.front, counter.front)) ?? change);
  }

  /** Returns the state in a format; reads the messages again if another one was assumed before. */
  *#converting(state: State, format: Format, isShown: boolean): Steps<State> {
    if (format === state.format) return { ...state, isFormatShown: isShown };
    const { seen, cutOff, last } = state;
    const next = { ...this.#withFormat(START, format, isShown), seen, cutOff };
    if (state.history.length === 0) return next;
    const { counter } = next;
    const history = new History().with([], 0, yield* counter.reading(state.history.originals()), format.name);
    const sent = yield* sentAs(counter, history, state);
    // The cuts are chosen again, and what answered them was signed over them.
    if (sent === undefined) return { ...next, last, cutOff: 0 };
    return {
      ...next,
      history,
      sent,
      last: { ...last, tokens: Math.max(0, this.#requestOf(counter) + sent.tokens + history.tokens(sent.covered)) },
    };
  }

  #addressed(format: Format) {
    return addressed(format, this.#model, { roles: this.#options.roles, adapter: this.#adapter });
  }

  /** A format as it is read for requests to the model's provider. */
  #formatNamed(name: Format['name']) {
    return this.#addressed(formatNamed(name));
  }

  #withFormat(state: State, format: Format, isFormatShown: boolean): State {
    if (this.#options.cacheControl && format.name !== 'anthropic') {
      throw new TypeError(`createSession(): options.cacheControl is for messages of format 'anthropic', got ${format.name}`);
    }
    const { format: known, counter } = this.#state;
    const isKnown = known === format && counter.isCurrent(this.#options);
    return { ...state, format, isFormatShown, counter: isKnown ? counter : new Counter(format, this.#options, this.#model) };
  }

  /** Returns the saved state with the messages it was saved with. `isForeign`: it belongs to another history. */
  *#taken(given: readonly object[], state: State, refused: Saved | undefined): Steps<{ state: State; isForeign: boolean | undefined }> {
    if (this.#saved === undefined) return { state, isForeign: undefined };
    const { length, seen } = this.#saved;
    const known = { ...state, seen: new Set([...state.seen, ...seen]) };
    const taken = this.#saved === refused ? undefined : yield* this.#takingUp(this.#saved, given, known);
    if (taken !== undefined) return { state: taken, isForeign: false };
    // Nobody knows over what the thinking of another history was signed.
    return { state: length > 0 && state.history.length === 0 ? { ...known, cutOff: 0 } : known, isForeign: true };
  }

  /** Takes up a saved state; one that was saved before the history showed its format in the format that was assumed then. */
  *#takingUp(saved: Saved, given: readonly object[], state: State): Steps<State | undefined> {
    const { format, isFormatShown } = saved.json;
    if (format === undefined || format === state.format.name) return yield* takeUp(saved, given, state);
    if (isFormatShown !== false) return undefined;
    const taken = yield* takeUp(saved, given, this.#withFormat(state, this.#formatNamed(format), false));
    return taken && (yield* this.#converting(taken, state.format, state.isFormatShown));
  }

  /** Decides whether the request begins an epoch, and why. */
  #situation({ state, history, sent }: Aligned): Situation {
    const { format, counter, last, floor } = state;
    const factor = this.#units.factor ?? 1;
    const isExactly = isExact(format.name, this.#options, this.#model);
    const isCounted = this.#units !== UNKNOWN || isExactly;
    // What is in every request, whatever is cut, has no part in the choice.
    const front = Math.max(0, this.#requestOf(counter) + history.tokens(0, history.lead)) * factor;
    const held = () => Math.max(history.tokens(newestOf(history, 0)) * factor, floor - front);
    const { limit, by, most } = this.#limit(front, held, isCounted ? 0 : marginOf(format.name, this.#options, this.#model));
    const cache = cacheOf(this.#options.cache, format);
    const time = this.#time();
    const frontChange = this.#frontChange(state);
    const isWarm = frontChange === undefined && (last.time === undefined || time - last.time <= cache.ttl);
    const counted = Math.max(0, this.#requestOf(counter) + sent.tokens + history.tokens(sent.covered));
    const tokens = counted * factor;
    const appended = Math.max(0, counted - last.tokens) * factor;
    const unsure = isExactly || this.#units === UNKNOWN ? 0 : APPENDED_MARGIN * appended;
    const fixed = Math.min(limit, front);
    const room = limit - fixed;
    const [low, coldLow] = [this.#options.shares.low * room, this.#options.shares.coldLow * room];
    const cuttable = { tokens: tokens - fixed, limit: room - unsure, low, coldLow, floor: Math.max(0, floor - fixed) };
    const surplus = isSurplus(cuttable) ? cuttable.tokens - low : 0;
    const carried = state.carried + cache.read * surplus;
    const isTurnEnd = history.entries.at(-1)?.role === 'user';
    const isLeft = (this.#options.compactThreshold ?? Infinity) <= limit;
    const exceeding = this.#exceeding(counter, history);
    const isTooMuch = exceeding !== undefined && isExcess(this.#left(exceeding, counter, history, sent).excesses, state.exceeded);
    const reason = isTooMuch ? 'limit' : reasonFor({ ...cuttable, carried, write: cache.write, isCold: !isWarm, isTurnEnd, isLeft });
    const mark = reason === 'cold' ? coldLow : low;
    const isChoosing = reason !== undefined || this.#summaries !== undefined;
    const first = isChoosing ? newestOf(history, isTurnEnd ? 0 : (AT_WORK * mark) / factor) : history.length;
    const newest = history.tokens(first) * factor;
    const isWhole = newest <= UNANSWERED * room && exceeding === undefined;
    const share = Math.max(mark, isWhole ? newest : 0);
    const ceiling = isCounted ? limit : LIMIT_MARGIN * limit;
    const target = Math.min(fixed + share, ceiling);
    const isGuessed = () => counter.isGuessed || history.entries.some((entry) => entry.isGuessed);
    const isSure = this.#units !== UNKNOWN || this.#options.tokenCounter != null;
    return {
      factor,
      isExact: isCounted && (isSure || !isGuessed()),
      limit,
      by,
      most,
      cache,
      time,
      isWarm,
      tokens,
      surplus,
      carried,
      reason,
      target,
      ceiling,
      fixed,
      frontChange,
      whole: isWhole ? history.length - first : 0,
      exceeding,
    };
  }

  /** What a request has of what is limited beside tokens, and the limits that it exceeds. */
  #left({ figures, beside }: Exceeding, counter: Counter, history: History, sent: Sent) {
    const load = added(sent.load(history, counter.loadOf), { ...NOTHING, bytes: beside });
    return { load, excesses: excessesOf(load, figures) };
  }

  /** What a history exceeds of the limits beside tokens; undefined if it keeps them. */
  #exceeding(counter: Counter, history: History): Exceeding | undefined {
    const { figures, bytes } = counter;
    if (figures === undefined) return undefined;
    const load = exactly(figures, (weight) => added(history.load(counter.loadOf, weight), { ...NOTHING, bytes }));
    return excessesOf(load, figures).length === 0 ? undefined : { figures, load, beside: bytes, share: LEFT_OF_LIMIT };
  }

  /** Tokens of a request that belong to no message. */
  #requestOf(counter: Counter) {
    return counter.request + this.#units.beside;
  }

  /** The budget in counted tokens for what is counted. What was counted too much may be what goes, so it makes no room. */
  #budgetOf(target: number) {
    return Math.max(0, target / (this.#units.factor ?? 1) - Math.max(0, this.#units.beside));
  }

  #time() {
    const time = this.#now();
    if (Number.isFinite(time)) return time;
    throw new TypeError(`createSession(): options.now must return the time in ms, got ${typeof time === 'number' ? time : describe(time)}`);
  }

  /**
   * Returns the limit, and the bound that even what has to stay may not exceed.
   *
   * @param front tokens that can't be cut
   * @param held those of the messages that an epoch leaves whole, if there is room, or had to leave
   * @param margin share of the window that stays free
   */
  #limit(front: number, held: () => number, margin: number): Bounds {
    const { limit, window, compactThreshold } = this.#options;
    if (limit != null) return { limit, by: 'limit', most: limit };
    const most = Math.floor((windowLimit(this.#options, this.#model) ?? 0) * (1 - margin));
    // Who gives a window, or leaves it to the provider to compact, has chosen.
    if (window != null || compactThreshold != null || most <= front + DEFAULT_ROOM) return { limit: most, by: 'window', most };
    // Nothing is cut that the window has room for because nobody gave a limit.
    const chosen = Math.ceil(front + Math.max(DEFAULT_ROOM, held() / UNANSWERED));
    if (most <= chosen) return { limit: most, by: 'window', most };
    return { limit: chosen, by: 'default', most };
  }

  /** Fits the whole history. */
  *#choosing(step: Aligned, situation: Situation): Steps<Sent> {
    const { target, ceiling, whole, factor } = situation;
    const { history, state } = step;
    const isOver = (sent: Sent) => this.#isOver(sent, state, situation);
    let sent = yield* this.#fitted(step, target, whole);
    // What has to stay beside the newest messages may leave them no room.
    if (isOver(sent) && whole > 0) sent = yield* this.#fitted(step, target, 0);
    if (!sent.cutsLastWords) return sent;
    // The target has no room for the user's last words, and the limit may have.
    const words = history.entries.findLast(({ role }) => role === 'user')?.tokens ?? 0;
    for (const larger of [target + words * factor, ceiling]) {
      const other = yield* this.#fitted(step, Math.min(larger, ceiling), whole);
      if (!other.cutsLastWords && !isOver(other)) return other;
    }
    return sent;
  }

  /** Whether what an epoch chose exceeds the limit. */
  #isOver(sent: Sent, { counter }: State, { limit, factor }: Situation) {
    return (this.#requestOf(counter) + sent.tokens) * factor > limit;
  }

  /** @param whole number of the newest messages that stay whole */
  *#fitted(step: Aligned, target: number, whole: number): Steps<Sent> {
    const { history } = step;
    const fitting = yield* this.#opening(step, whole);
    try {
      const budget = this.#budgetOf(target);
      if (fitting.fits(budget)) return Sent.made(history, fitting, fitting.whole());
      const notes = this.#summaries ? yield* this.#summaries.noting(fitting, budget) : [];
      return Sent.made(history, fitting, yield* fitting.searching(budget, notes));
    } finally {
      fitting.close();
    }
  }

  /** @param whole number of the newest messages that stay whole */
  *#opening({ state: { format, counter }, history, sent }: Aligned, whole: number): Steps<Fitting> {
    const { tokenizer, tokenCounter, system, tools, thinking, query, prune } = this.#options;
    const keep = { ...this.#options.keep, recent: Math.max(whole, this.#options.keep?.recent ?? 0) };
    const messages = history.messages();
    const parts = yield* format.reading(messages);
    const stale = thinking === 'strip' ? history.entries.findIndex(({ isStale, isSigned }) => isStale && isSigned) : -1;
    const conversation = { messages, parts, format, stale: stale < 0 ? Infinity : stale, carried: {} };
    const exceeded = this.#exceeding(counter, history);
    // What was taken out stays out.
    const exceeding = exceeded && { ...exceeded, gone: sent.edits.map(({ part }) => part) };
    const fitted = {
      tokenizer,
      tokenCounter,
      system,
      tools,
      thinking,
      keep,
      query,
      prune,
      numbers: this.#isOffered,
      exceeding,
      askedAgain,
    };
    this.#facts ??= new native.SessionFacts();
    return yield* openingAny(conversation, fitted, this.#facts);
  }

  static {
    offer = (session) => {
      if (#isOffered in session) session.#isOffered = true;
    };
    address = (session, adapter) => {
      if (#adapter in session) session.#adapter = adapter;
    };
    estrange = (session) => {
      if (#state in session) session.#state = { ...session.#state, cutOff: session.#state.history.length };
    };
    choose = (session, history) => inOneGo(session.#naming(history));
  }

  /** Reads what was added to the history into the index of what can be recalled, in steps. */
  *#remembering(history: History, format: Format): Steps<Remembered> {
    this.#remembered ??= new Remembered();
    yield* this.#remembered.read(history, format);
    return this.#remembered;
  }

  /** Returns the messages to send with what the user's last words ask for and `sent` does not contain, in steps. */
  *#recalling({ state, history, start }: Aligned, sent: Sent, { limit, factor, reason }: Situation): Steps<Sent> {
    const last = history.length - 1;
    if (this.#recall === undefined || history.entries[last]?.role !== 'user' || sent.edits.length === 0) return sent;
    // A request that is repeated is the same.
    if (last < start && reason === undefined) return sent;
    const most = Math.floor(Math.min(this.#leftBy(sent, state.counter, history, limit / factor), this.#recall.limit));
    const remembered = yield* this.#remembering(history, state.format);
    const parts = yield* state.format.reading(sent.messages(history));
    const found = additionFor(remembered, parts, last, { limit: most, tokenizer: this.#options.tokenizer ?? 'o200k_base' });
    return found === undefined ? sent : yield* sent.adding(history, found.part, found.addition, state.counter, remembered.parts);
  }

  /** Returns the messages to send with what is volatile behind the user's words, where they are new or all is chosen anew, in steps. */
  *#telling({ state, history, start }: Aligned, sent: Sent, { limit, factor, reason }: Situation): Steps<Sent> {
    const current = currentOf(this.#options.volatile);
    // What was sent before stays, unless an epoch chose anew.
    const from = reason === undefined ? start : 0;
    if (current === undefined || !history.entries.slice(from).some(({ role }) => role === 'user') || isTold(current, sent)) return sent;
    const { parts } = yield* this.#remembering(history, state.format);
    const place = lastWords(parts, sent);
    if (place < 0 || parts[place].message < from) return sent;
    if (
      this.#leftBy(sent, state.counter, history, limit / factor) < native.countTexts([current], this.#options.tokenizer ?? 'o200k_base')[0]
    )
      return sent;
    // Signed thinking is bound to what stands before it.
    const behind = history.length - 1 - parts[place].message;
    const messages = sent.messages(history);
    const later = yield* state.format.reading(messages.slice(Math.max(0, messages.length - behind)));
    return later.some(({ signed }) => signed) ? sent : yield* sent.adding(history, place, [current], state.counter, parts);
  }

  /** Counted tokens that a request leaves of a limit. */
  #leftBy(sent: Sent, counter: Counter, history: History, limit: number) {
    return limit - (this.#requestOf(counter) + sent.tokens + history.tokens(sent.covered));
  }

  /** Records a request and returns the step. */
  #finish(
    { state, history, start }: Aligned,
    { sent, isAppended, isCompacted, cutsLastWords }: { sent: Sent; isAppended: boolean; isCompacted: boolean; cutsLastWords: boolean },
    situation: Situation,
    isForeign: boolean,
  ): SessionStep<object> {
    const { factor, isExact, cache, time, isWarm, surplus, carried, reason, target, exceeding, fixed, frontChange } = situation;
    const { format, counter, last } = state;
    const messages = sent.messages(history);
    const request = this.#requestOf(counter);
    const tokens = Math.max(0, request + sent.tokens + history.tokens(sent.covered));
    const shared = isAppended
      ? { messages: last.messages.length, tokens: last.tokens }
      : isCompacted // by the provider: it wrote what follows behind just that
        ? { messages: 0, tokens: request }
        : reusedOf(last.messages, messages, sent, history, { request, touched: state.history.touched(start) });
    if ('next' in shared) history.markStale(shared.next);
    const reused = { messages: shared.messages, tokens: frontChange === undefined ? shared.tokens : 0 };
    const change = frontChange ?? messagesChange(state.history, history, start);
    const all = Math.max(0, request + history.whole());
    const scale = scaling(factor);
    const after = scale(tokens);
    const isWithin = after <= situation.limit || situation.by !== 'default';
    const [limit, by] = isWithin ? [situation.limit, situation.by] : [situation.most, 'window' as const];
    const billed = this.#ledger.add({
      history,
      start,
      saved: history.savedSince(state.history, start),
      tokens,
      all,
      reused: reused.tokens,
      request,
      limit: limit / factor,
      scale,
      cache,
      isWarm,
      reason,
      faults: this.#faults.read(state, history, start),
      change,
    });
    this.#limitSaid = { tokens: limit, by };
    const { requests: number } = this.#ledger;
    const isFirst = number === 1 && this.#kept === undefined;
    this.#mistakes.read(state, history, { start, request: number, isFirst });
    if (reason !== undefined) this.#mistakes.epoch({ cutsLastWords, fixed, limit, request: number });
    const names = history.entries.slice(start).flatMap((entry) => entry.unknown);
    const { unknownKinds, told } = newKinds(names, state.kinds);
    const left = exceeding && this.#left(exceeding, counter, history, sent);
    const exceeded = left?.excesses ?? [];
    const fits = after <= limit && exceeded.length === 0;
    this.#state = {
      ...state,
      history,
      sent,
      last: { messages, tokens, time, reused: reused.tokens, surplus: reason === undefined ? surplus : 0, front: counter.frontPrints },
      cutOff: undefined,
      kinds: told,
      carried: reason === undefined ? carried : 0,
      // An immediate retry would not help.
      floor: reason === undefined ? state.floor : after > MISSED * target ? after : 0,
      exceeded: reason === undefined && exceeded.length > 0 ? state.exceeded : exceeded,
    };
    const counts = { before: scale(all), after, limit };
    const step = {
      fits,
      tokens: fits ? counts : { ...counts, minimum: after },
      ...(reason === undefined ? {} : ({ epoch: { number: this.#ledger.epochs, reason, target } } satisfies Partial<SessionStep<object>>)),
      report: createReport({
        format: format.name,
        isExact,
        history,
        sent,
        messages,
        reused: { messages: reused.messages, tokens: scale(reused.tokens) },
        counts,
        reason,
        cutsLastWords,
        isForeign,
        unknownKinds,
        change,
        limits: exceeding && left && limitsReport({ before: excessesOf(exceeding.load, exceeding.figures), load: left.load }),
      }),
    };
    this.#tell = () => publish(() => ({ type: 'request', ...this.#named(format), ...step, ...billed, totals: this.report }));
    // Over a store, the request is final when its state is saved.
    if (this.#kept === undefined) this.#tell();
    return { messages: this.#options.cacheControl ? this.#marked(messages, sent, last, reused, cache) : messages, ...step };
  }

  /** The format, the model and the conversation, as events name them. */
  #named(format: Format): Pick<SessionUsageEvent, 'format' | 'model' | 'id'> {
    const { model, id } = this.#options;
    return {
      ...(format === undefined ? {} : { format: format.name }),
      ...(model == null ? {} : { model }),
      ...(id == null ? {} : { id }),
    };
  }

  #marked(messages: readonly object[], sent: Sent, last: State['last'], reused: { messages: number }, { ttl }: Cache) {
    const { system, tools } = this.#options;
    const isWhole = reused.messages === last.messages.length;
    return withBreakpoints(messages, {
      last: isWhole ? reused.messages : 0,
      epoch: sent.edits.length > 0 ? sent.epoch : 0,
      ttl,
      system,
      tools,
    });
  }

  /** Requests summaries of the messages that the next epoch would drop, in the background. */
  *#askingAhead(step: Aligned, { target, whole }: Situation): Steps<void> {
    const fitting = yield* this.#opening(step, whole);
    try {
      yield* (this.#summaries as Summaries).asking(fitting, this.#budgetOf(target));
    } finally {
      fitting.close();
    }
  }
}

/** See `Session` in `index.d.ts`. */
class Session extends SessionBase implements api.Session<object> {
  next<M extends object>(history: readonly M[]) {
    return choose(this, history) as SessionStep<M>;
  }
}

/** See `AsyncSession` in `index.d.ts`. */
class AsyncSession extends SessionBase implements api.AsyncSession<object> {
  next<M extends object>(history: readonly M[]) {
    return this.nextAsync(history) as Promise<SessionStep<M>>;
  }
}

/**
 * Returns the index of the first message of what the model has not answered yet, and of as many before as have up to `most` tokens with it. The
 * instructions at the beginning are none of them.
 */
function newestOf(history: History, most: number) {
  const { lead } = history;
  let [low, first] = [lead, Math.max(lead, history.unanswered)];
  while (low < first) {
    const middle = Math.floor((low + first) / 2);
    if (history.tokens(middle) <= most) first = middle;
    else low = middle + 1;
  }
  return first;
}

/** Tokens that are no more than an error of rounding. */
const ROUNDING = 1e-6;

/**
 * Returns a function that converts tokens to those that the provider counts. Whatever leaves a session has gone through it. What the provider
 * counted for the last request comes out again as the same number.
 */
const scaling =
  (factor: number): ((tokens: number) => number) =>
  (tokens) =>
    factor === 1 ? tokens : Math.ceil(tokens * factor - ROUNDING);

/** See `index.d.ts`. */
export function createSession(options: SessionSettings<object>, saved?: SavedSession | null) {
  checkOptions('createSession', options);
  return options.store || options.summarizer ? new AsyncSession(options, saved) : new Session(options, saved);
}

/** See `index.d.ts`. */
export function recallTool(session: api.Session) {
  checkSession('recallTool(): session', session);
  offer(session);
  return toolFor(() => session);
}

/** Returns what was sent, written in another format; undefined if that one has other texts to cut, or puts other messages together. */
function* sentAs(counter: Counter, history: History, { format, sent: { covered, edits, epoch, items } }: State): Steps<Sent | undefined> {
  if (edits.length === 0) return START.sent;
  const [before, after] = [yield* format.reading(history.messages()), yield* counter.format.reading(history.messages())];
  const isSamePart = (part: Part, place: number) => part.message === after[place].message && part.text === after[place].text;
  if (before.length !== after.length || !before.every(isSamePart)) return undefined;
  const sent = yield* Sent.writing(history, covered, edits, counter, epoch);
  const isSent = (item: Item, index: number) => isSame(item.message, items[index].message);
  return sent.items.length === items.length && sent.items.every(isSent) ? sent : undefined;
}

export { address, estrange, offer as offerRecall };
