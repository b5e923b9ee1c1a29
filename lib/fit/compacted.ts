// Conversations that the provider compacted: what its compaction stands for goes before anything else is cut.

import { compactedIn } from '../providers/shared/compaction.js';
import { writing } from '../providers/shared/write.js';
import { KEEP_REASON } from '../generated/layout.js';
import { countingMessages } from '../tokens/measure.js';
import { Fitting, OuterFitting } from './fitting.js';
import { asking, globally } from './opened.js';
import { isPinnedIn } from './pinned.js';
import type { Compacted } from '../providers/shared/compaction.js';
import type { Edit, Part, Written } from '../types.js';
import type { Steps } from '../steps.js';
import type { GivenNote, SessionFacts } from '../../binding';
import type { Made } from './fitting.js';
import type { FittingOptions, Read } from './opened.js';

/** Opens a conversation, in steps; takes what `Fitting.opening` takes. */
export function* openingAny(conversation: Read, options: FittingOptions, facts?: SessionFacts, limit?: number): Steps<Fitting> {
  const parts = conversation.parts ?? (yield* conversation.format.reading(conversation.messages));
  const compacted = compactedBy(parts, conversation.format.name, options.keep);
  const read = { ...conversation, parts };
  if (compacted === undefined) return yield* Fitting.opening(read, options, facts, limit);
  return yield* openingLive(read, compacted, options, facts, limit);
}

/** What the newest compaction stands for, but what the caller keeps. */
export function compactedBy(parts: readonly Part[], format: string, keep: FittingOptions['keep']): Compacted | undefined {
  const { tools = [], patterns = [], recent = 0, user = false } = keep ?? {};
  const [names, first] = [new Set(tools), (parts.at(-1)?.message ?? 0) + 1 - (recent ?? 0)];
  const isPinned = isPinnedIn(keep?.pinned);
  const isNamed = ({ message, name, text }: Part) =>
    message >= first || (name !== undefined && names.has(name)) || (patterns ?? []).some((pattern) => text.search(globally(pattern)) >= 0);
  const isKept = (part: Part) => isNamed(part) || isPinned?.(part) === true;
  return compactedIn(parts, format, isKept, user === true);
}

/** The live part of a conversation. */
interface Live {
  /** the parts of the conversation that are in it, as many as it has */
  parts: Part[];
  /** the messages of the conversation that its own were made of */
  sources: Written['sources'];
  /** what makes it of the conversation */
  removals: Edit[];
  /** the user's messages that may stay where more is left than it takes, by index */
  words: number[];
}

function* openingLive(
  conversation: Read & { parts: Part[] },
  { compaction, gone: parted, words }: Compacted,
  options: FittingOptions,
  facts?: SessionFacts,
  limit?: number,
): Steps<Fitting> {
  const { messages, parts, format, stale } = conversation;
  const all = new Set([...parted, ...words.flat()]);
  const removals = Array.from(all, (part): Edit => ({ part, remove: true }));
  const liveParts = parts.filter((part) => !all.has(part));
  const { messages: left, sources } = yield* writing(format, messages, removals);
  const first = sources.findIndex(({ last }) => last >= stale);
  const rest = { messages: left, format, stale: first < 0 ? Infinity : first, carried: conversation.carried };
  const { exceeding, keep } = options;
  const pinned = keep?.pinned?.map((pin) =>
    typeof pin === 'string' ? pin : sources.findIndex(({ first: from, last }) => from <= pin && pin <= last),
  );
  const places = new Map(liveParts.map((part, place) => [part, place]));
  // Parts are counted anew without what goes.
  const gone = (exceeding?.gone ?? []).flatMap((index) => places.get(parts[index]) ?? []);
  const live = yield* Fitting.opening(
    rest,
    { ...options, keep: { ...keep, pinned }, exceeding: exceeding && { ...exceeding, gone } },
    facts,
    limit,
  );
  const stays = new Set(sources.flatMap((source) => Array.from({ length: source.last + 1 - source.first }, (_, at) => source.first + at)));
  // What the provider ignores costs nothing.
  const isRead = (_: unknown, index: number) => compaction !== 'ignored' || stays.has(index);
  const { known, tokenizer, tokenCounter, schemas } = live.opened;
  const others = messages.filter((message, index) => !known.has(message) && isRead(message, index));
  const counts = tokenCounter
    ? yield* asking(tokenCounter, others)
    : yield* countingMessages(others, format, tokenizer, new Map(), schemas);
  others.forEach((message, index) => known.set(message, counts[index]));
  const before = live.total(messages.filter(isRead));
  return new CompactedFitting(
    live,
    { ...conversation, before },
    { parts: liveParts, sources, removals, words: words.map(([{ message }]) => message) },
  );
}

/** A conversation of which the live part alone is fitted, by `inner`. What it says of messages and parts is said of all of them. */
export class CompactedFitting extends OuterFitting {
  readonly #live;

  /** @param conversation all of it, and its tokens */
  constructor(inner: Fitting, conversation: Read & { parts: Part[]; before: number }, live: Live) {
    super(inner, { ...inner.opened, ...conversation });
    this.#live = live;
  }

  override get live() {
    return this.inner;
  }

  override get isComplete() {
    return false;
  }

  override tokensOf(message: object) {
    return this.opened.known.get(message) ?? 0;
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
    for (const index of this.#live.words.toReversed()) {
      tokens += this.tokensOf(this.messages[index]);
      if (tokens > limit) break;
      kept.add(index);
    }
    const left = this.inner.messages.map((message, index) => ({ message, source: this.#live.sources[index] }));
    const words = Array.from(kept, (index) => ({ message: this.messages[index], source: { first: index, last: index } }));
    const list = [...left, ...words].sort((a, b) => a.source.first - b.source.first);
    const written = { messages: list.map(({ message }) => message), sources: list.map(({ source }) => source) };
    const edits = this.#live.removals.filter(({ part }) => !kept.has(part.message));
    return { written, edits, tokens: this.total(written.messages) };
  }

  /** What was made of the live part, as made of the whole conversation. */
  lifted({ written, edits, choice, tokens }: Made): Made {
    const live = this.#live;
    const places = new Map(this.inner.parts.map((part, place) => [part, live.parts[place]]));
    const sources = written.sources.map(({ first, last, ...rest }) => ({
      first: live.sources[first].first,
      last: live.sources[last].last,
      ...rest,
    }));
    const why = new Uint8Array(this.messages.length).fill(KEEP_REASON.limit);
    choice?.why.forEach((reason, index) => why.fill(reason, live.sources[index].first, live.sources[index].last + 1));
    return {
      written: { messages: written.messages, sources },
      edits: [...live.removals, ...edits.map((edit) => ({ ...edit, part: places.get(edit.part) as Part }))],
      tokens,
      ...(choice === undefined ? {} : { choice: { ...choice, why } }),
    };
  }

  override *stripping(limit: number): Steps<Made | undefined> {
    return this.sparing(limit) ?? (yield* this.inner.stripping(limit));
  }
}
