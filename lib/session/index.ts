import { checkOptions, defaultOf } from '../options/index.js';
import { describe, isObject, shown } from '../checks.js';
import { checkMessages } from '../given.js';
import { fingerprintOf } from '../equality/fingerprint.js';
import { forget } from '../equality/memory.js';
import { withCaller } from '../places.js';
import { warnOnce } from '../options/warnings.js';
import { readDiagnostics } from '../providers/diagnostics.js';
import { readUsage } from '../providers/usage.js';
import { redactorOf } from '../redact.js';
import { withPauses } from '../pauses.js';
import { inOneGo } from '../steps.js';
import { advance } from './advance.js';
import { cacheOf } from './cache.js';
import { configOf } from './config.js';
import { formatFor, withFormat } from './format.js';
import { savedSpent, warningOf } from './cost.js';
import { Mistakes } from './mistakes.js';
import { cacheReport } from './misses.js';
import { changed, forBranch, fromOptions, pinned, savedPins, unpinned } from './pins.js';
import { used } from './resting.js';
import { inUnits } from './situation.js';
import { savedTags, START } from './state.js';
import { publish, publishRequest } from './telemetry.js';
import { observedUnits, unitsIn } from './units.js';
import type { Usage } from '../providers/usage.js';
import type { Steps } from '../steps.js';
import type { Adapter, Format } from '../types.js';
import type { Advanced } from './advance.js';
import type { Config } from './config.js';
import type { Kept } from './kept.js';
import type { Reads } from './reads.js';
import type { Forecast, Said } from './misses.js';
import type { Pinning } from './pin-tool.js';
import type { Change } from './pins.js';
import type { Saved } from './saved.js';
import type { State } from './state.js';
import type * as api from '../../index.js';
import type {
  CacheReport,
  PinOptions,
  RecallResult,
  SavedSession,
  SentRequest,
  SessionContext,
  SessionRecallOptions,
  SessionReport,
  SessionSettings,
  SessionStep,
  SessionUsageEvent,
  Why,
  WhyOptions,
} from '../../index.js';

/** Maximum number of times that a request is chosen anew because another process saved its state first. */
const MAX_TRIES = 10;

/** Marks a session as one whose model has the recall tool. */
let offer: (session: object) => void;
/** Tells a session what writes its requests. */
let address: (session: object, adapter: Adapter | undefined) => void;
/** Tells a session that others sent requests of its conversation, so that it can't know what new thinking was signed over. */
let estrange: (session: object) => void;
/** Opens a session for a branch of another one's conversation, which may be that of somebody else. */
let branch: (session: api.Session, create: (saved?: SavedSession) => api.Session) => api.Session;
/** Returns what stands for a session with an id in its requests, the same in each process, if it helps the cache and sets breakpoints. */
let cacheKeyOf: (session: object | undefined) => string | undefined;
/** Marks a session that an integration finds by messages. */
let share: <S extends object>(session: S) => S;
/** Pins a text that the model says in a call, for histories with that call. */
let pinSaid: Pinning;
/** Has a session share what it reads of messages. */
let readTogether: <S extends api.Session>(session: S, reads: Reads) => S;
/** Says of each of some messages why it is missing, as `why` does of one. */
let explain: (session: api.Session, messages: readonly number[], history: readonly object[]) => Why;
/** Says of a session that has made requests what the last one was made of, and of each message why it is missing from it, with pauses. */
let inspect: (session: object) => Promise<{ context: SessionContext; why: Why } | undefined>;
/** Takes up what the store of a session has of its conversation, after what was asked of it before. */
let load: (session: SessionBase) => Promise<void>;
/** Has a session that nobody uses let go of what it can have again. Returns whether it has. */
let rest: (session: SessionBase) => Promise<boolean>;
/** Returns the next request of a session at once. */
let choose: (session: SessionBase, history: readonly object[]) => SessionStep<object>;

