// @ts-check
'use strict';

const { shown } = require('../checks.js');
const { marksNote } = require('../marks-note.js');
const { modelOf } = require('../model-of.js');
const { findModel } = require('../models.js');
const { checkOwnOptions } = require('../options/index.js');
const { createSession: SESSION_OPTIONS, integration: OPTIONS } = require('../options/integrations.js');
const { createSession, offerRecall } = require('../session/index.js');
const { isSame } = require('../session/same.js');
const { toolSchemas } = require('../tokens/schemas.js');
const { systemPrompts } = require('../tokens/system.js');
const { Conversations } = require('./conversations.js');
const { CUT, Guard, OVER } = require('./guard.js');
const { ask, Calls } = require('./recall-calls.js');
const { Settings } = require('./settings.js');

/** @import { Foreign } from '../types.d.ts' */
/** @typedef {import('../../index.d.ts').Session} Session */
/** @typedef {import('../../index.d.ts').SessionStep<any>} SessionStep */

/**
 * A request of an SDK.
 *
 * @typedef {object} Request
 * @property {readonly any[]} messages
 * @property {any} [system] what is sent beside the messages, with the note on marks if it is explained there; default `options.system`
 * @property {any} [tools] default `options.tools`
 * @property {unknown} [model] the model's name
 * @property {number | null} [maxOutputTokens]
 * @property {string} [format] default the integration's
 * @property {() => Session | undefined} [use] returns the session where `options.session` names none; undefined: it is found by the messages
 * @property {any} [params] the SDK's own request, for the caller's functions
 * @property {(turn: Turn) => any} [write] returns what to hand to the SDK
 */

/**
 * What to send for a request.
 *
 * @typedef {object} Turn
 * @property {any[]} messages the caller's own array if nothing was changed or something of ours failed
 * @property {SessionStep} [step] absent if something of ours failed, or nothing was to choose: the SDK's request goes out as it came
 * @property {Session} [session]
 * @property {any} [sent] what `write` returned; undefined without a step
 * @property {(usage: any) => void} observe takes the usage of the answer, once; never throws
 * @property {(key: unknown, isUnique?: boolean) => void} called takes what identifies a call of the recall tool in the answer. `isUnique`: no
 *   other conversation has it
 * @property {<T>(work: () => T) => T | undefined} look does work that reads the answer; never throws, and fails aloud once
 */

/** What the integrations with SDKs share: sessions of conversations, and a guard that loses no request. */
class Integration {
  #caller;
  #options;
  #format;
  #isStepReturned;
  #conversations;
  #names = new Settings();
  #guard;
  #calls;
  /** The session of all requests so far; null if there may be several conversations. @type {Session | null | undefined} */
  #only;
  #isAnswerHidden;
  /** Whether the caller has a recall tool for these conversations. */
  #isRecallOffered = false;

