import { copyOf, getIn, setIn } from '../formats/copy.js';
import { loneText } from '../equality/breakpoints.js';
import { fingerprintsOf } from '../equality/fingerprint.js';
import type { Surface } from '../equality/breakpoints.js';
import type { Foreign, Path } from '../types.js';

/** A copy of an object with a member changed; undefined if it is not what the change is of. */
type Change = (parent: Foreign, key: string) => Foreign;

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
 * Makes the changes to `target` that lead from one surface of a message to another.
 *
 * @param target the message, or what it stands for
 * @param message the message with the surface `from`
 * @returns a copy; undefined where it is not certain what in `target` corresponds to a change
 */
export function relaid(target: any, message: any, from: Surface, to: Surface): object | undefined {
  if (typeof target.toJSON === 'function') return undefined;
  const [news, olds] = [differences(to, from), differences(from, to)];
  const owned = new Set<object>();
  let result = target;
  const change = (path: Path, edit: Change) => {
    const place = placeIn(path, message, result);
    const parent = place && getIn(result, place.slice(0, -1));
    const changed = parent !== null && typeof parent === 'object' ? edit(parent, place?.at(-1) as string) : undefined;
    if (changed === undefined) return false;
    result = setIn(result, (place as any).slice(0, -1), changed, owned);
    return true;
  };
  const set =
    (value: Foreign): Change =>
    (parent, key) =>
      Object.assign(copyOf(parent), { [key]: value });
  const remove: Change = (parent, key) => {
    const copy = copyOf(parent);
    delete copy[key];
    return copy;
  };
  const toBlock: Change = (parent, key) =>
    typeof parent[key] === 'string' ? set([{ type: 'text', text: parent[key] }])(parent, key) : undefined;
  const toText: Change = (parent, key) => {
    const text = loneText(parent[key]);
    return text === undefined ? undefined : set(text)(parent, key);
  };
  const [shapes, breakpoints] = [
    (list: Surface) => list.filter((item) => item.length === 1),
    (list: Surface) => list.filter((item) => item.length > 1),
  ];
  const known = new Set(breakpoints(to).map(([path]) => JSON.stringify(path)));
  const isDone =
    shapes(news).every(([path]) => change(path, toBlock)) &&
    breakpoints(olds).every(([path]) => known.has(JSON.stringify(path)) || change(path, remove)) &&
    breakpoints(news).every(([path, value]) => change(path, set(value))) &&
    shapes(olds).every(([path]) => change(path, toText));
  return isDone ? result : undefined;
}

/** Returns the path in `other` that corresponds to a path in `message`; undefined where it is not certain. */
function placeIn(path: Path, message: Foreign, other: Foreign) {
  const place: Path = [];
  for (const step of path) {
    if (other === null || typeof other !== 'object') return undefined;
    let at: string | number = step;
    if (typeof step === 'number') {
      if (!Array.isArray(other)) return undefined;
      // A text that gets a block of its own has the only one.
      const index = Array.isArray(message) ? indexIn(other, message, step) : other.length - 1;
      if (index < 0 || (!Array.isArray(message) && index > 0)) return undefined;
      at = index;
    }
    place.push(at);
    message = message?.[step];
    other = other[at];
  }
  return place;
}

/** Returns the index of the element of `others` that corresponds to `list[index]`: the same, that of the same id, or the one in its place. */
function indexIn(others: readonly Foreign[], list: readonly Foreign[], index: number) {
  const item = list[index];
  const only = (isIt: (other: Foreign) => boolean) => (others.filter(isIt).length === 1 ? others.findIndex(isIt) : -1);
  const same = only((other) => other === item);
  if (same >= 0) return same;
  if (others.length === list.length && others[index]?.type === item?.type) return index;
  const id = item?.tool_use_id ?? item?.toolCallId ?? item?.id;
  return id === undefined ? -1 : only((other) => (other?.tool_use_id ?? other?.toolCallId ?? other?.id) === id);
}
