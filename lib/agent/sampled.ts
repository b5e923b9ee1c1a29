import type { Foreign } from '../types.js';

// Fingerprints of the first version, in originals without `hash`: 32 bits, of samples of long texts. They are read, never written.

/** Objects with more keys, and deeper values, are distinguished by their size only. */
const MAX_KEYS = 64;
const MAX_DEPTH = 12;

/** Returns the fingerprint of a message. Different messages may have the same one. */
export const sampledFingerprint = (value: Foreign) => hash(value, 0) >>> 0;

const mix = (state: number, number: number) => {
  const mixed = Math.imul(state ^ number, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

function hash(value: Foreign, depth: number) {
  switch (typeof value) {
    case 'string':
      return hashText(value);
    case 'number':
      return hashText(Number.isFinite(value) ? String(value) : 'null');
    case 'object':
      break;
    default:
      return hashText(String(value));
  }
  if (value === null) return hashText('null');
  if (typeof value.toJSON === 'function') return hash(value.toJSON(), depth);
  if (Array.isArray(value)) {
    let state = mix(3, value.length);
    if (depth < MAX_DEPTH) for (const item of value) state = mix(state, hash(isJson(item) ? item : null, depth + 1));
    return state;
  }
  const keys = Object.keys(value);
  let count = 0;
  for (const key of keys) if (isJson(value[key])) count++;
  let state = mix(5, count);
  if (depth >= MAX_DEPTH || count > MAX_KEYS) return state;
  // A sum does not depend on the order.
  for (const key of keys) {
    const item = value[key];
    if (isJson(item)) state = (state + mix(hashText(key), hash(item, depth + 1))) | 0;
  }
  return state;
}

const isJson = (value: Foreign) => value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';

function hashText(text: string) {
  const { length } = text;
  const start = mix(1, length);
  if (length <= 192) return hashRange(start, text, 0, length, 1);
  const head = hashRange(start, text, 0, 64, 1);
  const middle = hashRange(head, text, 64, length - 64, Math.ceil((length - 128) / 64));
  return hashRange(middle, text, length - 64, length, 1);
}

function hashRange(start: number, text: string, from: number, to: number, step: number) {
  let state = start;
  for (let index = from; index < to; index += step) state = mix(state, text.charCodeAt(index));
  return state;
}
