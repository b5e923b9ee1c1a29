// Plays a random session: an agent works, and between its steps the conversation is fitted, pruned, stored, restored, undone and edited.
// A session is a list of steps, each with its own seed. The remaining steps play the same way if some are removed.
import * as palimpsest from 'palimpsest';
import { Random } from '../support/random.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { Agent } from './agent.mjs';
import { difference, Fault, json, judgeChanged, judgeTexts, must, reach, refusal, same, wordsOf } from './judge.mjs';
import { contentsOf, openCalls, say, sealsOf } from './speak.mjs';
import { judgeAgent, judgeFiles, operationsOf } from './superseded.mjs';
import { DIALECTS } from './tools.mjs';

export const THINKERS = ['anthropic', 'openai-chat', 'ai-sdk-model', 'ai-sdk-ui', 'langchain', 'mastra'];
const STEPS = [
  ...Array(28).fill('work'),
  ...Array(5).fill('prune'),
  ...Array(7).fill('fit'),
  ...Array(3).fill('compress'),
  'restore',
  'store',
  'store',
  'jsonb',
  'undo',
  'undo',
  'probe',
  'probe',
  'probe',
  'edit',
  'branch',
  'back',
];

/** Returns the session that belongs to a seed. */
export function sessionOf(seed, format = FORMATS[seed % FORMATS.length]) {
  const random = new Random(seed * 7919 + FORMATS.indexOf(format));
  const config = {
    format,
    dialect: random.pick(Object.keys(DIALECTS)),
    reuse: random.chance(0.1) && !['anthropic', 'ai-sdk-ui', 'mastra', 'openai-responses', 'openai-agents'].includes(format),
    thinks: random.pick([0, 0, 0.3, 0.8]),
    signed: THINKERS.includes(format) && random.chance(0.7),
    seed: random.integer(0, 2 ** 31),
  };
  const steps = Array.from({ length: random.integer(6, random.chance(0.3) ? 60 : 30) }, () => ({
    do: random.pick(STEPS),
    seed: random.integer(0, 2 ** 31),
  }));
  return { config, steps };
}

/** A store that sorts the members of objects, as `jsonb` does: shorter names first. */
export const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object' || value.lc_serializable) return value;
  const keys = Object.keys(value).sort((a, b) => Buffer.byteLength(a) - Buffer.byteLength(b) || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
};
/** Ignores the order of members. */
export const inOrder = (value) => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key])]),
  );
};

/** Returns whether a name in `missing` is the place of a message with a mark. Where everything is back, that mark is a user's quotation. */
const isMarkedAt = (name, messages) => JSON.stringify(messages[name.match(/^messages\[(\d+)\]$/)?.[1]] ?? '').includes('[…');

export class Play {
  originals = {};
  /** Keys that may be missing: a message that they need was changed, or all that they stand for is there. */
  known = new Set();
  /** Whether something in `full` is still cut, because a change prevents putting it back. */
  isDisturbed = false;
  /** Number of messages appended since the last round. They stay as they are. */
  fresh = 0;
  /** Parts of messages as they were written, and as some round sent them. */
  parts = new Set();
  /** Messages that a round wrote. One may read like an original message. */
  made = new WeakSet();
  /** Messages that were written by hand. */
  written = new Set();
  /** Messages that were taken back. */
  takenBack = new Set();
  snapshots = [];
  serial = 0;
  usesJsonb = false;
  log = [];

  /** @param library the library under test */
  constructor({ config, steps }, note = () => {}, library = palimpsest) {
    Object.assign(this, { config, steps, note, library, format: config.format });
    const random = new Random(config.seed);
    this.agent = new Agent(random, config);
    this.isJson = this.format !== 'langchain';
    this.seals = sealsOf(this.format);
    const { system, turns } = this.agent.start(random);
    this.current = say(this.format, turns, this.serial++, system);
    this.full = [...this.current];
    this.saw(this.current);
    this.last = 'user';
  }

