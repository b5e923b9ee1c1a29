import { unlessAborted } from '../abort.js';
import { RANGE_COLUMN } from '../generated/layout.js';
import native from '../native.js';
import { withPauses } from '../pauses.js';
import type { Part, Tokenizer } from '../types.js';
import type { Steps } from '../steps.js';
import type { Fitting } from './fitting.js';
import type { FitOffer, GivenNote } from '../../binding';
import type { SummarySettings } from '../../index.js';

/** Share of the limit that is set aside for summaries. */
const SHARE = 0.12;
/** Minimum tokens that a summary gets; other groups are not offered. */
const MIN_TOKENS = 32;
/** Maximum length of an argument in the description of a call, in UTF-16 code units. */
const MAX_ARGUMENT = 200;
export const DEFAULT_CONCURRENCY = 4;

/**
 * Has texts that would be dropped summarised. Answers have to be shorter than the texts; facts that they lack are appended.
 *
 * @param limit tokens
 * @param options of `fit`, checked
 * @returns `notes` for `Fitting.search`; `refused`:
 * answers that were no text, not shorter, or an error
 */
export async function summaries(
  fitting: Fitting,
  limit: number,
  { summarizer, concurrency, signal }: SummarySettings,
): Promise<{ notes: GivenNote[]; asked: number; used: number; refused: number }> {
  const share = limit * SHARE;
  const offers = await withPauses(offering(fitting, limit, share));
  const answers = await inTurn(offers, concurrency ?? DEFAULT_CONCURRENCY, signal, (offer) => summarizer?.(textOf(fitting.live, offer)));
  const notes = notesOf(offers, answers, share, fitting.tokenizer);
  return { notes, asked: offers.length, used: notes.length, refused: offers.length - notes.length };
}

/** The largest groups of texts that would be dropped, as many as get enough of `share` for a sentence; in steps. */
export function* offering(fitting: Fitting, limit: number, share: number): Steps<FitOffer[]> {
  // No text is dropped if taking out thinking is enough.
  if ((yield* fitting.stripping(limit)) !== undefined) return [];
  const rest = limit - share;
  const fitter = fitting.engine();
  const offers: FitOffer[] = yield { now: () => fitter.offers(rest), later: () => fitter.offersAsync(rest) };
  let total = 0;
  return offers.filter(({ tokens }) => {
    total += tokens;
    return (share * tokens) / total >= MIN_TOKENS;
  });
}

/** Notes made of the answers that save tokens, up to `share` tokens in total. */
export function notesOf(offers: readonly FitOffer[], answers: readonly unknown[], share: number, tokenizer: Tokenizer) {
  const notes: GivenNote[] = [];
  let used = 0;
  offers.forEach((offer, index) => {
    const text = noteOf(answers[index], offer);
    if (text === undefined) return;
    const [tokens] = native.countTexts([text], tokenizer);
    if (tokens >= offer.tokens || used + tokens > share) return;
    used += tokens;
    notes.push({ message: offer.message, part: offer.part, text });
  });
  return notes;
}

/** The text of an offer: its texts, each result with a description of its call. */
export function textOf({ parts }: Pick<Fitting, 'parts'>, { ranges }: Pick<FitOffer, 'ranges'>) {
  const texts: string[] = [];
  for (let at = 0; at < ranges.length; at += RANGE_COLUMN.COUNT) {
    const part = parts[ranges[at + RANGE_COLUMN.PART]];
    const text = part.text.slice(ranges[at + RANGE_COLUMN.START], ranges[at + RANGE_COLUMN.END]);
    const call = part.kind === 'result' && part.call !== undefined && part.call >= 0 ? parts[part.call] : undefined;
    texts.push(call === undefined ? text : `${described(call)}: ${text}`);
  }
  return texts.join('\n\n');
}

/** A call with its arguments, except code: paths, commands, numbers. */
function described({ name, text }: Part) {
  let args = {};
  try {
    args = JSON.parse(text) ?? {};
  } catch {
    // Free-form input is mostly code.
  }
  const isTold = (value: unknown) =>
    typeof value === 'string' ? value.length <= MAX_ARGUMENT && !/[\n;{}=]/.test(value) : typeof value !== 'object';
  const told = Object.entries(args).filter(([, value]) => isTold(value));
  return `${name ?? 'tool'}(${told.map(([key, value]) => `${key}: ${value}`).join(', ')})`;
}

/** An answer on one line, with the facts that it lacks; undefined if it is no text. */
function noteOf(answer: unknown, { facts }: FitOffer) {
  if (typeof answer !== 'string') return undefined;
  const line = answer.replace(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  const lacking = facts.filter((fact) => !line.includes(fact));
  return lacking.length === 0 ? line : `${line} (${lacking.join(', ')})`;
}

/**
 * Calls `ask` for each item, at most `concurrency` at a time. An item whose call throws or rejects has no answer.
 *
 * @throws the signal's reason, as soon as it is aborted
 */
async function inTurn<T>(items: readonly T[], concurrency: number, signal: SummarySettings['signal'], ask: (item: T) => unknown) {
  const answers = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      try {
        answers[index] = await ask(items[index]);
      } catch {
        // The text is dropped without a summary, as without a summarizer.
      }
      if (signal?.aborted) return;
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, items.length) }, worker);
  await unlessAborted(Promise.all(workers), signal);
  return answers;
}
