// Opens a conversation that is to be fitted: it is read, and the engine counts it.

import { engineOptions, gatherParts } from '../agent/gather.js';
import { firstEditable, strippedFrom } from '../agent/thinking.js';
import { openingStep } from '../agent/thinking-steps.js';
import native from '../native.js';
import { pace } from '../steps.js';
import { gatherRequest } from '../tokens/gather.js';
import { providerOf } from '../tokens/provider.js';
import { askCounter } from '../tokens/request.js';
import { toolSchemas } from '../tokens/schemas.js';
import { systemPrompts } from '../tokens/system.js';
import { Limited } from './limited.js';
import { lastWith } from './pinned.js';
import type { Format, Part, Tokenizer, Tool } from '../types.js';
import type { Steps } from '../steps.js';
import type { FitOutcome, Fitter, FitTokens, GatheredFitOptions, GatheredParts, SessionFacts } from '../../binding';
import type { FitSettings, PruneSettings } from '../../index.js';
import type { Stripped } from '../agent/thinking.js';
import type { Conversation } from './earlier.js';
import type { Exceeding } from './limited.js';

/** A conversation that is read to be fitted. */
export type Read = Omit<Conversation, 'missing'>;

/**
 * The options of `fit`, checked. `numbers`: if given, marks name the dropped messages by their places plus this number. `exceeding`: the
 * limits of a request beside tokens that the conversation exceeds. `askedAgain`: finds the results that the model asked for again, by their places; they are worth more. `counted`: the
 * tokens of a message, by index, where they are known.
 */
export type FittingOptions = FitSettings<object> & {
  numbers?: number | undefined;
  exceeding?: Exceeding | undefined;
  askedAgain?: (parts: readonly Part[]) => Steps<number[]>;
  counted?: ((index: number) => number | undefined) | undefined;
};

/** What of a conversation may go, as far as it follows from the conversation and the options. */
interface Parted {
  messages: object[];
  parts: Part[];
  format: Format;
  /** the first message whose signed thinking was made behind something else; Infinity where there is none */
  stale: number;
  tokenizer: Tokenizer;
  tokenCounter: ((message: object) => unknown) | undefined;
  thinking: FitSettings['thinking'];
  /** the first part that may be edited */
  editable: number;
  /** signed thinking that may go. All of it goes before anything else is cut, so it costs a cut result nothing. */
  strippable: Stripped[];
  /** the turn of each message as a number: messages of equal turns are merged when those between them are removed */
  turns: Uint32Array<ArrayBuffer> | undefined;
  pruning: PruneSettings | undefined;
  schemas: Tool[];
  /** what keeps the other limits of a request, where the conversation exceeds one */
  limited: Limited | undefined;
}

/** What the engine is asked. */
interface Gathered {
  parts: GatheredParts;
  costs: GatheredFitOptions;
  /** the messages with something whose tokens are not known; some more than once, and `NONE` for the request */
  guessed: number[];
}

/** What the engine knows of a conversation: it keeps it, or has chosen already. */
interface Engine {
  fitter: Fitter | undefined;
  answer: FitOutcome | undefined;
}

/** What a conversation costs. */
interface Counted {
  /** tokens that belong to no message */
  request: number;
  /** tokens that a message costs less when it is merged into the one before */
  merging: number;
  /** the tokens of each message's signed thinking that may go; those where nothing but reasoning is left without it */
  stripped: Float64Array;
  emptied: ReadonlySet<number>;
  /** the tokens of each part */
  tokensOfParts: Float64Array;
  /** those of the messages, and of what is made of them */
  known: Map<object, number>;
  /** of everything */
  before: number;
}

/** A conversation that was read and counted. */
export interface Opened extends Read, Parted, Counted, Engine {
  parts: Part[];
  guessed: number[];
  /** the same as before, kept by the engine with what goes now for the other limits */
  reopening: () => Steps<Opened>;
}

/**
 * Reads and counts a conversation, in steps.
 *
 * @param facts `SessionFacts`: what is known of the texts, and what will be
 * @param limit for one call of the engine, which also chooses; it is not with a counter of the caller
 */
