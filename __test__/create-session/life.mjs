// A conversation under a session: an agent works, and its user undoes, edits, branches and stores. Before every request
// the whole history goes through `next`. Judges that know nothing of the package check the requests.
import fc from 'fast-check';
import * as palimpsest from 'palimpsest';
import { Agent } from '../session/agent.mjs';
import { difference, json, judgeTexts, must, reach, refusal, same } from '../session/judge.mjs';
import { inOrder, sorted, THINKERS, withLetter } from '../session/play.mjs';
import { contentsOf, openCalls, say, sealsOf } from '../session/speak.mjs';
import { isSameOrShorter } from '../support/shorter.mjs';
import { DIALECTS } from '../session/tools.mjs';
import { Random } from '../support/random.mjs';

const TTL = 300_000;
const unsealed = { refusal: () => null };
const SYSTEM = {
  'openai-chat': (content) => ({ role: 'system', content }),
  'ag-ui': (content, id) => ({ id, role: 'system', content }),
  message: (content, id) => ({ id, index: 0, role: 'system', content }),
  'openai-responses': (content) => ({ role: 'developer', content }),
  'openai-agents': (content) => ({ role: 'system', content }),
  anthropic: (content) => ({ role: 'system', content }),
  'ai-sdk-model': (content) => ({ role: 'system', content }),
  'ai-sdk-ui': (text, id) => ({ id, role: 'system', parts: [{ type: 'text', text }] }),
  mastra: (text, id) => ({ id, role: 'system', content: { format: 2, parts: [{ type: 'text', text }] } }),
};

/** Shares of what can be cut that an epoch leaves, by preset (docs/sessions.md). */
const LEAVES = { careful: 0.6, balanced: 0.5, thrifty: 0.3 };

const deedsOf = (weights) => Object.entries(weights).map(([name, weight]) => ({ weight, name }));

/** Actions, with their frequencies. */
export const DEEDS = deedsOf({
  step: 14,
  several: 3,
  wait: 2,
  again: 1,
  idle: 3,
  undo: 2,
  edit: 2,
  insert: 1,
  remove: 1,
  system: 1,
  branch: 2,
  back: 2,
  reload: 2,
  jsonb: 1,
  save: 2,
  resume: 1,
  control: 2,
  broken: 1,
});

/** Those of a user who undoes, branches and comes back, in a process that ends now and then. */
export const RETURNS = deedsOf({
  step: 6,
  several: 4,
  wait: 2,
  idle: 1,
  undo: 6,
  edit: 2,
  branch: 6,
  back: 8,
  reload: 2,
  save: 2,
  resume: 3,
});

/** Those of who pins texts and messages, and takes some of them back. */
export const PINS = deedsOf({
  step: 14,
  several: 6,
  wait: 2,
  idle: 2,
  undo: 1,
  edit: 1,
  branch: 1,
  back: 1,
  reload: 1,
  save: 3,
  resume: 1,
  control: 1,
  broken: 1,
  pin: 8,
  repin: 2,
  unpin: 3,
});

/** Draws a seed. */
export const drawnSeed = fc.nat(2 ** 31);
const drawnDeed = (weights) =>
  fc.record({ name: fc.oneof(...weights.map(({ name, weight }) => ({ weight, arbitrary: fc.constant(name) }))), seed: drawnSeed });
/** Draws the deeds of a life: of the usual ones, of pins, or of returns. */
export const drawnDeeds = fc.oneof(
  ...[DEEDS, PINS, RETURNS].map((weights) => fc.array(drawnDeed(weights), { minLength: 8, maxLength: 24, size: 'max' })),
);

