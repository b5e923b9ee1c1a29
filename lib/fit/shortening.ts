// Tools' results in fewer tokens: which may be, what the engine makes of them, and what that saves.

import { gatherParts } from '../agent/gather.js';
import { engineTools } from '../agent/tools.js';
import { position } from '../agent/trace.js';
import { SHORTENING } from '../generated/layout.js';
import native from '../native.js';
import { callsOfFiles } from './files.js';
import { globally, pruningOf } from './opened.js';
import { isPinnedIn } from './pinned.js';
import type { ShortenedResult } from '../../binding';
import type { FitReport, FitSettings, PruneSettings, ShortenedTrace } from '../../index.js';
import { pace } from '../steps.js';
import type { Steps } from '../steps.js';
import type { Part } from '../types.js';

/** The tokens that each kind of shortening saved. */
export type Saved = NonNullable<FitReport['shortened']>;

/** Minimum length of a result that is worth a look, in UTF-16 code units. */
const MIN_LENGTH = 24;

/** Results in fewer tokens, and the calls of which the caller says that they show files. */
export interface Shortening {
  results: ShortenedResult[];
  files: Set<Part>;
}

/**
 * Writes the results of a conversation shorter, in steps: texts of tools that ran here, which neither `keep` nor `shorten.files` names. What is made of
 * a result follows from it and the calls right before it, so that it is the same in every conversation that begins so. A result that is no text keeps
 * its shape: the strings in it are shorter.
 *
 * @param mayBe whether a part may be shorter, as far as it depends on its place
 */
export function* shortening(
  messages: readonly object[],
  parts: readonly Part[],
  options: Pick<FitSettings, 'keep' | 'prune' | 'shorten'>,
  mayBe: (part: Part, index: number) => boolean,
): Steps<Shortening> {
  const { keep, prune } = options;
  const names = new Set(keep?.tools ?? []);
  const searches = (keep?.patterns ?? []).map(globally);
  const isPinned = isPinnedIn(keep?.pinned);
  const rounds = roundsOf(messages.length, parts);
  const found: { result: number; call: Part }[] = [];
  const callOf = (part: Part, index: number) => {
    const { kind, locked, call: at = -1, text, message } = part;
    const call = at >= 0 && rounds[parts[at].message] === rounds[message] ? parts[at] : undefined;
    const isFree = kind === 'result' && locked === undefined && text.length >= MIN_LENGTH && mayBe(part, index);
    // Nobody knows what a result without a call shows.
    if (!isFree || call === undefined || isHosted(call, message)) return undefined;
    const isNamed = (call.name !== undefined && names.has(call.name)) || searches.some((pattern) => text.search(pattern) >= 0);
    return isNamed || isPinned?.(part) ? undefined : call;
  };
  const asked: Part[] = [];
  for (let index = 0; index < parts.length; index++) {
    if (pace.isDue) yield;
    const part = parts[index];
    const call = part.kind === 'call' ? undefined : callOf(part, index);
    if (call !== undefined) found.push({ result: index, call });
    asked.push(call !== undefined || part.kind === 'call' ? part : { ...part, text: '' });
  }
  const files = callsOfFiles([...new Set(found.map(({ call }) => call))], options);
  const results = found.filter(({ call }) => !files.has(call)).map(({ result }) => result);
  if (results.length === 0) return { results: [], files };
  const gathered = {
    parts: yield* gatherParts(messages, asked, undefined),
    results: Uint32Array.from(results),
    tools: engineTools(pruningOf({ prune })?.toolMap),
  };
  const shorter: ShortenedResult[] = yield {
    now: () => native.shortenResults(gathered),
    later: () => native.shortenResultsAsync(gathered),
  };
  return { results: shorter, files };
}

/** Length up to which a command is quoted, in UTF-16 code units. */
const QUOTED = 80;

/** Which results are shorter, by what, and why that is certain. */
export function traceOfShortened(
  results: readonly ShortenedResult[],
  parts: readonly Part[],
  pruning: PruneSettings | undefined,
): ShortenedTrace[] {
  const calls = results.map(({ part }) => parts[parts[part].call as number]);
  const commands = native.commandLines(
    calls.map(({ name = '' }) => name),
    calls.map(({ text }) => text),
    engineTools(pruning?.toolMap),
  );
  return results.map(({ part, saved }, index) => {
    const { message, name } = calls[index];
    const [call, command] = [`message ${message}, ${name}`, commands[index]];
    const says = () => {
      if (saved[SHORTENING.lineNumbers] > 0) return `${call} writes the numbers of lines itself`;
      if (command == null) return `${call} and what it was asked for name no file`;
      return `${call} ${JSON.stringify(command.length > QUOTED ? `${command.slice(0, QUOTED)}…` : command)} prints no lines of files`;
    };
    const by = Object.entries(SHORTENING).filter(([, kind]) => saved[kind] > 0);
    return { ...position(parts[part]), by: by.map(([kind]) => kind as keyof Saved), evidence: says() };
  });
}

/** Whether a call ran at the provider: it is locked, and answered where it stands. */
const isHosted = ({ locked, message }: Part, answer: number) =>
  locked !== undefined && (message === answer || locked === 'run by the provider' || locked === 'executed by the provider');

/** A number for each message: calls and the results behind them, up to the next calls, have the same one. */
function roundsOf(count: number, parts: readonly Part[]) {
  const roles = new Array<Part['role'] | undefined>(count);
  for (const { message, role } of parts) if (roles[message] !== 'tool') roles[message] = role === 'tool' ? role : (roles[message] ?? role);
  let round = 0;
  return Uint32Array.from(roles, (role, index) => {
    if (role !== 'tool' && (role !== 'assistant' || roles[index - 1] !== role)) round++;
    return round;
  });
}

/**
 * The tokens that each kind of shortening saved. Where several kinds made a message shorter, each has its share of the length.
 *
 * @param saved the tokens by message
 */
export function savedBy(results: readonly ShortenedResult[], parts: readonly Part[], saved: ReadonlyMap<number, number>): Saved {
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
