// What is not compared: a message is the same for the provider, whatever is in it beside what goes out.
import { hasMembers } from '../checks.js';
import { ANYWHERE } from '../providers/shared/bookkeeping.js';
import { PROVIDERS } from '../providers/index.js';
import { isCachePoint as isPoint } from '../providers/langchain/recognise.js';
import type { Fields } from '../providers/shared/shapes.js';
import type { Path } from '../types.js';
import type { Bookkeeping, Breakpoints, Unsent } from '../providers/provider.js';

/** What providers say of cache breakpoints. */
const keysOf = (kind: keyof Breakpoints) => new Set(PROVIDERS.flatMap(({ breakpoints }) => breakpoints?.[kind] ?? []));
const [MARKERS, OPTIONS, EXTRAS] = [keysOf('keys'), keysOf('options'), keysOf('extras')];
/** Keys of what a model or a tool wrote: data, in which no key is a breakpoint. */
const DATA = new Set(['input', 'args', 'arguments', 'output', 'result', 'response']);

/** Whether the member of a name only sets breakpoints, outside of data. */
const SETS = new Map<string, Unsent>();
for (const key of MARKERS) SETS.set(key, () => true);
for (const key of OPTIONS) SETS.set(key, (value) => hasMembers(value) && Object.values(value).every(marksOnly));
for (const key of EXTRAS) SETS.set(key, (value) => marksOnly(value) && Object.keys(value).length > 0);

export const isBreakpoint = (key: string, value: unknown) => SETS.get(key)?.(value, undefined) ?? false;

/** Returns whether an object holds nothing but breakpoints, as those of `{ anthropic: { cacheControl } }`. */
const marksOnly = (own: unknown): own is object => hasMembers(own) && Object.keys(own).every((key) => MARKERS.has(key));

/** Returns whether a block is nothing but a breakpoint, as Bedrock has them. */
export const isCachePoint = (block: unknown) => hasMembers(block) && isPoint(block) && Object.keys(block).length === 1;

/**
 * Where a member stands: in a message, in a part of its content, elsewhere in it, in what a model or tool wrote, in which nothing is ignored, or in
 * anything of which all is compared.
 */
export const [MESSAGE, PART, ELSEWHERE, WRITTEN, ALL] = [0, 1, 2, 3, 4];

/** Returns where the members of a member stand. */
export function inside(level: number, key: string, owner: Record<string, unknown>) {
  // LangChain's converters hand on what they don't know of a block.
  if (level <= PART && (key === 'content' || key === 'parts')) return owner.additional_kwargs === undefined ? PART : ELSEWHERE;
  if (level >= WRITTEN) return level;
  if (DATA.has(key)) return WRITTEN;
  // The JSON of LangChain's messages.
  return level === MESSAGE && key === 'kwargs' && owner.lc === 1 ? MESSAGE : ELSEWHERE;
}

type Rules = Map<string, Unsent[]>;

/** Which members are not sent, by where they stand and their names: one of the rules of a name has to say so. */
const UNSENT: Rules[] = (['message', 'part'] as const).map((place) => {
  const all: (Bookkeeping | undefined)[] = [ANYWHERE, ...PROVIDERS.map(({ bookkeeping }) => bookkeeping)];
  return joined(all.map((one) => Object.entries(one?.[place] ?? {})));
});
/** The same, and which set breakpoints. */
const IGNORED: Rules[] = [...UNSENT, new Map()].map((rules) =>
  joined([[...SETS], ...[...rules].map(([key, list]) => list.map((rule: Unsent): [string, Unsent] => [key, rule]))]),
);

function joined(all: [string, Unsent][][]) {
  const rules: Rules = new Map();
  // Several formats share a rule.
  for (const [key, rule] of all.flat()) rules.set(key, [...new Set([...(rules.get(key) ?? []), rule])]);
  return rules;
}

const IGNORED_NAMES = new Set(IGNORED.flatMap((rules) => [...rules.keys()]));

/** Whether a member of a message may be ignored, by its name. */
export const mayBeIgnored = (key: string) => IGNORED_NAMES.has(key);

/** Returns whether a member of a message, outside of data, is a breakpoint, or is not sent. */
export const isIgnored = (key: string, value: unknown, owner: object, level: number) => applies(IGNORED[level].get(key), value, owner);

/** Returns whether a member is not sent. */
export const isUnsent = (key: string, value: unknown, owner: object, level: number) => applies(UNSENT[level]?.get(key), value, owner);

/**
 * Returns a value in a message without what comparing ignores.
 *
 * @param path its place in the message
 */
export function withoutIgnored(message: object, path: Path): unknown {
  let [value, level]: [unknown, number] = [message, MESSAGE];
  for (const step of path) {
    if (typeof step === 'string') level = inside(level, step, value as Fields);
    value = (value as Fields | null | undefined)?.[step];
  }
  try {
    return shown(value, level);
  } catch {
    // A getter threw. What can't be sent is found by who reads it.
    return value;
  }
}

/** Levels of a value in which something is looked for that is ignored; bounds the stack. */
const MAX_DEPTH = 100;

/** @param open the objects around the value: one that stands in itself is no JSON, and stays as it is */
function shown(value: unknown, level: number, open: readonly unknown[] = []): unknown {
  if (level >= WRITTEN || !hasMembers(value) || ArrayBuffer.isView(value) || typeof value.toJSON === 'function') return value;
  if (open.length > MAX_DEPTH || open.includes(value)) return value;
  const around = [...open, value];
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item: unknown) => shown(item, level, around));
    return items.some((item, index) => item !== value[index] || isCachePoint(item)) ? items.filter((item) => !isCachePoint(item)) : value;
  }
  let copy: Fields | undefined;
  // Hardly ever is there anything to leave out.
  for (const key of Object.keys(value)) {
    const inner = value[key];
    const isLeftOut = isIgnored(key, inner, value, level);
    const left = isLeftOut || !hasMembers(inner) ? inner : shown(inner, inside(level, key, value), around);
    if (!isLeftOut && left === inner) continue;
    copy ??= { ...value };
    if (isLeftOut) delete copy[key];
    else copy[key] = left;
  }
  return copy ?? value;
}

function applies(rules: Unsent[] | undefined, value: unknown, owner: object) {
  if (rules !== undefined) for (let index = 0; index < rules.length; index++) if (rules[index](value, owner)) return true;
  return false;
}

/**
 * Returns the text of content that is a single text block, beside breakpoints. It equals the text alone, which needs a block to carry a breakpoint.
 *
 * @param level where the content stands
 */
export function loneText(content: unknown, level: number): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const block: Record<string, unknown> | null | undefined = content[0];
  if (block?.type !== 'text' || typeof block.text !== 'string') return undefined;
  for (let index = 1; index < content.length; index++) if (!isCachePoint(content[index])) return undefined;
  for (const key of Object.keys(block)) if (key !== 'type' && key !== 'text' && !isIgnored(key, block[key], block, level)) return undefined;
  return block.text;
}