/** Makes writing to the caller's objects throw. */
export function deepFreeze(value) {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

/** Prints a message as the provider reads it, without cache breakpoints. */
export const print = (message) => JSON.stringify(message, (key, value) => (key === 'cache_control' ? undefined : value));

/** Returns the number of messages that two lists share at their start. */
export function commonStart(one, other, printed = print) {
  let count = 0;
  while (count < one.length && count < other.length && (one[count] === other[count] || printed(one[count]) === printed(other[count])))
    count++;
  return count;
}

/** All strings in a value. */
const stringsIn = (value) =>
  typeof value === 'string' ? [value] : value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : [];

const thoughts = (message) => json(message).match(/"(?:thinking|reasoning)[^}]*/g);

/** Signatures of a message's thinking; what is redacted has its own as data. */
const signatures = (message) =>
  Array.from(json(message).matchAll(/"(?:signature":"|data":"(?=issued-))([^"]+)"/g), ([, signature]) => signature);

/** Returns a message's JSON without the thinking that has one of these signatures, and without lists that held nothing else. */
function withoutThoughts(message, seen) {
  const isSeen = (value) => signatures(value ?? null).some((signature) => seen.has(signature));
  const walk = (value) => {
    if (Array.isArray(value)) return value.filter((item) => !isSeen(item)).map(walk);
    if (value === null || typeof value !== 'object') return value;
    const members = Object.entries(value).map(([key, inner]) => [key, walk(inner)]);
    return Object.fromEntries(members.filter(([key, inner]) => inner?.length !== 0 || value[key].length === 0));
  };
  return walk(JSON.parse(json(message)));
}

/** Positions of messages that occur once and are too long to be a cut of another one. */
function placesIn(messages, printed) {
  const places = new Map();
  messages.map(printed).forEach((text, index) => text.length > 400 && places.set(text, places.has(text) ? undefined : index));
  return places;
}

/** Anthropic messages with `cache_control` on the last block, as callers put it there before each request. */
export function withControl(messages) {
  const { content, ...rest } = messages.at(-1);
  if (typeof content === 'string') return messages;
  return messages.with(-1, { ...rest, content: content.with(-1, { ...content.at(-1), cache_control: { type: 'ephemeral' } }) });
}

/**
 * A message without what its owner keeps in it: nobody sends the model its date, which stays as it was sent first, nor the id of a message with a
 * role and a content alone.
 */
export const withoutBookkeeping = (message) => {
  // LangChain's messages, of which no id is sent either.
  const { kwargs, ...rest } = typeof message.toJSON === 'function' ? message.toJSON() : {};
  if (kwargs?.id !== undefined) return { ...rest, kwargs: { ...kwargs, id: '' } };
  // UI messages of the AI SDK, which it turns into messages without ids.
  if (Array.isArray(message.parts) && typeof message.id === 'string' && message.role !== 'model') return { ...message, id: '' };
  const isPlain =
    typeof message.role === 'string' && message.type === undefined && message.status === undefined && message.parts === undefined;
  const hasPlainId = isPlain && typeof message.id === 'string' && !message.id.startsWith('msg_');
  if (typeof message.createdAt !== 'string' && !hasPlainId) return message;
  return { ...message, ...(message.createdAt && { createdAt: '' }), ...(hasPlainId && { id: '' }) };
};

/** What stands before a pinned text, and before what was cut of a pinned message. */
const PINNED = /\n\n\[pinned(?: as [^\]\n]*)?(?:, message \d+)?, not part of this message\]\n/;

/** What stands before a pinned text. */
const PINNED_TEXT = /(?:\n\n|\\n\\n)\[pinned(?: as \w+)?, not part of this message\](?:\n|\\n)/;

/**
 * A value without what is pinned behind its texts.
 *
 * @param objects the texts of results that were objects: what is behind one made it a text in an object
 */
function bareOf(value, objects = new Set()) {
  if (typeof value === 'string') return value.split(PINNED, 1)[0];
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value);
  const lone = keys.length === 1 && typeof value[keys[0]] === 'string' ? bareOf(value[keys[0]]) : undefined;
  if (objects.has(lone)) return JSON.parse(lone);
  if (!PINNED.test(textsOf(value))) return value;
  if (Array.isArray(value)) return value.map((item) => bareOf(item, objects));
  const copy = Object.create(Object.getPrototypeOf(value));
  for (const key of keys) copy[key] = bareOf(value[key], objects);
  return copy;
}

