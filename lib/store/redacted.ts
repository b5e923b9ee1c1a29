// Originals without secrets. An entry that changes is marked, so that restoring says that it is not exact.

import { isObject } from '../checks.js';
import type { Node } from '../agent/structure.js';

/** Maximum depth of a message. */
const MAX_DEPTH = 1000;
/** Members of a message that name it, and are no text. */
const NAMES = new Set(['id', 'role']);

type Redact = (text: string) => string;

/** @param entry of `originals`: one of prune or fit, or a message of compress */
export function redactEntry(entry: unknown, redact: Redact) {
  if (!isObject(entry)) return entry;
  let isChanged = false;
  const texts = (text: string) => {
    const left = redact(text);
    isChanged ||= left !== text;
    return left;
  };
  const { was, places } = entry;
  let copy: object;
  if (Array.isArray(was)) copy = { ...entry, was: was.map((node: Node) => redactNode(node, texts)) };
  else if (Array.isArray(places)) {
    const inPlace = (place: unknown) =>
      isObject(place) && place.value !== undefined ? { ...place, value: redactNode(place.value as Node, texts) } : place;
    copy = { ...entry, places: places.map(inPlace) };
  } else {
    const members = Object.entries(entry).map(([key, value]) => [key, NAMES.has(key) ? value : redactValue(value, texts)]);
    copy = Object.fromEntries(members);
  }
  return isChanged ? { ...copy, redacted: true } : entry;
}

/** @param node of lib/agent/structure.ts */
function redactNode(node: Node, redact: Redact, depth = 0): Node {
  if (typeof node === 'string') return redact(node);
  if (node === null || typeof node !== 'object' || node.ref !== undefined) return node;
  if (depth > MAX_DEPTH) throw new TypeError('saveOriginals(): originals are nested too deep');
  if (node.array !== undefined) return { ...node, array: node.array.map((item) => redactNode(item, redact, depth + 1)) };
  if (node.object !== undefined)
    return {
      ...node,
      object: node.object.map(([key, item]): [string, Node] => [key, NAMES.has(key) ? item : redactNode(item, redact, depth + 1)]),
    };
  return { ...node, value: redactValue(node.value, redact, depth + 1) };
}

function redactValue(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) throw new TypeError('saveOriginals(): originals are nested too deep');
  if (Array.isArray(value)) return value.map((item: unknown) => redactValue(item, redact, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return redactValue(JSON.parse(JSON.stringify(value)), redact, depth + 1);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(item, redact, depth + 1)]));
}
