import type { Foreign } from '../types.js';

// Cache breakpoints are set and moved after a message was stored. So messages are compared without them.

/** Keys of a cache breakpoint: Anthropic's, the AI SDK's and Bedrock's. */
export const MARKERS = new Set(['cache_control', 'cacheControl', 'cachePoint']);
/** Keys of what a model or a tool wrote: data, in which no key is a breakpoint. */
export const DATA = new Set(['input', 'args', 'arguments', 'output', 'result', 'response']);

const isObject = (value: Foreign) => value !== null && typeof value === 'object';

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
  return Object.keys(content[0]).every((key) => key === 'type' || key === 'text' || MARKERS.has(key)) ? content[0].text : undefined;
}
