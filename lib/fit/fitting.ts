import { readPieces } from '../agent/pieces.js';
import { strippedWith } from '../agent/thinking-steps.js';
import { writing } from '../providers/shared/write.js';
import { FIT_EDIT_COLUMN, SENTINEL } from '../generated/layout.js';
import { withPauses } from '../pauses.js';
import { inOneGo, pace } from '../steps.js';
import { countingMessages } from '../tokens/measure.js';
import { asking, opened } from './opened.js';
import { areAsEdited } from './written.js';
import type { Edit, Part, Written } from '../types.js';
import type { Steps } from '../steps.js';
import type { FitChoice, Fitter, FitStep, GivenNote, SessionFacts, ShortenedResult } from '../../binding';
import type { FitReport } from '../../index.js';
import type { FittingOptions, Opened, Read } from './opened.js';

/** Tokens beside all there is, so that a choice leaves nothing out for the tokens. */
const ROOM = 10_000;

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

/**
 * A conversation to be fitted into a number of tokens. With a `limit`, the engine reads, counts and chooses in one call; without one it reads
 * and keeps the conversation (`opening`), to be asked several times. Methods named `…Async` work on another thread and with pauses: neither
 * the messages nor the fitting may be changed before the promise is settled, except by `close`.
 */
export class Fitting {
  /** The conversation as it was opened; nothing of it changes, but more tokens get known. */
  readonly opened: Opened;

  constructor(opened: Opened) {
    this.opened = opened;
  }

  /**
   * Opens a conversation at once.
   *
   * @param options of `fit`, checked
   * @param limit for one call of the engine; not with a counter of the caller
   */
  static of(conversation: Read, options: FittingOptions, limit?: number): Fitting {
    return inOneGo(Fitting.opening(conversation, options, undefined, limit));
  }

  /** Opens a conversation on another thread and with pauses. */
  static open(conversation: Read, options: FittingOptions): Promise<Fitting> {
    return withPauses(Fitting.opening(conversation, options));
  }

  /** Opens a conversation in steps; takes what {@link opened} takes. */
  static *opening(conversation: Read, options: FittingOptions, facts?: SessionFacts, limit?: number): Steps<Fitting> {
    return new Fitting(yield* opened(conversation, options, facts, limit));
  }

  get messages() {
    return this.opened.messages;
  }

  get parts() {
    return this.opened.parts;
  }

  get carried() {
    return this.opened.carried;
  }

  get thinking() {
    return this.opened.thinking;
  }

  get tokenizer() {
    return this.opened.tokenizer;
  }

  get strippable() {
    return this.opened.strippable;
  }

  get pruning() {
    return this.opened.pruning;
  }

  /** Tokens that belong to no message. */
  get request() {
    return this.opened.request;
  }

  /** The tokens of everything. */
  get before() {
    return this.opened.before;
  }

  get limited() {
    return this.opened.limited;
  }

  get fitter() {
    return this.opened.fitter;
  }

  /** The fitting whose parts and messages the engine knows. */
  get live(): Fitting {
    return this;
  }

  /** Whether the tokens of all messages are known. */
  get isComplete(): boolean {
    return true;
  }

  /** Whether the conversation may stay as it is. */
  fits(limit: number) {
    return this.before <= limit && this.opened.stale === Infinity && this.limited === undefined;
  }

  /** The messages whose signed thinking is behind other messages than it was made from. */
  staleMessages() {
    const { parts, messages, stale } = this.opened;
    if (stale === Infinity) return new Set<object>();
    return new Set(parts.filter(({ signed, message }) => signed && message >= stale).map(({ message }) => messages[message]));
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
    // A share of what has no end is nothing.
    const most = Math.min(limit, limited.tokens, 2 * this.before + ROOM);
    const made = yield* this.choosing(most, [...notes, ...limited.closing]);
    if (!(yield* limited.judging({ messages: made.written.messages, edits: made.edits, tokens: made.tokens }))) return made;
    return yield* this.reopened((fitting) => fitting.searching(limit, notes));
  }

  *choosing(limit: number, notes: GivenNote[]): Steps<Made> {
    const { answer, fitter } = this.opened;
    const thoughtless = yield* this.stripping(limit);
    if (thoughtless !== undefined) return thoughtless;
    if (answer?.isWhole) return this.whole();
    if (answer?.choice) {
      const made = yield* this.making(answer.choice);
      if (made.tokens === answer.choice.tokens) return made;
    }
    // A format wrote something else than the engine counted, so what is written is counted at each step.
    if (fitter === undefined) return yield* this.reopened((fitting) => fitting.trying(limit, notes));
    return yield* this.trying(limit, notes);
  }

