// Conversations of which tools' results are written in fewer tokens before anything is cut.

import { firstEditable, strippedFrom } from '../agent/thinking.js';
import { writing } from '../providers/shared/write.js';
import { countingMessages } from '../tokens/measure.js';
import { openingAny } from './compacted.js';
import { type Fitting, OuterFitting } from './fitting.js';
import { savedBy, shortening } from './shortening.js';
import type { GivenNote, SessionFacts, ShortenedResult } from '../../binding';
import type { Steps } from '../steps.js';
import type { Part } from '../types.js';
import type { FittingOptions, Made, Read } from './fitting.js';
import type { Saved } from './shortening.js';

/** Opens a conversation, in steps; takes what `Fitting.opening` takes. */
export function* openingShortened(conversation: Read, options: FittingOptions, facts?: SessionFacts, limit?: number): Steps<Fitting> {
  if (options.shorten === false) return yield* openingAny(conversation, options, facts, limit);
  const { messages, format } = conversation;
  const parts = conversation.parts ?? (yield* format.reading(messages));
  const read = { ...conversation, parts };
  const end = messages.length - (options.keep?.recent ?? 0);
  const editable = firstEditable(parts, options.thinking);
  const { results } = yield* shortening(messages, parts, options, (part, index) => index >= editable && part.message < end);
  if (results.length === 0) return yield* openingAny(read, options, facts, limit);
  return yield* ShortenedFitting.openingShort({ ...read, parts }, results, options, facts, limit);
}

/** A conversation whose results are shorter in `inner`. What it says of messages and parts is said of them as they were. */
class ShortenedFitting extends OuterFitting {
  /** What the parts say that are shorter in `inner`. */
  texts!: ReadonlyMap<Part, string>;
  saved!: Saved;
  results!: readonly ShortenedResult[];

  static *openingShort(
    conversation: Read & { parts: Part[] },
    results: readonly ShortenedResult[],
    options: FittingOptions,
    facts?: SessionFacts,
    limit?: number,
  ): Steps<Fitting> {
    const { messages, parts, format, stale } = conversation;
    const fitting: ShortenedFitting = Object.create(ShortenedFitting.prototype);
    const texts = new Map(results.map(({ part, text }) => [parts[part], text]));
    const edits = Array.from(texts, ([part, text]) => ({ part, text }));
    const written = yield* writing(format, messages, edits);
    const shorter = parts.map((part) => {
      const text = texts.get(part);
      return text === undefined ? part : { ...part, text };
    });
    // Thinking behind what is shorter now was signed behind something else.
    const first = parts[results[0].part].message;
    const signed = options.thinking === 'strip' ? parts.find((part) => part.signed && part.message > first) : undefined;
    const rest = { ...conversation, messages: written.messages, parts: shorter, stale: Math.min(stale, signed?.message ?? Infinity) };
    const inner = yield* openingAny(rest, options, facts, limit);
    Object.assign(fitting, inner, conversation, { inner, texts, results });
    fitting.strippable = options.thinking === 'strip' ? strippedFrom(parts, 0) : [];
    yield* fitting.countingWhole(results, options.counted);
    return fitting;
  }

  /** Counts the messages as they were, but those whose tokens are known, and what each kind of shortening saved of them. */
  *countingWhole(results: readonly ShortenedResult[], counted: FittingOptions['counted']): Steps<void> {
    const { inner, messages, parts, format, tokenizer, tokenCounter, schemas } = this;
    // What the provider ignores is not counted.
    const isRead = (index: number) => inner.known.has(inner.messages[index]);
    const changed = Array.from(new Set(results.map(({ part }) => parts[part].message))).filter(isRead);
    const fresh = changed.filter((index) => counted?.(index) === undefined).map((index) => messages[index]);
    const counts = tokenCounter ? yield* this.asking(fresh) : yield* countingMessages(fresh, format, tokenizer, new Map(), schemas);
    fresh.forEach((message, index) => this.known.set(message, counts[index]));
    const saved = new Map<number, number>();
    for (const index of changed) {
      const message = messages[index];
      if (!this.known.has(message)) this.known.set(message, counted?.(index) as number);
      saved.set(index, this.tokensOf(message) - this.tokensOf(inner.messages[index]));
      this.before += saved.get(index) as number;
    }
    this.saved = savedBy(results, parts, saved);
  }

  override get live() {
    return this.inner.live;
  }

  override get isComplete() {
    return this.inner.isComplete;
  }

  override tokensOf(message: object) {
    return this.inner.known.get(message) ?? 0;
  }

  override *searching(limit: number, notes: GivenNote[]): Steps<Made> {
    return (yield* this.sparing(limit)) ?? this.lifted(yield* this.inner.searching(limit, notes));
  }

  override *stripping(limit: number): Steps<Made | undefined> {
    const spared = yield* this.sparing(limit);
    if (spared !== undefined) return spared;
    const made = yield* this.inner.stripping(limit);
    return made && this.lifted(made);
  }

  /** Without what goes first: signed thinking, or the length of the results. */
  *sparing(limit: number): Steps<Made | undefined> {
    if (this.limited !== undefined) return undefined;
    const thoughtless = this.isComplete ? yield* super.stripping(limit) : undefined;
    return thoughtless ?? (this.inner.fits(limit) ? this.lifted(this.inner.whole()) : undefined);
  }

  /** What was made of the shorter conversation, as made of this one. */
  lifted(made: Made): Made {
    const places = new Map(this.inner.parts.map((part, place) => [part, this.parts[place]]));
    const edits = made.edits.map((edit) => ({ ...edit, part: places.get(edit.part) as Part }));
    const edited = new Set(edits.map(({ part }) => part));
    const shorter = Array.from(this.texts, ([part, text]) => ({ part, text })).filter(({ part }) => !edited.has(part));
    return { ...made, edits: [...edits, ...shorter], saved: this.saved, shorter: this.results };
  }
}