  async run() {
    for (const [index, step] of this.steps.entries()) {
      if (this.isOver) return;
      this.note(step.do);
      const random = new Random(step.seed);
      try {
        await this[step.do](random);
        await this.check();
      } catch (error) {
        error.step = index;
        error.does = this.log.at(-1);
        throw error;
      }
    }
  }

  /** Prints a message for comparing. A store that sorts members changes their order. */
  print = (value) => json(this.usesJsonb ? inOrder(value) : value);

  did(what, details = {}) {
    reach(`step ${what}`);
    this.log.push({ what, ...details, messages: this.current.length });
  }

  // ---- The agent --------------------------------------------------------------------------------------------------

  append(turns) {
    const before = this.current.length;
    const messages = say(this.format, turns, this.serial++);
    const signed = this.seals.issue([...this.current, ...messages], before).slice(before);
    // A message that is repeated word for word can't be told from one that was taken back or cut.
    const many = (list, message) => list.filter((other) => same(other, message)).length;
    const isSaid = (message) => this.takenBack.has(json(message)) || many(this.full, message) > many(this.current, message);
    if (signed.some(isSaid)) return;
    if (this.format === 'anthropic' && this.serial % 9 === 0 && this.marked === undefined && Array.isArray(signed.at(-1).content)) {
      this.marked = true;
      signed.at(-1).content.at(-1).cache_control = { type: 'ephemeral' };
    }
    this.take(signed);
  }

  /** Appends messages. */
  take(messages) {
    this.current = [...this.current, ...messages];
    this.full = [...this.full, ...messages];
    this.whole?.push(...messages);
    this.remember(messages);
    this.saw(messages);
    this.fresh += messages.length;
  }

  work(random) {
    const { agent } = this;
    this.did('work');
    if (this.waiting) return this.answer();
    if (this.last === 'answer') {
      this.last = 'user';
      return this.append([agent.user(random)]);
    }
    const what = random.pick(['work', 'work', 'work', 'answer', 'open', 'interrupt', 'empty']);
    if (what === 'answer') {
      this.last = 'answer';
      return this.append([agent.answer(random)]);
    }
    if (what === 'empty' && this.format === 'openai-chat')
      return this.append([{ who: 'assistant', reasoning: null, text: '', calls: [], odd: false }]);
    if (what === 'interrupt' && this.last === 'work') {
      this.last = 'user';
      return this.append([agent.user(random)]);
    }
    this.last = 'work';
    if (what === 'open' && !this.config.reuse && !['ai-sdk-ui', 'mastra'].includes(this.format)) {
      const turn = agent.work(random, false);
      this.append([turn]);
      this.waiting = turn;
      return;
    }
    this.append([agent.work(random)]);
  }

  /** Records calls and results as they were written. */
  remember(messages) {
    for (const [id, { call, result }] of operationsOf(this.format, messages))
      this.agent.said.set(id, { ...this.agent.said.get(id), ...(call && { call }), ...(result && { result }) });
  }

  /** Records a change to a message that was not cut: nobody can know that it is a change. */
  forget(message, put) {
    const { said } = this.agent;
    const was = operationsOf(this.format, [message]);
    for (const [id, { call, result }] of operationsOf(this.format, put)) {
      const [old, known] = [was.get(id), said.get(id)];
      said.set(id, { ...known, ...(old?.call === known?.call && { call }), ...(old?.result === known?.result && { result }) });
    }
  }

  /** Appends the results of the calls that wait. */
  answer() {
    const turn = { ...this.waiting, calls: this.waiting.calls.map((call) => ({ ...call, answered: true })) };
    const open = say(this.format, [this.waiting], 'x').length;
    const messages = say(this.format, [turn], this.serial++).slice(open);
    for (const { id } of turn.calls) this.agent.ops.get(id).answered = true;
    this.waiting = undefined;
    this.take(messages);
  }

  // ---- Rounds -----------------------------------------------------------------------------------------------------

