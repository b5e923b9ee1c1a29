// Requests that went out before: each is written again from the caller's history and the log.

import { messagePrints } from '../equality/fingerprint.js';
import { marked } from './breakpoints.js';
import { entryOf } from './counter.js';
import { formatInLog, withFormat } from './format.js';
import { History } from './history.js';
import { Cuts } from './cuts.js';
import { copiesPrint, historyPrints, spread, wholeIn } from './log.js';
import { shorterAgain } from './saved.js';
import { Sent } from './sent.js';
import { START } from './state.js';
import type { SentCut, SentRequest } from '../../index.js';
import type { Format, Part } from '../types.js';
import type { Steps } from '../steps.js';
import type { Config } from './config.js';
import type { Run } from './edits.js';
import type { Choice, Made, RequestLog } from './log.js';
import type { KeptEdit } from './sent.js';
import type { Ready, State } from './state.js';

type Unknown = Extract<SentRequest<object>, { known: false }>;

/** A request that can be written again. */
interface Request {
  number: number;
  made: Made;
  /** number of the choice in the log: 0 is the last one */
  choice: number;
  /** the first messages of the caller's history, which it had */
  messages: readonly object[];
}

/** A state's log, and the number of the first request in it. */
export function logOf({ saved, log, ledger, history }: State): { log: RequestLog; first: number; history: History } {
  const own = saved?.log ?? log;
  return { log: own, first: (saved?.ledger ?? ledger).requests - own.length + 1, history };
}

/** Finds a request in the log, and its messages in a history. */
function requestIn(state: State, number: number, given: readonly object[]): Request | Unknown {
  const { log, first, history } = logOf(state);
  const made = log.made[number - first];
  if (made === undefined) {
    const isDropped = number < first;
    return unknown(number, isDropped ? 'dropped' : 'not-sent');
  }
  const messages = given.slice(0, made.length);
  if (!areOf(log, history, messages, [number - first])[number - first]) return unknown(number, 'history', made.length);
  const choice = log.made.slice(number - first + 1).filter(({ isNew }) => isNew).length;
  return { number, made, choice, messages };
}

/**
 * Whether messages begin with those of each request of the log.
 *
 * @param history the session's
 * @param only numbers in the log of those that are asked for
 */
export function areOf(log: RequestLog, history: History, messages: readonly object[], only?: readonly number[]): boolean[] {
  const known = log.prints(history);
  const isAsked = (index: number) => only === undefined || only.includes(index);
  try {
    const lengths = log.made.map(({ length }, index) => (length <= messages.length && isAsked(index) ? length : -1));
    return historyPrints(messagePrints(messages), lengths).map((print, index) => lengths[index] >= 0 && print === known[index]);
  } catch {
    // One is circular.
    return known.map(() => false);
  }
}

const TEXTS = {
  'not-sent': () => 'no such request went out yet',
  dropped: () => 'what is kept of requests is bounded, and the oldest ones go first',
  history: (length?: number) => `its history of ${length} messages is not the beginning of this one: pass the history as it was then`,
  choice: () => 'what was cut is not known for this history: an option, or the order of members, is another one now',
};

const unknown = (number: number, why: Unknown['why'], length?: number): Unknown => ({
  known: false,
  number,
  why,
  ...(length === undefined ? {} : { history: length }),
  text: `Request ${number} is not known: ${TEXTS[why](length)}`,
});

/** A choice with the edits that it was made of. */
interface Chosen extends Choice {
  edits: KeptEdit[];
  /** for each message, whether nothing in it is written shorter */
  isWhole: boolean[];
}

/** A choice in the log. It changes while the one before it is asked for. */
interface Folded {
  choice: Choice;
  /** the edit of each part */
  edited: (KeptEdit | undefined)[];
  isWhole: boolean[];
  /** the parts of which the choice after it has another edit */
  touched: readonly number[];
}

/**
 * The choices in a log, the last one first.
 *
 * @param most how many messages and parts are asked for: nothing is known of those behind them
 */
export function* choicesIn(log: RequestLog, history: History, most: { messages: number; parts: number }): Iterable<Folded> {
  const { current } = log;
  const differences = log.differences();
  if (current === undefined || differences === undefined) return;
  const edited: Folded['edited'] = [];
  const take = (runs: readonly Run[], isEdited: boolean) =>
    runs.flatMap(({ part, count = 1, pieces }) => {
      const all = [];
      for (let at = part; at < Math.min(most.parts, part + count); at++) {
        edited[at] = isEdited ? { part: at, pieces } : undefined;
        all.push(at);
      }
      return all;
    });
  take(current.edits, true);
  let choice: Choice = current;
  let isWhole = current.saved === undefined ? wholeIn(history) : spread(current.saved.whole, most.messages);
  yield { choice, edited, isWhole, touched: [] };
  for (const difference of differences) {
    const touched = [...take(difference.bare, false), ...take(difference.edits, true)];
    isWhole = spread(difference.whole, most.messages, [...isWhole], difference.from);
    choice = { ...difference, format: difference.format === '' ? choice.format : difference.format };
    yield { choice, edited, isWhole, touched };
  }
}

/** The choice with this number, 0 for the last one, and of each of its edits how many choices before it have the same; undefined where it is not known. */
function choiceAt(log: RequestLog, history: History, number: number, most: { messages: number; parts: number }) {
  let chosen: Chosen | undefined;
  let left = number;
  const since = new Map<number, number>();
  for (const { choice, edited, isWhole, touched } of choicesIn(log, history, most)) {
    if (chosen !== undefined) for (const part of touched) if (!since.has(part)) since.set(part, -left - 1);
    if (left === 0) chosen = { ...choice, isWhole, edits: edited.filter((edit) => edit !== undefined) };
    left--;
  }
  return chosen && { ...chosen, since };
}

