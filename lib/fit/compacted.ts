// Conversations that the provider compacted: what its compaction stands for goes before anything else is cut.

import { compactedIn } from '../providers/shared/compaction.js';
import { writing } from '../providers/shared/write.js';
import { KEEP_REASON } from '../generated/layout.js';
import { countingMessages } from '../tokens/measure.js';
import { Fitting, globally, OuterFitting } from './fitting.js';
import type { Compacted } from '../providers/shared/compaction.js';
import type { Edit, Part, Written } from '../types.js';
import type { Steps } from '../steps.js';
import type { GivenNote, SessionFacts } from '../../binding';
import type { FittingOptions, Made, Read } from './fitting.js';

/** Opens a conversation, in steps; takes what `Fitting.opening` takes. */
export function* openingAny(conversation: Read, options: FittingOptions, facts?: SessionFacts, limit?: number): Steps<Fitting> {
  const parts = conversation.parts ?? (yield* conversation.format.reading(conversation.messages));
  const compacted = compactedBy(parts, conversation.format.name, options.keep);
  const read = { ...conversation, parts };
  if (compacted === undefined) return yield* Fitting.opening(read, options, facts, limit);
  return yield* CompactedFitting.openingLive(read, compacted, options, facts, limit);
}

/** What the newest compaction stands for, but what the caller keeps. */
export function compactedBy(parts: readonly Part[], format: string, keep: FittingOptions['keep']): Compacted | undefined {
  const { tools = [], patterns = [], recent = 0, user = false } = keep ?? {};
  const [names, first] = [new Set(tools), (parts.at(-1)?.message ?? 0) + 1 - (recent ?? 0)];
  const isKept = ({ message, name, text }: Part) =>
    message >= first || (name !== undefined && names.has(name)) || (patterns ?? []).some((pattern) => text.search(globally(pattern)) >= 0);
  return compactedIn(parts, format, isKept, user === true);
}

/** A conversation of which the live part alone is fitted, by `live`. What it says of messages and parts is said of all of them. */
export class CompactedFitting extends OuterFitting {
  /** The parts of the conversation that are in `live`, as many as it has. */
  liveParts!: Part[];
  /** The messages of the conversation that those of `live` were made of. */
  liveSources!: Written['sources'];
  removals!: Edit[];
  /** The user's messages that may stay where more is left than `live` takes, by index. */
  words!: number[];

  static *openingLive(
    { parts = [], ...conversation }: Read,
    { compaction, gone: parted, words }: Compacted,
    options: FittingOptions,
    facts?: SessionFacts,
    limit?: number,
  ): Steps<Fitting> {
    const { messages, format, stale } = conversation;
    const fitting: CompactedFitting = Object.create(CompactedFitting.prototype);
    const all = new Set([...parted, ...words.flat()]);
    fitting.removals = Array.from(all, (part) => ({ part, remove: true }));
    fitting.liveParts = parts.filter((part) => !all.has(part));
    fitting.words = words.map(([{ message }]) => message);
    const written = yield* writing(format, messages, fitting.removals);
    fitting.liveSources = written.sources;
    const first = written.sources.findIndex(({ last }) => last >= stale);
    const rest = { ...conversation, messages: written.messages, stale: first < 0 ? Infinity : first };
    const { exceeding } = options;
    const places = new Map(fitting.liveParts.map((part, place) => [part, place]));
    // Parts are counted anew without what goes.
    const gone = (exceeding?.gone ?? []).flatMap((index) => places.get(parts[index]) ?? []);
    const live = yield* Fitting.opening(rest, { ...options, exceeding: exceeding && { ...exceeding, gone } }, facts, limit);
    yield* fitting.countingRest(live, messages, compaction === 'ignored');
    return Object.assign(fitting, { ...conversation, parts, inner: live });
  }

  override get live() {
    return this.inner;
  }

  override get isComplete() {
    return false;
  }

  /** Takes over what is known of the live part, and counts the rest, which costs nothing if it is ignored. */
  *countingRest(live: Fitting, messages: readonly object[], isIgnored: boolean): Steps<void> {
    const { format, tokenizer, tokenCounter, thinking, strippable, pruning, request, schemas, guessed, limited } = live;
    Object.assign(this, { tokenizer, tokenCounter, thinking, strippable, pruning, request, schemas, guessed, limited });
    this.known = live.known;
    const stays = new Set(this.liveSources.flatMap(({ first, last }) => Array.from({ length: last + 1 - first }, (_, at) => first + at)));
    const isRead = (_: unknown, index: number) => !isIgnored || stays.has(index);
    const others = messages.filter((message, index) => !live.known.has(message) && isRead(message, index));
    const counts = tokenCounter ? yield* live.asking(others) : yield* countingMessages(others, format, tokenizer, new Map(), schemas);
    others.forEach((message, index) => live.known.set(message, counts[index]));
    this.before = this.total(messages.filter(isRead));
  }

  override tokensOf(message: object) {
    return this.known.get(message) ?? 0;
  }

  override *searching(limit: number, notes: GivenNote[]): Steps<Made> {
    const spared = this.sparing(limit);
    return spared ?? this.lifted(yield* this.inner.searching(limit, notes));
  }

  /** Without what goes first, and with the newest words of the user's that are within `limit`; undefined where more has to go. */
  sparing(limit: number): Made | undefined {
    if (!this.inner.fits(limit)) return undefined;
    let tokens = this.inner.before;
    const kept = new Set<number>();
    for (const index of this.words.toReversed()) {
      tokens += this.tokensOf(this.messages[index]);
      if (tokens > limit) break;
      kept.add(index);
    }
    const live = this.inner.messages.map((message, index) => ({ message, source: this.liveSources[index] }));
    const words = Array.from(kept, (index) => ({ message: this.messages[index], source: { first: index, last: index } }));
    const list = [...live, ...words].sort((a, b) => a.source.first - b.source.first);
    const written = { messages: list.map(({ message }) => message), sources: list.map(({ source }) => source) };
    const edits = this.removals.filter(({ part }) => !kept.has(part.message));
    return { written, edits, tokens: this.total(written.messages) };
  }

  /** What was made of the live part, as made of the whole conversation. */
  lifted({ written, edits, choice, tokens }: Made): Made {
    const places = new Map(this.inner.parts.map((part, place) => [part, this.liveParts[place]]));
    const sources = written.sources.map(({ first, last, ...rest }) => ({
      first: this.liveSources[first].first,
      last: this.liveSources[last].last,
      ...rest,
    }));
    const why = new Uint8Array(this.messages.length).fill(KEEP_REASON.limit);
    choice?.why.forEach((reason, index) => why.fill(reason, this.liveSources[index].first, this.liveSources[index].last + 1));
    return {
      written: { messages: written.messages, sources },
      edits: [...this.removals, ...edits.map((edit) => ({ ...edit, part: places.get(edit.part) as Part }))],
      tokens,
      ...(choice === undefined ? {} : { choice: { ...choice, why } }),
    };
  }

  override *stripping(limit: number): Steps<Made | undefined> {
    return this.sparing(limit) ?? (yield* this.inner.stripping(limit));
  }
}