  /** @param whole the messages that the round chooses from, where there are more than in `before` */
  async round(what, options, before, make, whole = before) {
    const { format } = this;
    // A round without originals may keep thinking that was signed over content that it cut. Once that content is back, the thinking may follow more than it was signed over.
    const isMixed = options.handsOn && this.isMixed;
    const open = openCalls(format, before);
    const isValid =
      (await refusal(format, before, open, this.seals)) ??
      (whole === before ? null : await refusal(format, whole, open, { refusal: () => null }));
    // The same holds if somebody changed content that thinking was signed over.
    this.isMixed ||= !options.handsOn || isValid !== null;
    const frozen = json([before, this.originals]);
    this.did(what, options);
    const result = make();
    must('input', json([before, this.originals]) === frozen, 'the input was changed');
    if (isValid === null) {
      if (open.length > 0) {
        const left = openCalls(format, result.messages).map(({ id }) => id);
        // A reused id is answered once the result of its first call is back.
        const waits = new Set(openCalls(format, whole).map(({ id }) => id));
        must(
          'open',
          open.every(({ id }) => left.includes(id) || !waits.has(id)),
          `${what}: of the open calls ${open.map(({ id }) => id)} stay ${left}`,
        );
      }
      const refused = await refusal(format, result.messages, open, isMixed ? { refusal: () => null } : this.seals);
      must('valid', refused === null, () => `${what}: ${refused}`);
    } else reach('invalid before');
    return result;
  }

  partsOf = (message) => {
    const parts = contentsOf(this.format, [message]);
    // A store may sort members later.
    return parts.flatMap(({ kind, id, value }) => (Array.isArray(value) ? value : [value]).map((one) => json(inOrder([kind, id, one]))));
  };

  saw(messages) {
    for (const message of messages) for (const part of this.partsOf(message)) this.parts.add(part);
  }

  /** Returns whether some round sent each part of the message. */
  isKnown = (message) => this.partsOf(message).every((part) => this.parts.has(part));

  isMade = (message) => this.made.has(message);

  /** @param whole the messages that the round chose from */
  next(whole, messages, originals) {
    this.saw(messages);
    for (const message of messages) if (!whole.includes(message) && !this.current.includes(message)) this.made.add(message);
    this.current = messages;
    this.originals = originals;
    this.fresh = 0;
  }

  async prune(random) {
    const { format, current, library } = this;
    const options = {
      format,
      mode: random.pick(['stub', 'stub', 'remove']),
      thinking: random.pick(['keep', 'strip', 'strip']),
      edits: random.pick(['safe', 'safe', 'safe', 'last']),
      failures: random.pick(['status', 'status', 'words']),
      keep: random.pick([
        { recent: 0 },
        { recent: 0 },
        { recent: 2 },
        undefined,
        { recent: 1, paths: ['src/**'] },
        { recent: 0, tools: ['Read', 'file_read', 'read_file'] },
      ]),
    };
    const { messages, originals, report } = await this.round('prune', options, current, () => library.prune(current, options));
    must(
      'counts',
      report.tokens.after === palimpsest.countTokens(messages, { format }) &&
        report.tokens.before === palimpsest.countTokens(current, { format }),
      () => `prune says ${json(report.tokens)}`,
    );
    must('shorter', report.tokens.after <= report.tokens.before + 0, () => `prune made it longer: ${json(report.tokens)}`);
    must(
      'user',
      this.config.reuse || same(wordsOf(format, messages, 'user'), wordsOf(format, current, 'user')),
      () => `prune changed what the user said: ${json(wordsOf(format, messages, 'user')).slice(0, 500)}`,
    );
    const recent = options.keep ? options.keep.recent : 6;
    // Signed thinking after an edit is removed from recent messages too. In formats with alternating roles, the rest of an earlier message may be joined in front.
    const saidIn = (message) =>
      contentsOf(format, [message])
        .filter(({ kind }) => options.thinking !== 'strip' || kind !== 'other')
        .map(json);
    const said = options.thinking === 'strip' ? messages.map((message) => json(saidIn(message))) : [];
    const isJoined = (message) =>
      messages.some(
        (one) =>
          !current.includes(one) &&
          saidIn(one).length > saidIn(message).length &&
          same(saidIn(one).slice(-saidIn(message).length), saidIn(message)),
      );
    const isKept = (message) => messages.includes(message) || said.includes(json(saidIn(message))) || isJoined(message);
    must('keep', recent === 0 || current.slice(-recent).every(isKept), () => `one of the last ${recent} messages is not as it was`);
    judgeTexts(format, current, messages, !this.config.reuse, false);
    if (!this.config.reuse) judgeFiles(format, this.full, current, messages, this.agent, options);
    const again = library.prune(messages, options);
    must('once', same(again.messages, messages), () => `pruned twice: ${difference(again.messages, messages)}`);
    if (Object.keys(originals).length > 0) reach(`pruned ${options.mode}`);
    this.next(current, messages, { ...this.originals, ...originals });
  }

