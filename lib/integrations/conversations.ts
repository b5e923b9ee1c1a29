import { messagePrints } from '../equality/fingerprint.js';
import { memorise, recall } from '../equality/memory.js';
import { isAnswer } from '../providers/index.js';
import { branch, estrange } from '../session/index.js';
import type { SavedSession, Session, SessionStep } from '../../index.d.ts';

export type Choice = { asked: ReturnType<typeof import('./recall-calls.js').ask>; step: SessionStep<object> };

const nothing = () => {};

/** A conversation, or a branch of one: its session, and the messages of its last request. */
class Conversation {
  prints: string[];
  settings: string;
  session: Promise<Session<object>>;
  /** Promise of the last step, which never rejects. */
  running: Promise<unknown> = Promise.resolve();
  /** A branch was made of it that has all its answers, and since then it had no request: nobody may ever come back to it. */
  isSuperseded = false;
  /** Number of messages up to the last answer of the model. */
  answered = 0;

  /** @param prints fingerprints of the messages of its last request */
  constructor(prints: string[], settings: string, session: Promise<Session>) {
    this.prints = prints;
    this.settings = settings;
    this.session = session;
  }

  /** Overlapping steps are answered in order. */
  next(messages: readonly object[], choose: (session: Session, messages: readonly object[]) => Promise<Choice>) {
    // The array may grow while this waits.
    const given = messages.slice();
    const choice = this.session.then((session) => choose(session, given));
    // Whoever waits for it does not keep what was chosen.
    this.running = choice.then(nothing, nothing);
    return choice;
  }
}

/** Finds the session of a request by its messages, among those of a bounded number of conversations. */
export class Conversations {
  #max;
  /** From the least to the most recently used. */
  #all: Set<Conversation> = new Set();

  #choose;

  /** @param choose gives a session its next request */
  constructor(max: number, choose: (session: Session, messages: readonly object[]) => Promise<Choice>) {
    this.#max = max;
    this.#choose = choose;
  }

  /**
   * Chooses the messages to send with the session that the request belongs to: the one whose last request it continues with the same
   * settings; otherwise a copy of one with which it shares an answer of the model, so that branches don't mix; otherwise a new one.
   *
   * @param settings equal for requests with the same system prompt, tools and model
   * @param own the session of the conversation, if it is known; later requests find it
   */
  async next(messages: readonly object[], settings: string, create: (saved?: SavedSession) => Session, own?: Session): Promise<Choice> {
    const prints = printsOf(messages);
    const found = this.#find(prints, settings);
    const opened = () => (own ? Promise.resolve(own) : branched(found, messages, create));
    const conversation = found.continued ?? new Conversation(prints, settings, opened());
    if (own) conversation.session = Promise.resolve(own);
    const before = conversation.prints;
    const known = found.continued?.prints.length ?? found.shared;
    const isEstranged = own === undefined && isAsked(messages.at(-1)) && isStrange(messages, known);
    conversation.prints = prints;
    conversation.answered = messages.findLastIndex(isAnswer) + 1;
    conversation.isSuperseded = false;
    this.#use(conversation);
    try {
      return await conversation.next(messages, (session, given) => {
        if (isEstranged) estrange(session);
        return this.#choose(session, given);
      });
    } catch (error) {
      if (found.continued === undefined) this.#all.delete(conversation);
      else if (conversation.prints === prints) conversation.prints = before;
      throw error;
    }
  }

  /**
   * Returns the session whose requests all answers in messages answer; undefined if others may have sent some.
   *
   * @param messages none of which is the next request of a session
   */
  async answered(messages: readonly object[]): Promise<Session | undefined> {
    const { parent, shared } = this.#find(printsOf(messages));
    if (parent === undefined || isStrange(messages, shared)) return undefined;
    await parent.running;
    return parent.session;
  }

  #find(prints: string[], settings?: string) {
    let continued: Conversation | undefined;
    let parent: Conversation | undefined;
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

