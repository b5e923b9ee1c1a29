import { getIn } from '../formats/copy.js';
import { THINKING } from '../formats/recognises/anthropic.js';
import type { Foreign, Path } from '../types.js';

/** A value in originals, and its path. */
interface Found {
  value: Foreign;
  path: Path;
}

/**
 * Returns the path in `originals` of what stands at a path in the message that was left for them, and whether its block is there; if it is not,
 * the path is in the nearest block before. Undefined if there is none.
 */
export function counterpartOf(path: Path, message: Foreign, originals: readonly Foreign[]): { path: Path; isThere: boolean } | undefined {
  let value = message;
  path = typeof message.toJSON === 'function' ? pathIn(message, path) : path;
  let others: Found[] = originals.map((original, at) => ({ value: original, path: [at] })).filter((one) => one.value.role === message.role);
  let isThere = true;
  for (let depth = 0; depth < path.length; depth++) {
    const key = path[depth];
    const index = path[depth + 1];
    if (typeof index !== 'number') {
      // What belongs to no block of a message belongs to its end.
      others = others.slice(-1).map((one) => ({ value: one.value?.[key], path: [...one.path, key] }));
      value = value?.[key];
      continue;
    }
    const list = blocksIn({ value: value?.[key], path: [] }).map((block) => block.value);
    const blocks = others.flatMap((one) => blocksIn({ value: one.value?.[key], path: [...one.path, key] }));
    const places = alignment(
      list,
      blocks.map((block) => block.value),
    );
    let at = index;
    while (at >= 0 && (places[at] === undefined || (at < index && isThinking(list[at])))) at--;
    if (at < index) {
      isThere = false;
      // The member of the block that is not there.
      depth = path.findLastIndex((step) => typeof step === 'number') - 1;
    }
    others = at < 0 ? [] : [blocks[places[at] as number]];
    value = list[index];
    depth++;
  }
  return others.length === 0 ? undefined : { path: others[0].path, isThere };
}

/** Returns the path in an instance of what stands at a path in its JSON, as `kwargs.content` of LangChain's messages is their `content`. */
function pathIn(instance: Foreign, path: Path) {
  const json = instance.toJSON();
  const isOwn = (key: string | number, depth: number) => {
    const [own, shown] = [instance[key], getIn(json, path.slice(0, depth + 1))];
    return Object.hasOwn(instance, key) && typeof own === typeof shown && own?.length === shown?.length;
  };
  const start = path.findIndex(isOwn);
  return start < 0 ? path : path.slice(start);
}

/** The blocks of a content; a text is one, too. */
function blocksIn({ value, path }: Found): Found[] {
  const blocks = typeof value === 'string' ? [{ type: 'text', text: value }] : value;
  return Array.isArray(blocks) ? blocks.map((block, index) => ({ value: block, path: [...path, index] })) : [];
}

const isThinking = (block: Foreign) => THINKING.has(block?.type) || block?.type === 'reasoning';

/**
 * Returns for each block of a list the index of the one in `others` that it was made of; undefined where there is none. Both are in one order.
 * It is the same block, that of the same id, or that of the same text. Between these, the others are in order of their types.
 */
function alignment(list: readonly Foreign[], others: readonly Foreign[]) {
  const places = new Map<unknown, number[]>();
  others.forEach((other, index) => {
    for (const name of namesOf(other)) add(places, name, index);
  });
  const found: (number | undefined)[] = new Array(list.length).fill(undefined);
  // From the end: of texts that are equal, those before may have been removed.
  let first = others.length;
  for (let index = list.length - 1; index >= 0; index--) {
    const before = (name: unknown) => {
      const known = places.get(name) ?? [];
      while (known.length > 0 && known[known.length - 1] >= first) known.pop();
      return known.at(-1);
    };
    found[index] = namesOf(list[index])
      .map(before)
      .find((at) => at !== undefined);
    first = found[index] ?? first;
  }
  const known = [...list.keys()].filter((index) => found[index] !== undefined);
  let [start, next] = [0, 0];
  for (const end of [...known, list.length]) {
    const limit = found[end] ?? others.length;
    const areAll = limit - next === end - start;
    // The last of each type first, so that taking the first one is cheap.
    const byType = new Map<unknown, number[]>();
    const plain: number[] = [];
    for (let place = limit - 1; place >= next; place--) {
      add(byType, others[place]?.type, place);
      if (!isThinking(others[place])) plain.push(place);
    }
    const first = (places: number[] = []) => {
      while (places.length > 1 && places[places.length - 1] < next) places.pop();
      const at = places.at(-1);
      return at === undefined || at < next ? Infinity : at;
    };
    for (; start < end && next < limit; start++) {
      const item = list[start];
      let at = first(byType.get(item?.type));
      // A text may stand for something else: where blocks are gone, for all up to the next one.
      if (!isThinking(item) && areAll) at = Math.min(at, first(plain));
      if (!isThinking(item) && at === Infinity) at = plain[0] ?? Infinity;
      if (at === Infinity || at < next) continue;
      found[start] = at;
      next = at + 1;
    }
    start = end + 1;
    next = limit + 1;
  }
  return found;
}

function add(lists: Map<unknown, number[]>, key: unknown, value: number) {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function namesOf(block: Foreign) {
  const names: unknown[] = [block];
  const id = block?.tool_use_id ?? block?.toolCallId ?? block?.id;
  if (id !== undefined) names.push(`${block.type} ${id}`);
  if (typeof block?.text === 'string') names.push(`${block.type}: ${block.text}`);
  return names;
}
