import { hasMembers } from '../checks.js';
import { memorise, recall } from '../equality/memory.js';
import { isUnchanged, snapshotOf } from '../equality/snapshot.js';
import { figuresOf } from '../limits/figures.js';
import { besideOf, loadOf } from '../limits/load.js';
import { compactionIn } from '../providers/shared/compaction.js';
import { getIn } from '../providers/shared/copy.js';
import { savedBy, shortening } from '../fit/shortening.js';
import { pace } from '../steps.js';
import { measuring, perMessage } from '../tokens/measure.js';
import { providerOf } from '../tokens/provider.js';
import { askCounter, requestTokens } from '../tokens/request.js';
import { notingResults } from './faults.js';
import { History, shortened } from './history.js';
import { frontOf, printsOf } from './prefix.js';
import type { ShortenedResult } from '../../binding';
import type { SessionSettings } from '../../index.js';
import type { Format, Part, Provider, Tokenizer, Tool } from '../types.js';
import type { Steps } from '../steps.js';
import type { Saved } from '../fit/shortening.js';
import type { Entry } from './history.js';
import type { Front, FrontPrints } from './prefix.js';
import type { Snapshot } from '../equality/snapshot.js';
import type { Figures } from '../limits/figures.js';
import type { Weight } from '../limits/load.js';
import type { Model } from '../models.js';

/** What makes a message shorter, and what each kind saved of tokens. */
export interface Shorter {
  shorten: NonNullable<Entry['shorten']>;
  savedOf: (tokens: number) => Saved;
}

const NONE: readonly never[] = Object.freeze([]);
const NOTHING_SAVED: Saved = Object.freeze({});

/** Reads and counts messages of one format, with the tokenizer or the caller's counter. */
export class Counter {
  format: Format;
  provider: 'openai' | 'anthropic' | 'gemini';
  tokenizer: Tokenizer;
  tokenCounter: ((message: object) => unknown) | undefined;
  /** Tokens that belong to no message. */
  request: number;
  /** Whether they include some that are not known. */
  isGuessed: boolean;
  /** Tools that a search may load. */
  deferred: Tool[];
  /** What is sent in front of the messages, and its prints. */
  front: Front;
  frontPrints: FrontPrints;
  /** Whether results are written in fewer tokens. */
  isShortening: boolean;
  #options: Pick<SessionSettings<object>, 'keep' | 'prune'>;
  beside: { key: string; value: unknown; values: Snapshot | undefined }[];

  /** What a request may hold beside tokens; undefined if nothing is limited. */
  figures: Figures | undefined;
  /** Bytes of what is sent beside the messages. */
  bytes: number;

  /**
   * @param options of the session
   * @param model that they name
   */
  constructor(format: Format, options: SessionSettings<object>, model?: Model) {
    const { tokenizer, tokenCounter } = options;
    this.format = format;
    this.isShortening = options.shorten !== false;
    this.#options = options;
    this.provider = providerOf(format);
    this.tokenizer = tokenizer ?? 'o200k_base';
    this.tokenCounter = tokenCounter ?? undefined;
    const beside = requestTokens(this.provider, this.tokenizer, options, 'createSession(): options');
    this.request = beside.tokens;
    this.isGuessed = beside.isGuessed;
    this.deferred = beside.schemas.filter(({ isDeferred }) => isDeferred);
    this.front = frontOf(options.system, beside.schemas);
    this.frontPrints = printsOf(this.front);
    this.beside = listed(options);
    this.figures = figuresOf(format, options, model);
    this.bytes = this.figures === undefined ? 0 : besideOf('exact', options.system, options.tools);
  }

  /** Returns what a message holds of what is limited beside tokens. */
  loadOf = (message: object, weight: Weight) => loadOf(message, this.format, this.figures ?? {}, weight);

  /** Returns whether the tools and instructions beside the messages are those that were counted. */
  isCurrent(options: SessionSettings<object>) {
    const now = membersOf(options);
    return (
      now.length === this.beside.length &&
      this.beside.every(({ key, value, values }, index) => {
        const [name, it] = now[index];
        return name === key && it === value && (values === undefined || isUnchanged(values, it as object));
      })
    );
  }