  #use(conversation: Conversation) {
    this.#all.delete(conversation);
    this.#all.add(conversation);
    if (this.#all.size <= this.#max) return;
    const superseded = [...this.#all].find((one) => one.isSuperseded);
    this.#all.delete(superseded ?? (this.#all.values().next().value as Conversation));
  }
}

/** Opens a session: a copy of that of `parent` if the messages that both share contain an answer of the model. */
async function branched(
  { parent, shared }: { parent: Conversation | undefined; shared: number },
  messages: readonly object[],
  create: (saved?: SavedSession) => Session,
): Promise<Session> {
  if (parent === undefined || !messages.slice(0, shared).some(isAnswer)) return create();
  parent.isSuperseded = parent.answered <= shared;
  // Its state is that after the step which is being made.
  await parent.running;
  const session = await parent.session.catch(() => undefined);
  return session === undefined ? create() : branch(session, create);
}

/**
 * Returns the fingerprints of messages without cache breakpoints. They are remembered as long as the messages are unchanged.
 *
 * @throws {TypeError} a message is circular
 */
function printsOf(messages: readonly object[]) {
  const prints: string[] = [];
  const fresh: { index: number; said: object; memory: { print?: string | undefined } | undefined }[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    const { getType, toJSON } = (message ?? {}) as Partial<Instance>;
    const isRead = typeof getType === 'function';
    // A `toJSON` may give another text each time.
    const known = isRead || typeof toJSON === 'function' ? undefined : recall(message);
    const memory = isRead ? readMemoryOf(message) : (known ?? memorise(message));
    if (memory?.print === undefined) fresh.push({ index, said: readIn(message), memory });
    else prints[index] = memory.print;
  }
  if (fresh.length === 0) return prints;
  messagePrints(fresh.map(({ said }) => said)).forEach((print, place) => {
    const { index, memory } = fresh[place];
    prints[index] = print;
    if (memory !== undefined) memory.print = print;
  });
  return prints;
}

/** What is read of an instance has a fingerprint of its own. */
function readMemoryOf(message: object): { print?: string } | undefined {
  const memory = recall(message) ?? memorise(message);
  if (memory !== undefined) memory.facts[READ] ??= {};
  return memory?.facts[READ];
}

/** Name of the fact that has the fingerprint of what {@link readIn} returns. */
const READ = 'read';

/** What is read of a message. */
interface Said {
  role?: unknown;
  content?: unknown;
}

/** An instance of LangChain. */
interface Instance extends Said {
  getType(): unknown;
  name?: unknown;
  tool_calls?: unknown;
  tool_call_id?: unknown;
  toJSON?: unknown;
}

const isInstance = (message: object | undefined): message is Instance =>
  typeof (message as Partial<Instance> | undefined)?.getType === 'function';

/** Returns of an instance of LangChain what its format reads: its class writes more into JSON. */
function readIn(message: object): object {
  if (!isInstance(message)) return message;
  const { role, content, name, tool_calls, tool_call_id } = message;
  return { type: message.getType(), role, content, name, tool_calls, tool_call_id };
}

function commonLength(a: string[], b: string[]) {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}

/**
 * Returns whether messages hold an answer to a request of another process: it follows one that is new.
 *
 * @param known number of messages of the last request
 */
const isStrange = (messages: readonly object[], known: number) =>
  messages.some((message, index) => index > known && isAnswer(message) && !isAnswer(messages[index - 1]));

/** Returns whether the user speaks in a message, and no tool: some models want the thinking of a turn until all its calls are answered. */
function isAsked(message: object | undefined) {
  if (isInstance(message)) return message.getType() === 'human';
  const { role, content } = (message ?? {}) as Said;
  return role === 'user' && ![content].flat().some((block) => (block as { type?: unknown } | null | undefined)?.type === 'tool_result');
}
