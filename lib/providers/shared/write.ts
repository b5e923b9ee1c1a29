import { isObject } from '../../checks.js';
import { getIn, setIn } from './copy.js';
import { placeOf } from './reader.js';
import { dataWith } from './text-files.js';
import { inOneGo, pace } from '../../steps.js';
import type { Fields } from './shapes.js';
import type { TextData } from './text-files.js';
import type { Edit, FormatModule, Part, Source, Written } from '../../types.js';

/** The shortest mark. */
const MARK = '[…]';

/** Makes the edits: unedited messages stay the same objects, edited ones are copied along the path. */
export function write(format: FormatModule, messages: readonly unknown[], edits: readonly Edit[]): Written {
  return inOneGo(writing(format, messages, edits));
}

/** The same, in steps. */
export function* writing(
  format: FormatModule,
  messages: readonly unknown[],
  edits: readonly Edit[],
): Generator<undefined, Written, unknown> {
  const texts: (Edit & { text: string })[][] = new Array(messages.length);
  const removals: Part[][] = new Array(messages.length);
  for (const edit of edits) {
    const { part } = edit;
    if (part.locked !== undefined && !edit.remove) {
      throw new Error(`${placeOf(part.message, part.path)} may not be edited: ${part.locked}`);
    }
    if (edit.remove) push(removals, part.message, part);
    else push(texts, part.message, edit as Edit & { text: string });
  }
  const owned = new Set<object>();
  const written: unknown[] = [];
  const sources: Source[] = [];
  const turns: Map<number, unknown[]> = new Map();
  for (let index = 0; index < messages.length; index++) {
    if (pace.isDue) yield;
    let message = messages[index];
    const changes = texts[index];
    if (changes !== undefined) {
      for (const { part, text } of changes) {
        for (const { path, value } of format.replace(message, part, text)) message = setIn(message, path, value, owned);
      }
    }
    const removed = removals[index];
    if (removed !== undefined) message = format.without(message, removed);
    if (message === undefined) {
      for (let lead = index - 1; sources.at(-1)?.last === lead && format.leads?.(written.at(-1)); lead--) {
        written.pop();
        sources.pop();
        turns.delete(written.length);
      }
      continue;
    }
    const last = written.length - 1;
    const next = last < 0 ? 0 : sources[last].last + 1;
    if (next < index) {
      if (last >= 0 && format.turn && format.turn(written[last]) === format.turn(message)) {
        const turn = turns.get(last);
        if (turn === undefined) turns.set(last, [written[last], message]);
        else turn.push(message);
        sources[last].last = index;
        continue;
      }
      const mark = markBetween(format, written[last], message, messages, next, index);
      if (mark !== undefined) {
        written.push(mark);
        sources.push({ first: next, last: index - 1, isMark: true });
      }
    }
    written.push(message);
    sources.push({ first: index, last: index });
  }
  for (const [place, turn] of turns) {
    if (pace.isDue) yield;
    written[place] = (format.join as NonNullable<typeof format.join>)(turn);
  }
  return { messages: written, sources };
}

/**
 * Returns a mark in the place of one of the messages that are gone, from `first` up to `end`, if what stands before and after them may not follow
 * each other. Undefined, too, where no mark would help: they were not placed as they have to be.
 */
function markBetween(
  { follows, marked }: FormatModule,
  before: unknown,
  after: unknown,
  messages: readonly unknown[],
  first: number,
  end: number,
): unknown {
  if (follows === undefined || marked === undefined || follows(before, after)) return undefined;
  for (let index = first; index < end; index++) {
    const mark: unknown = marked(messages[index], MARK);
    if (mark !== undefined && follows(before, mark) && follows(mark, after)) return mark;
  }
  return undefined;
}

function push<T>(lists: T[][], at: number, value: T) {
  const list = lists[at];
  // A list that begins empty gets room for many more.
  if (list === undefined) lists[at] = [value];
  else list.push(value);
}

/** The values that a text edit sets in formats that keep a part's text as a string. */
export function replaceText(this: FormatModule, message: unknown, part: Part, text: string) {
  if (part.kind === 'call' && !this.freeForm?.(part)) parseArguments(part, text);
  return [{ path: part.path, value: fileAs(part, getIn(message, part.path), text, this.resultText) ?? text }];
}

/** What a text edit makes of a file; undefined for other parts. In results, where stubs have to be found, all files become blocks of text. */
export function fileAs(part: Part, before: unknown, text: string, type?: string) {
  if (part.kind === 'media' || (part.isFile && part.kind === 'result')) return textBlock(before as Fields, text, type);
  return part.isFile ? dataWith(before as TextData, text) : undefined;
}

/** A block with a text in the place of an image or document in a result. */
function textBlock(before: { cache_control?: unknown }, text: string, type: string = 'text') {
  const block = { type, text };
  return before.cache_control === undefined ? block : { ...block, cache_control: before.cache_control };
}

/** Parses new arguments; throws a TypeError unless they are an object. */
export function parseArguments(part: Part, text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below.
  }
  if (!isObject(value)) throw new TypeError(`new arguments for ${placeOf(part.message, part.path)} must be a JSON object`);
  return value;
}

/**
 * Returns the value for a text that replaces a value: parsed if the value was an object or array and the text is JSON of one;
 * any other text, such as a stub, is put into an object or an array if the value was one.
 */
export function structured(before: unknown, text: string) {
  if (before === null || typeof before !== 'object') return text;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) ? isObject(before) : Array.isArray(value) && Array.isArray(before)) return value;
  } catch {
    // No JSON.
  }
  if (Array.isArray(before)) return [text];
  return Object.hasOwn(before, 'error') ? { error: text } : { output: text };
}

/** Returns the elements of a message's list without those that `parts` are in. */
export function elementsWithout<T extends unknown[] | null | undefined>(list: T, key: string, parts: Part[]): T {
  // Most messages have no such list.
  if (list == null) return list;
  const gone = new Set();
  for (const { path } of parts) if (path.length > 1 && path[0] === key) gone.add(path[1]);
  return gone.size === 0 ? list : (list.filter((_, index) => !gone.has(index)) as T);
}
