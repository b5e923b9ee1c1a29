import { originalsOf } from '../agent/originals.js';
import { marksIn } from '../agent/stubs.js';
import { whatIs } from '../given.js';
import { named } from '../places.js';
import { checkOptions, copyOptions, defaultOf } from '../options/index.js';
import { resolveLimits } from '../options/limits.js';
import { Recalled } from '../tokens/recalled.js';
import { Allowance } from './allowance.js';
import { takeUp } from './earlier.js';
import { createReport } from './report.js';
import { Fitting } from './fitting.js';
import { summaries } from './summaries.js';
import { wholeWithin } from './whole.js';
import type { Made } from './fitting.js';
import type { memoryOf } from '../agent/fingerprint.js';
import type { GivenNote } from '../../binding';
import type { Foreign, Format } from '../types.js';
import type { FitOptions, FitResult } from '../../index.js';

/** See `index.d.ts`. */
function fit(messages: readonly Foreign[], given: Foreign) {
  if (!Array.isArray(messages)) throw new TypeError(`fit(): messages must be an array, got ${whatIs(messages, 'messages')}`);
  checkOptions('fit', given);
  // A callback may change the object that was given.
  const options = copyOptions('fit', given);
  const isOwn = options.budget != null && options.model == null;
  const model = resolveLimits(options, 'budget', 'fit(): options');
  options.thinking ??= defaultOf('fit', 'thinking');
  const conversation = takeUp(messages, options, model?.provider);
  const allowance = new Allowance(conversation.format.name, options, model, isOwn);
  // `resolveLimits` gave one where only a model or a window was given.
  const budget = options.budget as number;
  const limit = allowance.limit(budget);
  // The caller's counter is called each time.
  const counts = options.tokenCounter
    ? undefined
    : new Recalled(conversation.messages, conversation.format, options.tokenizer ?? defaultOf('fit', 'tokenizer'));
  const whole = counts && wholeWithin(conversation, options, counts, limit);
  // What is whole answers as a fitting does.
  const fitting: Fitting = (whole as Foreign) ?? new Fitting(conversation, options, options.summarizer ? undefined : limit);
  counts?.learn(counts.fresh.map((index) => fitting.tokensOf(conversation.messages[index])));
  const marksOf = (message: Foreign, index: number) => marksIn(message, counts?.memoryAt(index));
  const call = { options, budget, format: conversation.format.name, missing: conversation.missing(marksOf), allowance, limit };
  if (options.summarizer) return fitWithSummaries(fitting, call);
  // Nothing could change the messages since they were compared with what was remembered.
  const known = counts && ((message: Foreign) => counts.memoryOf(message));
  try {
    return finish(fitting, call, choose(fitting, limit), undefined, known);
  } finally {
    fitting.close();
  }
}

async function fitWithSummaries(fitting: Fitting, call: Call) {
  const { options, limit } = call;
  try {
    if (options.signal?.aborted) throw options.signal.reason;
    if (fitting.fits(limit)) return finish(fitting, call, fitting.whole());
    const { notes, ...counts } = await summaries(fitting, limit, options);
    return finish(fitting, call, choose(fitting, limit, notes), counts);
  } finally {
    fitting.close();
  }
}

interface Call {
  options: FitOptions<Foreign>;
  budget: number;
  format: Format['name'];
  missing: string[];
  allowance: Allowance;
  limit: number;
}

/** The whole conversation if it fits, otherwise the best choice. */
const choose = (fitting: Fitting, limit: number, notes?: GivenNote[]) =>
  fitting.fits(limit) ? fitting.whole() : fitting.search(limit, notes);

function finish(
  fitting: Fitting,
  { options: { trace }, budget, format, missing, allowance, limit }: Call,
  made: Made,
  counts?: { asked: number; used: number; refused: number },
  known?: typeof memoryOf,
): FitResult<Foreign> {
  const fits = made.tokens <= limit;
  const tokens: Parameters<typeof createReport>[2] = { before: fitting.before, after: made.tokens, budget };
  if (limit < budget) tokens.margin = budget - limit;
  if (!fits) tokens.minimum = allowance.minimum(made.tokens);
  const taken = made.edits.length > 0 ? originalsOf(fitting.messages, made.written, fitting.staleMessages(), known) : {};
  return {
    messages: made.written.messages,
    // Keys that are new make hidden classes, so they are not set twice.
    originals: isEmpty(fitting.carried) ? taken : { ...fitting.carried, ...taken },
    missing,
    fits,
    exact: allowance.isExact,
    format,
    tokens,
    report: createReport(fitting, made, tokens, counts, trace),
  };
}

function isEmpty(object: object) {
  for (const _ in object) return false;
  return true;
}

const fitNamed = named('fit', fit);
export { fitNamed as fit, fit as fitMessages };