  /**
   * Counts the tokens of each message, in steps.
   *
   * @param guessed takes the indices of those whose tokens are not known for sure
   */
  *counting(messages: readonly object[], parts?: readonly Part[], guessed?: Set<number>): Steps<number[] | Float64Array> {
    const { tokenCounter } = this;
    if (tokenCounter) return messages.map((message) => askCounter(tokenCounter, message, 'createSession(): options.tokenCounter'));
    parts ??= yield* this.format.reading(messages);
    const measured = yield* measuring(messages, parts, this.provider, this.tokenizer, { deferred: this.deferred });
    for (const index of measured.guessed) guessed?.add(index);
    return perMessage(parts, measured);
  }

  /** Counts messages as they are in the caller's history, in steps, and what shorter results saved of them. */
  *countingWhole(entries: readonly Entry[], shorter: ReadonlyMap<number, Shorter>): Steps<void> {
    if (shorter.size === 0) return;
    const indices = [...shorter.keys()];
    const counts = yield* this.counting(indices.map((index) => entries[index].given));
    indices.forEach((index, place) => {
      const less = counts[place] - entries[index].tokens;
      Object.assign(entries[index], { less, saved: shorter.get(index)?.savedOf(less) });
    });
  }

  /**
   * Makes the results in messages shorter, in steps.
   *
   * @param parts those of the messages
   * @param before the messages in front of them, from the first call that is answered in them
   * @param isWhole whether a message stays as it is
   * @param isSaved whether the messages were sent before, which decides: `shorten.files` may have been another list then
   * @returns by index, what makes a message shorter, and how much the kinds of shortening have to do with it; and the messages that stay as they are
   *   because of `shorten.files`
   */
  *shortening(
    messages: readonly object[],
    parts: readonly Part[],
    before: readonly object[],
    isWhole: (index: number) => boolean,
    isSaved: boolean,
  ): Steps<{ shorter: Map<number, Shorter>; files: Set<number> }> {
    const isAnswering = ({ kind, call, message }: Part) => kind === 'result' && call === -1 && !isWhole(message);
    const front = before.length > 0 && parts.some(isAnswering) ? before : [];
    const all = [...front, ...messages];
    const read = front.length === 0 ? parts : yield* this.format.reading(all);
    const mayBe = ({ message }: Part) => message >= front.length && !isWhole(message - front.length);
    const options = isSaved ? { ...this.#options, shorten: true } : this.#options;
    const { results, files: calls } = yield* shortening(all, read, options, mayBe);
    const isOfFile = (part: Part) => part.kind === 'result' && calls.has(read[part.call ?? -1]) && mayBe(part);
    // The state says of whole messages that they are.
    const files = new Set(calls.size === 0 ? [] : read.filter(isOfFile).map(({ message }) => message));
    const byMessage = new Map<number, ShortenedResult[]>();
    for (const result of results) {
      const { message } = read[result.part];
      if (!files.has(message)) byMessage.set(message, [...(byMessage.get(message) ?? []), result]);
    }
    const shorter = new Map(
      Array.from(byMessage, ([message, own]) => {
        const texts = new Map(own.map(({ part, text }) => [read[part].text, text]));
        const shorten = shortenWith(this.format, texts);
        const savedOf = (tokens: number) => savedBy(own, read, new Map([[message, tokens]]));
        return [message - front.length, { shorten, savedOf }] as const;
      }),
    );
    return { shorter, files: new Set(Array.from(files, (message) => message - front.length)) };
  }

  /**
   * Writes results shorter that stayed whole because of the thinking behind them, for a request without that thinking; in steps.
   *
   * @returns undefined where there are none
   */
  *withShorter(history: History): Steps<History | undefined> {
    const { entries } = history;
    if (!this.isShortening || !entries.some(({ isWhole, role }) => isWhole && role === 'tool')) return undefined;
    const given = entries.map((entry) => entry.given);
    const { shorter, files } = yield* this.shortening(
      given,
      yield* this.format.reading(given),
      [],
      (index) => !entries[index].isWhole,
      false,
    );
    if (shorter.size === 0) return undefined;
    const [first] = shorter.keys();
    const next = entries.map((entry, index) => {
      const copy = { ...entry, isWhole: entry.isWhole && files.has(index), isStale: entry.isStale || index > first };
      const own = shorter.get(index);
      return own === undefined ? copy : shortened(copy, own.shorten);
    });
    const indices = [...shorter.keys()];
    const counts = yield* this.counting(indices.map((index) => next[index].message));
    indices.forEach((index, place) => (next[index].tokens = counts[place]));
    yield* this.countingWhole(next, shorter);
    return new History().with([], 0, next, this.format.name);
  }

  /**
   * Makes the entries of new messages, in steps.
   *
   * @param before the messages with the calls that the first results may answer
   * @param isSaved whether a message was sent as it is, where a saved state says it
   * @throws {TypeError} one of them is not what its format has
   */
  *reading(given: readonly object[], before: readonly object[] = [], isSaved?: (index: number) => boolean): Steps<Entry[]> {
    const read = yield* this.format.reading(given);
    // What was sent before a signature is known to the provider as it is.
    const first = read.findLast(({ signed }) => signed)?.message ?? 0;
    const isWhole = isSaved ?? ((index: number) => !this.isShortening || index < first);
    const { shorter, files } = yield* this.shortening(given, read, before, isWhole, isSaved !== undefined);
    const messages: object[] = [];
    for (let index = 0; index < given.length; index++) {
      if (pace.isDue) yield;
      messages.push(shorter.get(index)?.shorten(given[index]) ?? given[index]);
    }
    const parts = shorter.size === 0 ? read : yield* this.format.reading(messages);
    const guessed = new Set<number>();
    const tokens = yield* this.counting(messages, parts, guessed);
    const entries: Entry[] = [];
    for (let index = 0; index < given.length; index++) {
      if (pace.isDue) yield;
      const entry = entryOf(given[index], tokens[index], guessed.has(index), this.format.to);
      entry.isWhole = isWhole(index) || files.has(index);
      const own = shorter.get(index);
      entries.push(own === undefined ? entry : shortened(entry, own.shorten));
    }
    yield* this.countingWhole(entries, shorter);
    for (const { message, path, role, signed, unknown } of parts) {
      if (pace.isDue) yield;
      const entry = entries[message];
      if (unknown !== undefined) entry.unknown = [...entry.unknown, unknown];
      // A message with a result has the role `tool`, even if it holds other parts.
      if (entry.role === undefined || role === 'tool') entry.role = role;
      if (signed) entry.thoughts = [...entry.thoughts, getIn(messages[message], path)];
      entry.isSigned ||= signed === true;
    }
    yield* notingResults(entries, parts);
    return entries;
  }
}

/** The tools and instructions of options, each with its name or index. */
const membersOf = ({ tools, system }: SessionSettings<object>) =>
  [tools, system].flatMap((list): [string, unknown][] => (hasMembers(list) ? Object.entries(list) : [['', list]]));

/** What is needed to see that they change, once for all sessions. One that holds functions or instances of classes is told from others as an object. */
const listed = (options: SessionSettings<object>) =>
  membersOf(options).map(([key, value]) => {
    const known = hasMembers(value) ? (recall(value) ?? memorise(value)) : undefined;
    return { key, value, values: known?.snapshot };
  });

/** Writes a message with other texts in its results. It stays as long as the message: nothing else may stand around it, or that would stay, too. */
const shortenWith = (format: Format, texts: ReadonlyMap<string, string>) => (message: object) => withTexts(format, message, texts);

/** A message with other texts in its results. */
function withTexts(format: Format, message: object, texts: ReadonlyMap<string, string>): object {
  const edits = format.read([message]).flatMap((part) => {
    const text = part.kind === 'result' && part.locked === undefined ? texts.get(part.text) : undefined;
    return text === undefined ? [] : [{ part, text }];
  });
  return format.write([message], edits)[0];
}

/** @param to the provider of the requests, where it is known */
export function entryOf(message: object, tokens: number, isGuessed: boolean, to: Provider | undefined): Entry {
  const snapshot = snapshotOf(message);
  return {
    message,
    snapshot,
    given: message,
    givenSnapshot: snapshot,
    tokens,
    role: undefined as any,
    isSigned: false,
    thoughts: NONE,
    isGuessed,
    shorten: undefined,
    less: 0,
    saved: NOTHING_SAVED,
    isWhole: true,
    isStale: false,
    unknown: NONE,
    isSentAsListed: false,
    print: undefined,
    compacts: compactionIn(message, to),
    results: undefined,
  };
}
