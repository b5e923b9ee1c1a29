import { engineOptions, gatherParts } from '../agent/gather.js';
import { readPieces } from '../agent/pieces.js';
import { firstEditable, strippedFrom } from '../agent/thinking.js';
import { openingStep, strippedWith } from '../agent/thinking-steps.js';
import { writing } from '../providers/shared/write.js';
import { FIT_EDIT_COLUMN, SENTINEL } from '../generated/layout.js';
import native from '../native.js';
import { withPauses } from '../pauses.js';
import { inOneGo, pace } from '../steps.js';
import { gatherRequest } from '../tokens/gather.js';
import { countingMessages } from '../tokens/measure.js';
import { providerOf } from '../tokens/provider.js';
import { askCounter } from '../tokens/request.js';
import { toolSchemas } from '../tokens/schemas.js';
import { systemPrompts } from '../tokens/system.js';
import { Limited } from './limited.js';
import { areAsEdited } from './written.js';
import type { Edit, Format, Part, Tokenizer, Tool, Written } from '../types.js';
import type { Steps } from '../steps.js';
import type { FitChoice, Fitter, FitOutcome, FitStep, GatheredFitOptions, GivenNote, SessionFacts, ShortenedResult } from '../../binding';
import type { FitReport, FitSettings, Originals, PruneSettings } from '../../index.js';
import type { Stripped } from '../agent/thinking.js';
import type { Conversation } from './earlier.js';
import type { Exceeding } from './limited.js';

/** Tokens beside all there is, so that a choice leaves nothing out for the tokens. */
const ROOM = 10_000;

/** A conversation that is read to be fitted. */
export type Read = Omit<Conversation, 'missing'>;

/**
 * The options of `fit`, checked. `numbers`: whether marks keep the numbers of dropped messages. `exceeding`: the limits of a request beside tokens
 * that the conversation exceeds. `askedAgain`: finds the results that the model asked for again, by their places; they are worth more. `counted`: the
 * tokens of a message, by index, where they are known.
 */
export type FittingOptions = FitSettings<object> & {
  numbers?: boolean;
  exceeding?: Exceeding | undefined;
  askedAgain?: (parts: readonly Part[]) => number[];
  counted?: ((index: number) => number | undefined) | undefined;
};

/** An edit of the engine's: a removal, or a text of `pieces`, which are marks and ranges of the part's text. */
type Cut = { part: Part; remove: true } | { part: Part; text: string; pieces: Piece[] };
/** A mark, or a range of the part's text. */
export type Piece = string | [start: number, end: number];

/** A conversation that was made of another one by edits, and its tokens. `choice` where the engine chose. */
export interface Made {
  written: Written;
  edits: readonly (Edit & { pieces?: Piece[] })[];
  tokens: number;
  choice?: FitChoice;
  /** The tokens that results in fewer words saved before anything was cut. */
  saved?: FitReport['shortened'];
  /** Those results. */
  shorter?: readonly ShortenedResult[];
}

/** The options of pruning; undefined where nothing counts as superseded. */
export function pruningOf({ prune }: Pick<FitSettings, 'prune'>): PruneSettings | undefined {
  if (prune === false) return undefined;
  return prune === true ? {} : (prune ?? {});
}

/** The query as the engine takes it: undefined for the current exchange, no text for no query. */
function queryOf(query: FitSettings['query']) {
  if (query === false) return [];
  return typeof query === 'string' ? [query] : (query?.slice() ?? undefined);
}

/**
 * A conversation to be fitted into a number of tokens. With a `limit`, the engine reads, counts and chooses in one call; without one it reads
 * and keeps the conversation (`opening`), to be asked several times. Methods named `…Async` work on another thread and with pauses: neither
 * the messages nor the fitting may be changed before the promise is settled, except by `close`.
 */
