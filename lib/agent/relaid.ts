import { copyOf, getIn, setIn } from '../providers/shared/copy.js';
import { isObject, loneText } from '../equality/ignored.js';
import { Counterparts } from './counterparts.js';
import { fingerprintsOf } from '../equality/fingerprint.js';
import type { Surface } from '../equality/breakpoints.js';
import type { Foreign, Path } from '../types.js';

export const isSameSurface: (a: Surface, b: Surface) => boolean = (a, b) =>
  differences(a, b).length === 0 && differences(b, a).length === 0;

/** Returns the items of `a` that `b` does not have, or has with another value. */
function differences(a: Surface, b: Surface) {
  if (a.length === 0) return [];
  const prints = fingerprintsOf([...a, ...b].map(([, value]) => value));
  const known = new Map(b.map(([path], index) => [JSON.stringify(path), prints[a.length + index]]));
  return a.filter(([path], index) => known.get(JSON.stringify(path)) !== prints[index]);
}

/**
 * Makes the changes to `originals` that lead from one surface of a message to another. A breakpoint goes to what its block was made of. If that is
 * not there, it goes to the nearest block before, unless that has one. It is left out if there is none before.
 *
 * @param originals what the message stands for, or the message alone
 * @param message the message with the surface `from`
 * @returns copies
 */
export function relaid(originals: readonly Foreign[], message: Foreign, from: Surface, to: Surface): Foreign[] {
  const owned = new Set<object>();
  let result: Foreign = originals;
  const put = (path: Path, value: Foreign) => {
    result = setIn(result, path, value, owned);
  };
  const toBlock = (path: Path) => {
    const text = getIn(result, path);
    if (typeof text === 'string') put(path, [{ type: 'text', text }]);
  };
  const toText = (path: Path) => {
    const text = loneText(getIn(result, path));
    if (text !== undefined) put(path, text);
  };
  const remove = (path: Path) => {
    const parent = getIn(result, path.slice(0, -1));
    if (!isObject(parent)) return;
    const copy = copyOf(parent);
    delete copy[path.at(-1) as string];
    put(path.slice(0, -1), copy);
  };
  const set = (path: Path, value: Foreign) => {
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
  const each = (items: Surface, change: (path: Path, value: Foreign) => void, isAdded = false) => {
    for (const [path, value] of items) {
      const place = counterparts.of(path);
      if (place?.isThere || (isAdded && place !== undefined && getIn(result, place.path) === undefined)) change(place.path, value);
    }
  };
  each(news.filter(isShape), toBlock);
  each(
    olds.filter((item) => !isShape(item) && !known.has(JSON.stringify(item[0]))),
    remove,
  );
  each(
    news.filter((item) => !isShape(item)),
    set,
    true,
  );
  each(olds.filter(isShape), toText);
  return result;
}
