import { withoutThinking } from '../agent/thinking.js';
import { shown } from '../checks.js';
import { marksNote } from '../marks-note.js';
import { excessIn } from '../fit/limits-report.js';
import { modelOf } from '../model-of.js';
import { findModel, modelMeant, rolesFor } from '../models.js';
import { checkOwnOptions } from '../options/index.js';
import { createSession as SESSION_OPTIONS, integration as OPTIONS } from '../options/integrations.js';
import { formatOf } from '../providers/index.js';
import { calledBy } from '../places.js';
import { checkMarked } from '../session/breakpoints.js';
import { isRefusal } from '../session/cost.js';
import { address, createSession, offerRecall, share } from '../session/index.js';
import { isSame } from '../equality/fingerprint.js';
import { toolSchemas } from '../tokens/schemas.js';
import { systemPrompts } from '../tokens/system.js';
import { compactThresholdIn } from './compact-threshold.js';
import { Conversations } from './conversations.js';
import { CUT, Guard, OVER } from './guard.js';
import { withNote } from './note.js';
import { ask, Calls } from './recall-calls.js';
import { Settings } from './settings.js';
import type { Adapter } from '../types.js';
import type {
  AsyncSession,
  CacheReport,
  Format,
  SavedSession,
  Session,
  SessionSettings,
  SessionStep,
  ShadowOptions,
} from '../../index.d.ts';
import type { Option } from '../options/shared.js';
import type { Choice } from './conversations.js';
import type { EndpointSettings } from './endpoint-options.js';
import type { IntegrationSettings } from './options.js';

/** Most tokens of a window that nobody chose for this: a larger one takes more than is worth its cost. */
const MOST = 200_000;

/** The options of all integrations: those that they share, and those that some have beside them. */
type Options = IntegrationSettings & Pick<EndpointSettings, 'maxBytes' | 'maxMessages'> & { shadow?: ShadowOptions | null | undefined };

/** What is read of a request of an SDK. */
export interface Request<Message extends object = object> {
  messages: readonly Message[];
  /** what is sent beside the messages, with the note on marks if it is explained there; default `options.system` */
  system?: unknown;
  /** default `options.tools` */
  tools?: unknown;
  /** the model's name */
  model?: unknown;
  maxOutputTokens?: number | null | undefined;
  /** the model's window, where the caller of the integration has a figure of its own: it stands for that of a model that is not known, and for a larger one */
  window?: number | undefined;
  /** what the provider is told of compacting by itself: see {@link compactThresholdIn} */
  contextManagement?: unknown;
  /** the model thinks by a fixed budget, so that the open turn must keep its thinking */
  hasBudget?: boolean | undefined;
  /** no next message is wanted but a summary of all messages */
  isSummary?: boolean | undefined;
  /** default the integration's */
  format?: Format;
  /** whether the API that it goes to is certain to take the breakpoints of its format; default true */
  isMarkable?: boolean | undefined;
  /** what writes the SDK's messages into the provider's request, where that is known */
  adapter?: Adapter | undefined;
  /** returns the session where `options.session` names none; undefined: it is found by the messages */
  use?: (() => Session | undefined) | undefined;
}

/**
 * A request and the way back.
 *
 * @typeParam Sent what is handed to the SDK
 */
export interface RequestPort<Message extends object, Sent> extends Request<Message> {
  /** @param messages to send: the request's own array if nothing was changed */
  write: (messages: readonly Message[], turn: Turn<Sent>) => Sent;
}

/** What came of a request. */
export interface Turn<Sent = unknown> {
  /** absent if something of ours failed, or nothing was to choose */
  step?: SessionStep<object>;
  session?: Session;
  /** what `write` returned; absent if something of ours failed, or the session is switched off: the SDK's request goes out as it came */
  sent?: Sent;
  /** takes the usage of the answer, once, and what the provider says of its cache; never throws */
  observe: (usage: object | null | undefined, diagnostics?: object | null) => CacheReport | undefined;
  /** takes what identifies a call of the recall tool in the answer. `isUnique`: no other conversation has it */
  called: (key: unknown, isUnique?: boolean) => void;
  /** does work that reads the answer; never throws, and fails aloud once */
  look: <T>(work: () => T) => T | undefined;
}

