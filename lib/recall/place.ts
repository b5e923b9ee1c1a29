import type { Part } from '../types.js';
import type { Found } from './recall-index.js';
import type { RecallPassage } from '../../index.d.ts';

/** Names of arguments that say best what a call is about, the best first. */
const MAIN = [
  ...['file_path', 'path', 'filePath', 'absolute_path', 'target_file', 'filename', 'file', 'notebook_path'],
  ...['command', 'cmd', 'script', 'query', 'pattern', 'regex', 'url', 'uri', 'name', 'id'],
];
/** Maximum length of an argument, in UTF-16 code units. */
const MAX_ARGUMENT = 80;

/** Returns the main argument of a call: a path, a command, a query. Undefined if it has no short string. */
export function mainArgument({ text, name }: Part): string | undefined {
  let given: Record<string, unknown> | string | null;
  try {
    given = JSON.parse(text);
  } catch {
    return name === undefined ? undefined : firstLine(text);
  }
  if (given === null || typeof given !== 'object') return typeof given === 'string' ? firstLine(given) : undefined;
  const key = MAIN.find((known) => Object.hasOwn(given, known)) ?? Object.keys(given).find((one) => typeof given[one] === 'string');
  const value = key === undefined ? undefined : given[key];
  const words = Array.isArray(value) ? value.filter((word: unknown) => typeof word === 'string').join(' ') : value;
  return typeof words === 'string' ? firstLine(words) : undefined;
}

function firstLine(text: string) {
  const [line] = text.trimStart().split('\n', 1);
  if (line === '') return undefined;
  return line.length > MAX_ARGUMENT ? `${line.slice(0, MAX_ARGUMENT)}…` : line;
}

/** Returns the line that says where a passage stood: `[message 12, read_file src/a.ts, lines 10–14]`. */
export function placeOf({
  message,
  role,
  tool,
  argument,
  lines,
}: {
  message: number;
  role: string;
  tool?: string;
  argument?: string;
  lines?: [number, number];
}) {
  const what = tool === undefined ? role : argument === undefined ? tool : `${tool} ${argument}`;
  const call = tool !== undefined && role === 'assistant' ? 'call of ' : '';
  const [first, last] = lines ?? [];
  const where = first === undefined ? '' : first === last ? `, line ${first}` : `, lines ${first}–${last}`;
  return `[message ${message}, ${call}${what}${where}]`;
}

/** Returns what a model is shown: each passage behind its place. */
export const textOf = (passages: readonly Pick<Found, 'place' | 'text'>[]) =>
  passages.map(({ place, text }) => `${place}\n${text}`).join('\n\n');

/** Returns a passage without what only the search needs. */
export function shown({ part, start, end, cost, place, isClear, ...passage }: RecallPassage & Partial<Found>): RecallPassage {
  return passage;
}
