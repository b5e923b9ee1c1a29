import { mainArgument } from '../recall/place.js';
import { pace } from '../steps.js';
import type { Steps } from '../steps.js';
import type { Part } from '../types.js';
import type { Entry, History } from './history.js';
import type { Layered } from './layered.js';
import type { Ready } from './state.js';

/** A result of a tool: what was asked for, and its text. */
export interface Asked {
  key: string;
  text: string;
}

/** Maximum length of arguments that ask for something, in UTF-16 code units; longer ones bring something. */
const MAX_ARGUMENTS = 2000;
/** Minimum length of a text that is worth asking for again, in UTF-16 code units. */
const MIN_TEXT = 200;
/** Share of the lines of a text that has to come again. */
const SAME = 0.5;

/** Notes in the entries of messages what their results answer, in steps. */
export function* notingResults(entries: readonly Pick<Entry, 'results'>[], parts: readonly Part[]): Steps<void> {
  for (const part of parts) {
    if (pace.isDue) yield;
    const key = keyOf(part, parts);
    if (key === undefined) continue;
    const { message, text } = part;
    entries[message].results ??= [];
    entries[message].results.push({ key, text });
  }
}

/** Finds the results that the model asked for again, in steps: the file or command was the same, and so is half of the text. */
export function* askedAgain(parts: readonly Part[]): Steps<number[]> {
  const last = new Map<string, string>();
  const again: number[] = [];
  for (let place = 0; place < parts.length; place++) {
    if (pace.isDue) yield;
    const part = parts[place];
    const key = keyOf(part, parts);
    if (key === undefined) continue;
    const before = last.get(key);
    last.set(key, part.text);
    if (before !== undefined && areAlike(before, part.text)) again.push(place);
  }
  return again;
}

/** What a long result answers: the tool, and its path or command. Undefined for any other part. */
function keyOf({ kind, call: place, text }: Part, parts: readonly Part[]) {
  if (kind !== 'result' || place === undefined || place < 0 || text.length < MIN_TEXT) return undefined;
  const call = parts[place];
  if (call.text.length > MAX_ARGUMENTS) return undefined;
  return `${call.name} ${mainArgument(call) ?? call.text}`;
}

/** What {@link faultsIn} finds. */
export interface Faults {
  count: number;
  results: LastResults;
}

/** The message with the last result of each key. */
export type LastResults = Layered<number>;

/**
 * Counts *faults*, results that were cut and that the model asked for again, in the messages of a history that the last one did not have; in steps.
 *
 * @param before the state of the last request
 * @param start how many messages both have
 * @returns `results`: the last results, those of the history among them
 */
export function* faultsIn(before: Ready, history: History, start: number): Steps<Faults> {
  const fresh = history.entries.slice(start).flatMap(({ results = [] }, at) => results.map((result) => ({ ...result, place: start + at })));
  if (fresh.length === 0) return { count: 0, results: before.results };
  const results = new Map<string, number>();
  let count = 0;
  for (const { key, text, place } of fresh) {
    if (pace.isDue) yield;
    const last = results.get(key) ?? before.results.get(key);
    results.set(key, place);
    if (last === undefined || last >= start) continue;
    const earlier = history.entries[last].results?.find((one) => one.key === key);
    if (earlier !== undefined && isCut(before, last, earlier.text) && areAlike(earlier.text, text)) count++;
  }
  return { count, results: before.results.with(results) };
}

/** Whether a text of a message was not in the last request. */
function isCut({ sent, format }: Ready, place: number, text: string) {
  if (place >= sent.covered) return false;
  const item = sent.items.find(({ first, last }) => first <= place && place <= last);
  if (item === undefined) return true;
  return item.message !== undefined && !format.read([item.message]).some((part) => part.text === text);
}

function areAlike(text: string, again: string) {
  if (text === again) return true;
  const lines = new Set(text.split('\n'));
  const others = again.split('\n');
  return others.filter((line) => lines.has(line)).length >= SAME * Math.min(lines.size, others.length);
}
