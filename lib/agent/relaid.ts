import { hasMembers } from '../checks.js';
import { copyOf, getIn, setIn } from '../providers/shared/copy.js';
import { CACHE_POINT } from '../providers/langchain/recognise.js';
import { isCachePoint, loneText, PART } from '../equality/ignored.js';
import { Counterparts } from './counterparts.js';
import { fingerprintsOf } from '../equality/fingerprint.js';
import type { Surface } from '../equality/breakpoints.js';
import type { Path } from '../types.js';

export const isSameSurface: (a: Surface, b: Surface) => boolean = (a, b) =>
  differences(a, b).length === 0 && differences(b, a).length === 0;

/** Returns the items of `a` that `b` does not have, or has with another value. */
function differences(a: Surface, b: Surface) {
  if (a.length === 0) return [];
  const prints = fingerprintsOf([...a, ...b].map(([, value]) => value));
  const known = new Map(b.map(([path], index) => [JSON.stringify(path), prints[a.length + index]]));
  return a.filter(([path], index) => known.get(JSON.stringify(path)) !== prints[index]);
}

/** Whether an item of a surface is a block that is nothing but a breakpoint, as Bedrock has them. */
const isBlock = ([path]: Surface[number]) => path.at(-1) === CACHE_POINT && typeof path.at(-2) === 'number';

/**
 * Whether blocks of a message that are breakpoints were moved, and one stands before other blocks: where these stand in what was left is not known
 * then.
 */
export function isShifted(message: unknown, from: Surface, to: Surface) {
  const stands = (item: Surface[number]) => {
    const blocks: unknown = getIn(message, item[0].slice(0, -2));
    return (
      isBlock(item) && Number(item[0].at(-2)) < (Array.isArray(blocks) ? blocks.filter((block: unknown) => !isCachePoint(block)).length : 1)
    );
  };
  return !isSameSurface(from.filter(isBlock), to.filter(isBlock)) && [...from, ...to].some(stands);
}

/**
 * Makes the changes to `originals` that lead from one surface of a message to another. A breakpoint goes to what its block was made of. If that is
 * not there, it goes to the nearest block before, unless that has one. It is left out if there is none before.
 *
 * @param originals what the message stands for, or the message alone
 * @param message the message with the surface `from`
 * @returns copies
 */
export function relaid<T extends object | undefined>(originals: readonly T[], message: object, from: Surface, to: Surface): T[] {
  const owned = new Set<object>();
  let result: unknown = originals;
  const put = (path: Path, value: unknown) => {
    result = setIn(result, path, value, owned);
  };
  const toBlock = (path: Path) => {
    const text: unknown = getIn(result, path);
    if (typeof text === 'string') put(path, [{ type: 'text', text }]);
  };
  const toText = (path: Path) => {
    const text = loneText(getIn(result, path), PART);
    if (text !== undefined) put(path, text);
  };
  const remove = (path: Path) => {
    const parent: unknown = getIn(result, path.slice(0, -1));
    if (!hasMembers(parent)) return;
    const copy: Record<string, unknown> = copyOf(parent);
    delete copy[path.at(-1) as string];
    const list: unknown = getIn(result, path.slice(0, -2));
    const isAlone = Array.isArray(list) && Object.keys(copy).length === 0;
    if (isAlone) put(path.slice(0, -2), list.toSpliced(path.at(-2) as number, 1));
    else put(path.slice(0, -1), copy);
  };
  const append = (path: Path, value: unknown) => {
    toBlock(path);
    const list: unknown = getIn(result, path);
    if (Array.isArray(list)) put(path, [...list, { [CACHE_POINT]: value }]);
  };
  const set = (path: Path, value: unknown) => {
    path.forEach((step, depth) => {
      if (step === 0) toBlock(path.slice(0, depth));
    });
    // The block before may have no options of its own.
    let end = path.length;
    for (; getIn(result, path.slice(0, end - 1)) === undefined; end--) value = { [path[end - 1]]: value };
    put(path.slice(0, end), value);
  };
  const [news, olds] = [differences(to, from), differences(from, to)];
  const known = new Set(to.map(([path]) => JSON.stringify(path)));
  const isShape = (item: Surface[number]) => item.length === 1;
  const counterparts = new Counterparts(message, originals);
  const each = (items: Surface, change: (path: Path, value: unknown) => void, isAdded = false) => {
    for (const [path, value] of items) {
      const place = counterparts.of(path);
      if (place?.isThere || (isAdded && place !== undefined && getIn(result, place.path) === undefined)) change(place.path, value);
    }
  };
  each(news.filter(isShape), toBlock);
  // Those behind first: a block that goes moves those behind it.
  each(olds.filter((item) => !isShape(item) && !known.has(JSON.stringify(item[0]))).reverse(), remove);
  each(
    news.filter((item) => !isShape(item) && !isBlock(item)),
    set,
    true,
  );
  each(
    news.filter(isBlock).map(([path, value]) => [path.slice(0, -2), value]),
    append,
  );
  each(olds.filter(isShape), toText);
  return result as T[];
}