export function* opened(conversation: Read, options: FittingOptions, facts?: SessionFacts, limit?: number): Steps<Opened> {
  const parts = conversation.parts ?? (yield* conversation.format.reading(conversation.messages));
  const read = { ...conversation, parts };
  const editable = firstEditable(parts, options.thinking);
  const limited = options.exceeding && (yield* Limited.opening(options.exceeding, { ...read, editable }, options.keep));
  return yield* counting(partedBy(read, options, editable, limited), read, options, { facts, limit });
}

/** @param asking `known`: the tokens of the messages, if the caller's counter was asked for them */
function* counting(
  parted: Parted,
  conversation: Read & { parts: Part[] },
  options: FittingOptions,
  asking: { facts: SessionFacts | undefined; limit?: number | undefined; known?: Map<object, number> },
): Steps<Opened> {
  const gathered = yield* gathering(parted, options);
  const engine = yield* reading(parted, gathered, asking);
  const tokens = engine.fitter?.tokens() ?? (engine.answer as FitOutcome).tokens;
  const counts = summed(parted, tokens);
  const scaled = yield* scaling(parted, engine, counts, asking.known);
  const known = asking.known ?? new Map<object, number>();
  let before = tokens.request;
  for (let index = 0; index < parted.messages.length; index++) {
    if (pace.isDue) yield;
    known.set(parted.messages[index], scaled.own[index]);
    before += scaled.own[index];
  }
  return {
    ...conversation,
    ...parted,
    ...scaled.engine,
    request: tokens.request,
    merging: tokens.merging,
    stripped: counts.stripped,
    emptied: counts.emptied,
    tokensOfParts: counts.parts,
    known,
    before,
    guessed: gathered.guessed,
    reopening: () => counting(parted, conversation, options, { facts: asking.facts, known }),
  };
}

function partedBy(
  { messages, parts, format, stale }: Read & { parts: Part[] },
  options: FittingOptions,
  editable: number,
  limited: Limited | undefined,
): Parted {
  const { thinking } = options;
  return {
    messages,
    parts,
    format,
    stale,
    tokenizer: options.tokenizer ?? 'o200k_base',
    tokenCounter: options.tokenCounter ?? undefined,
    thinking,
    editable,
    strippable: thinking === 'strip' ? strippedFrom(parts, 0) : [],
    turns: format.turn && turnsOf(format, messages),
    pruning: pruningOf(options),
    schemas: toolSchemas(options.tools, 'fit(): options.tools'),
    limited,
  };
}

/** Gathers what the engine is asked, in steps. */
function* gathering(parted: Parted, options: FittingOptions): Steps<Gathered> {
  const { messages, parts, format, tokenizer, tokenCounter, editable, strippable, turns, pruning, schemas, limited } = parted;
  const { keep } = options;
  const beside = { schemas, prompts: systemPrompts(options.system, 'fit(): options.system'), texts: false as false, notes: limited?.notes };
  const request = yield* gatherRequest(messages, parts, providerOf(format), tokenizer, beside);
  // The parts that may not be removed, beside those that never may be.
  const staying = options.thinking === 'leave' ? openingStep(parts) : [];
  const gathered = yield* gatherParts(messages, parts, undefined, { editable, staying });
  const mayGo = new Set(strippable.map(({ part }) => part));
  // The engine takes undefined for absent.
  const costs = {
    request,
    isCounted: tokenCounter !== undefined && schemas.length === 0,
    strippable: mayGo.size === 0 ? undefined : Uint8Array.from(parts, (part) => Number(mayGo.has(part))),
    turns,
    keepRecent: Math.min(keep?.recent ?? 0, 0xffffffff),
    keepUser: keep?.user ?? false,
    keepTools: [...(keep?.tools ?? [])],
    keepArguments: keep?.arguments ?? false,
    ...(options.numbers !== undefined && { keepNumbers: options.numbers }),
    askedAgain: Uint32Array.from(options.askedAgain === undefined ? [] : yield* options.askedAgain(parts)),
    keepRanges: yield* matches(parts, keep?.patterns ?? [], keep?.pinned ?? []),
    query: queryOf(options.query),
    prune: pruning && engineOptions(pruning),
  } as GatheredFitOptions;
  return { parts: gathered, costs, guessed: request.guessed };
}

