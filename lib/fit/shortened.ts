// Conversations of which tools' results are written in fewer tokens before anything is cut.

import { engineTools } from '../agent/tools.js';
import { gatherParts } from '../agent/gather.js';
import { firstEditable, strippedFrom } from '../agent/thinking.js';
import { getIn } from '../formats/copy.js';
import { writing } from '../formats/write.js';
import { SHORTENING } from '../generated/layout.js';
import native from '../native.js';
import { countingMessages } from '../tokens/measure.js';
import { openingAny } from './compacted.js';
import { Fitting, globally, pruningOf } from './fitting.js';
import type { GivenNote, SessionFacts, ShortenedResult } from '../../binding';
import type { Steps } from '../steps.js';
import type { Foreign, Part } from '../types.js';
import type { Conversation } from './earlier.js';
import type { FittingOptions, Made } from './fitting.js';

/** A conversation that is read to be fitted, as `Fitting` takes it. */
type Read = Omit<Conversation, 'missing'>;

/** The tokens that each kind of shortening saved; see `FitReport` in `index.d.ts`. */
export type Saved = Partial<Record<keyof typeof SHORTENING, number>>;

/** Minimum length of a result that is worth a look, in UTF-16 code units. */
const MIN_LENGTH = 24;

/** Opens a conversation, in steps; takes what `Fitting.opening` takes. */
export function* openingShortened(conversation: Read, options: FittingOptions, facts?: SessionFacts, limit?: number): Steps<Fitting> {
  if (options.shorten === false) return yield* openingAny(conversation, options, facts, limit);
  const { messages, format } = conversation;
  const parts = conversation.parts ?? (yield* format.reading(messages));
  const read = { ...conversation, parts };
  const results = yield* shortening(messages, parts, options);
  if (results.length === 0) return yield* openingAny(read, options, facts, limit);
  return yield* ShortenedFitting.openingShort({ ...read, parts }, results, options, facts, limit);
}

/** Writes the results of a conversation shorter, in steps, as far as they may be. */
export function* shortening(messages: readonly Foreign[], parts: readonly Part[], options: FittingOptions): Steps<ShortenedResult[]> {
  const results = eligible(messages, parts, options);
  if (results.length === 0) return [];
  const may = new Set(results);
  const asked = parts.map((part, index) => (part.kind === 'call' || may.has(index) ? part : { ...part, text: '' }));
  const gathered = {
    parts: yield* gatherParts(messages, asked, undefined, 0),
    results: Uint32Array.from(results),
    tools: engineTools(pruningOf(options)?.toolMap),
  };
  return yield { now: () => native.shortenResults(gathered), later: () => native.shortenResultsAsync(gathered) };
}

/** The results that may be written shorter: texts that nothing holds, of tools that ran here, which `keep` doesn't name. */
function eligible(messages: readonly Foreign[], parts: readonly Part[], { keep, thinking }: FittingOptions) {
  const { recent, tools, patterns } = keep ?? {};
  const [names, end] = [new Set(tools ?? []), messages.length - (recent ?? 0)];
  const searches = (patterns ?? []).map(globally);
  const found: number[] = [];
  for (let index = firstEditable(parts, thinking); index < parts.length; index++) {
    const { kind, locked, call, text, message, path } = parts[index];
    if (kind !== 'result' || locked !== undefined || text.length < MIN_LENGTH || message >= end) continue;
    const answered = call === undefined ? undefined : parts[call];
    if (answered !== undefined && (isHosted(answered, message) || (answered.name !== undefined && names.has(answered.name)))) continue;
    if (typeof getIn(messages[message], path) !== 'string' || searches.some((pattern) => text.search(pattern) >= 0)) continue;
    found.push(index);
  }
  return found;
}

/** Whether a call ran at the provider: it is locked, and answered where it stands. */
const isHosted = ({ locked, message }: Part, answer: number) =>
  locked !== undefined && (message === answer || locked === 'run by the provider' || locked === 'executed by the provider');

/** A conversation whose results are shorter in `inner`. What it says of messages and parts is said of them as they were. */
class ShortenedFitting extends Fitting {
  inner!: Fitting;
  /** What the parts say that are shorter in `inner`. */
  texts!: ReadonlyMap<Part, string>;
  saved!: Saved;

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
    Object.assign(fitting, inner, conversation, { inner, texts });
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

  override tokensOf(message: Foreign) {
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
    return { ...made, edits: [...edits, ...shorter], saved: this.saved };
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

/**
 * The tokens that each kind of shortening saved. Where several kinds made a message shorter, each has its share of the length.
 *
 * @param saved the tokens by message
 */
function savedBy(results: readonly ShortenedResult[], parts: readonly Part[], saved: ReadonlyMap<number, number>): Saved {
  const units = new Map<number, number[]>();
  for (const { part, saved: more } of results) {
    const sum = units.get(parts[part].message);
    units.set(parts[part].message, sum === undefined ? more : sum.map((count, kind) => count + more[kind]));
  }
  const tokens: Saved = {};
  for (const [name, kind] of Object.entries(SHORTENING) as [keyof Saved, number][]) {
    const shares = Array.from(
      units,
      ([message, list]) => ((saved.get(message) ?? 0) * list[kind]) / list.reduce((sum, count) => sum + count),
    );
    if (results.some((result) => result.saved[kind] > 0)) tokens[name] = Math.round(shares.reduce((sum, share) => sum + share));
  }
  return tokens;
}