  async fit(random) {
    const { format, current, library } = this;
    const handsOn = random.chance(0.5);
    const whole = handsOn ? library.restore(current, this.originals).messages : current;
    const total = palimpsest.countTokens(whole, { format });
    const budget = Math.max(
      0,
      random.pick([
        () => 1,
        () => 40,
        () => total - 1,
        () => total - random.integer(1, 200),
        () => total,
        () => total + 50,
        () => Math.floor(total * random.next()),
        () => Math.floor(total * random.next()),
        () => Math.floor(total * random.next()),
      ])(),
    );
    const options = {
      limit: budget,
      format,
      thinking: random.pick(['keep', 'strip', 'strip']),
      prune: random.pick([true, true, false]),
      keep: random.pick([undefined, undefined, undefined, { user: true }, { recent: 2 }, { tools: ['Read'] }]),
    };
    const given = this.originals;
    const fitted = await this.round(
      'fit',
      { ...options, handsOn, total },
      current,
      () => library.fit(current, { ...options, originals: handsOn ? given : undefined }),
      whole,
    );
    const { messages, fits, tokens } = fitted;
    // Content is not put back in front of thinking that was signed without it, so the round chooses from less.
    const isBound = handsOn && (this.config.signed || format === 'anthropic') && this.config.thinks > 0;
    must(
      'counts',
      tokens.after === palimpsest.countTokens(messages, { format }) && (isBound ? tokens.before <= total : tokens.before === total),
      () => `fit says ${json(tokens)}, counted ${palimpsest.countTokens(messages, { format })} of ${total}`,
    );
    must('fits', fits === tokens.after <= budget, () => json({ fits, ...tokens }));
    if (!fits) {
      must('minimum', tokens.minimum > budget, () => json(tokens));
      must(
        'minimum is enough',
        library.fit(current, { ...options, limit: tokens.minimum, originals: handsOn ? given : undefined }).fits,
        () => json(tokens),
      );
    }
    if (total <= budget && !isBound) must('as it is', same(messages, whole), () => `fits as it is: ${difference(messages, whole)}`);
    judgeTexts(format, isBound ? [...whole, ...current] : whole, messages, !this.config.reuse && !isBound, true);
    if (fits && total > budget && !isBound) this.judgeProportion(whole, tokens, options);
    if (options.keep?.user && !isBound)
      must(
        'user',
        wordsOf(format, whole, 'user').every((text) => json(wordsOf(format, messages, 'user')).includes(json(text).slice(1, -1))),
        'keep.user: a text of the user is cut',
      );
    must('system', same(wordsOf(format, messages, 'system'), wordsOf(format, whole, 'system')), "fit changed the system's instructions");
    if (total > budget) reach(handsOn ? 'fitted with originals' : 'fitted');
    if (!fits) reach('does not fit');
    this.next(whole, messages, handsOn ? fitted.originals : { ...given, ...fitted.originals });
  }

