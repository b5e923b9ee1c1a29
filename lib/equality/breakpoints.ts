import { inspect } from 'node:util';
import type { Foreign, Path } from '../types.js';

// Cache breakpoints are set and moved after a message was stored. So messages are compared without them.

/** Keys of a cache breakpoint: Anthropic's, the AI SDK's and Bedrock's. */
const MARKERS = new Set(['cache_control', 'cacheControl', 'cachePoint']);
/** Maximum depth at which breakpoints are looked for; bounds the stack. */
const MAX_DEPTH = 100;

/** Keys of what a model or a tool wrote: data, in which no key is a breakpoint. */
export const DATA = new Set(['input', 'args', 'arguments', 'output', 'result', 'response']);

export const isObject = (value: Foreign) => value !== null && typeof value === 'object';

/** Most keys do not start like one. */
export const isMarker = (key: string) => key.charCodeAt(0) === 0x63 && MARKERS.has(key);

/** Returns whether a member, outside of data, only sets breakpoints. */
export const isBreakpoint = (key: string, value: Foreign) => isMarker(key) || (key === 'providerOptions' && marksOnly(value));

/** Returns whether options for providers hold nothing but breakpoints, as `{ anthropic: { cacheControl } }`. */
const marksOnly = (options: Foreign) =>
  isObject(options) && Object.values<Foreign>(options).every((own) => isObject(own) && Object.keys(own).every((key) => MARKERS.has(key)));

/** Returns the text of content that is a single text block. It equals the text alone, which needs a block to carry a breakpoint. */
export function loneText(content: Foreign) {
  if (!Array.isArray(content) || content.length !== 1 || content[0]?.type !== 'text' || typeof content[0].text !== 'string')
    return undefined;
  return Object.keys(content[0]).every((key) => key === 'type' || key === 'text' || isBreakpoint(key, content[0][key]))
    ? content[0].text
    : undefined;
}

/**
 * What comparing ignores in a message: its cache breakpoints, each as its path and value, and the paths of texts that are in a block of their
 * own. Plain JSON.
 */
export type Surface = [path: Path, breakpoint?: unknown][];

export function surfaceOf(message: unknown): Surface {
  const found: Surface = [];
  const path: Path = [];
  const look = (value: Foreign) => {
    if (!isObject(value) || ArrayBuffer.isView(value) || path.length > MAX_DEPTH) return;
    if (typeof value.toJSON === 'function') {
      const json = value.toJSON();
      if (json !== value) look(json);
      return;
    }
    for (const name of Object.keys(value)) {
      const inner = value[name];
      if (typeof inner === 'string' || inner === undefined) continue;
      path.push(Array.isArray(value) ? Number(name) : name);
      if (isBreakpoint(name, inner)) found.push([path.slice(), inner]);
      else if (!DATA.has(name)) {
        if (name === 'content' && loneText(inner) !== undefined) found.push([path.slice()]);
        look(inner);
      }
      path.pop();
    }
  };
  look(message);
  return found;
}

/** Returns the breakpoints in a message as a text, equal for equal breakpoints; empty if there are none. */
export function markersOf(message: unknown) {
  const markers = surfaceOf(message).filter((item) => item.length > 1);
  // A breakpoint may hold what JSON can't, such as a BigInt.
  return markers.length === 0 ? '' : inspect(markers, { depth: MAX_DEPTH, breakLength: Infinity });
}
