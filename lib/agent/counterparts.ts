import { getIn } from '../providers/shared/copy.js';
import { THINKING } from '../providers/anthropic/recognise.js';
import type { Path } from '../types.js';

/** A message, a content or a block, of which nothing is certain. */
type Seen = Record<string, unknown> | null | undefined;
/** What may have a length. */
type Sized = { length?: unknown } | null | undefined;
/** What may be an instance of a class. */
type Instance = { role?: unknown; toJSON?: unknown };

/** A value in originals, and its path. */
interface Found {
  value: Seen;
  path: Path;
}

/** The blocks of a list and of what it was made of, and for each of its blocks the nearest one up to it that was made of one, and of which. */
interface Aligned {
  list: readonly Seen[];
  blocks: readonly Found[];
  places: readonly (number | undefined)[];
  nearest: readonly number[];
}

/** Finds in `originals` what stands at a path in the message that was left for them. Lists are compared once, however many paths there are. */
export class Counterparts {
  #message: object;
  #originals: Found[];
  #json: unknown;
  #aligned: Map<unknown, Aligned> = new Map();

  constructor(message: Instance, originals: readonly unknown[]) {
    this.#message = message;
    this.#originals = originals
      .map((original, at) => ({ value: original as Seen, path: [at] }))
      .filter((one) => one.value?.role === message.role);
    this.#json = typeof message.toJSON === 'function' ? message.toJSON() : undefined;
  }

  /**
   * Returns the path in the originals, and whether the block is there; if it is not, the path is in the nearest block before. Undefined if there
   * is none.
   */
  of(path: Path): { path: Path; isThere: boolean } | undefined {
    if (this.#json !== undefined) path = pathIn(this.#message, this.#json, path);
    let value: unknown = this.#message;
    let others = this.#originals;
    let isThere = true;
    for (let depth = 0; depth < path.length; depth++) {
      const key = path[depth];
      const index = path[depth + 1];
      value = (value as Seen)?.[key];
      if (typeof index !== 'number') {
        // What belongs to no block of a message belongs to its end.
        others = others.slice(-1).map((one) => ({ value: one.value?.[key] as Seen, path: [...one.path, key] }));
        continue;
      }
      const { list, blocks, places, nearest } = this.#alignedWith(value, others, key);
      const at = nearest[index] ?? -1;
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

  #alignedWith(content: unknown, others: readonly Found[], key: string | number) {
    const known = this.#aligned.get(content);
    if (known !== undefined) return known;
    const list = blocksIn({ value: content as Seen, path: [] }).map((block) => block.value);
    const blocks = others.flatMap((one) => blocksIn({ value: one.value?.[key] as Seen, path: [...one.path, key] }));
    const places = alignment(
      list,
      blocks.map((block) => block.value),
    );
    let before = -1;
    const nearest = list.map((block, index) => {
      const at = places[index] === undefined ? before : index;
      if (places[index] !== undefined && !isThinking(block)) before = index;
      return at;
    });
    const aligned = { list, blocks, places, nearest };
    // Equal texts are not the same content.
    if (typeof content === 'object') this.#aligned.set(content, aligned);
    return aligned;
  }
}

/** Returns the path in an instance of what stands at a path in its JSON, as `kwargs.content` of LangChain's messages is their `content`. */
function pathIn(instance: object, json: unknown, path: Path) {
  const isOwn = (key: string | number, depth: number) => {
    const own = (instance as Record<string, Sized>)[key];
    const shown: Sized = getIn(json, path.slice(0, depth + 1));
    return Object.hasOwn(instance, key) && typeof own === typeof shown && own?.length === shown?.length;
  };
  const start = path.findIndex(isOwn);
  return start < 0 ? path : path.slice(start);
}

/** The blocks of a content; a text is one, too. */
function blocksIn({ value, path }: Found): Found[] {
  const blocks: unknown = typeof value === 'string' ? [{ type: 'text', text: value }] : value;
  return Array.isArray(blocks) ? blocks.map((block: Seen, index) => ({ value: block, path: [...path, index] })) : [];
}

const isThinking = (block: Seen) => THINKING.has(block?.type as string) || block?.type === 'reasoning';

/**
 * Returns for each block of a list the index of the one in `others` that it was made of; undefined where there is none. Both are in one order.
 * It is the same block, that of the same id, or that of the same text. Between these, the others are in order of their types.
 */
function alignment(list: readonly Seen[], others: readonly Seen[]) {
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

function namesOf(block: Seen) {
  const names: unknown[] = [block];
  const id = block?.tool_use_id ?? block?.toolCallId ?? block?.id;
  if (id !== undefined) names.push(`${block?.type} ${id}`);
  if (typeof block?.text === 'string') names.push(`${block.type}: ${block.text}`);
  return names;
}
