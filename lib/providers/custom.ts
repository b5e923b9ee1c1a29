import { describe, isObject } from '../checks.js';
import { definitionOf } from '../options/custom-format.js';
import { misplaced } from '../places.js';
import { inOneGo, pace } from '../steps.js';
import { getIn, setIn } from './shared/copy.js';
import { placeOf, Reader } from './shared/reader.js';
import { parseArguments, structured } from './shared/write.js';
import type { CustomFormat, FormatPart } from '../../index.js';
import type { FormatModule, Part, Path, Role } from '../types.js';

// Messages of a type of the caller's own: the parts are listed by a function of theirs, and edits are made where the parts stand.

const KINDS = ['text', 'call', 'result', 'reasoning', 'media', 'other'];
const ROLES = new Set<unknown>(['system', 'user', 'assistant']);

/** How messages of a format that a caller defined are read and written. */
export function customParts(format: CustomFormat): FormatModule {
  const { name, parts: partsOf } = definitionOf(format);
  function* reading(messages: readonly object[]) {
    const reader = new Reader();
    for (const message of messages) {
      if (pace.isDue) yield;
      reader.startOwn(message);
      const listed: unknown = partsOf(message);
      const at = `${placeOf(reader.index, [])}: parts() of the format '${name}'`;
      if (!Array.isArray(listed)) throw misplaced(`${at} must return an array, got ${describe(listed)}`);
      listed.forEach((part: FormatPart, index) => readPart(reader, message, part, `${at}, [${index}]`));
      // It is sent, and nothing is known of it.
      if (listed.length === 0) reader.known('user', [], 'a message without parts', 'withTurn');
    }
    return reader.parts;
  }
  return { reading, replace, without };
}

function readPart(reader: Reader, message: object, part: FormatPart, at: string) {
  if (!isObject(part)) throw misplaced(`${at} must be an object, got ${describe(part)}`);
  const { kind, path } = part;
  if (!KINDS.includes(kind)) throw misplaced(`${at}.kind must be one of ${KINDS.join(', ')}, got ${describe(kind)}`);
  const isPath = Array.isArray(path) && path.length > 0 && path.every((key) => typeof key === 'string' || Number.isInteger(key));
  if (!isPath) throw misplaced(`${at}.path must be an array of keys and indices, such as ['content', 0, 'text'], got ${describe(path)}`);
  const value: unknown = getIn(message, path);
  if (value === undefined) throw misplaced(`${at}.path must lead to a value: there is none at ${placeOf(reader.index, path)}`);
  if (part.kind === 'call' || part.kind === 'result') {
    if (typeof part.id !== 'string') throw misplaced(`${at}.id must be a string, got ${describe(part.id)}`);
    if (part.kind === 'call' && typeof part.name !== 'string') throw misplaced(`${at}.name must be a string, got ${describe(part.name)}`);
    if (part.kind === 'call') reader.call([...path], reader.shown(value, path), part.name, part.id);
    else reader.result([...path], reader.shown(value, path), part.id, statusOf(part.isError));
    return;
  }
  const { role } = part;
  if (!ROLES.has(role)) throw misplaced(`${at}.role must be 'system', 'user' or 'assistant', got ${describe(role)}`);
  if (kind === 'text') reader.add('text', role as Role, [...path], reader.string(value, path));
  else if (kind === 'reasoning') reader.reasoning('assistant', [...path], typeof value === 'string' ? value : '', part.isSigned === true);
  else if (kind === 'media') reader.add('media', role as Role, [...path], '', 'media');
  else reader.known(role as Role, [...path], 'other', 'withTurn');
}

const statusOf = (isError?: boolean) => (isError === undefined ? undefined : isError ? 'error' : 'ok');

function replace(message: object, part: Part, text: string) {
  const before: unknown = getIn(message, part.path);
  if (part.kind !== 'call') return [{ path: part.path, value: structured(before, text) }];
  const input = parseArguments(part, text);
  return [{ path: part.path, value: typeof before === 'string' ? text : input }];
}

/** The innermost element of a list that a path leads through; undefined if it leads through none. */
function elementOf(path: Path): Path | undefined {
  const last = path.findLastIndex((key) => typeof key === 'number');
  return last < 0 ? undefined : path.slice(0, last + 1);
}

/** Takes out the elements of lists that parts stand in. A value in none of its own becomes an empty text, where anything else is left of the message. */
function without(this: FormatModule, message: object, gone: Part[]) {
  const places = new Set(gone.map(({ path }) => JSON.stringify(path)));
  const left = inOneGo(this.reading([message])).filter(({ path }) => !places.has(JSON.stringify(path)));
  if (left.length === 0) return undefined;
  // What the parts that stay stand in.
  const held = new Set(left.flatMap(({ path }) => path.map((_, level) => JSON.stringify(path.slice(0, level + 1)))));
  const owned = new Set<object>();
  let copy: unknown = message;
  const lists = new Map<string, { path: Path; indices: Set<unknown> }>();
  for (const { path } of gone) {
    const element = elementOf(path);
    if (element === undefined || held.has(JSON.stringify(element))) {
      copy = setIn(copy, path, '', owned);
      continue;
    }
    const list = element.slice(0, -1);
    const key = JSON.stringify(list);
    if (!lists.has(key)) lists.set(key, { path: list, indices: new Set() });
    lists.get(key)?.indices.add(element.at(-1));
  }
  // Inner lists first, so that the indices of paths hold.
  for (const { path, indices } of [...lists.values()].sort((a, b) => b.path.length - a.path.length)) {
    const kept = (getIn(copy, path) as unknown[]).filter((_, index) => !indices.has(index));
    copy = setIn(copy, path, kept, owned);
  }
  return copy as object;
}
