// A text as a tree of parts that are named by their content, so that two texts share all parts but those around their differences.
// Content-defined chunking with a gear hash (Xia et al. 2014, Ddelta; FastCDC 2016) over a Merkle tree (Merkle 1987).

import { createHash } from 'node:crypto';

/**
 * Sizes of a leaf in UTF-16 code units. A line from `MIN_LINE` to `MAX_LEAF` is a leaf of its own, so that a new line writes no other one
 * again. Shorter lines are gathered, and longer ones split, by their content.
 */
const MIN_LINE = 256;
const MIN_LEAF = 128;
const MAX_LEAF = 2048;
/** By content, a leaf ends where these bits of the hash are zero: after 512 more units at the mean. The upper bits depend on the last units most. */
const LEAF_MASK = 0xff800000;
/** Names of parts: 132 bits of SHA-256 in base64url. */
const NAME = 22;
/** A node ends behind a name that ends with one of 6 of 64 letters: after 11 names at the mean. A change writes the nodes above it again. */
const NODE_END = /[A-F]$/;
const MAX_NODE = 256;

const LEAF = 'l';
const NODE = 'n';

/** Random numbers by the lower byte of a code unit, the same everywhere: a linear congruential generator (Knuth's MMIX constants, low words). */
const GEAR = new Int32Array(256);
for (let index = 0, state = 1; index < 256; index++) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  GEAR[index] = state ^ (state >>> 15);
}

const nameOf = (part: string) => createHash('sha256').update(part).digest('base64url').slice(0, NAME);

/** Splits a text into parts; the last one is the root of their tree. Linear in the length of the text. */
export function split(text: string): [name: string, part: string][] {
  let level = leavesOf(text).map(named);
  const parts = [...level];
  do {
    level = nodesOf(level.map(([name]) => name)).map(named);
    parts.push(...level);
  } while (level.length > 1);
  return parts;
}

const named = (part: string): [string, string] => [nameOf(part), part];

function leavesOf(text: string) {
  const leaves: string[] = [];
  let start = 0;
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = text.indexOf('\n', at) + 1 || text.length;
    if (end - at < MIN_LINE) continue;
    gather(text, start, at, leaves);
    if (end - at <= MAX_LEAF) leaves.push(LEAF + text.slice(at, end));
    else gather(text, at, end, leaves);
    start = end;
  }
  gather(text, start, text.length, leaves);
  return leaves;
}

/** Adds the leaves of a range. */
function gather(text: string, from: number, to: number, leaves: string[]) {
  for (let start = from; start < to; ) {
    const last = Math.min(to, start + MAX_LEAF);
    let end = Math.min(last, start + MIN_LEAF);
    for (let hash = 0; end < last; ) {
      hash = ((hash << 1) + GEAR[text.charCodeAt(end++) & 0xff]) | 0;
      if ((hash & LEAF_MASK) === 0) break;
    }
    // No surrogate pair is split.
    if (end < to && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end++;
    leaves.push(LEAF + text.slice(start, end));
    start = end;
  }
}

function nodesOf(names: string[]) {
  const nodes: string[] = [];
  let start = 0;
  names.forEach((name, index) => {
    if (index + 1 < names.length && index + 1 - start < MAX_NODE && !NODE_END.test(name)) return;
    nodes.push(NODE + names.slice(start, index + 1).join(''));
    start = index + 1;
  });
  return nodes.length === 0 ? [NODE] : nodes;
}

/**
 * Reads a tree.
 *
 * @param options without the text, the leaves are not read if their parents are known
 * @returns `names` of all parts; undefined if one is missing or was changed
 */
export async function join(
  root: string,
  get: (names: string[]) => Promise<(string | undefined)[]>,
  { hasText }: { hasText: boolean },
): Promise<{ text: string; names: string[] } | undefined> {
  let names = [root];
  const all = new Set(names);
  for (;;) {
    const parts = await get(names);
    if (parts.some((part, index) => part === undefined || nameOf(part) !== names[index])) return undefined;
    if (parts.every((part) => part?.startsWith(LEAF))) return { text: parts.map((part) => part?.slice(1)).join(''), names: [...all] };
    names = parts.flatMap((part) => part?.slice(1).match(/.{22}/g) ?? []);
    for (const name of names) all.add(name);
    if (names.length === 0) return { text: '', names: [...all] };
    if (!hasText && (await get([names[0]]))[0]?.startsWith(LEAF)) return { text: '', names: [...all] };
  }
}
