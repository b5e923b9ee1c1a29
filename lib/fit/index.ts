import { takingOriginals } from '../agent/originals.js';
import { marksIn } from '../agent/stubs.js';
import { whatIs } from '../given.js';
import { calledBy, named } from '../places.js';
import { checkOptions, copyOptions, defaultOf } from '../options/index.js';
import { resolveLimits } from '../options/limits.js';
import { withPauses } from '../pauses.js';
import { inOneGo } from '../steps.js';
import { Recalled } from '../tokens/recalled.js';
import { Allowance } from './allowance.js';
import { takeUp } from './earlier.js';
import { pinsIn } from './pinned.js';
import { createReport } from './report.js';
import { openingShortened } from './shortened.js';
import { summaries } from './summaries.js';
import { exceedingIn } from './exceeding.js';
import { wholeWithin } from './whole.js';
import type { Fitting, Made } from './fitting.js';
import type { Steps } from '../steps.js';
import type { MemoryOf } from '../equality/fingerprint.js';
import type { Format } from '../types.js';
import type { Conversation } from './earlier.js';
import type { Pins } from './pinned.js';
import type { FitResult, FitSettings, SummarySettings } from '../../index.js';

/** See `index.d.ts`. */
function fit<T extends object>(messages: readonly T[], given: unknown): FitResult<T> {
  const { fitting, call, known } = inOneGo(beginning('fit', messages, given));
  try {
    const made = fitting.fits(call.allowed) ? fitting.whole() : fitting.search(call.allowed);
    return inOneGo(finishing(fitting, call, made, undefined, known)) as FitResult<T>;
  } finally {
    fitting.close();
  }
}

/** See `index.d.ts`. */
async function fitAsync<T extends object>(messages: readonly T[], options: unknown): Promise<FitResult<T>> {
  try {
    return (await fitMessagesAsync(messages, options)) as FitResult<T>;
  } catch (error) {
    throw calledBy('fitAsync', 'fit', error);
  }
}

async function fitMessagesAsync(messages: readonly object[], given: unknown): Promise<FitResult<object>> {
  const { fitting, call } = await withPauses(beginning('fitAsync', messages, given));
  try {
    const { options, allowed } = call;
    if (options.signal?.aborted) throw options.signal.reason;
    if (fitting.fits(allowed)) return await withPauses(finishing(fitting, call, fitting.whole()));
    const { notes, ...counts } = options.summarizer ? await summaries(fitting, allowed, options) : { notes: [] };
    const made = await fitting.searchAsync(allowed, notes);
    return await withPauses(finishing(fitting, call, made, 'asked' in counts ? counts : undefined));
  } finally {
    fitting.close();
  }
}

