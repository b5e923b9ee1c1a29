import { fileText } from '../providers/shared/text-files.js';
import { keysIn, markIn } from './marker.js';
import type { Marks } from './stubs.js';

/** Maximum depth of a stub; bounds the stack. */
const MAX_DEPTH = 100;

export const walked = (value: unknown, depth: number): value is Record<string, unknown> => {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (depth === 0 || Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** The marks that were found so far. */
type Found = { keys: string[]; mark: Marks['mark'] };

export function markedIn(message: { role?: unknown; type?: unknown }): Marks {
  const found: Found = { keys: [], mark: undefined };
  readMarks(message, 0, found);
  const role = message.role ?? message.type;
  if (role === 'system' || role === 'developer') found.mark = undefined;
  return found;
}

/** @param seen the objects before this one; absent for the message itself, because most messages hold no other */
function readMarks(value: unknown, depth: number, found: Found, seen?: Set<object>) {
  if (!walked(value, depth) || seen?.has(value)) return;
  seen?.add(value);
  const isArray = Array.isArray(value);
  const file = isArray ? undefined : fileText(value);
  if (file !== undefined) readMark(file.text, found);
  const keys = Object.keys(value);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    // V8 looks for one character of Latin-1 faster than for the start of a mark, which is none.
    if (!isArray && key.includes('[') && markIn(key) === 'long') found.mark = 'long';
    const inner = value[key];
    if (typeof inner === 'string') {
      if (inner.includes('[')) readText(inner, found);
    } else if (typeof inner === 'object') {
      seen ??= new Set([value]);
      readMarks(inner, depth + 1, found, seen);
    }
  }
}

function readText(text: string, found: Found) {
  const keys = keysIn(text);
  if (keys.length > 0) found.keys.push(...keys);
  readMark(text, found);
}

function readMark(text: string, found: Found) {
  if (found.mark !== 'long') found.mark = markIn(text) ?? found.mark;
}
