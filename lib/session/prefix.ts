import { hasMembers } from '../checks.js';
import { fingerprintsOf, isSame } from '../equality/fingerprint.js';
import { inside, isCachePoint, isIgnored, loneText, MESSAGE, WRITTEN } from '../equality/ignored.js';
import { bytesOf } from '../equality/snapshot.js';
import { systemPrompts } from '../tokens/system.js';
import type { Tool } from '../types.js';
import { originalOf } from './history.js';
import type { History } from './history.js';
import type { PrefixChange } from '../../index.js';

/** What is sent in front of the messages, as prints: each text of the instructions, and each tool with the order of what is in it. */
export interface Front {
  system: { text: string; print: string }[];
  tools: { print: string }[];
}

/** Prints of all of it, as a saved state has them: of the instructions, and of the tools. */
export type FrontPrints = [system: string, tools: string];

export function frontOf(system: unknown, schemas: readonly Tool[]): Front {
  const texts = systemPrompts(system, 'createSession(): options.system').flat();
  const prints = fingerprintsOf([...texts, ...schemas.map((schema) => JSON.stringify(schema))]);
  return {
    system: texts.map((text, index) => ({ text, print: prints[index] })),
    tools: prints.slice(texts.length).map((print) => ({ print })),
  };
}

export const printsOf = ({ system, tools }: Front): FrontPrints => {
  const [one, other] = fingerprintsOf([system, tools].map((list) => list.map(({ print }) => print).join('')));
  return [one, other];
};

/** Returns what changed first in front of the messages; undefined if nothing did. Tools stand before the instructions. */
export function frontChange(before: Front, now: Front): PrefixChange | undefined {
  for (const at of ['tools', 'system'] as const) {
    const [old, fresh] = [before[at], now[at]];
    const index = Array.from({ length: Math.max(old.length, fresh.length) }, (_, place) => place).find(
      (place) => old[place]?.print !== fresh[place]?.print,
    );
    if (index === undefined) continue;
    const isIn = (list: readonly { print: string }[], one: { print: string } | undefined) => list.some(({ print }) => print === one?.print);
    const [isNew, isGone] = [!isIn(old, fresh[index]), !isIn(fresh, old[index])];
    const change =
      fresh.length > old.length && isNew ? 'added' : fresh.length < old.length && isGone ? 'removed' : isNew ? 'changed' : 'moved';
    const [one, other] = [before.system[index]?.text, now.system[index]?.text];
    return { at, index, change, ...(at === 'system' && change === 'changed' ? kindOf(one, other) : {}) };
  }
  return undefined;
}

/** The same for a saved state, which has no more than prints of all of it. */
export function savedFrontChange(before: FrontPrints, now: FrontPrints): PrefixChange | undefined {
  const at = before[1] !== now[1] ? 'tools' : before[0] !== now[0] ? 'system' : undefined;
  return at && { at, change: 'changed' };
}

/**
 * Returns the index of the first message that is new: behind the last one that there was, where that is still there. An answer that was undone, or a
 * branch, goes on where the histories differ.
 *
 * @param start number of messages at the start that are the same
 */
export function newFrom(before: History, now: History, start: number): number {
  const last = before.entries.at(-1);
  if (last === undefined || start >= before.length || start >= now.length) return start;
  const place = now.lastIndexOf(last, start);
  // One message that is the same again is no conversation that goes on.
  return place < start || (before.length - 1 === start && place + 1 !== before.length) ? start : place + 1;
}

/**
 * Returns what changed in the messages, where the conversation goes on behind it.
 *
 * @param start number of messages at the start that are the same
 * @param fresh what {@link newFrom} returned
 */
export function messagesChange(before: History, now: History, start: number, fresh: number): PrefixChange | undefined {
  if (fresh === start) return undefined;
  const more = fresh - before.length;
  const change = more > 0 ? 'added' : more < 0 ? 'removed' : 'changed';
  if (change !== 'changed') return { at: 'messages', index: start, change };
  const [one, other] = [before, now].map(({ entries }) => originalOf(entries[start]));
  const found: Difference[] = [];
  differ(one, other, { path: '', level: MESSAGE, depth: 0 }, found);
  // In an object that was changed in place there is none to be seen.
  const [first] = found;
  const kind = found.length === 1 ? kindOf(jsonOf(first.one), jsonOf(first.other)) : { kind: 'text' as const };
  return { at: 'messages', index: start, change, ...(first && { field: first.path }), ...kind };
}

/** A member of messages that differ, and its values. */
interface Difference {
  path: string;
  one: unknown;
  other: unknown;
}

/** Number of differences that are looked for: one is told from several. */
const MAX_FOUND = 2;
/** Maximum depth at which they are looked for; bounds the stack. */
const MAX_DEPTH = 50;

/** Lists the first members that differ and are sent. Names in what a model or tool wrote are content, which is not said. */
function differ(one: unknown, other: unknown, at: { path: string; level: number; depth: number }, found: Difference[]) {
  const { path, level, depth } = at;
  if (found.length === MAX_FOUND || Object.is(one, other)) return;
  // A message of LangChain's is an instance; of others, all is in their JSON.
  const isCompared = (value: unknown): value is Record<string, unknown> =>
    hasMembers(value) && bytesOf(value) === undefined && (depth === 0 || typeof value.toJSON !== 'function');
  const isNested = isCompared(one) && isCompared(other) && Array.isArray(one) === Array.isArray(other);
  if (!isNested || level === WRITTEN || depth === MAX_DEPTH) {
    // In the input of a call nothing is ignored.
    if (!isSame({ input: one }, { input: other })) found.push({ path, one, other });
    return;
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const within = inside(level, key, one);
    const [value, now] = [one, other].map((owner) => shownOf(key, owner, level, within));
    const name = Array.isArray(one) ? `[${key}]` : path === '' ? key : `.${key}`;
    differ(value, now, { path: path + name, level: within, depth: depth + 1 }, found);
  }
}

/** The value of a member as messages are compared. */
function shownOf(key: string, owner: Record<string, unknown>, level: number, within: number) {
  const value = owner[key];
  if (isIgnored(key, value, owner, level) || isCachePoint(value) || typeof value === 'function') return undefined;
  return (key === 'content' ? loneText(value, within) : undefined) ?? value;
}

/** The JSON of a value; nothing of one that has none, such as of a BigInt. */
function jsonOf(value: unknown) {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

/** What is volatile in texts, from the most to the least specific. */
const KINDS: [NonNullable<PrefixChange['kind']>, RegExp][] = [
  [
    'date',
    /\d{4}-\d\d-\d\d|\d{1,2}:\d\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d/i,
  ],
  ['id', /[0-9a-f]{8}-[0-9a-f]{4}-|\b(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{8,}\b/i],
  ['number', /^[\d.,:\s-]+$/],
];
/** Maximum length of what changed, in UTF-16 code units, for it to be one volatile field. */
const FIELD = 80;

/** Tells what kind of field changed from one text to another. */
function kindOf(one = '', other = ''): { kind: NonNullable<PrefixChange['kind']> } {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const isPart = (unit: string | undefined) => unit !== undefined && /[\w:.,+-]/.test(unit);
  // The whole of each word that changed.
  while (start > 0 && isPart(one[start - 1])) start--;
  while (end > 0 && isPart(one.at(-end))) end--;
  const fields = [one, other].map((text) => text.slice(start, text.length - end).trim());
  if (fields.some((field) => field.length > FIELD)) return { kind: 'text' };
  const known = KINDS.find(([, pattern]) => fields.every((field) => pattern.test(field)));
  return { kind: known?.[0] ?? 'text' };
}