// What not every session needs is loaded where it is asked for.
const inContext = () => require('./context.js') as typeof import('./context.js');
const inFolded = () => require('./folded.js') as typeof import('./folded.js');
const inKept = () => require('./kept.js') as typeof import('./kept.js');
const inPast = () => require('./past.js') as typeof import('./past.js');
const inPinTool = () => require('./pin-tool.js') as typeof import('./pin-tool.js');
const inRecalling = () => require('./recalling.js') as typeof import('./recalling.js');
const inRecallTool = () => require('./recall-tool.js') as typeof import('./recall-tool.js');
const inSaved = () => require('./saved.js') as typeof import('./saved.js');
const inSummaries = () => require('./summaries.js') as typeof import('./summaries.js');
const inWhy = () => require('./why.js') as typeof import('./why.js');

const nothing = () => {};

/** Number of sessions that this process made. */
let sessions = 0;

/** What all sessions have in common: the state, and what a step does beside making the next one. */
class SessionBase {
  /** By which events of one session are told from those of others. */
  #number = ++sessions;
  #config: Config;
  #state: State = START;
  /** Under which its last use is noted. */
  #ref = new WeakRef(this);
  /** Number of steps of {@link nextAsync} that are under way. */
  #steps = 0;
  #mistakes;
  /** Promise of the last step that was started. */
  #running: Promise<unknown> = Promise.resolve();
  /** The conversation in a store. */
  #kept: Kept | undefined;
  /** Whether what the store had of it was taken up once. */
  #isOpen = false;
  #redact;
  /** Changes of the pins that no saved state has yet; the state has the first ones, `#applied` of them. */
  #changes: Change[] = [];
  #applied = 0;
  /** Publishes the last request that was chosen, and adds it to the sums that sessions share. */
  #tell = nothing;
  /** The day of the last request, for which budgets are shared. */
  #day: number | undefined;
  /** What of the sums that sessions share is the forecast of the last request. */
  #shared = 0;
  /** Money that no saved state has yet: a usage is observed after its request was saved. */
  #unsaved = 0;

