// The head of a request: all before the model's first answer, which holds the rules and the task. Where the provider's cache still has it, an epoch leaves
// it byte for byte as it was sent, so that it is read from there, and chooses from what follows.

import { blocksOf } from '../providers/anthropic/breakpoints.js';
import { writing } from '../providers/shared/write.js';
import { pace } from '../steps.js';
import { divided, withoutMark } from './cuts.js';
import { editOf } from './sent.js';
import type { Fitting, Made } from '../fit/fitting.js';
import type { Steps } from '../steps.js';
import type { Part } from '../types.js';
import type { Aligned } from './align.js';
import type { History } from './history.js';
import type { KeptEdit, Sent } from './sent.js';

/** Tokens from which a head pays: no cache keeps less. */
const LEAST = 1024;
/** Maximum share of what an epoch leaves that its head has: the newest results have to have room. */
const MOST = 0.5;

/** The head of a request, with what of the history follows it. */
export interface Head {
  /** its messages, as they were sent but for the mark of what went behind them, and those of the history that follow */
  messages: object[];
  parts: Part[];
  /** number of messages in the head, and of those of the history that they stand for */
  count: number;
  end: number;
  /** number of its parts, and of those of the history */
  own: number;
  all: number;
  /** the edits that made it */
  edits: readonly KeptEdit[];
  /** for each of its parts, the part of the history that it was made of */
  origins: number[];
}

const firstAnswer = ({ entries }: History) => entries.findIndex(({ role }) => role === 'assistant' || role === 'tool');

/**
 * What stays of a request at its start. `epoch`: number of messages that the last epoch made. `head`: number of blocks that the next epoch leaves, which
 * are those of the head but the last one: that may get a mark. Both are 0 where nothing was cut.
 */
export function staying({ edits, epoch }: Sent, history: History) {
  if (edits.length === 0) return { epoch: 0, head: 0 };
  const blocks = history.messages(Math.max(0, firstAnswer(history))).reduce((sum, message) => sum + blocksOf(message).length, 0);
  const gone = edits.filter(({ part, pieces }) => part < blocks && pieces === undefined).length;
  return { epoch, head: Math.max(0, blocks - gone - 1) };
}

/**
 * The head of what was sent, and what follows it, in steps; undefined if it can't stay as it is, or need not.
 *
 * @param budget the tokens that the epoch leaves
 */
export function* headed({ state, history, sent }: Aligned, budget: number): Steps<Head | undefined> {
  const end = firstAnswer(history);
  if (end <= 0) return undefined;
  const { format } = state.counter;
  const given = history.messages(end);
  const before = yield* format.reading(given);
  const known = sent.edits.filter(({ part }) => part < before.length);
  const gone = new Set(known.filter(({ pieces }) => pieces === undefined).map(({ part }) => part));
  const origins = Array.from(before.keys()).filter((part) => !gone.has(part));
  const last = before[origins.at(-1) ?? 0]?.message;
  const edits: KeptEdit[] = [];
  for (const { part, pieces } of known) {
    const own = pieces !== undefined && before[part].message === last ? withoutMark(pieces) : pieces;
    // What was added behind the user's words goes with each epoch.
    if ((pieces !== undefined && own === undefined) || divided(own).added.length > 0) return undefined;
    edits.push({ part, pieces: own });
  }
  const made = edits.map(({ part, pieces }) => editOf(before, part, pieces));
  const written = yield* writing(format, given, made);
  const tokens = Array.from(yield* state.counter.counting(written.messages)).reduce((sum, own) => sum + own, 0);
  // What follows is read only where that pays.
  if (tokens < LEAST || tokens > MOST * budget) return undefined;
  const count = written.messages.length;
  const messages = [...written.messages, ...history.messages().slice(end)];
  const parts = yield* format.reading(messages);
  const first = parts.findIndex(({ message }) => message >= count);
  const own = first < 0 ? parts.length : first;
  if (own !== origins.length) return undefined;
  return { messages, parts, count, end, own, all: before.length, edits, origins };
}

/**
 * The edits of the whole history: those that made the head, and those that a fit made of what follows; undefined if the fit cut the head.
 *
 * @param fitting of the head with what follows
 */
export function* behindHead({ own, all, edits, origins }: Head, fitting: Fitting, made: Made): Steps<KeptEdit[] | undefined> {
  const byPart = new Map(made.edits.map(({ part, pieces }) => [part, pieces]));
  const kept = new Map(edits.map((edit) => [edit.part, edit.pieces]));
  for (let index = 0; index < fitting.parts.length; index++) {
    if (pace.isDue) yield;
    const one = fitting.parts[index];
    if (!byPart.has(one)) continue;
    const pieces = byPart.get(one);
    if (index >= own) kept.set(index - own + all, pieces);
    else {
      // Nothing but a mark may be added to its text, which was made of other pieces.
      const isAdded = pieces?.every((piece) => typeof piece === 'string' || (piece[0] === 0 && piece[1] === one.text.length));
      if (pieces === undefined || !isAdded) return undefined;
      const before = kept.get(origins[index]);
      const added = pieces.flatMap((piece): NonNullable<KeptEdit['pieces']> => (typeof piece === 'string' ? [piece] : (before ?? [piece])));
      kept.set(origins[index], added);
    }
  }
  return Array.from(kept, ([part, pieces]) => ({ part, pieces })).sort((a, b) => a.part - b.part);
}