  /** Asserts that a round leaves no more of the budget unused than its largest indivisible group. */
  judgeProportion(whole, { after, limit: budget }, { thinking }) {
    const { format } = this;
    // A call goes with its results, and an image has more tokens than characters.
    const sizeOf = (message) => Math.max(json(message).length / 2, palimpsest.countTokens([message], { format }));
    const sizes = whole.map(sizeOf).map((size, index, all) => size + (all[index - 1] ?? 0));
    const thought =
      thinking === 'strip'
        ? contentsOf(format, whole)
            .filter(({ kind, value }) => kind === 'other' && /thinking|reasoning/.test(value?.type))
            .reduce((sum, { value }) => sum + json(value).length, 0)
        : 0;
    const unit = Math.max(...sizes) + thought / 2 + 100;
    must(
      'proportion',
      budget - after <= Math.max(unit, budget * 0.2),
      () => `budget ${budget}, used ${after}; the largest message has about ${Math.round(unit)} tokens`,
    );
  }

  async compress(random) {
    const { format, current, library } = this;
    const options = {
      format,
      recencyWindow: random.pick([0, 1, 4]),
      relevanceThreshold: random.pick([0, 0, 3]),
      fuzzyDedup: random.chance(0.3),
      embedSummaryId: random.chance(0.3),
      ...(random.chance(0.3) && {
        tokenBudget: Math.floor(palimpsest.countTokens(current, { format }) * random.next()),
        forceConverge: random.chance(0.5),
        tokenizer: 'o200k_base',
      }),
    };
    const { messages, verbatim } = await this.round('compress', options, current, () => library.compress(current, options));
    must('as many', messages.length === current.length, 'compress took messages out');
    const back = library.uncompress(messages, verbatim);
    // It contains stubs of earlier rounds, without their originals.
    const isEarlier = (key) => Object.hasOwn(this.originals, key) || this.known.has(key) || this.isQuoted(key);
    must(
      'uncompress',
      same(back.messages, current) && back.missing_ids.every(isEarlier),
      () => `uncompress: ${difference(back.messages, current)}, missing ${back.missing_ids}`,
    );
    if (Object.keys(verbatim).length > 0) reach('compressed');
    this.next(current, messages, { ...this.originals, ...verbatim });
  }

  /** Returns whether a user quoted a marker. It is in `missing` once its original is gone. */
  isQuoted = (key) => !Object.hasOwn(this.originals, key) && json(this.full).includes(`[palimpsest:${key}`);

  // ---- What comes back --------------------------------------------------------------------------------------------

  /** Asserts that everything is back or, after a change by hand, as much as was there. */
  async check() {
    const { current, originals, full, known } = this;
    const back = this.library.restore(current, originals);
    const [got, want] = this.usesJsonb ? [inOrder(back.messages), inOrder(full)] : [back.messages, full];
    if (this.usesJsonb && !same(got, want) && back.missing.length > 0) {
      // With sorted keys, the order of rounds that look alike is lost. Parts that can't be put back are in `missing`, and the session ends.
      reach('named after sorting');
      this.isOver = true;
      return;
    }
    if (this.isDisturbed && !same(got, want)) {
      // More may be cut than before, as long as something is in `missing`.
      must('restore (disturbed)', back.missing.length > 0, () => `${difference(got, want)}; nothing is named`);
      judgeChanged(back, {
        current,
        full: this.whole,
        put: [],
        print: this.print,
        isKnown: this.isKnown,
        isMade: this.isMade,
        written: this.written,
      });
      return;
    }
    must('restore', same(got, want), () => `${difference(got, want)}; missing ${back.missing.length}`);
    // With sorted keys, a partly undone round reads like the one before it. It may be in `missing` although everything is back,
    // and of two equal cuts either one may be.
    const mayName = this.usesJsonb && (this.whole !== undefined || back.missing.length <= this.known.size);
    must(
      'missing',
      mayName || back.missing.every((key) => known.has(key) || this.isQuoted(key) || isMarkedAt(key, back.messages)),
      () => `everything is back, and yet ${back.missing} of ${Object.keys(originals).length} are missing`,
    );
    const twice = this.library.restore(back.messages, originals);
    // A second restore may find the place of a part that the first could not place.
    must(
      'twice',
      same(twice.messages, back.messages) || back.missing.length > 0,
      () => `restored twice: ${difference(twice.messages, back.messages)}`,
    );
    if (!this.config.reuse && !this.isEdited && !this.waiting) reach('files told', judgeAgent(this.format, full, this.agent));
    if (back.restored > 0) reach('put back', back.restored);
  }