  /**
   * @param {string} caller name in errors and warnings: `palimpsestMiddleware()`
   * @param {any} given the caller's options, or one session for all requests
   * @param {{ format?: string, extra?: Record<string, import('../options/shared.js').Option>, isStepReturned?: boolean, isAnswerHidden?: boolean }} [own]
   *   the format of the SDK's messages, options beside the shared ones, whether the caller is given each step, and so sees which one doesn't fit,
   *   and whether the SDK may read an answer so that its calls can't be seen
   * @throws {TypeError | RangeError} an option is wrong
   */
  constructor(caller, given, { format, extra, isStepReturned = false, isAnswerHidden = false } = {}) {
    const options = isSession(given) ? { session: () => given } : given;
    this.#caller = caller;
    this.#options = { ...checkOwnOptions(caller, { ...OPTIONS, ...extra }, options) };
    systemPrompts(this.#options.system, `${caller}: options.system`);
    toolSchemas(this.#options.tools, `${caller}: options.tools`);
    if (this.#options.cacheControl && format !== undefined && format !== 'anthropic')
      throw new TypeError(`${caller}: options.cacheControl is for messages of format 'anthropic', got ${format}`);
    this.#format = format;
    this.#isStepReturned = isStepReturned;
    this.#isAnswerHidden = isAnswerHidden;
    /** The session that the caller gave for all requests. */
    this.own = isSession(given) ? given : undefined;
    this.#guard = new Guard(caller, this.#options.onError);
    /** Maximum number of conversations that are remembered. */
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

  /** What explains the marks, if the caller wants that: it belongs at the end of the system prompt. */
  get note() {
    return this.#options.explainMarks ? marksNote : undefined;
  }

  /**
   * Adds the note on marks to a system prompt, if the caller wants that; the prompt itself is never changed.
   *
   * @param {any} [system] a string, texts or text blocks, Gemini's `Content`, or a system message or several
   * @returns {any} the same if no note is wanted, or if it is there
   */
  explain(system) {
    return this.note === undefined ? system : withNote(system, this.note);
  }

  /**
   * As {@link explain}, for messages that begin with the system prompt: the note ends it, or is put before them if they have none.
   *
   * @param {any[]} messages
   */
  explainIn(messages) {
    if (this.note === undefined) return messages;
    const found = messages.findIndex((message) => !SYSTEM.has(message?.role));
    const end = found < 0 ? messages.length : found;
    const system = end === 0 ? [{ role: 'system', content: this.note }] : this.explain(messages.slice(0, end));
    return [...system, ...messages.slice(end)];
  }

  /**
   * Returns the messages to send. A failure of ours rejects only if `options.onError` throws.
   *
   * @param {Request | (() => Request | undefined)} given a request, or what reads it from that of the SDK, where a shape that nobody expected is a
   *   failure of ours; it returns undefined for a request that has to go out as it is
   * @param {any} [params] the SDK's own request, for the caller's functions; default `given.params`
   * @returns {Promise<Turn>}
   */
  async turn(given, params = typeof given === 'function' ? undefined : given.params) {
    /** @type {Turn} */
    let turn;
    try {
      const request = typeof given === 'function' ? given() : given;
      if (request === undefined) return this.#passed(given);
      turn = this.#chosen(request, await this.#choose(request, params), params);
      turn.sent = request.write?.(turn);
    } catch (error) {
      await this.#guard.take(error, params);
      return this.#passed(given);
    }
    await this.#tell(turn, params);
    return turn;
  }

  /** A request that goes out as it came: nothing can be looked up in its conversation. @returns {Turn} */
  #passed(/** @type {any} */ { messages }) {
    this.#only = null;
    return { messages, observe: () => {}, called: (key, isUnique) => this.#calls.add(key, null, isUnique), look: quietly };
  }

  /**
   * @param {Request} request
   * @param {import('./conversations.js').Choice} choice
   * @returns {Turn}
   */
  #chosen({ messages }, { asked, step }, params) {
    return {
      messages: this.#isWhole(step.messages, messages) ? /** @type {any[]} */ (messages) : step.messages,
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
   * @param {Request} request
   * @param {import('../../index.d.ts').SavedSession | null} [saved]
   * @returns {Session}
   * @throws {TypeError | RangeError} neither the options nor the model say how much a request may take, or the request is wrong
   */
  create(request, saved) {
    return this.#offered(createSession(this.#settings(request), saved));
  }

  /** Lets the models of these conversations look up what went. */
  offerRecall() {
    this.#isRecallOffered = true;
  }

  /** Returns the request of a call of the recall tool; null if it can't be told, undefined if the call is not known. @param {unknown[]} keys */
  askedBy(keys) {
    return this.#calls.of(keys);
  }

  /**
   * Returns the session of all requests so far, if a call that is not known can only be its; null if it may be another's, undefined if there
   * was no request.
   *
   * @param {unknown[]} keys those of the call: an id that is not known is most likely a call in the answer to another process
   */
  onlyFor(keys) {
    const isNamed = !this.#isAnswerHidden && keys.some((key) => typeof key === 'string' && key !== '');
    return isNamed && this.#only ? null : this.#only;
  }

  /** Tells the caller of a step, and of what must not go unnoticed: the user's last words were cut, or it is too long, as nobody expected its shape. */
  async #tell(/** @type {Foreign} */ { step, session }, params) {
    await this.#guard.run(() => this.#options.onStep?.(step, { session, params }), params);
    if (this.#isStepReturned) return;
    const { after, limit } = step.tokens;
    if (step.report.cutLastWords) {
      const error = new RangeError(`the limit of ${limit} tokens leaves too little room for what the user said last: give a larger one`);
      await this.#guard.take(error, params, CUT);
    }
    if (step.fits) return;
    const error = new RangeError(`it takes ${after} tokens, above the limit of ${limit}, and nothing more of it can go`);
    await this.#guard.take(error, params, OVER);
  }

  /** Returns a function that does work which reads an answer. A stream may have the same fault in each of its parts: it is told of once. */
  #looking(params) {
    let hasFailed = false;
    return (work) => {
      try {
        return work();
      } catch (error) {
        if (!hasFailed) this.#guard.takeLate(error, params);
        hasFailed = true;
        return undefined;
      }
    };
  }

  async #choose(request, params) {
    const session = await this.#named(params);
    if (session !== undefined) return this.#step(this.#offered(session), request.messages);
    const settings = this.#settings(request);
    const create = (saved) => this.#offered(createSession(settings, saved));
    return this.#conversations.next(request.messages, this.#names.nameOf(settings), create, request.use?.());
  }

  /**
   * @param {Session} session
   * @param {readonly any[]} messages
   * @returns {Promise<import('./conversations.js').Choice>}
   */
  async #step(session, messages) {
    const asked = ask(session, messages);
    const isOnly = this.#only === undefined || (this.#only === session && !asked.isRepeated);
    this.#only = isOnly ? session : null;
    return { asked, step: await session.nextAsync(messages) };
  }

  /** @param {Session} session */
  #offered(session) {
    if (this.#isRecallOffered) offerRecall(session);
    return session;
  }

  async #named(params) {
    const session = (await this.#options.session?.(params)) ?? undefined;
    if (session === undefined || isSession(session)) return session;
    throw new TypeError(`${this.#caller}: options.session must return a session, null or undefined, got ${shown(session)}`);
  }

  /**
   * The options of the session for a request.
   *
   * @param {Request} request
   * @returns {any}
   */
  #settings({ system, tools, model, maxOutputTokens, format }) {
    const own = this.#options;
    const settings = Object.fromEntries(Object.keys(SESSION_OPTIONS).map((name) => [name, own[name]]));
    settings.system = system ?? own.system;
    settings.tools = tools ?? own.tools;
    settings.format = format ?? this.#format ?? own.format;
    if (own.model == null && typeof model === 'string' && findModel(model) !== undefined) settings.model = model;
    const known = modelOf(settings, `${this.#caller}: options`);
    // The format of an SDK for all models doesn't tell whose cache it is.
    if (own.cache == null && known?.provider !== undefined) settings.cache = known.provider;
    if (own.limit != null) return settings;
    settings.maxOutputTokens = own.maxOutputTokens ?? maxOutputTokens;
    if (own.window != null || known?.window !== undefined) return settings;
    const reason =
      typeof model === 'string' ? `the window of model ${JSON.stringify(model.slice(0, 40))} is not known` : 'the request names no model';
    throw new TypeError(`${this.#caller}: options must give a limit or a window, because ${reason}`);
  }

  /** Returns whether what is sent is what was given. */
  #isWhole(sent, given) {
    if (sent.length !== given.length) return false;
    if (sent.every((message, index) => message === given[index])) return true;
    return !this.#options.cacheControl && sent.every((message, index) => isSame(message, given[index]));
  }