/** Messages as requests had them before anything was cut: with results written shorter. */
export interface Reading {
  ready: Ready;
  history: History;
}

/** Reads messages in a format, in steps; `isWhole`: for each, whether nothing in it is written shorter. */
export function* readAs(config: Config, format: Format, isWhole: readonly boolean[], messages: readonly object[]): Steps<Reading> {
  const ready = withFormat(config, START, format, true, undefined);
  const { counter } = ready;
  const entries = messages.map((message, index) => ({
    ...entryOf(message, 0, false, ready.format.to),
    isWhole: isWhole[index] ?? false,
  }));
  if (entries.some((entry) => !entry.isWhole)) yield* shorterAgain(entries, messages, counter);
  return { ready, history: new History().with([], 0, entries, ready.format.name) };
}

/** What a request was made of. */
interface Rewritten extends Reading {
  sent: Sent;
  /** the parts of the messages that the edits cover */
  parts: readonly Part[];
}

/** Writes what a choice made of messages again, in steps; undefined where it makes something else now. */
export function* rewritten({ ready, history }: Reading, chosen: Choice & { edits: readonly KeptEdit[] }): Steps<Rewritten | undefined> {
  const covered = Math.min(chosen.covered, history.length);
  const parts = yield* ready.format.reading(history.messages(covered));
  const edits = chosen.edits.filter(({ part }) => part < parts.length);
  if (!edits.every((edit) => isPossible(edit, parts))) return undefined;
  const sent = yield* Sent.writing(history, covered, edits, ready.counter, chosen.epoch);
  return copiesPrint(sent) === chosen.print ? { ready, history, sent, parts } : undefined;
}

/** Whether an edit may be one of these parts. */
function isPossible({ part, pieces }: KeptEdit, parts: readonly Part[]) {
  if (pieces === undefined) return true;
  return (
    parts[part].locked === undefined &&
    pieces.every((piece) => typeof piece === 'string' || Array.isArray(piece) || parts[piece.part] !== undefined)
  );
}

/** Answers `session.at`, in steps. */
export function* requestAt(config: Config, state: State, number: number, given: readonly object[]): Steps<SentRequest<object>> {
  const found = requestIn(state, number, given);
  if ('known' in found) return found;
  const { made, messages } = found;
  const { log, history, first } = logOf(state);
  const format = formatInLog(config, formatOf(log, found));
  if (format === undefined) return unknown(number, 'choice', made.length);
  const parts = (yield* format.reading(messages)).length;
  const chosen = choiceAt(log, history, found.choice, { messages: messages.length, parts });
  const again = chosen && (yield* rewritten(yield* readAs(config, format, chosen.isWhole, messages), chosen));
  if (chosen === undefined || again === undefined) return unknown(number, 'choice', made.length);
  return {
    known: true,
    number,
    history: made.length,
    ...epochOf(made),
    ...(made.reason === 'off' ? { off: true } : {}),
    messages: asSent(config, made, again),
    cuts: cutsOf(again).map(({ parts, ...cut }) => ({ ...cut, ...sinceOf(log, first, newestOf(parts, chosen.since, found.choice)) })),
  };
}

/** What a request had other than its history. */
function cutsOf({ history, sent, parts }: Rewritten) {
  const all = new Cuts(parts, sent.edits);
  return history.entries.flatMap(({ shorten }, message) => {
    const cuts = all.of(message);
    return shorten === undefined || cuts[0]?.how === 'removed'
      ? cuts
      : [{ message, how: 'shortened' as const, marks: [], parts: [] }, ...cuts];
  });
}

/** The newest choice of those that first had the edits of some parts; undefined where that is not in the log. */
function newestOf(parts: readonly number[], since: ReadonlyMap<number, number>, choice: number) {
  const choices = parts.map((part) => (since.has(part) ? choice + (since.get(part) as number) : undefined));
  return choices.length === 0
    ? NaN
    : choices.reduce((least, one) => (least === undefined || (one !== undefined && one < least) ? one : least));
}

/** The first request of a choice, 0 for the last one, and why all was chosen anew for it; nothing for what no choice made. */
function sinceOf(log: RequestLog, first: number, choice: number | undefined): Pick<SentCut, 'request' | 'epoch'> {
  if (Number.isNaN(choice)) return {};
  const starts = log.made.flatMap(({ isNew }, index) => (isNew ? [index] : []));
  // The first choice of all is that of the first request.
  const index = choice === undefined ? (first === 1 ? 0 : -1) : (starts.at(-1 - choice) ?? -1);
  const made = log.made[index];
  return made === undefined ? {} : { request: first + index, ...epochOf(made) };
}

const epochOf = ({ reason }: Made) => (reason === undefined || reason === 'off' ? {} : { epoch: reason });

/** The messages as they went out: with breakpoints, if the session set them. */
function asSent(config: Config, { reused }: Made, { sent, history, ready }: Rewritten) {
  const messages = sent.messages(history);
  return reused === undefined ? messages : marked(config, ready.format, messages, { last: reused, sent, history });
}

/** Name of the format of a request. */
function formatOf(log: RequestLog, { choice }: Request) {
  const formats = [log.current?.format ?? '', ...(log.differences() ?? []).slice(0, choice).map(({ format }) => format)];
  return formats.findLast((name) => name !== '') ?? '';
}