  restore() {
    const { messages } = this.library.restore(this.current, this.originals);
    this.did('restore');
    this.current = messages;
    this.fresh = 0;
    // The originals stay in the store. Those without a place may be in `missing`.
    for (const key of Object.keys(this.originals)) this.known.add(key);
  }

  store(random) {
    if (!this.isJson) return;
    this.did('store');
    const copies = new Map();
    const copy = (message) => copies.get(message) ?? copies.set(message, JSON.parse(json(message))).get(message);
    for (const message of this.current) if (this.isMade(message)) this.made.add(copy(message));
    this.current = this.current.map(copy);
    if (random.chance(0.5)) this.full = this.full.map(copy);
    this.originals = JSON.parse(json(this.originals));
  }

  jsonb() {
    if (!this.isJson) return;
    this.did('jsonb');
    this.usesJsonb = true;
    this.originals = sorted(JSON.parse(json(this.originals)));
  }

  // ---- What users do ----------------------------------------------------------------------------------------------

  undo(random) {
    if (this.waiting) return;
    let many = random.integer(1, 6);
    // Nobody undoes to between a call and its result.
    while (many < this.current.length && openCalls(this.format, this.current.slice(0, -many)).length > 0) many++;
    if (many <= this.fresh && random.chance(0.7)) {
      // Messages appended since the last round are the same on both sides.
      this.did('undo', { many });
      if (this.current.length - many < 1) return;
      this.current = this.current.slice(0, -many);
      this.full = this.full.slice(0, -many);
      this.fresh -= many;
      this.last = 'work';
      this.isEdited = true;
      return;
    }
    if (this.current.length <= many) return;
    this.did('undo more', { many });
    for (const message of [...this.current.slice(-many), ...this.full])
      if (!this.current.slice(0, -many).includes(message)) this.takenBack.add(json(message));
    this.change({
      current: this.current.slice(0, -many),
      put: [],
      expected: (back) => same(back, this.full.slice(0, back.length).map(this.print)),
    });
    this.last = 'work';
  }

  /** Restores after a change. Returns the result, and the keys that are missing now but were not before. */
  changed(given) {
    const { library, originals, current, full, print } = this;
    const before = library.restore(current, originals).missing;
    const back = library.restore(given.current, originals);
    const missing = back.missing.filter((key) => !before.includes(key));
    // This change may undo the one that prevented putting content back.
    const isWhole = this.isDisturbed && back.missing.length === 0;
    const truth = isWhole ? { ...given, full: this.whole, expected: undefined } : { full, ...given };
    // Content that is still cut is in `missing` already. Of several missing keys, one may be found now that the others have changed.
    const isTold = before.some((key) => !back.missing.includes(key));
    judgeChanged(
      { messages: back.messages, missing: this.isDisturbed || isTold ? back.missing : missing },
      { current, print, isKnown: this.isKnown, isMade: this.isMade, written: this.written, ...truth },
    );
    return { back, missing };
  }

  /** Makes the restored conversation the truth, after a change. */
  change(given) {
    for (const message of given.put) this.written.add(this.print(message));
    if (given.of) this.forget(given.of, given.put);
    const { back, missing } = this.changed(given);
    if (missing.length > 0) reach('named as missing');
    const open = openCalls(this.format, given.current);
    if (!this.isDisturbed) this.whole = [...this.full, ...given.put];
    this.current = given.current;
    this.full = back.messages;
    this.known = new Set([...this.known, ...back.missing]);
    this.isDisturbed ||= missing.length > 0;
    this.fresh = 0;
    this.isEdited = true;
    this.waiting = open.length > 0 ? this.waiting : undefined;
  }