/** Has the engine read a conversation, in steps. With a limit it chooses in the same call, and keeps nothing. */
function* reading(
  { tokenCounter, limited, stale }: Parted,
  { parts, costs }: Gathered,
  { facts, limit }: { facts: SessionFacts | undefined; limit?: number | undefined },
): Steps<Engine> {
  if (limit !== undefined && !tokenCounter && !limited?.isCutting)
    return { fitter: undefined, answer: native.fitTranscript(parts, costs, limit, stale === Infinity) };
  const fitter: Fitter = yield { now: () => new native.Fitter(parts, costs, facts), later: () => native.Fitter.open(parts, costs, facts) };
  return { fitter, answer: undefined };
}

/** The tokens of messages, of parts, and of signed thinking that may go. */
function summed({ messages, parts, format, tokenizer, strippable, limited }: Parted, tokens: FitTokens) {
  // What goes anyway costs no choice anything, but it is there.
  if (limited?.isCutting) {
    const places = new Map(parts.map((part, index) => [part, index]));
    for (const [part, more] of limited.savings(messages, format, tokenizer)) tokens.parts[places.get(part) as number] += more;
  }
  const mayGo = new Set(strippable.map(({ part }) => part));
  const stripped = new Float64Array(messages.length);
  const emptied = new Set(strippable.map(({ part }) => part.message));
  for (let index = 0; index < parts.length; index++) {
    const { message, kind } = parts[index];
    tokens.own[message] += tokens.parts[index];
    if (mayGo.size === 0) continue;
    if (mayGo.has(parts[index])) stripped[message] += tokens.parts[index];
    if (kind !== 'reasoning') emptied.delete(message);
  }
  return { own: tokens.own, parts: tokens.parts, stripped, emptied };
}

/** The tokens of messages as the caller counts them, to which the engine then scales its own; in steps. */
function* scaling(
  { messages, tokenCounter }: Parted,
  engine: Engine,
  { own }: { own: Float64Array },
  known: ReadonlyMap<object, number> | undefined,
): Steps<{ own: Float64Array; engine: Engine }> {
  const { fitter } = engine;
  if (!tokenCounter || fitter === undefined) return { own, engine };
  const counts = Float64Array.from(known ? messages.map((message) => known.get(message) as number) : yield* asking(tokenCounter, messages));
  const scales = counts.map((count, index) => (own[index] > 0 ? count / own[index] : 1));
  const scaled: Fitter = yield { now: () => fitter.scaled(scales), later: () => fitter.scaledAsync(scales) };
  return { own: counts, engine: { fitter: scaled, answer: undefined } };
}

/** Asks the caller's counter for each message, in steps. */
export function* asking(counter: (message: object) => unknown, messages: readonly object[]): Steps<number[]> {
  const counts: number[] = [];
  for (const message of messages) {
    if (pace.isDue) yield;
    counts.push(askCounter(counter, message, 'fit(): options.tokenCounter'));
  }
  return counts;
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

/**
 * The ranges of the parts' texts that patterns match or that are pinned: part, start and end of each, in order, none in another; in steps. An empty
 * one keeps what has no text.
 */
function* matches(parts: readonly Part[], patterns: readonly RegExp[], pinned: readonly (string | number)[]): Steps<Uint32Array> {
  if (patterns.length === 0 && pinned.length === 0) return new Uint32Array(0);
  const found: number[] = [];
  const searches = patterns.map(globally);
  const messages = new Set(pinned);
  const texts = new Map<number, [number, number][]>();
  for (const pin of pinned) {
    if (typeof pin === 'number') continue;
    const part = lastWith(parts, pin);
    if (part < 0) continue;
    const start = parts[part].text.lastIndexOf(pin);
    texts.set(part, [...(texts.get(part) ?? []), [start, start + pin.length]]);
  }
  for (const [index, { text, message }] of parts.entries()) {
    if (pace.isDue) yield;
    if (messages.has(message)) {
      found.push(index, 0, text.length);
      continue;
    }
    const ranges = searches
      .flatMap((pattern) =>
        Array.from(text.matchAll(pattern) as Iterable<RegExpMatchArray & { index: number }>, (match) => [
          match.index,
          match.index + match[0].length,
        ]),
      )
      .concat(texts.get(index) ?? [])
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
