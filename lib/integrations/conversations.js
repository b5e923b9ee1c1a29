// @ts-check
'use strict';

const { Prints } = require('./prints.js');

/** @typedef {import('../../index.d.ts').Session} Session */
/** @typedef {import('../../index.d.ts').SavedSession} SavedSession */
/** @typedef {{ asked: ReturnType<typeof import('./recall-calls.js').ask>, step: import('../../index.d.ts').SessionStep<any> }} Choice */

/** A conversation, or a branch of one: its session, and the messages of its last request. */
class Conversation {
  /** Promise of the last step, which never rejects. @type {Promise<unknown>} */
  running = Promise.resolve();
  /** A branch was made of it that has all its answers, and since then it had no request: nobody may ever come back to it. */
  isSuperseded = false;
  /** Number of messages up to the last answer of the model. */
  answered = 0;

  /**
   * @param {string[]} prints fingerprints of the messages of its last request
   * @param {string} settings
   * @param {Promise<Session>} session
   */
  constructor(prints, settings, session) {
    this.prints = prints;
    this.settings = settings;
    this.session = session;
  }

  /**
   * Overlapping steps are answered in order.
   *
   * @param {readonly object[]} messages
   * @param {(session: Session, messages: readonly object[]) => Promise<Choice>} choose
   */
  next(messages, choose) {
    // The array may grow while this waits.
    const given = messages.slice();
    const choice = this.session.then((session) => choose(session, given));
    this.running = choice.catch(() => {});
    return choice;
  }
}

/** Finds the session of a request by its messages, among those of a bounded number of conversations. */
class Conversations {
  #max;
  #messages = new Prints();
  /** From the least to the most recently used. @type {Set<Conversation>} */
  #all = new Set();

  #choose;

  /**
   * @param {number} max
   * @param {(session: Session, messages: readonly object[]) => Promise<Choice>} choose gives a session its next request
   */
  constructor(max, choose) {
    this.#max = max;
    this.#choose = choose;
  }

  /**
   * Chooses the messages to send with the session that the request belongs to: the one whose last request it continues with the same
   * settings; otherwise a copy of one with which it shares an answer of the model, so that branches don't mix; otherwise a new one.
   *
   * @param {readonly object[]} messages
   * @param {string} settings equal for requests with the same system prompt, tools and model
   * @param {(saved?: SavedSession) => Session} create
   * @param {Session} [own] the session of the conversation, if it is known; later requests find it
   * @returns {Promise<Choice>}
   */
  async next(messages, settings, create, own) {
    const prints = this.#messages.of(messages);
    const found = this.#find(prints, settings);
    const opened = () => (own ? Promise.resolve(own) : branched(found, messages, create));
    const conversation = found.continued ?? new Conversation(prints, settings, opened());
    if (own) conversation.session = Promise.resolve(own);
    const before = conversation.prints;
    conversation.prints = prints;
    conversation.answered = messages.findLastIndex(isAnswer) + 1;
    conversation.isSuperseded = false;
    this.#use(conversation);
    try {
      return await conversation.next(messages, this.#choose);
    } catch (error) {
      if (found.continued === undefined) this.#all.delete(conversation);
      else if (conversation.prints === prints) conversation.prints = before;
      throw error;
    }
  }

  /** @param {string[]} prints @param {string} settings */
  #find(prints, settings) {
    /** @type {Conversation | undefined} */
    let continued;
    /** @type {Conversation | undefined} */
    let parent;
    let shared = 0;
    for (const one of this.#all) {
      const common = commonLength(one.prints, prints);
      if (common === 0) continue;
      const isContinued = common === one.prints.length && one.settings === settings;
      if (isContinued && common >= (continued?.prints.length ?? 0)) continued = one;
      if (common >= shared) [parent, shared] = [one, common];
    }
    return { continued, parent, shared };
  }

  /** @param {Conversation} conversation */
  #use(conversation) {
    this.#all.delete(conversation);
    this.#all.add(conversation);
    if (this.#all.size <= this.#max) return;
    const superseded = [...this.#all].find((one) => one.isSuperseded);
    this.#all.delete(superseded ?? /** @type {Conversation} */ (this.#all.values().next().value));
  }
}

/**
 * Opens a session: a copy of that of `parent` if the messages that both share contain an answer of the model.
 *
 * @param {{ parent: Conversation | undefined, shared: number }} found
 * @param {readonly object[]} messages
 * @param {(saved?: SavedSession) => Session} create
 * @returns {Promise<Session>}
 */
async function branched({ parent, shared }, messages, create) {
  if (parent === undefined || !messages.slice(0, shared).some(isAnswer)) return create();
  parent.isSuperseded = parent.answered <= shared;
  // Its state is that after the step which is being made.
  await parent.running;
  const session = await parent.session.catch(() => undefined);
  return create(session?.toJSON());
}

/** @param {string[]} a @param {string[]} b */
function commonLength(a, b) {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}

const ANSWERS = new Set(['assistant', 'model', 'ai', 'reasoning', 'function_call']);

/**
 * Returns whether a message is the model's, in any format.
 *
 * @param {any} message
 */
function isAnswer(message) {
  const type = typeof message?.getType === 'function' ? message.getType() : message?.type;
  return ANSWERS.has(message?.role) || ANSWERS.has(type);
}

module.exports = { Conversations };