export class Fitting {
  messages!: object[];
  format!: Format;
  stale!: number;
  carried!: Originals;
  tokenizer!: Tokenizer;
  tokenCounter: ((message: object) => unknown) | undefined;
  thinking: FitSettings['thinking'];
  parts!: Part[];
  /** The first part that may be edited. */
  editable!: number;
  /** The parts that may not be removed, beside those that never may be. */
  staying!: Part[];
  /** Signed thinking that may go. All of it goes before anything else is cut, so it costs a cut result nothing. */
  strippable!: Stripped[];
  /** The conversation without signed thinking, once it was asked for. */
  bare: Written | undefined;
  /** The turn of each message as a number: messages of equal turns are merged when those between them are removed. */
  turns: Uint32Array<ArrayBuffer> | undefined;
  pruning: PruneSettings | undefined;
  /** The conversation as the engine keeps it. */
  fitter: Fitter | undefined;
  /** What keeps the other limits of a request, where the conversation exceeds one. */
  limited: Limited | undefined;
  /** The engine's answer to the limit. */
  answer: FitOutcome | undefined;
  reopening!: () => Steps<void>;
  /** Tokens that belong to no message. */
  request!: number;
  /** Tokens that a message costs less when it is merged into the one before. */
  merging!: number;
  /** The tokens of each message's signed thinking that may go; those where nothing but reasoning is left without it. */
  stripped!: Float64Array;
  emptied!: Set<number>;
  /** The tokens of each part. */
  tokensOfParts!: Float64Array;
  known!: Map<object, number>;
  before!: number;
  schemas!: Tool[];
  /** The messages with something whose tokens are not known; some more than once, and `NONE` for the request. */
  guessed!: number[];

  /**
   * @param options of `fit`, checked
   * @param limit for one call of the engine; not with a counter of the caller
   */
  constructor(conversation: Read, options: FittingOptions, limit?: number) {
    inOneGo(this.reading(conversation, options, limit));
  }

  /** Opens a conversation on another thread and with pauses. */
  static open(conversation: Read, options: FittingOptions): Promise<Fitting> {
    return withPauses(Fitting.opening(conversation, options));
  }

  /**
   * @param facts `SessionFacts`: what is known of the texts, and what will be
   * @param limit for one call of the engine
   */
  static *opening(conversation: Read, options: FittingOptions, facts?: SessionFacts, limit?: number): Steps<Fitting> {
    const fitting: Fitting = Object.create(Fitting.prototype);
    yield* fitting.reading(conversation, options, limit, facts);
    return fitting;
  }

  /** The fitting whose parts and messages the engine knows. */
  get live(): Fitting {
    return this;
  }

  /** Whether the tokens of all messages are known. */
  get isComplete(): boolean {
    return true;
  }

  *reading(
    { messages, format, stale, carried, ...read }: Read,
    options: FittingOptions,
    limit?: number,
    facts?: SessionFacts,
  ): Steps<void> {
    const parts = read.parts ?? (yield* format.reading(messages));
    this.messages = messages;
    this.format = format;
    this.stale = stale;
    this.carried = carried;
    this.tokenizer = options.tokenizer ?? 'o200k_base';
    this.tokenCounter = options.tokenCounter ?? undefined;
    this.thinking = options.thinking;
    this.parts = parts;
    const provider = providerOf(format);
    this.editable = firstEditable(parts, this.thinking);
    this.staying = this.thinking === 'leave' ? openingStep(parts) : [];
    this.strippable = this.thinking === 'strip' ? strippedFrom(parts, 0) : [];
    this.bare = undefined;
    if (options.exceeding && this.limited === undefined) {
      this.limited = new Limited(options.exceeding);
      yield* this.limited.reading(this, options.keep);
    }
    const isLimited = this.limited?.isCutting;
    this.turns = format.turn && turnsOf(format, messages);
    const { keep, tools, system } = options;
    const schemas = toolSchemas(tools, 'fit(): options.tools');
    this.pruning = pruningOf(options);
    const beside = {
      schemas,
      prompts: systemPrompts(system, 'fit(): options.system'),
      texts: false as false,
      notes: this.limited?.notes,
    };
    const request = yield* gatherRequest(messages, parts, provider, this.tokenizer, beside);
    this.schemas = schemas;
    this.guessed = request.guessed;
    const gathered = yield* gatherParts(messages, parts, undefined, { editable: this.editable, staying: this.staying });
    const mayGo = new Set(this.strippable.map(({ part }) => part));
    // The engine takes undefined for absent.
    const costs = {
      request,
      isCounted: this.tokenCounter !== undefined && schemas.length === 0,
      strippable: mayGo.size === 0 ? undefined : Uint8Array.from(parts, (part) => Number(mayGo.has(part))),
      turns: this.turns,
      keepRecent: Math.min(keep?.recent ?? 0, 0xffffffff),
      keepUser: keep?.user ?? false,
      keepTools: [...(keep?.tools ?? [])],
      keepArguments: keep?.arguments ?? false,
      keepNumbers: options.numbers ?? false,
      askedAgain: Uint32Array.from(options.askedAgain?.(parts) ?? []),
      keepRanges: yield* matches(parts, keep?.patterns ?? []),
      query: queryOf(options.query),
      prune: this.pruning && engineOptions(this.pruning),
    } as GatheredFitOptions;
    this.fitter?.close();
    this.reopening = () => {
      this.answer = undefined;
      return this.reading({ messages, parts, format, stale, carried }, options, undefined, facts);
    };
    if (limit === undefined || this.tokenCounter || isLimited) {
      this.fitter = yield { now: () => new native.Fitter(gathered, costs, facts), later: () => native.Fitter.open(gathered, costs, facts) };
    } else {
      this.answer = native.fitTranscript(gathered, costs, limit, stale === Infinity);
    }
    const counted = this.fitter?.tokens() ?? (this.answer as FitOutcome).tokens;
    // What goes anyway costs no choice anything, but it is there.
    if (isLimited) {
      const places = new Map(parts.map((part, index) => [part, index]));
      for (const [part, more] of (this.limited as Limited).savings(messages, format, this.tokenizer))
        counted.parts[places.get(part) as number] += more;
    }
    this.request = counted.request;
    this.merging = counted.merging;
    this.stripped = new Float64Array(messages.length);
    this.emptied = new Set(this.strippable.map(({ part }) => part.message));
    this.tokensOfParts = counted.parts;
    let tokens = counted.own;
    for (let index = 0; index < parts.length; index++) {
      const { message, kind } = parts[index];
      tokens[message] += counted.parts[index];
      if (mayGo.size === 0) continue;
      if (mayGo.has(parts[index])) this.stripped[message] += counted.parts[index];
      if (kind !== 'reasoning') this.emptied.delete(message);
    }
    if (this.tokenCounter) {
      const own = tokens;
      tokens = Float64Array.from(this.known ? messages.map((message) => this.tokensOf(message)) : yield* this.asking(messages));
      const scales = tokens.map((count, index) => (own[index] > 0 ? count / own[index] : 1));
      const fitter = this.engine();
      this.fitter = yield { now: () => fitter.scaled(scales), later: () => fitter.scaledAsync(scales) };
    }
    this.known ??= new Map();
    this.before = this.request;
    for (let index = 0; index < messages.length; index++) {
      if (pace.mayPause) yield;
      this.known.set(messages[index], tokens[index]);
      this.before += tokens[index];
    }
  }