/** All strings in a value, and those in JSON in them. */
const textsOf = (value) => {
  const walk = (one) => {
    if (typeof one !== 'string') return one !== null && typeof one === 'object' ? Object.values(one).flatMap(walk) : [];
    if (!/^\s*[[{]/.test(one)) return [one];
    try {
      return [one, ...walk(JSON.parse(one))];
    } catch {
      return [one];
    }
  };
  return walk(value).join('\0');
};

function parses(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where two texts begin to differ, with what stands around it. */
function apart(one, other) {
  let at = 0;
  while (one[at] === other[at]) at++;
  return `${one.slice(Math.max(0, at - 200), at + 300)}\n\n${other.slice(Math.max(0, at - 200), at + 300)}`;
}

export class Life {
  clock = Date.parse('2026-11-22');
  serial = 0;
  snapshots = [];
  epochs = { limit: 0, turn: 0, early: 0, cold: 0 };
  requests = 0;
  tokensSent = 0;
  /** The last request: the history passed, and the messages sent. */
  last = { given: [], messages: [], bare: [] };
  /** Whether objects of a resumed session may have their members in another order. */
  isSorted = false;
  /** The pins as they should be: what is pinned, its label, how many requests or until when, and the turn. */
  pins = [];
  /** Signatures of all thinking that was passed. */
  seen = new Set();
  log = [];

  /**
   * @param seed draws the agent and the session's options; `isSigned`: it thinks before most steps, always signed, and much is cut;
   *   `library`: the library under test
   */
  constructor({ format, seed, isSigned = false }, library = palimpsest) {
    const random = new Random(seed);
    const signed = isSigned || (THINKERS.includes(format) && random.chance(0.7));
    Object.assign(this, { format, library, signed });
    this.thinks = isSigned ? 0.9 : random.pick([0, 0.4, 0.9]);
    this.agent = new Agent(random, { dialect: random.pick(Object.keys(DIALECTS)), reuse: false, thinks: this.thinks, signed });
    this.seals = sealsOf(format);
    this.options = {
      limit: random.pick(isSigned ? [300, 300, 700, 1500, 3000] : [40, 300, 1500, 1500, 4000, 4000, 9000, 25_000]),
      format: random.chance(0.8) ? format : undefined,
      preset: random.pick([undefined, undefined, 'careful', 'thrifty']),
      tools: random.chance(0.2)
        ? [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object', properties: { path: { type: 'string' } } } }]
        : undefined,
      thinking: random.pick([undefined, 'strip', 'strip', isSigned ? 'strip' : 'keep']),
      prune: random.pick([undefined, undefined, false]),
      keep: random.pick([undefined, undefined, { recent: 2 }, { user: true }]),
      cache: { write: random.pick([undefined, 1.25]), read: random.pick([0.1, 0.5, 0.5]), ttl: TTL, minimum: 0 },
    };
    this.session = this.#open();
    /** Makes the same calls, to compare results. After a save it is the resumed session. */
    this.twin = this.#open();
    const { system, turns } = this.agent.start(random);
    for (let more = random.pick([0, 0, 3, 8]); more > 0; more--) turns.push(this.#answer(random), this.#user(random));
    // Nobody has seen this conversation before, so all of it is signed as it is.
    this.history = this.seals.issue(say(format, turns, this.serial++, system), 0);
  }

  #open(saved) {
    return this.library.createSession({ ...this.options, now: () => this.clock }, saved);
  }

  async live(deeds) {
    await this.request('start');
    for (const { name, seed } of deeds) {
      const [random, before] = [new Random(seed), this.history];
      await this[name](random);
      if (this.history !== before && (await refusal(this.format, this.history, openCalls(this.format, this.history), unsealed)) !== null)
        this.history = before;
      await this.request(name);
    }
  }

  // ---- Actions between two requests ---------------------------------------------------------------------------------

  #user = (random) => (this.format === 'message' ? { ...this.agent.user(random), more: [] } : this.agent.user(random));
  #answer = (random) => this.#shaped(this.agent.answer(random));
  /** LangChain has thinking only in messages as Anthropic's model gives them. */
  #shaped = (turn) => ({ ...turn, odd: this.format === 'langchain' && this.signed });

  /** Signs the model's answer over the request and the messages after it. */
  #append(turns) {
    const messages = say(this.format, turns, this.serial++);
    const all = this.seals.issue([...this.sent, ...messages], this.sent.length);
    this.sent = all;
    this.history = [...this.history, ...all.slice(-messages.length)];
  }

  step(random) {
    const last = contentsOf(this.format, this.history).at(-1);
    if (last?.who === 'assistant') this.#append([this.#user(random)]);
    else if (random.chance(0.75)) this.#append([this.#shaped(this.agent.work(random))]);
    else this.#append([this.#answer(random)]);
  }

  several(random) {
    for (let more = random.integer(2, 6); more > 0; more--) this.step(random);
  }

  /** Makes a request while calls wait for their results. */
  async wait(random) {
    if (['ai-sdk-ui', 'mastra'].includes(this.format) || contentsOf(this.format, this.history).at(-1)?.who === 'assistant') return;
    // A call whose result was removed waits too, but not before other messages.
    if (openCalls(this.format, this.history).length > 0) return;
    const turn = this.#shaped(this.agent.work(random, false));
    const open = say(this.format, [turn], 'x').length;
    this.#append([turn]);
    await this.request('wait');
    const answered = { ...turn, calls: turn.calls.map((call) => ({ ...call, answered: true })) };
    this.history = [...this.history, ...say(this.format, [answered], this.serial++).slice(open)];
  }

  again() {}

  idle(random) {
    this.clock += random.pick([TTL - 1, TTL + 1, 20 * TTL]);
    this.step(random);
  }

  undo(random) {
    let end = this.history.length - random.integer(1, 6);
    while (end > 1 && openCalls(this.format, this.history.slice(0, end)).length > 0) end--;
    if (end >= 1) this.history = this.history.slice(0, end);
  }

  edit(random) {
    const at = random.integer(0, this.history.length - 1);
    const changed = withLetter(this.format, this.history[at], random);
    // Nobody edits signed content.
    if (changed !== undefined && same(...[changed, this.history[at]].map(thoughts))) this.history = this.history.with(at, changed);
  }

  insert(random) {
    this.history = this.history.toSpliced(
      random.integer(0, this.history.length),
      0,
      ...say(this.format, [this.#user(random)], this.serial++),
    );
  }

  remove(random) {
    this.history = this.history.toSpliced(random.integer(0, this.history.length - 1), 1);
  }

  system(random) {
    const serial = this.serial++;
    const message = SYSTEM[this.format]?.(`Rule ${serial}: answer briefly.`, `system-${serial}`);
    if (message !== undefined)
      this.history = this.history.toSpliced(random.pick([0, this.history.length, random.integer(0, this.history.length)]), 0, message);
  }

  branch() {
    this.snapshots.push(this.history);
  }

  back(random) {
    if (this.snapshots.length > 0) this.history = random.pick(this.snapshots);
  }

  /** Equal objects from a store. */
  reload(random) {
    const copy =
      this.format === 'langchain'
        ? (message) => Object.assign(Object.create(Object.getPrototypeOf(message)), message)
        : (message) => JSON.parse(json(message));
    this.history = this.history.map((message) => (random.chance(0.9) ? copy(message) : message));
  }

  jsonb() {
    // The seals know members in the order in which they were signed.
    if (this.format === 'langchain' || this.thinks > 0) return;
    this.isSorted = true;
    this.history = this.history.map(sorted);
  }

  save(random) {
    if (random.chance(0.5)) this.reload(random);
    const saved = json(this.session);
    this.twin = this.#open(JSON.parse(saved));
    if (random.chance(0.5) && !this.isSorted) [this.session, this.twin] = [this.twin, this.session];
    if (!this.isSorted) return;
    // The sent objects are gone, and their copies have members in another order, so their texts differ.
    this.session = this.#open(JSON.parse(saved));
    this.last = { given: [], messages: [], bare: [] };
  }

  /** The process ends. The history changes before another one takes the session up. */
  resume(random) {
    const saved = json(this.session);
    this[random.pick(['undo', 'back', 'edit', 'insert', 'remove', 'reload'])](random);
    [this.session, this.twin] = [this.#open(JSON.parse(saved)), this.#open(JSON.parse(saved))];
    this.last = { given: [], messages: [], bare: [] };
    this.isResumed = true;
  }

  /** Moves the caller's cache breakpoint, or removes it. */
  control() {
    this.isControlled = this.format === 'anthropic' && !this.isControlled;
  }

  /** Pins a text or a message of the history. */
  pin(random) {
    const label = random.pick([undefined, undefined, 'goal', 'rule']);
    const until = random.pick([undefined, undefined, random.integer(1, 5), new Date(this.clock + random.integer(1, 9) * 1000), 'turn']);
    const isText = random.chance(0.7);
    const serial = this.serial++;
    const text = random.pick([
      `Never touch src/pinned-${serial}.ts.`,
      `Order ${serial}:\n  keep "this"\n\nand \\n that, ü 你好 ${serial}.`,
    ]);
    const what = isText ? text : { message: random.integer(0, this.history.length - 1) };
    for (const session of [this.session, this.twin]) session.pin(what, { label, until });
    const isSame = (pin) => ((label ?? pin.label) === undefined ? json(pin.what) === json(what) : pin.label === label);
    this.pins = [...this.pins.filter((pin) => !isSame(pin)), { what, label, until }];
  }

  /** Pins what is pinned again, for another time. */
  repin(random) {
    if (this.pins.length === 0) return;
    const pin = random.pick(this.pins);
    const until = random.pick([undefined, random.integer(1, 5)]);
    for (const session of [this.session, this.twin]) session.pin(pin.what, { label: pin.label, until });
    this.pins = [...this.pins.filter((other) => other !== pin), { ...pin, until, turn: undefined, print: undefined }];
  }

  unpin(random) {
    if (this.pins.length === 0) return;
    const { label, what } = random.pick(this.pins);
    const target = label ?? what;
    for (const session of [this.session, this.twin]) session.unpin(target);
    this.pins = this.pins.filter((pin) => json(pin.what) !== json(target) && pin.label !== target);
  }

  async broken(random) {
    const given = random.pick([
      null,
      'text',
      [...this.history, null],
      [...this.history, 7],
      [...this.history, []],
      [{ role: 'user', content: 7, parts: 7 }, ...this.history],
    ]);
    for (const session of [this.session, this.twin]) {
      let error;
      try {
        await session.next(given);
      } catch (thrown) {
        error = thrown;
      }
      must('broken', error instanceof TypeError && /messages|history/.test(error.message), () => `${json(given)?.slice(-80)}: ${error}`);
    }
  }

  // ---- Requests ---------------------------------------------------------------------------------------------------

  async request(deed) {
    const given = this.isControlled ? withControl(this.history) : this.history;
    const whole = json(given);
    if (this.format !== 'langchain') deepFreeze(given);
    // `next` and `nextAsync` have the same effect.
    const step = await (this.requests % 3 === 2 ? this.session.nextAsync(given) : this.session.next(given));
    const twin = await this.twin.next(given);
    this.log.push({ deed, messages: given.length, ...step.tokens, epoch: step.epoch?.reason });
    must('input', json(given) === whole, 'the history was changed');
    // A session of another history begins anew.
    if (step.report.foreign) Object.assign(this, { epochs: { limit: 0, turn: 0, early: 0, cold: 0 }, requests: 0, tokensSent: 0 });
    // What is saved of the cache are fewer ends of requests, so a session that was saved may forecast another one.
    const [one, other] = [step, twin].map(({ messages, fits, tokens, epoch, report: { summary, cache: _, ...report } }) =>
      json(inOrder({ messages: messages.map(withoutBookkeeping), fits, tokens, epoch, ...(!this.isSorted && { report }) })),
    );
    must('the same', one === other, () => `two sessions differ: ${apart(one, other)}`);
    const bare = this.#judgePins(step, given);
    await this.judge(step, given, bare);
    this.#judgeReport(step);
    // Lists of messages are merged by ids.
    const ids = given.map(({ id }) => id).filter((id) => id !== undefined);
    const sent = step.messages.map(({ id }) => id).filter((id) => id !== undefined && ids.includes(id));
    if (new Set(ids).size === ids.length) must('ids', new Set(sent).size === sent.length, () => `an id is sent twice: ${sent}`);
    this.last = { given, messages: step.messages, bare, format: step.report.format };
    this.isResumed = false;
    for (const signature of given.flatMap(signatures)) this.seen.add(signature);
    this.requestedAt = this.clock;
    this.sent = step.messages;
    this.clock += 1000;
  }

  async judge(step, given, bare) {
    const { format, options } = this;
    const { messages, fits, tokens, epoch, report } = step;
    const open = openCalls(format, given);
    const seals = options.thinking === 'keep' ? unsealed : this.seals;
    const refused = await refusal(format, messages, open, seals);
    must('valid', refused === null, () => refused);
    must(
      'open',
      same(
        openCalls(format, messages).map(({ id }) => id),
        open.map(({ id }) => id),
      ),
      'calls that wait are not those of the history',
    );

    // A user's text fits several formats. The first message that fits only one decides.
    must(
      'format',
      report.format === format || (options.format === undefined && !contentsOf(format, given).some(({ kind }) => kind === 'call')),
      () => `${report.format} for ${format}`,
    );
    const count = (list) => palimpsest.countTokens(list, { format: report.format, tools: options.tools });
    // Members in another order have nearly the same number of tokens.
    const isCount = (tokens, list) => (this.isSorted ? Math.abs(tokens - count(list)) <= 0.01 * tokens + 2 : tokens === count(list));
    must(
      'counts',
      isCount(tokens.after, messages) && isCount(tokens.before, given),
      () => `${json(tokens)}, counted ${count(given)} and ${count(messages)}`,
    );
    must('fits', tokens.limit === options.limit && fits === tokens.after <= options.limit, () => json({ fits, ...tokens }));
    if (!fits) {
      reach('does not fit');
      const { limit: budget, tools, keep, prune, thinking = 'strip' } = options;
      must('minimum', tokens.minimum > budget, () => json(tokens));
      must(
        'cannot fit',
        !palimpsest.fit(given, { limit: budget, format: report.format, tools, keep, prune, thinking }).fits,
        () => `fit can: ${json(tokens)}`,
      );
    }
    must(
      'report',
      report.messages.before === given.length &&
        report.messages.after === messages.length &&
        (this.isResumed || report.foreign === undefined),
      () => json(report),
    );

    judgeTexts(format, ...(this.isSorted ? [inOrder(given), inOrder(bare)] : [given, bare]), true, true);
    this.#judgeOrder(messages, given);
    this.#judgePrefix(step, given, bare);

    if (epoch === undefined) return;
    const number = Object.values(this.epochs).reduce((sum, count) => sum + count, 1);
    this.epochs[epoch.reason]++;
    reach(`epoch ${epoch.reason}`);
    must('epoch', epoch.number === number && epoch.target > 0 && epoch.target <= options.limit, () => `${json(epoch)} is number ${number}`);
    if (epoch.reason === 'cold') must('cold', this.clock - this.requestedAt > TTL, 'the cache is warm');
  }

  /** How many messages the model has not answered. */
  #unanswered = (given) =>
    given.length - 1 - given.findLastIndex((message) => contentsOf(this.format, [message]).some(({ who }) => who === 'assistant'));

  /** The pins of a request, by the contract alone; returns its messages without what is pinned behind them. */
  #judgePins({ messages, epoch, tokens, report }, given) {
    const { clock, format, options } = this;
    // They were those of another history.
    if (report.foreign) this.pins = [];
    const printed = (message) => print(inOrder(withoutBookkeeping(message)));
    const isUsers = (message) => contentsOf(format, [message]).some(({ who, kind }) => who === 'user' && kind !== 'result');
    const users = given.filter(isUsers);
    const turn = `${users.length} ${users.length > 0 && printed(users.at(-1))}`;
    this.pins = this.pins
      .filter(({ until, ...pin }) =>
        until instanceof Date ? clock < until.getTime() : until !== 'turn' || [undefined, turn].includes(pin.turn),
      )
      .map((pin) => ({ ...pin, turn, print: pin.print ?? (given[pin.what.message] && printed(given[pin.what.message])) }));
    const due = this.pins.filter(
      ({ what, print: known }) => typeof what === 'string' || (given[what.message] && printed(given[what.message]) === known),
    );
    const { found = 0, kept = 0, labels = [], lost = [] } = report.pins ?? {};
    must(
      'pins',
      found === due.length && kept + lost.length === found && labels.length === kept,
      () => `${json(report.pins)} for ${json(due)}`,
    );
    const all = textsOf(messages);
    for (const [index, { what, label }] of due.entries()) {
      const name = label ?? this.pins.findIndex((pin) => pin.what === what);
      reach(typeof what === 'string' ? 'pinned text' : 'pinned message');
      if (lost.includes(name)) {
        reach('pin lost');
        continue;
      }
      must('pin named', labels.includes(name), () => `${name} of ${json(report.pins)}`);
      if (typeof what === 'string') must('pin', all.includes(what), () => `${what} is not in the request`);
      else {
        const texts = contentsOf(format, [given[what.message]]).filter(({ kind }) => ['text', 'result'].includes(kind));
        const isThere = (text) => all.includes(text) || all.includes(json(text).slice(1, -1)) || this.#isShort(text, messages);
        must(
          'pinned message',
          texts.flatMap(({ value }) => stringsIn(value)).every(isThere),
          () => `message ${what.message}, pin ${index}, is not whole: ${json(texts)}`,
        );
      }
    }
    if (epoch !== undefined) {
      reach('epoch with pins', Math.sign(due.length));
      const said = all.split(PINNED_TEXT).slice(1);
      const texts = due.map(({ what }) => what).filter((what) => typeof what === 'string');
      must(
        'pins of an epoch',
        said.every((text) => texts.some((what) => text.startsWith(what) || text.startsWith(json(what).slice(1, -1)))),
        () => `${json(said)} for ${json(due)}`,
      );
    }
    this.pins = this.pins.flatMap((pin) =>
      typeof pin.until !== 'number' ? [pin] : pin.until > 1 ? [{ ...pin, until: pin.until - 1 }] : [],
    );
    const texts = messages.map((message) => bareOf(message));
    const wasObject = new Map(contentsOf(format, given).map(({ kind, id, value }) => [kind === 'result' && id, typeof value === 'object']));
    const objects = contentsOf(format, texts).flatMap(({ kind, id, value }) =>
      kind === 'result' && wasObject.get(id) ? (typeof value === 'string' ? [value] : Object.values(value ?? {})) : [],
    );
    const isObject = (text) => typeof text === 'string' && /^\s*[[{]/.test(text) && parses(text);
    const bare = messages.map((message) => bareOf(message, new Set(objects.filter(isObject))));
    // Pins that take less than half of what an epoch leaves, each with a line above it, have room where something can still be appended.
    const lead = given.findIndex(({ role }) => role !== 'system' && role !== 'developer');
    const front = palimpsest.countTokens(given.slice(0, Math.max(0, lead)), { format, tools: options.tools });
    const share = 0.5 * LEAVES[options.preset ?? 'balanced'] * (options.limit - front);
    const values = due.map(({ what }) => (typeof what === 'string' ? what : given[what.message]));
    const size = palimpsest.countTokens([{ role: 'user', content: json(values) }], { format: 'openai-chat' });
    // Something can be appended only to words of the user or a result that has any, and to what is sent of them: an epoch of a small limit may have cut all of it.
    const last = contentsOf(format, given.slice(-1)).filter(({ who, kind }) => (who === 'user' && kind === 'text') || kind === 'result');
    // What is appended to a result that is an object makes a text of all of it, which may take any number of tokens more.
    const isText = ({ value }) => typeof value === 'string' || Array.isArray(value);
    const isSent = last.filter(isText).some(({ value }) => stringsIn(value).some((text) => text !== '' && all.includes(text.slice(0, 20))));
    const isAsked = this.#unanswered(given) > 0 && isSent;
    const hasRoom = size + 16 * due.length < 0.9 * share && tokens.after + 2 * size < options.limit;
    // Images come back with the next epoch.
    const lacks = due.some(({ what }) => typeof what === 'string' && !all.includes(what));
    if (isAsked && hasRoom) must('pin that has room', !lacks, () => `${json(report.pins)} of ${json(due)} in ${json(tokens)}`);
    return bare.every((message, index) => message === messages[index]) ? messages : bare;
  }

  /** Whether a result was sent in fewer tokens. */
  #isShort(text, messages) {
    return stringsIn(messages)
      .flatMap((sent) => sent.split(PINNED))
      .some((sent) => isSameOrShorter(sent, text, () => true));
  }

  #judgeReport({ tokens, report: { reusedTokens } }) {
    this.requests++;
    this.tokensSent += tokens.after;
    const { report } = this.session;
    must(
      'session report',
      report.requests === this.requests && same(report.epochs, this.epochs) && report.tokens.sent === this.tokensSent,
      () => `${json(report)} after ${this.requests} requests of ${this.tokensSent} tokens with ${json(this.epochs)}`,
    );
    must('cached', (this.isSorted || reusedTokens <= tokens.after) && report.tokens.cached <= report.tokens.sent, () => json(report));
    must(
      'summary',
      typeof report.summary === 'string' && !/[\n]|undefined|NaN/.test(report.summary) && String(report) === report.summary,
      () => report.summary,
    );
    must(
      'cost',
      Object.values(report.cost).every((cost) => Number.isFinite(cost) && cost >= 0),
      () => json(report.cost),
    );
  }

  /** Asserts that messages that are sent whole are in the order of the history. */
  #judgeOrder(messages, given) {
    const places = placesIn(given, print);
    const order = messages.map((message) => places.get(print(message))).filter((place) => place !== undefined);
    must(
      'order',
      order.every((place, index) => index === 0 || place > order[index - 1]),
      () => `sent in the order ${order}`,
    );
  }

  /** Asserts that unchanged history is sent as it was sent before. */
  #judgePrefix({ messages, epoch, report }, given, bare) {
    const { last } = this;
    const printed = (message) => print(this.isSorted ? inOrder(withoutBookkeeping(message)) : withoutBookkeeping(message));
    const reused = commonStart(last.messages, messages, printed);
    // A format that only shows now may put messages together that another one keeps apart.
    const isShown = last.format !== undefined && last.format !== report.format && reused < last.messages.length;
    if (last.messages.length > 0 && epoch === undefined && !isShown) this.#judgeAppended({ messages, bare }, given, reused, printed);
    if (!this.isControlled && !this.isSorted && !this.isResumed)
      must('reused', report.messages.reused === reused, () => `${report.messages.reused} for ${reused}`);
  }

  /** Whether messages are sent as they came, but for results in fewer tokens. */
  #isAsItIs(sent, given) {
    const results = new Set(
      contentsOf(this.format, this.history).flatMap(({ kind, value }) => (kind === 'result' ? stringsIn(value) : [])),
    );
    return same(sent, given) || isSameOrShorter(JSON.parse(json(sent)), JSON.parse(json(given)), (text) => results.has(text));
  }

  #judgeAppended({ messages, bare }, given, reused, printed) {
    const { last } = this;
    const known = commonStart(last.given, given, (message) => print(inOrder(message)));
    if (known === last.given.length) {
      // A pin that is new, or has room now that another one ended, stands behind what the model has not answered.
      const [before, now] = [last.messages, messages].map((list) => textsOf(list).split(PINNED).length);
      const isBehind = now > before && reused >= last.messages.length - 1 - this.#unanswered(last.given);
      const isSame = reused === last.messages.length || (isBehind && commonStart(last.bare, bare, printed) === last.bare.length);
      must(
        'append',
        isSame,
        () => `what was sent is not sent again: ${difference(messages.slice(0, last.messages.length), last.messages)}`,
      );
      // Thinking that comes back was signed over another request, as far as anybody knows.
      const added = [bare.slice(last.messages.length), given.slice(known)].map((list) =>
        list.map((message) => (this.options.thinking === 'keep' ? message : withoutThoughts(message, this.seen))),
      );
      must(
        'as it is',
        this.#isAsItIs(...(this.isSorted ? added.map(inOrder) : added)),
        () => `what came is not sent as it is: ${difference(...added)}`,
      );
      return;
    }
    // Whole messages before the change stay, except those of an exchange that it splits.
    let start = known;
    while (start > 0 && openCalls(this.format, given.slice(0, start)).length > 0) start--;
    const places = placesIn(last.given, printed);
    const whole = last.messages
      .map((message, index) => ({ place: places.get(printed(message)), index }))
      .filter(({ place }) => place < start);
    must(
      'prefix',
      whole.slice(0, -3).every(({ index }) => index < reused),
      () => `the history is the same up to ${known}, of what was sent ${reused} are sent again, whole: ${json(whole)}`,
    );
  }
}