/** Checks the arguments, and reads and counts the conversation, in steps. `known`: what is remembered of messages that nothing could change since. */
function* beginning(verb: 'fit' | 'fitAsync', messages: readonly object[], given: unknown): Steps<Begun> {
  if (!Array.isArray(messages)) throw new TypeError(`${verb}(): messages must be an array, got ${whatIs(messages, 'messages')}`);
  checkOptions(verb, given);
  // A callback may change the object that was given.
  const options: FitSettings<object> & SummarySettings = copyOptions(verb, given as FitSettings);
  for (const name of ['system', 'tools'] as const) if (Array.isArray(options[name])) options[name] = [...(options[name] as [])];
  const isOwn = options.limit != null && options.model == null;
  const model = resolveLimits(options, `${verb}(): options`);
  options.thinking ??= defaultOf('fit', 'thinking');
  const conversation = takeUp(messages, options, model);
  const allowance = new Allowance(conversation.format.name, options, model, isOwn);
  // `resolveLimits` gave one where only a model or a window was given.
  const limit = options.limit as number;
  const allowed = allowance.of(limit);
  // The caller's counter is called each time.
  const counts = options.tokenCounter
    ? undefined
    : yield* Recalled.recalling(
        conversation.messages,
        conversation.format,
        options.tokenizer ?? defaultOf('fit', 'tokenizer'),
        options.tools,
      );
  const pins = yield* pinning(conversation, options, allowed);
  const exceeding = yield* exceedingIn(conversation, options, model, counts);
  const whole = counts && exceeding === undefined ? yield* wholeWithin(conversation, options, counts, allowed) : undefined;
  // What is whole answers as a fitting does.
  const fitting: Fitting =
    (whole as Fitting | undefined) ??
    (yield* openingShortened(
      conversation,
      { ...options, exceeding, counted: counts?.known() },
      undefined,
      verb === 'fit' ? allowed : undefined,
    ));
  // What is ignored is remembered with what it costs elsewhere.
  if (counts && counts.fresh.length > 0 && fitting.isComplete) {
    const places = new Map(counts.fresh.map((index, place) => [index, place]));
    const guessed = fitting.guessed.flatMap((message) => places.get(message) ?? []);
    counts.learn(
      counts.fresh.map((index) => fitting.tokensOf(conversation.messages[index])),
      guessed,
    );
  }
  const marksOf = (message: object, index: number) => marksIn(message, counts?.memoryAt(index));
  const call: Call = {
    options,
    limit,
    format: conversation.format.name,
    missing: yield* conversation.missing(marksOf),
    allowance,
    allowed,
    pins,
  };
  const known = counts && ((message: object) => counts.memoryOf(message));
  return { fitting, call, known };
}

/** A conversation that is read and counted, for the call that asked. */
interface Begun {
  fitting: Fitting;
  call: Call;
  known: MemoryOf | undefined;
}

interface Call {
  options: FitSettings<object> & SummarySettings;
  limit: number;
  format: Format['name'];
  missing: string[];
  allowance: Allowance;
  /** counted tokens */
  allowed: number;
  pins: Pins | undefined;
}

/** Finds the pins of a conversation, in steps. Those that have no room in so many tokens are none of the options any more. */
function* pinning(conversation: Conversation, options: FitSettings<object>, allowed: number): Steps<Pins | undefined> {
  const given = options.keep?.pinned ?? [];
  if (given.length === 0) return undefined;
  conversation.parts ??= yield* conversation.format.reading(conversation.messages);
  const pins = pinsIn(conversation.parts, given, options.tokenizer ?? defaultOf('fit', 'tokenizer'), allowed);
  options.keep = { ...options.keep, pinned: pins.kept };
  return pins;
}

/** Makes the result, in steps. */
function* finishing(
  fitting: Fitting,
  { options, limit, format, missing, allowance, allowed, pins }: Call,
  made: Made,
  counts?: { asked: number; used: number; refused: number },
  known?: MemoryOf,
): Steps<FitResult<object>> {
  const fits = made.tokens <= allowed && (fitting.limited?.excesses.length ?? 0) === 0;
  const tokens: Parameters<typeof createReport>[2] = { before: fitting.before, after: made.tokens, limit };
  if (allowed < limit) tokens.margin = limit - allowed;
  if (!fits) tokens.minimum = allowance.minimum(made.tokens);
  const taken = made.edits.length > 0 ? yield* takingOriginals(fitting.messages, made.written, fitting.staleMessages(), known) : {};
  return {
    messages: made.written.messages,
    // Keys that are new make hidden classes, so they are not set twice.
    originals: isEmpty(fitting.carried) ? taken : { ...fitting.carried, ...taken },
    missing,
    fits,
    exact: allowance.isExact && (options.tokenCounter != null || !fitting.isGuessed),
    format,
    tokens,
    report: createReport(fitting, made, tokens, { summaries: counts, isTraced: options.trace, pins }),
  };
}

function isEmpty(object: object) {
  for (const _ in object) return false;
  return true;
}

const fitNamed = named('fit', fit);
// Without the name in front of errors about places in the messages: for functions with a name of their own.
export { fitAsync, fitMessagesAsync, fitNamed as fit, fit as fitMessages };