  /** Judges a change by hand, and discards it. */
  probe(random) {
    const given = this.hand(random);
    if (given) this.changed(given);
  }

  /** Judges a change by hand, and keeps it. */
  async edit(random) {
    if (this.waiting) return;
    const given = this.hand(random);
    if (
      given &&
      openCalls(this.format, given.current).length === 0 &&
      (await refusal(this.format, given.current, [], { refusal: () => null })) === null
    )
      this.change(given);
  }

  hand(random) {
    const { current, full, format, print } = this;
    const truth = new Map();
    full.forEach((message, index) => truth.set(print(message), truth.has(print(message)) ? -1 : index));
    const placeOf = (message) => {
      const at = full.indexOf(message);
      return at >= 0 && full.indexOf(message, at + 1) < 0 ? at : (truth.get(print(message)) ?? -1);
    };
    const isCut = (message) => this.isMade(message) || !truth.has(print(message));
    const cut = current.filter(isCut);
    const without = (at) => full.toSpliced(at, 1).map(print);
    const what = random.pick(['letter', 'letter', 'letter', 'delete', 'delete', 'insert', 'quote']);
    const at = current.indexOf(what === 'letter' && cut.length > 0 && random.chance(0.8) ? random.pick(cut) : random.pick(current));
    const message = current[at];
    const place = isCut(message) ? -1 : placeOf(message);
    if (what === 'delete') {
      if (at === 0 || this.current.length < 3) return undefined;
      this.did('hand delete', { at });
      this.takenBack.add(json(current[at]));
      return { current: current.toSpliced(at, 1), put: [], expected: place < 0 ? undefined : (back) => same(back, without(place)) };
    }
    if (what === 'letter') {
      const changed = withLetter(format, message, random);
      // Taking the letter back restores the message.
      if (!changed || this.isKnown(changed)) return undefined;
      // A rejection with another wording is no rejection.
      if (json(message).includes("The user doesn't want")) return undefined;
      this.did('hand letter', { at, isCut: isCut(message), changed: json(changed).slice(0, 200) });
      const [old, its, real] = [[message], [changed], full].map((list) => new Set(list.flatMap(this.partsOf)));
      // Each round is undone by itself. If something is missing, the other parts may be as some round left them.
      const isOwn = (one, missing) => {
        const parts = this.partsOf(one);
        const isTrue = (part) => its.has(part) || real.has(part) || (missing.length > 0 && this.parts.has(part));
        return parts.some((part) => its.has(part) && !old.has(part)) && parts.every(isTrue);
      };
      const expected = place < 0 ? undefined : (back) => same(back, without(place));
      return { isOwn, of: message, current: current.toSpliced(at, 1, changed), put: [changed], expected };
    }
    const stubs = contentsOf(format, cut).flatMap(({ kind, value }) => (kind === 'result' && typeof value === 'string' ? [value] : []));
    const quoted = what === 'quote' ? (stubs.length > 0 ? random.pick(stubs) : undefined) : `A note ${this.serial}: I changed my mind.`;
    if (quoted === undefined) return undefined;
    const text = random.chance(0.5) || what === 'insert' ? quoted : `You wrote "${quoted}", why?`;
    const [put] = say(format, [{ who: 'user', text, more: [] }], this.serial++);
    if (current.some((message) => print(message) === print(put))) return undefined;
    this.did(`hand ${what}`, { at, text: text.slice(0, 100) });
    return { current: current.toSpliced(at, 0, put), put: [put], expected: (back) => same(back, full.map(print)) };
  }

  branch() {
    this.did('branch');
    if (!this.waiting)
      this.snapshots.push({
        current: this.current,
        full: this.full,
        originals: this.originals,
        known: this.known,
        isDisturbed: this.isDisturbed,
        fresh: this.fresh,
        last: this.last,
        usesJsonb: this.usesJsonb,
        isEdited: this.isEdited,
      });
  }

