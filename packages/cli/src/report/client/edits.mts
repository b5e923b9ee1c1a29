// Calls of tools as a reader wants them: edits as what they change, others by their arguments.
import { make } from './dom.mjs';

declare const Diff: typeof import('diff');

/** Names of what an edit replaces, and by what. */
const PAIRS = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['old_str', 'new_str'],
  ['oldText', 'newText'],
] as const;
const PATCH = /^(?:\*\*\* Begin Patch|diff --git |--- .*\n\+\+\+ )/m;

/** Arguments of a call; undefined if they are no object, such as where they were shortened. */
function given(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @returns texts before and after */
function pairsOf(input: Record<string, unknown>): [string, string][] {
  const pairs = [input, ...(Array.isArray(input.edits) ? input.edits : [])].flatMap((edit) =>
    PAIRS.filter(([before, after]) => typeof edit?.[before] === 'string' && typeof edit[after] === 'string').map(
      ([before, after]) => [edit[before], edit[after]] as [string, string],
    ),
  );
  return pairs;
}

const changed = ([before, after]: [string, string]) =>
  make(
    'pre.diff',
    { dir: 'auto' },
    Diff.diffLines(before, after).map(({ value, added, removed }) =>
      added ? make('ins', {}, value) : removed ? make('del', {}, value) : value,
    ),
  );

const patched = (text: string) =>
  make(
    'pre.diff',
    { dir: 'auto' },
    text
      .split('\n')
      .map((line) =>
        line.startsWith('+') ? make('ins', {}, `${line}\n`) : line.startsWith('-') ? make('del', {}, `${line}\n`) : `${line}\n`,
      ),
  );

const shownValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

/** @param text of the call's arguments */
export function callView(text: string): { isEdit: boolean; about: string; elements: Node[] } {
  const input = given(text);
  if (input === undefined) {
    const isPatch = PATCH.test(text);
    return { isEdit: isPatch, about: '', elements: [isPatch ? patched(text) : make('pre', { dir: 'auto' }, text)] };
  }
  const pairs = pairsOf(input);
  const patch = [input.patch, input.input, input.diff].find((value): value is string => typeof value === 'string' && PATCH.test(value));
  const entries = Object.entries(input);
  const [, about = ''] = entries.find((entry): entry is [string, string] => typeof entry[1] === 'string') ?? [];
  if (pairs.length > 0) return { isEdit: true, about, elements: pairs.map(changed) };
  if (patch !== undefined) return { isEdit: true, about: '', elements: [patched(patch)] };
  const list = make(
    'dl.given',
    {},
    entries.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, make('pre', { dir: 'auto' }, shownValue(value))))),
  );
  return { isEdit: false, about, elements: entries.length > 0 ? [list] : [] };
}