  /** Asks the caller's counter for each message. */
  *asking(messages: readonly object[]): Steps<number[]> {
    const counter = this.tokenCounter as NonNullable<typeof this.tokenCounter>;
    const counts: number[] = [];
    for (const message of messages) {
      if (pace.mayPause) yield;
      counts.push(askCounter(counter, message, 'fit(): options.tokenCounter'));
    }
    return counts;
  }

  /** Whether the conversation may stay as it is. */
  fits(limit: number) {
    return this.before <= limit && this.stale === Infinity && this.limited === undefined;
  }

  /** The messages whose signed thinking is behind other messages than it was made from. */
  staleMessages() {
    if (this.stale === Infinity) return new Set<object>();
    return new Set(
      this.parts.filter(({ signed, message }) => signed && message >= this.stale).map(({ message }) => this.messages[message]),
    );
  }

  /**
   * The conversation that uses most of `limit` without exceeding it, or the smallest there is.
   *
   * @param notes notes on what is dropped
   * @returns the `edits` that
   * make it; those of texts have `pieces`, which are marks and ranges of the part's text
   */
  search(limit: number, notes: GivenNote[] = []): Made {
    return inOneGo(this.searching(limit, notes));
  }

  /** The same, as a promise. */
  searchAsync(limit: number, notes: GivenNote[] = []) {
    return withPauses(this.searching(limit, notes));
  }

  /** Where a choice exceeds another limit of a request, more goes, and it is chosen anew. */
  *searching(limit: number, notes: GivenNote[]): Steps<Made> {
    const { limited } = this;
    if (limited === undefined) return yield* this.choosing(limit, notes);
    for (;;) {
      // A share of what has no end is nothing.
      const most = Math.min(limit, limited.tokens, 2 * this.before + ROOM);
      const made = yield* this.choosing(most, [...notes, ...limited.closing]);
      if (!(yield* limited.judging({ messages: made.written.messages, edits: made.edits, tokens: made.tokens }))) return made;
      yield* this.reopening();
    }
  }