  constructor(options: SessionSettings<object>, saved?: SavedSession | null) {
    const config = configOf(options);
    this.#mistakes = new Mistakes(options.warn ?? defaultOf('createSession', 'warn'));
    const given = saved === undefined || saved === null ? undefined : inSaved().readSaved(saved);
    this.#changes.push(fromOptions(options.keep?.pinned ?? []));
    this.#state = withSaved(
      config.isFormatGiven ? withFormat(config, START, formatFor(config, options.format as Format['name']), true, undefined) : START,
      given,
    );
    this.#redact = redactorOf(options.redact, 'createSession()');
    if (options.store)
      this.#kept = new (inKept().Kept)({
        store: options.store,
        id: options.id as string,
        storeTimeout: options.storeTimeout ?? defaultOf('createSession', 'storeTimeout'),
      });
    const summaries =
      options.summarizer && new (inSummaries().Summaries)({ ...options, redact: this.#redact }, given?.json.summaries, this.#kept);
    this.#config = { ...config, summaries: summaries ?? undefined };
    if (given !== undefined) config.costs?.wasTold(given.told);
  }

  get report() {
    return this.#reporting()();
  }

  /** Returns what makes the report of now, later, too; it holds nothing of the conversation. */
  #reporting(): () => SessionReport {
    const { saved, limit, pinned: pins, spent } = this.#state;
    const ledger = saved?.ledger ?? this.#state.ledger;
    const { list } = this.#mistakes;
    const more = { limit, pins, ...savedTags(this.#tags), ...(this.#config.costs && { spent: spent.sum }) };
    return () => ledger.report(list, more);
  }

  /** Those of the options, or else those that were saved. */
  get #tags() {
    const { saved, tags } = this.#state;
    return this.#config.options.tags ?? saved?.tags ?? tags;
  }

  nextAsync<M extends object>(history: readonly M[]): Promise<SessionStep<M>> {
    // The array may grow while this waits for earlier steps.
    const given = Array.isArray(history) ? history.slice() : history;
    this.#steps++;
    const step = this.#running
      .then(() => (this.#kept ? this.#keeping(given, this.#kept) : withPauses(this.#stepping(given))))
      .finally(() => this.#steps--);
    // Whoever waits for a step does not keep it.
    this.#running = step.then(nothing, nothing);
    return step as Promise<SessionStep<M>>;
  }

  observe(usage: unknown, diagnostics?: unknown): CacheReport | undefined {
    const said = readDiagnostics(diagnostics);
    // Before the first answer there is none.
    if (usage == null) return undefined;
    const observed = readUsage(usage);
    if (observed === undefined) return undefined;
    const cache = this.#observed(observed, said);
    this.#tellCost();
    return cache;
  }

  /** The state with all there is, in steps. A session that rests is awake then. */
  *#waking(): Steps<State> {
    used(this.#ref, rest);
    for (;;) {
      const before = this.#state;
      if (before.folded === undefined) return before;
      const whole = yield* inFolded().unfolding(before, before.folded);
      // A usage may have been observed meanwhile.
      if (this.#state !== before) continue;
      this.#state = whole;
      return whole;
    }
  }

  #awake(): State {
    return inOneGo(this.#waking());
  }

  async #rest(): Promise<boolean> {
    const before = this.#state;
    const { counter, format, history, saved, folded } = before;
    const isBusy = () => this.#steps > 0;
    if (isBusy()) used(this.#ref, rest);
    if (isBusy() || counter === undefined || format === undefined || history.length === 0 || saved !== undefined) return false;
    if (folded !== undefined) return true;
    // What can't be read again stays as it is.
    const state = await withPauses(inFolded().folding({ ...before, counter, format })).catch(() => undefined);
    const isUsed = this.#state !== before || isBusy();
    if (isUsed) used(this.#ref, rest);
    if (isUsed || state === undefined) return false;
    this.#state = state;
    this.#config.texts.forget();
    forget(history.originals());
    this.#tell = nothing;
    return true;
  }

  /** Learns from the usage of a request. */
  #observed(observed: Usage, said: Said | undefined): CacheReport | undefined {
    const { input, cached, written, output } = observed;
    const { last, format, units } = this.#state;
    const prices = cacheOf(this.#config.options.cache, this.#config.model, format ?? { vendor: undefined });
    const paid = this.#config.costs?.paid(observed, prices);
    if (paid !== undefined) this.#pay(paid);
    this.#state = inUnits(this.#state, observedUnits(units, last.tokens - units.beside, input));
    const cache = this.#missed(last.forecast, { input, read: cached, said }, written);
    publish(() => ({
      ...{
        type: 'usage',
        ...this.#named(format),
        tokens: { input, ...(cached === undefined ? {} : { cached }), ...(output === undefined ? {} : { output }) },
      },
      ...(paid === undefined ? {} : { paid }),
      ...(cache && { cache }),
    }));
    if (cached === undefined || format === undefined || last.reused === 0) return cache;
    // A cache miss was paid for in full, so the surplus has cost more.
    const missed = Math.max(0, 1 - cached / (last.reused * (this.#state.units.factor ?? 1)));
    this.#state = { ...this.#state, carried: this.#state.carried + missed * Math.max(0, prices.write - prices.read) * last.surplus };
    return cache;
  }

  /** Takes what a request has cost in place of its forecast. */
  #pay(paid: number) {
    const { costs, options } = this.#config;
    const { sum, due } = this.#state.spent;
    this.#state = { ...this.#state, spent: { sum: Math.max(0, sum - due) + paid, due: 0 } };
    this.#unsaved += paid - due;
    // Another process may have sent the request: its forecast is not in the sums of this one.
    this.#day ??= costs?.dayAt(options.now);
    costs?.share(paid, this.#day, this.#tags, this.#shared);
    this.#shared = 0;
  }

  /** Tells of budgets that are nearly or wholly spent. */
  #tellCost() {
    const { costs, options } = this.#config;
    if (costs === undefined) return;
    for (const news of costs.news(this.#state.spent, this.#day, this.#tags)) {
      const event = { type: 'cost' as const, ...this.#named(this.#state.format), ...news };
      publish(() => event);
      if (options.onCost) options.onCost(event);
      else if (options.warn ?? defaultOf('createSession', 'warn'))
        warnOnce(warningOf(event), 'PALIMPSEST_COST', `${event.budget} ${event.share}`);
    }
  }

  /**
   * Begins a request: the budgets are asked about those before it.
   *
   * @throws {Error} one is spent
   */
  #afford() {
    const { costs, options } = this.#config;
    if (costs === undefined) return;
    this.#day = costs.dayAt(options.now);
    this.#tellCost();
    costs.check(this.#state.spent, this.#day, this.#tags);
  }

  /**
   * Tells what became of the last request, once.
   *
   * @param forecast of it; undefined if it was told, or another process made it
   * @param written tokens that the provider wrote to its cache, where it says so
   */
  #missed(
    forecast: Forecast | undefined,
    { input, read: told, said }: { input: number; read: number | undefined; said: Said | undefined },
    written: number | undefined,
  ) {
    const { ledger, last } = this.#state;
    // Who leaves out what is 0, as Gemini does, has said a number before.
    const read = told ?? (ledger.isCached ? 0 : undefined);
    if (forecast === undefined || read === undefined) return undefined;
    const isCached = ledger.isCached || read > 0 || (written ?? 0) > 0;
    const report = cacheReport(ledger.requests, forecast, { input, read, said, otherwise: isCached ? 'unknown' : 'never' });
    this.#state = { ...this.#state, ledger: ledger.observed(report, written), last: { ...last, forecast: undefined } };
    return report;
  }

  recall(query: string, options?: SessionRecallOptions | null): RecallResult {
    const { texts, options: own } = this.#config;
    const { checkedSearch, recalled } = inRecalling();
    const search = { ...checkedSearch(query, options), tokenizer: own.tokenizer };
    const { history, last, format } = this.#awake();
    if (history.length === 0 || format === undefined) return recalled(texts.remembered, [], search);
    return recalled(inOneGo(texts.remembering(history, format)), format.read(last.messages), search);
  }

  at<M extends object>(number: number, history?: readonly M[] | null): SentRequest<M> {
    if (!Number.isInteger(number) || number < 1)
      throw new TypeError(`at(): number must be that of a request, from 1, got ${shown(number)}`);
    return inOneGo(inPast().requestAt(this.#config, this.#awake(), number, this.#historyFor('at()', history))) as SentRequest<M>;
  }

  why(what: string | { message: number }, history?: readonly object[] | null, options?: WhyOptions | null): Why {
    const { askedIn, whyOf } = inWhy();
    const asked = askedIn(what, options);
    return inOneGo(whyOf(this.#config, this.#awake(), asked, this.#historyFor('why()', history)));
  }

  context(history?: readonly object[] | null): SessionContext | undefined {
    const { contextOf, contextWith } = inContext();
    if (history == null) return inOneGo(contextOf(this.#config, this.#awake()));
    return inOneGo(contextWith(this.#config, this.#awake(), this.#historyFor('context()', history)));
  }

  /** A history that is asked about: by default that of the last request. */
  #historyFor(caller: string, given: readonly object[] | null | undefined): readonly object[] {
    const { saved, ledger } = this.#state;
    if (this.#kept !== undefined && !this.#isOpen && saved === undefined && ledger.requests === 0)
      throw new TypeError(`${caller}: the store was not read yet: await session.load() first, or next()`);
    if (given == null) {
      if (saved !== undefined)
        throw new TypeError(`${caller}: history must be passed: a session that was saved has none before its next request`);
      return this.#awake().history.originals();
    }
    checkMessages(`${caller}: history`, given);
    for (let at = 0; at < given.length; at++)
      if (!isObject(given[at])) throw new TypeError(`${caller}: history[${at}] must be a message, got ${describe(given[at])}`);
    return given;
  }

  pin(what: string | { message: number }, options?: PinOptions | null) {
    if (this.#config.isFound)
      throw new TypeError(
        'pin(): this session was found by its messages, and another conversation may begin alike: name the session with options.session of the integration',
      );
    this.#changes.push(pinned(what, options));
  }

  unpin(what: string | { message: number }) {
    this.#changes.push(unpinned(what));
  }

  toJSON(): SavedSession {
    const { saved } = this.#state;
    const changes = this.#changes.slice(this.#applied);
    if (saved !== undefined) {
      const { pins = [], tags: _tags, spent: _spent, ...json } = saved.json;
      const own = { ...savedTags(this.#tags), ...savedSpent(this.#state.spent, this.#config.costs?.told ?? saved.told) };
      return { ...json, ...savedPins(changed(pins, changes), this.#redact), ...own } as SavedSession;
    }
    // It rests on.
    const { folded } = this.#state;
    const state = folded === undefined ? this.#state : inOneGo(inFolded().unfolding(this.#state, folded));
    return inSaved().writeSaved(
      { ...state, pins: changed(state.pins, changes), tags: this.#tags },
      { summaries: this.#config.summaries, costs: this.#config.costs, redact: this.#redact },
    );
  }

  /**
   * Chooses the messages and saves the state. If another process saved one since, its state is taken up and the messages are chosen anew. A
   * store that fails costs nothing but the saving.
   */
  async #keeping(given: readonly object[], kept: Kept): Promise<SessionStep<object>> {
    const { summaries } = this.#config;
    await this.#daring(() => this.#open(kept));
    for (let tries = 1; ; tries++) {
      const before = this.#state;
      const step = await withPauses(this.#stepping(given));
      const state = JSON.stringify(this);
      const applied = this.#applied;
      const unsaved = this.#unsaved;
      const outcome = await this.#daring(async () => {
        const texts = summaries?.entries() ?? [];
        if (texts.length > 0) {
          await kept.put(texts);
          summaries?.forget(texts);
        }
        return kept.save(state);
      });
      if (outcome?.isSaved) {
        this.#forget(applied);
        this.#unsaved -= unsaved;
        this.#tell();
        const isWanting = summaries?.takeWanting();
        return isWanting ? { ...step, compaction: { id: kept.id, version: kept.version } } : step;
      }
      if (outcome === undefined || tries === MAX_TRIES) {
        this.#tell();
        return step;
      }
      this.#state = before;
      this.#takeUp(outcome.other);
    }
  }

  /** Takes up what the store has, where that is not known yet. */
  async #open(kept: Kept) {
    this.#takeUp(await kept.open());
    this.#isOpen = true;
  }

  /** Returns the outcome of `work` with the store; undefined if it fails, with a warning. */
  async #daring<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const text = `createSession(): the store failed (${inKept().reasonOf(error)}), and the request goes out without it`;
      warnOnce(text, 'PALIMPSEST_STORE');
    }
  }

  /** Goes on with the state of another process; undefined: there is none. */
  #takeUp(saved: Saved | undefined) {
    if (saved === undefined) return;
    const { sum, due } = saved.spent;
    this.#state = { ...withSaved(this.#state, saved), spent: { sum: Math.max(0, sum + this.#unsaved), due } };
    this.#config.costs?.wasTold(saved.told);
    this.#applied = 0;
    this.#config.summaries?.join(saved.json.summaries);
  }

  *#stepping(given: readonly object[]): Steps<SessionStep<object>> {
    this.#afford();
    try {
      for (;;) {
        const before = yield* this.#waking();
        const end = this.#changes.length;
        const advanced = yield* advance(this.#config, before, given, this.#changes.slice(this.#applied));
        // A step that ended meanwhile comes first.
        if (this.#state !== before) continue;
        this.#applied = end;
        if (this.#kept === undefined) this.#forget(end);
        return this.#ended(advanced);
      }
    } catch (error) {
      throw withCaller('next', error);
    }
  }

  /** Drops the first changes of the pins, which the state has for good. */
  #forget(count: number) {
    this.#changes.splice(0, count);
    this.#applied -= count;
  }

  /** Takes the state after a step, and tells of it. */
  #ended({ state, step, billed, before, start, epoch }: Advanced): SessionStep<object> {
    const { costs } = this.#config;
    const due = costs?.forecast(billed.cost.session) ?? 0;
    this.#state = costs === undefined ? state : { ...state, spent: { sum: state.spent.sum + due, due } };
    const { requests } = state.ledger;
    this.#mistakes.read(before, state.history, { start, request: requests, isFirst: requests === 1 && this.#kept === undefined });
    if (epoch !== undefined) this.#mistakes.epoch({ ...epoch, request: requests });
    if (state.pinned?.lost !== undefined) this.#mistakes.pins(step.tokens.limit, requests);
    const { messages: _, ...told } = step;
    this.#tell = () => {
      costs?.share(due, this.#day, this.#tags);
      this.#shared = due;
      publishRequest(() => {
        const totals = this.#reporting();
        const named = { type: 'request' as const, ...this.#named(state.format), format: step.report.format };
        return { event: { ...named, ...told, ...billed, report: withoutPins(step.report) }, totals: () => withoutPins(totals()) };
      });
    };
    // Over a store, the request is final when its state is saved.
    if (this.#kept === undefined) this.#tell();
    return step;
  }

  /** The session, its format, model, conversation and tags, as events name them. */
  #named(format: Format | undefined): Pick<SessionUsageEvent, 'session' | 'format' | 'model' | 'id' | 'tags'> {
    const { model, id } = this.#config.options;
    return {
      session: this.#number,
      ...(format === undefined ? {} : { format: format.name }),
      ...(model == null ? {} : { model }),
      ...(id == null ? {} : { id }),
      ...savedTags(this.#tags),
    };
  }

  static {
    offer = (session) => {
      if (#config in session && !session.#config.isOffered) session.#config = { ...session.#config, isOffered: true };
    };
    address = (session, adapter) => {
      if (#config in session && session.#config.adapter !== adapter) session.#config = { ...session.#config, adapter };
    };
    cacheKeyOf = (session) => {
      if (session === undefined || !(#config in session)) return undefined;
      const { id, cacheControl } = session.#config.options;
      // An id may be a name, which is not for the provider.
      return cacheControl && id != null ? fingerprintOf(id) : undefined;
    };
    share = (session) => {
      if (#config in session) session.#config = { ...session.#config, isFound: true };
      return session;
    };
    estrange = (session) => {
      if (#state in session) {
        const state = session.#awake();
        session.#state = { ...state, cutOff: state.history.length };
      }
    };
    branch = (session, create) => {
      const { saved, said } = forBranch(session.toJSON());
      const opened = create(saved);
      if (said.length > 0 && #changes in opened) (opened as unknown as SessionBase).#changes.push((pins) => [...pins, ...said]);
      return opened;
    };
    pinSaid = (session, text, options) => {
      if (#changes in session) (session as SessionBase).#changes.push(pinned(text, options, true));
    };
    readTogether = (session, reads) => {
      if (#config in session) session.#config = { ...session.#config, reads };
      return session;
    };
    explain = (session, messages, history) => {
      const it = session as unknown as SessionBase;
      return inOneGo(inWhy().whyOf(it.#config, it.#awake(), { messages }, history));
    };
    inspect = async (session) => {
      const it = session as SessionBase;
      if (!(#state in it)) return undefined;
      const [config, state] = [it.#config, await withPauses(it.#waking())];
      const context = await withPauses(inContext().contextOf(config, state));
      if (context === undefined) return undefined;
      const given = state.history.originals();
      return { context, why: await withPauses(inWhy().whyOf(config, state, { messages: [...given.keys()] }, given)) };
    };
    load = (session) => {
      const opened = session.#running.then(() => session.#kept && session.#open(session.#kept));
      session.#running = opened.catch(nothing);
      return opened.catch((error) => {
        throw Object.assign(new Error(`load(): the store failed (${inKept().reasonOf(error)})`), { code: 'PALIMPSEST_STORE' });
      });
    };
    rest = (session) => session.#rest();
    choose = (session, history) => inOneGo(session.#stepping(history));
  }
}

/** A report without the names of pins, which no event has. */
const withoutPins = <R extends { pins?: unknown }>({ pins: _, ...report }: R) => report;

/** A state to go on with what another session saved. */
const withSaved = (state: State, saved: Saved | undefined): State =>
  saved === undefined ? state : { ...state, saved, spent: saved.spent, units: unitsIn(saved.json) ?? state.units };

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

  load() {
    return load(this);
  }
}

/** See `index.d.ts`. */
export function createSession(options: SessionSettings<object>, saved?: SavedSession | null) {
  checkOptions('createSession', options);
  return options.store || options.summarizer ? new AsyncSession(options, saved) : new Session(options, saved);
}

/** See `index.d.ts`. */
export function recallTool(session: api.Session) {
  const { checkSession, toolFor } = inRecallTool();
  checkSession('recallTool(): session', session);
  offer(session);
  return toolFor(() => session);
}

/** See `index.d.ts`. */
export function pinTool(session: api.Session) {
  inRecallTool().checkSession('pinTool(): session', session);
  return inPinTool().toolFor(() => session);
}

export { address, branch, cacheKeyOf, estrange, explain, inspect, offer as offerRecall, pinSaid, readTogether, rest, share };
