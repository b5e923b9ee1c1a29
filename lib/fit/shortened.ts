// Conversations of which tools' results are written in fewer tokens before anything is cut.

import { firstEditable, strippedFrom } from '../agent/thinking.js';
import { writing } from '../providers/shared/write.js';
import { countingMessages } from '../tokens/measure.js';
import { openingAny } from './compacted.js';
import { type Fitting, OuterFitting } from './fitting.js';
import { asking } from './opened.js';
import { savedBy, shortening } from './shortening.js';
import type { GivenNote, SessionFacts, ShortenedResult } from '../../binding';
import type { Steps } from '../steps.js';
import type { Part } from '../types.js';
import type { Made } from './fitting.js';
import type { FittingOptions, Read } from './opened.js';
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
  return yield* openingShort(read, results, options, facts, limit);
}

function* openingShort(
  conversation: Read & { parts: Part[] },
  results: readonly ShortenedResult[],
  options: FittingOptions,
  facts?: SessionFacts,
  limit?: number,
): Steps<Fitting> {
  const { messages, parts, format, stale } = conversation;
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
  const { before, saved } = yield* countingWhole(inner, conversation, results, options.counted);
  return new ShortenedFitting(inner, { ...conversation, before }, { texts, saved, results });
}

/** Counts the messages as they were, but those whose tokens are known, and what each kind of shortening saved of them; in steps. */
function* countingWhole(
  inner: Fitting,
  { messages, parts, format }: Read & { parts: Part[] },
  results: readonly ShortenedResult[],
  counted: FittingOptions['counted'],
): Steps<{ before: number; saved: Saved }> {
  const { known, tokenizer, tokenCounter, schemas } = inner.opened;
  // What the provider ignores is not counted.
  const isRead = (index: number) => known.has(inner.messages[index]);
  const changed = Array.from(new Set(results.map(({ part }) => parts[part].message))).filter(isRead);
  const fresh = changed.filter((index) => counted?.(index) === undefined).map((index) => messages[index]);
  const counts = tokenCounter ? yield* asking(tokenCounter, fresh) : yield* countingMessages(fresh, format, tokenizer, new Map(), schemas);
  fresh.forEach((message, index) => known.set(message, counts[index]));
  const tokensOf = (message: object) => known.get(message) ?? 0;
  for (const index of changed) if (!known.has(messages[index])) known.set(messages[index], counted?.(index) as number);
  const saved = new Map(changed.map((index) => [index, tokensOf(messages[index]) - tokensOf(inner.messages[index])]));
  const before = [...saved.values()].reduce((sum, tokens) => sum + tokens, inner.before);
  return { before, saved: savedBy(results, parts, saved) };
}

/** What is shorter in a conversation. */
interface Shorter {
  /** what the parts say then */
  texts: ReadonlyMap<Part, string>;
  saved: Saved;
  results: readonly ShortenedResult[];
}

/** A conversation whose results are shorter in `inner`. What it says of messages and parts is said of them as they were. */
class ShortenedFitting extends OuterFitting {
  readonly #shorter;

  /** @param conversation as it was, and its tokens */
  constructor(inner: Fitting, conversation: Read & { parts: Part[]; before: number }, shorter: Shorter) {
    const strippable = inner.thinking === 'strip' ? strippedFrom(conversation.parts, 0) : [];
    super(inner, { ...inner.opened, ...conversation, strippable });
    this.#shorter = shorter;
  }

  override get live() {
    return this.inner.live;
  }

  override get isComplete() {
    return this.inner.isComplete;
  }

  override tokensOf(message: object) {
    return this.opened.known.get(message) ?? 0;
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
    const { texts, saved, results } = this.#shorter;
    const shorter = Array.from(texts, ([part, text]) => ({ part, text })).filter(({ part }) => !edited.has(part));
    return { ...made, edits: [...edits, ...shorter], saved, shorter: results };
  }
}