  /** Returns a function that takes the usage of the answer to a request. A session takes that of its last request, once. */
  #observing(asked, params) {
    let isObserved = false;
    return (usage) => {
      if (usage === undefined || usage === null || isObserved || !asked.isLast) return;
      isObserved = true;
      this.#guard.late(() => asked.session.observe(usage), params);
    };
  }
}

/** Does work, if that is possible. */
function quietly(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Roles of system messages. */
const SYSTEM = new Set(['system', 'developer']);

/** @param {any} value */
const isSession = (value) => typeof value?.nextAsync === 'function' && typeof value.observe === 'function';

/** @param {any} system @param {string} note */
function withNote(system, note) {
  if (system === undefined || system === null || system === '') return note;
  if (typeof system === 'string') return system.endsWith(note) ? system : `${system}\n\n${note}`;
  if (Array.isArray(system)) return listWithNote(system, note);
  if (system.parts !== undefined) return { ...system, parts: listWithNote(system.parts, note) };
  if (system.content !== undefined) return { ...system, content: withNote(system.content, note) };
  return listWithNote([system], note);
}

/** Adds the note to the last of several system messages; otherwise behind the texts or blocks, in the shape of the last one. */
function listWithNote(list, note) {
  const last = list.at(-1);
  if (last?.content !== undefined) return list.with(-1, withNote(last, note));
  if ((last?.text ?? last) === note) return list;
  if (typeof last === 'string') return [...list, note];
  return [...list, last !== undefined && last.type === undefined ? { text: note } : { type: last?.type ?? 'text', text: note }];
}

module.exports = { Integration };
