import { inspect } from 'node:util';

import { DATA, isBreakpoint, loneText, MARKERS } from '../agent/breakpoints.js';
import type { Foreign } from '../types.js';

const isObject = (value: Foreign) => value !== null && typeof value === 'object';

/** Returns whether a member is ignored: JSON leaves it out, or it only marks a breakpoint. */
function isSilent(key: string, value: Foreign, isData: boolean) {
  if (value === undefined || typeof value === 'function') return true;
  return !isData && isBreakpoint(key, value);
}

/**
 * Returns whether two messages are equal as JSON, in any order of keys and without cache breakpoints.
 * A single text block equals its text, because a text needs a block to carry a breakpoint.
 */
export function isSame(a: Foreign, b: Foreign, isData = false): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return !isData && isLoneText(a, b);
  const [aBytes, bBytes] = [bytesOf(a), bytesOf(b)];
  if (aBytes !== undefined && bBytes !== undefined) return aBytes.equals(bBytes);
  if (typeof a.toJSON === 'function' || typeof b.toJSON === 'function') return JSON.stringify(a) === JSON.stringify(b);
  if (aBytes !== undefined || bBytes !== undefined) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) return a.length === b.length && a.every((item, index) => isSame(item, b[index], isData));
  return hasMembersOf(a, b, isData, true) && hasMembersOf(b, a, isData, false);
}

function hasMembersOf(a: Foreign, b: Foreign, isData: boolean, isCompared: boolean) {
  for (const key in a) {
    const value = a[key];
    if (isSilent(key, value, isData)) continue;
    const other = b[key];
    if (other === value) continue;
    if (other === undefined || isSilent(key, other, isData) || (isCompared && !isSame(value, other, isData || DATA.has(key)))) return false;
  }
  return true;
}

function isLoneText(a: Foreign, b: Foreign) {
  const [text, blocks] = typeof a === 'string' ? [a, b] : [b, a];
  return typeof text === 'string' && loneText(blocks) === text;
}

/** The bytes of a view or a buffer; undefined for anything else. */
export function bytesOf(value: Foreign) {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? Buffer.from(value) : undefined;
}

/** Returns the breakpoints in a message as a text, equal for equal breakpoints; empty if there are none. */
export function markersOf(message: Foreign) {
  let found = '';
  const look = (value: Foreign, path: string, depth: number) => {
    if (!isObject(value) || ArrayBuffer.isView(value) || depth > 5) return;
    for (const key in value) {
      if (!isObject(value[key]) || DATA.has(key)) continue;
      if (MARKERS.has(key)) found += `${path}.${key}=${inspect(value[key], { breakLength: Infinity })};`;
      else look(value[key], `${path}.${key}`, depth + 1);
    }
  };
  look(message, '', 0);
  return found;
}

/** Returns the message without breakpoints, of which its fingerprint is made, so that equal messages have equal fingerprints. */
export function printable(message: Foreign) {
  const isMarked = markersOf(message) !== '' || message.providerOptions !== undefined || loneText(message.content) !== undefined;
  return isMarked ? unmarked(message, false) : message;
}

function unmarked(value: Foreign, isData: boolean): Foreign {
  if (!isObject(value) || bytesOf(value) !== undefined || typeof value.toJSON === 'function') return value;
  if (Array.isArray(value)) return value.map((item) => unmarked(item, isData));
  const copy: Record<string, Foreign> = {};
  for (const key of Object.keys(value)) {
    if (isSilent(key, value[key], isData)) continue;
    const lone = key === 'content' && !isData ? loneText(value.content) : undefined;
    copy[key] = lone ?? unmarked(value[key], isData || DATA.has(key));
  }
  return copy;
}
