import native from '../native.js';
import { setOwn } from '../providers/shared/copy.js';
import { SENTINEL } from '../generated/layout.js';
import { ARGUMENTS, engineTools } from './tools.js';
import { isObject } from '../checks.js';
import { lazyFields } from '../lazy-fields.js';
import type { Part } from '../types.js';
import type { PruneOptions, PruneReport, ToolDescription } from '../../index.js';

/** Maximum number of entries of each part of a report, and of characters of a tool's name in it. */
const MAX_ENTRIES = 100;
const MAX_NAME = 128;

/** Arguments that calls of a tool have, whatever it is asked for. */
const NEEDED = ['path', 'command'];

/** Adds what {@link reportTools} returns to a report. Most callers never read it, and the arguments of calls need not be read before. */
export const addTools = lazyFields<PruneReport>(['unknownTools', 'guessedTools', 'warnings']);

/**
 * What a report says of the tools of a conversation; see `PruneReport` in `index.d.ts`.
 *
 * @param options of pruning, checked
 * @param at what warnings call them
 */
export function reportTools(parts: readonly Part[], { toolMap }: PruneOptions, at: string) {
  const map = toolMap ?? {};
  const option = `${at}.toolMap`;
  const calls: Map<string, string[]> = new Map();
  for (const { kind, name, text } of parts) {
    if (kind !== 'call' || name === undefined) continue;
    const same = calls.get(name);
    if (same === undefined) calls.set(name, [text]);
    else same.push(text);
  }
  const names = [...calls.keys()];
  const { own, isKnown, mayBeRead } = native.nameTools(names, engineTools(map));
  const guessed = names.filter((_, index) => mayBeRead[index]).flatMap((name) => guess(name, calls.get(name) ?? []));
  const unknown = names.filter((_, index) => !isKnown[index]).map((name) => ({ name, value: calls.get(name)?.length ?? 0 }));
  unknown.sort((a, b) => b.value - a.value);
  const texts = Object.keys(map).map(() => [] as string[][]);
  names.forEach((name, index) => own[index] !== SENTINEL.NONE && texts[own[index]].push(calls.get(name) ?? []));
  return {
    unknownTools: entries(unknown),
    guessedTools: entries(guessed),
    warnings: Object.entries(map)
      .flatMap(([name, tool], index) => warningsOf(`${option}[${JSON.stringify(shown(name))}]`, tool, texts[index].flat()))
      .slice(0, MAX_ENTRIES),
  };
}

/** A description of the tool `name` if one of its calls is guessed to be a read. */
function guess(name: string, texts: string[]) {
  for (const text of texts) {
    const path = native.guessRead(name, text);
    if (path != null) return [{ name, value: { kind: 'read' as const, path } }];
  }
  return [];
}

const shown = (name: string) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

/** An object with the first entries of a list. */
function entries<T>(list: readonly { name: string; value: T }[]) {
  const object: Record<string, T> = {};
  for (const { name, value } of list.slice(0, MAX_ENTRIES)) setOwn(object, shown(name), value);
  return object;
}

/**
 * What seems wrong in the description of a tool whose calls have the arguments `texts`. One that is optional may be missing from all calls,
 * unless these have others in its stead.
 */
function warningsOf(at: string, tool: ToolDescription, texts: readonly string[]) {
  if (texts.length === 0) return [`${at}: no call has this name`];
  const missing = new Set(ARGUMENTS.filter((argument) => tool[argument]));
  const named = new Set(ARGUMENTS.flatMap((argument) => (tool[argument] ? [tool[argument].split('.')[0]] : [])));
  let hasOthers = false;
  for (const text of texts) {
    if (missing.size === 0) break;
    const given = argumentsIn(text);
    if (given === undefined) continue;
    for (const argument of missing) if (has(given, (tool[argument] as string).split('.'))) missing.delete(argument);
    hasOthers ||= Object.keys(given).some((name) => !named.has(name));
  }
  return [...missing]
    .filter((argument) => hasOthers || NEEDED.includes(argument))
    .map((argument) => `${at}.${argument}: no call has the argument ${JSON.stringify(shown(tool[argument] as string))}`);
}

/** The arguments of a call, if they are a JSON object. */
function argumentsIn(text: string) {
  try {
    const given: unknown = JSON.parse(text);
    return isObject(given) ? given : undefined;
  } catch {
    return undefined;
  }
}

/** Whether there is something at a path of names; an array on the way stands for each of its elements. */
function has(given: unknown, names: readonly string[]) {
  let values = [given];
  for (const name of names) {
    const objects = values
      .flat()
      .filter((value): value is object => value !== null && typeof value === 'object' && Object.hasOwn(value, name));
    values = objects.map((value) => (value as Record<string, unknown>)[name]);
  }
  return values.flat().some((value) => value != null);
}
