import { DATA, isBreakpoint, loneText } from './breakpoints.js';
import type { Foreign, Path } from '../types.js';

/** Maximum depth at which breakpoints are looked for; bounds the stack. */
const MAX_DEPTH = 100;

/**
 * What the fingerprint of a message ignores: its cache breakpoints, each as its path and value, and the paths of texts that are in a
 * block of their own. Plain JSON.
 */
export type Surface = [path: (string | number)[], breakpoint?: unknown][];

export function surfaceOf(message: unknown): Surface {
  const found: Foreign[] = [];
  const look = (value: Foreign, path: Path) => {
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || path.length > MAX_DEPTH) return;
    if (typeof value.toJSON === 'function') {
      const json = value.toJSON();
      if (json !== value) look(json, path);
      return;
    }
    for (const name of Object.keys(value)) {
      const inner = value[name];
      if (typeof inner === 'string' || inner === undefined) continue;
      const at = [...path, Array.isArray(value) ? Number(name) : name];
      if (isBreakpoint(name, inner)) found.push([at, inner]);
      else if (!DATA.has(name)) {
        if (name === 'content' && loneText(inner) !== undefined) found.push([at]);
        look(inner, at);
      }
    }
  };
  look(message, []);
  return found;
}
