// What a model does next, and whether it is the same thing.

import native from '../native.js';
import type { Answer, Call } from '../providers/shared/answer.js';

/** The input of a call, if it is an object. */
type Input = Record<string, unknown> | null | undefined;

/** How two answers differ; the first of these that they do. */
export type Difference = 'tool' | 'argument' | 'edit' | 'answer';

/** Names of the argument that says what a call is about, the most telling first: a search has a pattern and a path. */
const MAIN = [
  ['command', 'cmd', 'script', 'code'],
  ['pattern', 'regex', 'query', 'search_query', 'url', 'uri'],
  ['file_path', 'filePath', 'absolute_path', 'path', 'notebook_path', 'target_file', 'filename', 'file', 'dir_path', 'directory'],
  ['prompt', 'task', 'question', 'description'],
].flat();
/** Names of the text that an edit replaces, also in a list of edits. */
const REPLACED = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'find', 'search'];
/** Share of the facts of an answer that another one has to have. */
const SAME_FACTS = 0.5;
/** Maximum UTF-16 code units of an answer whose facts are compared. */
const MAX_TEXT = 2 ** 17;

/**
 * Returns how two answers differ; undefined if they do the same. Two that call tools do the same if they call the same tools about the same
 * things, in any order, and the same number of their edits apply. Two that say something do if each has half of the other's facts.
 *
 * @param applies returns whether the edit of a call fits what was read
 */
export function differenceOf(one: Answer, other: Answer, applies: (call: Call) => boolean): Difference | undefined {
  if (one.calls.length === 0 && other.calls.length === 0) return hasFacts(one.text, other.text) ? undefined : 'answer';
  if (!isSame(one.calls, other.calls, ({ name }) => name)) return 'tool';
  if (!isSame(one.calls, other.calls, aboutOf)) return 'argument';
  return isSame(one.calls, other.calls, (call) => `${aboutOf(call)} ${applies(call)}`) ? undefined : 'edit';
}

const isSame = (calls: Call[], others: Call[], nameOf: (call: Call) => string) =>
  JSON.stringify(calls.map(nameOf).sort()) === JSON.stringify(others.map(nameOf).sort());

/** What a call is about, as a text: its tool and its main argument. */
function aboutOf({ name, input }: Call) {
  return JSON.stringify([name, mainOf(input as Input | string)]);
}

function mainOf(input: Input | string): string {
  if (typeof input === 'string') return filesOf(input) ?? plain(input);
  const key = MAIN.find((one) => input?.[one] != null && input[one] !== '');
  if (key !== undefined) return plain(Array.isArray(input?.[key]) ? input[key].join(' ') : String(input?.[key]));
  const patch = typeof input?.input === 'string' ? input.input : input?.patch;
  return (typeof patch === 'string' && filesOf(patch)) || JSON.stringify(sorted(input));
}

/** The files of a patch; undefined if it is none. */
function filesOf(text: string) {
  if (!text.startsWith('*** Begin Patch')) return undefined;
  return [...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.*)$/gm)].map(([line]) => line).join('\n');
}

const plain = (text: string) => text.trim().replace(/\s+/g, ' ').replace(/^\.\//, '');

/** The same value with the members of its objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member)]);
}

function hasFacts(text: string, other: string) {
  const [one, two] = [text.slice(0, MAX_TEXT), other.slice(0, MAX_TEXT)];
  return Math.min(native.factRetention([one], [two]), native.factRetention([two], [one])) >= SAME_FACTS;
}

/**
 * Returns a function that tells whether the edit of a call applies: what it replaces stands in the request. A call that edits nothing applies.
 *
 * @param whole returns the request with all of its messages
 */
export function applying(whole: () => object): (call: Call) => boolean {
  let texts: string | undefined;
  return ({ input }) => {
    const replaced = replacedBy(input as Input | string);
    if (replaced.length === 0) return true;
    texts ??= [...textsIn(whole())].map(unnumbered).join('\n');
    return replaced.every((text) => texts?.includes(unnumbered(text)));
  };
}

/** The texts that a call replaces. */
function replacedBy(input: Input | string): string[] {
  const patch = typeof input === 'string' ? input : (input?.input ?? input?.patch);
  if (typeof patch === 'string') return [...patch.matchAll(/^-(?!--)(.+)$/gm)].map(([, line]) => line);
  const call = input as Input;
  const edits: Input[] = [call, ...(Array.isArray(call?.edits) ? call.edits : [])];
  return edits
    .flatMap((edit) => REPLACED.map((name) => edit?.[name]))
    .filter((text): text is string => typeof text === 'string' && text !== '');
}

/** A text without the numbers that tools put before its lines. `\u2192` is an arrow: bundles for browsers are ASCII. */
const unnumbered = (text: string) => text.replace(/^ *\d+(?:\u2192|\t|\| ?)/gm, '').trim();

/** All texts in a value, and in those of them that are JSON: so chat completions have arguments. */
function* textsIn(value: unknown): Generator<string> {
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one === 'string') {
      yield one;
      if (one.startsWith('{')) rest.push(objectIn(one));
    } else if (one !== null && typeof one === 'object') rest.push(...Object.values(one));
  }
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