  *choosing(limit: number, notes: GivenNote[]): Steps<Made> {
    const thoughtless = yield* this.stripping(limit);
    if (thoughtless !== undefined) return thoughtless;
    if (this.answer?.isWhole) return this.whole();
    if (this.answer?.choice) {
      const made = yield* this.making(this.answer.choice);
      if (made.tokens === this.answer.choice.tokens) return made;
    }
    // A format wrote something else than the engine counted, so what is written is counted at each step.
    if (this.fitter === undefined) yield* this.reopening();
    const whole = this.stale === Infinity && !this.limited?.isCutting ? this.before : undefined;
    const tries: (Made & { choice: FitChoice })[] = [];
    const fitter = this.engine();
    for (;;) {
      const tried = Float64Array.from(tries.flatMap(({ tokens, choice }) => [tokens, Number(choice.isCut)]));
      const step: FitStep = yield {
        now: () => fitter.next(limit, whole, notes, tried),
        later: () => fitter.nextAsync(limit, whole, notes, tried),
      };
      if (!step.choice) return step.best < 0 ? this.whole() : tries[step.best];
      tries.push(yield* this.making(step.choice));
    }
  }

  /** Everything, as it is. */
  whole(): Made {
    return { written: { messages: [...this.messages], sources: this.everySource() }, edits: [], tokens: this.before };
  }

  everySource() {
    return this.messages.map((_, index) => ({ first: index, last: index }));
  }

  /**
   * The conversation without signed thinking from some message on, in steps: the latest message with which it is within `limit` and no
   * stale thinking stays; undefined where taking out all of it is not enough. Thinking that stays is behind the messages it was made from.
   */
  *stripping(limit: number): Steps<Made | undefined> {
    if (this.strippable.length === 0 || this.limited?.isCutting) return undefined;
    this.bare ??= yield* writing(this.format, this.messages, this.strippable);
    const { messages, sources } = this.bare;
    let tokens = yield* this.counting(this.bare, this.strippable, this.withoutThinking());
    if (tokens > limit) return undefined;
    let [stripped, whole] = [0, 0];
    for (; stripped < messages.length; stripped++) {
      const end = sources[stripped].last + 1;
      const before = this.messages.slice(whole, end).reduce((sum, message) => sum + this.tokensOf(message), 0);
      const more = before - this.tokensOf(messages[stripped]);
      if (tokens + more > limit || end > this.stale) break;
      tokens += more;
      whole = end;
    }
    const written = {
      messages: [...this.messages.slice(0, whole), ...messages.slice(stripped)],
      sources: [...this.everySource().slice(0, whole), ...sources.slice(stripped)],
    };
    const edits = this.strippable.filter(({ part }) => part.message >= whole);
    return { written, edits, tokens: this.total(written.messages) };
  }

  /** The tokens that are left of each message without its signed thinking, as `left` of a choice; none where the caller counts. */
  withoutThinking() {
    if (this.tokenCounter) return new Float64Array(0);
    let last = -1;
    return Float64Array.from(this.messages, (message, index) => {
      if (this.emptied.has(index)) return 0;
      const isMerged = last >= 0 && last < index - 1 && this.turns !== undefined && this.turns[last] === this.turns[index];
      last = index;
      return this.tokensOf(message) - this.stripped[index] - (isMerged ? this.merging : 0);
    });
  }

  /** Writes a choice and counts the result. */
  *making(choice: FitChoice): Steps<Made & { choice: FitChoice }> {
    const { edits: chosen, texts } = yield* this.editing(choice);
    const cuts = [...chosen, ...(this.limited?.edits(chosen) ?? [])];
    const stripped = this.thinking === 'leave' ? strippedWith(this.format, this.messages, this.parts, cuts) : this.strippable;
    const edits = [...cuts, ...stripped];
    const written = yield* writing(this.format, this.messages, edits);
    return { choice, written, edits, tokens: yield* this.counting(written, edits, choice.left, texts) };
  }

  /** The edits of a choice, and the tokens of the texts that they make. */
  *editing({ edits, counts, pieces }: FitChoice): Steps<{ edits: Cut[]; texts: [string, number][] }> {
    const list: Cut[] = [];
    const texts: [string, number][] = [];
    const next = readPieces(pieces);
    for (let at = 0; at < edits.length; at += FIT_EDIT_COLUMN.COUNT) {
      if (pace.mayPause) yield;
      const part = this.parts[edits[at + FIT_EDIT_COLUMN.PART]];
      const count = edits[at + FIT_EDIT_COLUMN.PIECES];
      if (count === SENTINEL.NONE) {
        list.push({ part, remove: true });
        continue;
      }
      const made = next(count, part.text);
      let text = '';
      for (const piece of made) text += piece.text;
      list.push({ part, text, pieces: made.map((piece) => piece.range ?? piece.text) });
      texts.push([text, counts[at / FIT_EDIT_COLUMN.COUNT]]);
    }
    return { edits: list, texts };
  }