/** What the integrations with SDKs share: sessions of conversations, and a guard that loses no request. */
export class Integration {
  /** The session that the caller gave for all requests. */
  own: Session | undefined;
  /** Maximum number of conversations that are remembered. */
  maxConversations;
  /** What explains the marks, unless the caller wants none: it belongs at the end of the system prompt. */
  note;
  #caller;
  #options: Options;
  /** Those of them that a session has. */
  #ofSession: SessionSettings;
  #format;
  #isStepReturned;
  #conversations;
  #names = new Settings();
  #guard;
  #calls;
  /** The session of all requests so far; null if there may be several conversations. */
  #only: Session | null | undefined;
  #isAnswerHidden;
  /** Whether the caller has a recall tool for these conversations. */
  #isRecallOffered = false;

  /**
   * @param caller name in errors and warnings: `palimpsestMiddleware()`
   * @param given the caller's options, or one session for all requests
   * @param own the format of the SDK's messages, options beside the shared ones, whether the caller is given each step, and so sees which one doesn't fit,
   * and whether the SDK may read an answer so that its calls can't be seen
   * @throws {TypeError | RangeError} an option is wrong
   */
  constructor(
    caller: string,
    given: unknown,
    {
      format,
      extra,
      isStepReturned = false,
      isAnswerHidden = false,
    }: { format?: Format; extra?: Record<string, Option>; isStepReturned?: boolean; isAnswerHidden?: boolean } = {},
  ) {
    const options = isSession(given) ? { session: () => given } : given;
    const table = { ...OPTIONS, ...extra };
    this.#caller = caller;
    this.#options = { ...checkOwnOptions(caller, table, options) };
    this.#ofSession = Object.fromEntries(
      Object.keys(SESSION_OPTIONS).map((name) => [name, this.#options[name as keyof typeof SESSION_OPTIONS]]),
    );
    this.note = (this.#options.explainMarks ?? table.explainMarks.default) ? marksNote : undefined;
    systemPrompts(this.#options.system, `${caller}: options.system`);
    toolSchemas(this.#options.tools, `${caller}: options.tools`);
    if (this.#options.cacheControl && format !== undefined) checkMarked(caller, format);
    this.#format = format;
    this.#isStepReturned = isStepReturned;
    this.#isAnswerHidden = isAnswerHidden;
    this.own = isSession(given) ? given : undefined;
    this.#guard = new Guard(caller, this.#options.onError);
    this.maxConversations = this.#options.conversations ?? OPTIONS.conversations.default;
    this.#conversations = new Conversations(this.maxConversations, (session, messages) => this.#step(session, messages));
    this.#calls = new Calls(this.maxConversations);
  }

  /** The options as they were given, checked. */
  get options() {
    return this.#options;
  }

  /** Takes failures of what an integration does itself, so that they are warned of together with those of the core. */
  get guard() {
    return this.#guard;
  }

  /**
   * Takes a request through: it is read, a session chooses its messages, they are written, and the caller is told. A failure of ours rejects
   * only if `options.onError` throws.
   *
   * @param read reads the SDK's request, where a shape that nobody expected is a failure of ours; undefined for one that has to go out as it is
   * @param params the SDK's own request, for the caller's functions
   */
  async turn<Message extends object, Sent>(read: () => RequestPort<Message, Sent> | undefined, params: unknown): Promise<Turn<Sent>> {
    let turn: Chosen<Sent>;
    try {
      const request = read();
      if (request === undefined) return this.#passed();
      if (request.isSummary) return await this.#whole(request, params);
      const choice = await this.#choose(request, params);
      turn = this.#chosen(choice, params);
      // The SDK's own request goes out, which has neither the note nor anything else of ours.
      if (!choice.step.report.off) turn.sent = request.write(this.#sentOf(choice.step.messages as Message[], request.messages), turn);
    } catch (error) {
      // The caller wants no request that costs more, so it may not go out as it came.
      if (isRefusal(error)) throw calledBy(this.#caller.slice(0, -'()'.length), 'next', error);
      await this.#guard.take(error, params);
      return this.#passed();
    }
    await this.#tell(turn, params);
    return turn;
  }

  /** A request that goes out as it came: nothing can be looked up in its conversation. */
  #passed(): Turn<never> {
    this.#only = null;
    return { observe: () => undefined, called: (key, isUnique) => this.#calls.add(key, null, isUnique), look: quietly };
  }

  /**
   * A request whose messages stay whole, and of which no session is told. Only signed thinking goes that may have been signed behind something else:
   * less was sent before, or nobody knows what was.
   */
  async #whole<Message extends object, Sent>(request: RequestPort<Message, Sent>, params: unknown): Promise<Turn<Sent>> {
    const { messages, hasBudget } = request;
    const session = (await this.#named(params)) ?? request.use?.() ?? (await this.#conversations.answered(messages));
    const isStale = session === undefined || hasCut(session);
    const isStripping = isStale && !hasBudget && (this.#options.thinking ?? 'strip') === 'strip';
    const turn: Turn<Sent> = { observe: () => undefined, called: () => {}, look: quietly };
    turn.sent = request.write(isStripping ? withoutThinking(formatOf(messages, this.#formatOf(request)), messages) : messages, turn);
    return turn;
  }

  #chosen<Sent>({ asked, step }: Choice, params: unknown): Chosen<Sent> {
    return {
      step,
      session: asked.session,
      observe: this.#observing(asked, params),
      called: (key, isUnique) => this.#calls.add(key, asked, isUnique),
      look: this.#looking(params),
    };
  }

  /**
   * Creates a session for the conversation of a request.
   *
   * @throws {TypeError | RangeError} neither the options nor the model say how much a request may take, or the request is wrong
   */
  create(request: Request, saved?: SavedSession | null): Session {
    return this.#offered(createSession(this.#settings(request), saved), request);
  }

  /** Lets the models of these conversations look up what went. */
  offerRecall() {
    this.#isRecallOffered = true;
  }

  /** Returns the request of a call of the recall tool; null if it can't be told, undefined if the call is not known. */
  askedBy(keys: unknown[]) {
    return this.#calls.of(keys);
  }

  /**
   * Returns the session of all requests so far, if a call that is not known can only be its; null if it may be another's, undefined if there
   * was no request.
   *
   * @param keys those of the call: an id that is not known is most likely a call in the answer to another process
   */
  onlyFor(keys: unknown[]) {
    const isNamed = !this.#isAnswerHidden && keys.some((key) => typeof key === 'string' && key !== '');
    return isNamed && this.#only ? null : this.#only;
  }

  /** Tells the caller of a step, and of what must not go unnoticed: the user's last words were cut, or it is too long, as nobody expected its shape. */
  async #tell({ step, session }: Chosen<unknown>, params: unknown) {
    await this.#guard.run(() => this.#options.onStep?.(step, { session, params }), params);
    if (this.#isStepReturned || step.report.off) return;
    if (step.report.cutLastWords) {
      const error = new RangeError(
        `the limit of ${step.tokens.limit} tokens leaves too little room for what the user said last: give a larger one`,
      );
      await this.#guard.take(error, params, CUT);
    }
    if (step.fits) return;
    const error = new RangeError(`it ${excessIn(step)}, and nothing more of it can go`);
    await this.#guard.take(error, params, OVER);
  }

  /** Returns a function that does work which reads an answer. A stream may have the same fault in each of its parts: it is told of once. */
  #looking(params: unknown) {
    let hasFailed = false;
    return <T>(work: () => T): T | undefined => {
      try {
        return work();
      } catch (error) {
        if (!hasFailed) this.#guard.takeLate(error, params);
        hasFailed = true;
        return undefined;
      }
    };
  }

  async #choose(request: Request, params: unknown) {
    const session = await this.#named(params);
    if (session !== undefined) return this.#step(this.#offered(session, request), request.messages);
    const settings = this.#settings(request);
    const own = request.use?.();
    const create = (saved?: SavedSession) => this.#offered(share(createSession(settings, saved)), request);
    return this.#conversations.next(
      request.messages,
      this.#names.nameOf(settings, request.adapter),
      create,
      own && this.#offered(own, request),
    );
  }

  async #step(session: Session, messages: readonly object[]): Promise<Choice> {
    const asked = ask(session, messages);
    const isOnly = this.#only === undefined || (this.#only === session && !asked.isRepeated);
    this.#only = isOnly ? session : null;
    return { asked, step: await session.nextAsync(messages) };
  }

  /** A session as it is told of the request that it is for. */
  #offered(session: AsyncSession | Session, { adapter }: Request): Session {
    address(session, adapter);
    if (this.#isRecallOffered) offerRecall(session);
    return session as Session;
  }

  async #named(params: unknown): Promise<Session | undefined> {
    const session: unknown = (await this.#options.session?.(params)) ?? undefined;
    if (session === undefined || isSession(session)) return session;
    throw new TypeError(`${this.#caller}: options.session must return a session, null or undefined, got ${shown(session)}`);
  }

  #formatOf({ format }: Request) {
    return format ?? this.#format ?? this.#options.format;
  }

  /** The options of the session for a request. */
  #settings(request: Request): SessionSettings {
    const { system, tools, model, maxOutputTokens, window, contextManagement, hasBudget } = request;
    const own = this.#options;
    const settings = { ...this.#ofSession };
    // A request that says nothing of the system prompt has the note alone.
    const isUnsaid = own.system != null && ((system as { text?: unknown } | undefined)?.text ?? system) === this.note;
    settings.system = isUnsaid ? withNote(own.system, this.note) : ((system ?? own.system) as SessionSettings['system']);
    settings.tools = (tools ?? own.tools) as SessionSettings['tools'];
    settings.compactThreshold = own.compactThreshold ?? compactThresholdIn(contextManagement);
    settings.thinking = own.thinking ?? (hasBudget ? 'leave' : undefined);
    settings.format = this.#formatOf(request);
    if (request.isMarkable === false) settings.cacheControl = false;
    if (own.model == null && typeof model === 'string' && findModel(model) !== undefined) settings.model = model;
    settings.roles = own.roles ?? rolesFor(own.model ?? model);
    const known = modelOf(settings, `${this.#caller}: options`);
    if (own.limit != null) return settings;
    settings.maxOutputTokens = own.maxOutputTokens ?? maxOutputTokens;
    const least = Math.min(known?.window ?? Infinity, window ?? Infinity);
    if (own.window == null && window !== undefined && least === window) settings.window = Math.min(window, MOST);
    if (own.window != null || least < Infinity) return settings;
    const name = own.model ?? model;
    const meant = typeof name === 'string' && findModel(name) === undefined ? modelMeant(name) : undefined;
    const missing =
      typeof name === 'string'
        ? `a limit or a window, because the window of model ${JSON.stringify(name.slice(0, 40))} is not known${meant === undefined ? '' : `: did you mean ${meant}?`}`
        : 'a limit, a window or a model, because the request names no model';
    throw new TypeError(`${this.#caller}: options must give ${missing}`);
  }

  /** Returns what is sent: what was given, if it is the same. */
  #sentOf<Message extends object>(sent: readonly Message[], given: readonly Message[]) {
    if (sent.length !== given.length) return sent;
    let same = 0;
    while (same < sent.length && sent[same] === given[same]) same++;
    if (same === sent.length) return given;
    return !this.#options.cacheControl && sent.every((message, index) => isSame(message, given[index])) ? given : sent;
  }

  /** Returns a function that takes the usage of the answer to a request. A session takes that of its last request, once. */
  #observing(asked: Choice['asked'], params: unknown): Turn['observe'] {
    let isObserved = false;
    return (usage, diagnostics) => {
      if (usage === undefined || usage === null || isObserved || !asked.isLast) return undefined;
      isObserved = true;
      return this.#guard.late(() => asked.session.observe(usage, diagnostics), params);
    };
  }
}

/** A turn whose messages a session chose. */
type Chosen<Sent> = Turn<Sent> & Required<Pick<Turn, 'step' | 'session'>>;

/** Does work, if that is possible. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Whether a session may have sent something else than the history. One that had no request yet tells nothing. */
const hasCut = ({ report: { requests, epochs, shortened, prefix } }: Session | AsyncSession) =>
  requests === 0 || Object.values(epochs).some((count) => count > 0) || shortened !== undefined || prefix !== undefined;

/** A session of either kind, or what is no session. */
const isSession = (value: unknown): value is Session => {
  const { nextAsync, observe } = (value ?? {}) as Partial<Session>;
  return typeof nextAsync === 'function' && typeof observe === 'function';
};