  /** Continues from a branch, with the originals of both. */
  back(random) {
    if (this.snapshots.length === 0 || this.waiting) return;
    this.did('back');
    const { originals, ...there } = random.pick(this.snapshots);
    Object.assign(this, there, {
      known: new Set(there.known),
      originals: { ...originals, ...this.originals },
      usesJsonb: there.usesJsonb || this.usesJsonb,
      isEdited: true,
    });
    // Originals of the other branch may have no place, and be in `missing`. Everything of this branch has to come back.
    for (const key of Object.keys(this.originals)) this.known.add(key);
  }
}

const NO_TEXT = new Set([
  'id',
  'type',
  'role',
  'tool_call_id',
  'call_id',
  'callId',
  'toolCallId',
  'toolName',
  'name',
  'signature',
  'data',
  'mediaType',
  'media_type',
  'status',
  'state',
  'url',
  'image_url',
  'image',
  'tool_use_id',
  'encrypted_content',
  'arguments',
  'mimeType',
  'thoughtSignature',
  'format',
  'detail',
  'tool_calls',
  'additional_kwargs',
  'response_metadata',
  'lc_kwargs',
  'lc_namespace',
]);

/** Returns a copy of a message with one character of a text changed; undefined if it has no text. */
export function withLetter(format, message, random) {
  const copy =
    format === 'langchain'
      ? Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content: structuredClone(message.content) })
      : structuredClone(message);
  const slots = [];
  const walk = (value) => {
    for (const key of Object.keys(value)) {
      if (NO_TEXT.has(key)) continue;
      if (typeof value[key] === 'string' && value[key].length > 1) slots.push([value, key]);
      else if (value[key] !== null && typeof value[key] === 'object' && (format !== 'langchain' || value !== copy || key === 'content'))
        walk(value[key]);
    }
  };
  walk(format === 'langchain' ? { content: copy.content } : copy);
  if (format === 'langchain' && typeof copy.content === 'string')
    slots.splice(0, slots.length, ...(copy.content.length > 1 ? [[copy, 'content']] : []));
  if (slots.length === 0) return undefined;
  const [holder, key] = random.pick(slots);
  const text = holder[key];
  const at = random.integer(0, text.length - 1);
  holder[key] = random.pick([
    () => `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`,
    () => `${text.slice(0, at)}q${text.slice(at)}`,
    () => `${text.slice(0, at)}${text.slice(at + 1)}`,
  ])();
  if (json(copy) === json(message)) return undefined;
  if (format === 'langchain') copy.lc_kwargs = { ...copy.lc_kwargs, content: copy.content };
  return copy;
}

/** Plays a session. Returns the fault that ended it, or undefined. */
export async function playOut(session, note, library) {
  const play = new Play(session, note, library);
  try {
    await play.run();
    return undefined;
  } catch (error) {
    return {
      judge: error instanceof Fault ? error.judge : 'throws',
      message: error.message,
      stack: error.stack,
      step: error.step,
      log: play.log,
      play,
    };
  }
}

/** Returns the smallest number of steps that end with a fault of the same judge in the same kind of step. */
export async function shrink(session, fault, most = 250) {
  let { steps } = session;
  steps = steps.slice(0, fault.step + 1);
  let best = fault;
  let tries = 0;
  for (let size = Math.ceil(steps.length / 2); size > 0 && tries < most; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length && tries < most; tries++) {
      const fewer = steps.toSpliced(from, size);
      const found = fewer.length > 0 ? await playOut({ ...session, steps: fewer }) : undefined;
      if (found && found.judge === fault.judge && found.log.at(-1)?.what === fault.log.at(-1)?.what) {
        best = found;
        steps = fewer.slice(0, found.step + 1);
      } else from += size;
    }
  }
  return { session: { ...session, steps }, fault: best };
}