  /**
   * The tokens of written messages. They follow from the tokens that are `left` of each message of the conversation where a format wrote what the
   * edits say; the others are counted, but for `texts` whose tokens are known.
   */
  *counting(written: Written, edits: readonly Edit[], left: Float64Array, texts: [string, number][] = []): Steps<number> {
    const { messages, sources } = written;
    const fresh: number[] = [];
    for (let index = 0; index < messages.length; index++) if (!this.known.has(messages[index])) fresh.push(index);
    if (left.length > 0 && (yield* areAsEdited(this, written, fresh, edits, left))) {
      for (const index of fresh) {
        const { first, last } = sources[index];
        this.known.set(
          messages[index],
          left.subarray(first, last + 1).reduce((sum, count) => sum + count, 0),
        );
      }
      return this.total(messages);
    }
    const copies = fresh.map((index) => messages[index]);
    const counts = this.tokenCounter
      ? yield* this.asking(copies)
      : yield* countingMessages(copies, this.format, this.tokenizer, new Map(texts), this.schemas);
    copies.forEach((message, index) => this.known.set(message, counts[index]));
    return this.total(messages);
  }

  /** The tokens of messages that are known. */
  total(messages: readonly object[]) {
    return messages.reduce((total, message) => total + this.tokensOf(message), this.request);
  }

  /** The tokens of messages that are not cut because signed thinking follows them; the system's instructions never are. */
  heldByThinking() {
    if (this.editable === 0) return 0;
    const free = this.parts[this.editable];
    const systems = new Set(this.parts.filter(({ role }) => role === 'system').map(({ message }) => message));
    const before = this.messages.slice(0, free?.message).filter((_, index) => !systems.has(index));
    const held = before.reduce((sum, message) => sum + this.tokensOf(message), 0);
    if (free?.message !== this.parts[this.editable - 1].message) return held;
    // Of a message with several steps, of which the first ones are held, their share.
    const first = this.parts.findIndex((part) => part.message === free.message);
    const count = this.parts.filter((part) => part.message === free.message).length;
    const tokens = this.tokensOfParts.subarray(first, first + count);
    const sumOf = (list: Float64Array) => list.reduce((sum, count) => sum + count, 0);
    const heldHere = sumOf(tokens.subarray(0, this.editable - first));
    return held + Math.round((this.tokensOf(this.messages[free.message]) * heldHere) / (sumOf(tokens) || 1));
  }

  /** Whether something in the conversation has tokens that are not known. */
  get isGuessed() {
    return this.guessed.length > 0;
  }

  /** The conversation in the engine, once it was opened. */
  engine() {
    return this.fitter as Fitter;
  }

  /** Frees what the engine keeps; nothing more can be chosen. */
  close() {
    this.fitter?.close();
  }

  /** The tokens of a message of the conversation, or of one that was made of it. */
  tokensOf(message: object) {
    return this.known.get(message) as number;
  }
}

/** The turn of each message as a number: a format merges messages of equal turns when those between them are removed. */
function turnsOf(format: Format, messages: readonly object[]) {
  const numbers = new Map<unknown, number>();
  return Uint32Array.from(messages, (message) => {
    const turn = format.turn?.(message);
    const number = numbers.get(turn) ?? numbers.size;
    if (number === numbers.size) numbers.set(turn, number);
    return number;
  });
}

/** The ranges of the parts' texts that patterns match: part, start and end of each, in order, none in another; in steps. */
function* matches(parts: readonly Part[], patterns: readonly RegExp[]): Steps<Uint32Array> {
  if (patterns.length === 0) return new Uint32Array(0);
  const found: number[] = [];
  const searches = patterns.map(globally);
  for (const [index, { text }] of parts.entries()) {
    if (pace.mayPause) yield;
    const ranges = searches
      .flatMap((pattern) =>
        Array.from(text.matchAll(pattern) as Iterable<RegExpMatchArray & { index: number }>, (match) => [
          match.index,
          match.index + match[0].length,
        ]),
      )
      .filter(([start, end]) => start < end)
      .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    let last = 0;
    for (const [start, end] of ranges) {
      if (end <= last) continue;
      found.push(index, Math.max(start, last), end);
      last = end;
    }
  }
  return Uint32Array.from(found);
}

/** Finds all that `pattern` matches, wherever it stands and wherever the last search with it ended. */
export const globally = ({ source, flags }: RegExp) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);

/** A conversation that is fitted by fitting another one, `inner`, which was made of it. */
export class OuterFitting extends Fitting {
  inner!: Fitting;

  override heldByThinking() {
    return this.inner.heldByThinking();
  }

  override engine() {
    return this.inner.engine();
  }

  override close() {
    this.inner.close();
  }
}