  /** Has the engine choose until what is written is within the limit. */
  *trying(limit: number, notes: GivenNote[]): Steps<Made> {
    const fitter = this.engine();
    const whole = this.opened.stale === Infinity && !this.limited?.isCutting ? this.before : undefined;
    const tries: (Made & { choice: FitChoice })[] = [];
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

  /** Does work with the same conversation, opened anew with what goes now. */
  *reopened(work: (fitting: Fitting) => Steps<Made>): Steps<Made> {
    const fitting = new Fitting(yield* this.opened.reopening());
    try {
      return yield* work(fitting);
    } finally {
      fitting.close();
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
    const { strippable, limited, format, stale } = this.opened;
    if (strippable.length === 0 || limited?.isCutting) return undefined;
    const bare = yield* writing(format, this.messages, strippable);
    const { messages, sources } = bare;
    let tokens = yield* this.counting(bare, strippable, this.withoutThinking());
    if (tokens > limit) return undefined;
    let [stripped, whole] = [0, 0];
    for (; stripped < messages.length; stripped++) {
      const end = sources[stripped].last + 1;
      const before = this.messages.slice(whole, end).reduce((sum, message) => sum + this.tokensOf(message), 0);
      const more = before - this.tokensOf(messages[stripped]);
      if (tokens + more > limit || end > stale) break;
      tokens += more;
      whole = end;
    }
    const written = {
      messages: [...this.messages.slice(0, whole), ...messages.slice(stripped)],
      sources: [...this.everySource().slice(0, whole), ...sources.slice(stripped)],
    };
    const edits = strippable.filter(({ part }) => part.message >= whole);
    return { written, edits, tokens: this.total(written.messages) };
  }

  /** The tokens that are left of each message without its signed thinking, as `left` of a choice; none where the caller counts. */
  withoutThinking() {
    const { tokenCounter, emptied, stripped, turns, merging } = this.opened;
    if (tokenCounter) return new Float64Array(0);
    let last = -1;
    return Float64Array.from(this.messages, (message, index) => {
      if (emptied.has(index)) return 0;
      const isMerged = last >= 0 && last < index - 1 && turns !== undefined && turns[last] === turns[index];
      last = index;
      return this.tokensOf(message) - stripped[index] - (isMerged ? merging : 0);
    });
  }

  /** Writes a choice and counts the result. */
  *making(choice: FitChoice): Steps<Made & { choice: FitChoice }> {
    const { edits: chosen, texts } = yield* this.editing(choice);
    const cuts = [...chosen, ...(this.limited?.edits(chosen) ?? [])];
    const { format, messages, parts, thinking, strippable } = this.opened;
    const edits = [...cuts, ...(thinking === 'leave' ? strippedWith(format, messages, parts, cuts) : strippable)];
    const written = yield* writing(format, messages, edits);
    return { choice, written, edits, tokens: yield* this.counting(written, edits, choice.left, texts) };
  }

  /** The edits of a choice, and the tokens of the texts that they make. */
  *editing({ edits, counts, pieces }: FitChoice): Steps<{ edits: Cut[]; texts: [string, number][] }> {
    const list: Cut[] = [];
    const texts: [string, number][] = [];
    const next = readPieces(pieces);
    for (let at = 0; at < edits.length; at += FIT_EDIT_COLUMN.COUNT) {
      if (pace.isDue) yield;
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
    const { known, tokenCounter, tokenizer, format, schemas } = this.opened;
    const fresh: number[] = [];
    for (let index = 0; index < messages.length; index++) if (!known.has(messages[index])) fresh.push(index);
    if (left.length > 0 && (yield* areAsEdited(this.opened, written, fresh, edits, left))) {
      for (const index of fresh) {
        const { first, last } = sources[index];
        known.set(
          messages[index],
          left.subarray(first, last + 1).reduce((sum, count) => sum + count, 0),
        );
      }
      return this.total(messages);
    }
    const copies = fresh.map((index) => messages[index]);
    const counts = tokenCounter
      ? yield* asking(tokenCounter, copies)
      : yield* countingMessages(copies, format, tokenizer, new Map(texts), schemas);
    copies.forEach((message, index) => known.set(message, counts[index]));
    return this.total(messages);
  }

  /** The tokens of messages that are known. */
  total(messages: readonly object[]) {
    return messages.reduce((total, message) => total + this.tokensOf(message), this.request);
  }

  /** The tokens of messages that are not cut because signed thinking follows them; the system's instructions never are. */
  heldByThinking() {
    const { parts, messages, editable, tokensOfParts } = this.opened;
    if (editable === 0) return 0;
    const free = parts[editable];
    const systems = new Set(parts.filter(({ role }) => role === 'system').map(({ message }) => message));
    const before = messages.slice(0, free?.message).filter((_, index) => !systems.has(index));
    const held = before.reduce((sum, message) => sum + this.tokensOf(message), 0);
    if (free?.message !== parts[editable - 1].message) return held;
    // Of a message with several steps, of which the first ones are held, their share.
    const first = parts.findIndex((part) => part.message === free.message);
    const count = parts.filter((part) => part.message === free.message).length;
    const tokens = tokensOfParts.subarray(first, first + count);
    const sumOf = (list: Float64Array) => list.reduce((sum, count) => sum + count, 0);
    const heldHere = sumOf(tokens.subarray(0, editable - first));
    return held + Math.round((this.tokensOf(messages[free.message]) * heldHere) / (sumOf(tokens) || 1));
  }

  /** The messages with something whose tokens are not known; some more than once, and `NONE` for the request. */
  get guessed() {
    return this.opened.guessed;
  }

  /** Whether there are any. */
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
    return this.opened.known.get(message) as number;
  }
}

/** A conversation that is fitted by fitting another one, `inner`, which was made of it. */
export class OuterFitting extends Fitting {
  readonly inner: Fitting;

  /** @param opened what `inner` was opened with, but for what is said of this conversation */
  constructor(inner: Fitting, opened: Opened) {
    super(opened);
    this.inner = inner;
  }

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
