import { hasMembers } from '../checks.js';
import { inspect } from 'node:util';
import { inside, isBreakpoint, isUnsent, loneText, MESSAGE, WRITTEN } from './ignored.js';
import type { Path } from '../types.js';

// Cache breakpoints are set and moved after a message was stored. So messages are compared without them.

/** Maximum depth at which breakpoints are looked for; bounds the stack. */
const MAX_DEPTH = 100;

/**
 * What comparing ignores in a message: its cache breakpoints, each as its path and value, and the paths of texts that are in a block of their
 * own. Plain JSON.
 */
export type Surface = [path: Path, breakpoint?: unknown][];

export function surfaceOf(message: unknown): Surface {
  const found: Surface = [];
  const path: Path = [];
  const look = (value: unknown, level: number) => {
    if (!hasMembers(value) || ArrayBuffer.isView(value) || path.length > MAX_DEPTH) return;
    if (typeof value.toJSON === 'function') {
      const json: unknown = value.toJSON();
      if (json !== value) look(json, level);
      return;
    }
    for (const name of Object.keys(value)) {
      const inner = value[name];
      if (typeof inner === 'string' || inner === undefined || isUnsent(name, inner, value, level)) continue;
      const within = inside(level, name, value);
      path.push(Array.isArray(value) ? Number(name) : name);
      if (isBreakpoint(name, inner)) found.push([path.slice(), inner]);
      else if (within !== WRITTEN) {
        if (name === 'content' && loneText(inner, within) !== undefined) found.push([path.slice()]);
        look(inner, within);
      }
      path.pop();
    }
  };
  look(message, MESSAGE);
  return found;
}

/** Returns the breakpoints in a message as a text, equal for equal breakpoints; empty if there are none. */
export function markersOf(message: unknown) {
  const markers = surfaceOf(message).filter((item) => item.length > 1);
  // A breakpoint may hold what JSON can't, such as a BigInt.
  return markers.length === 0 ? '' : inspect(markers, { depth: MAX_DEPTH, breakLength: Infinity });
}
