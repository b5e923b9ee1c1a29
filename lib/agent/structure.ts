import { hasMembers } from '../checks.js';
import { copyOf, getIn, setOwn } from '../providers/shared/copy.js';
import { inside, isUnsent, MESSAGE } from '../equality/ignored.js';
import { pace } from '../steps.js';
import type { Steps } from '../steps.js';
import type { Path } from '../types.js';

/** Minimum length of a text that is stored as a reference, in UTF-16 code units. */
const MIN_SHARED_TEXT = 40;

/** The result of rebuilding a node that JSON has dropped: undefined, a function. */
const ABSENT = Symbol('nothing');

/** Texts and objects that may be referred to, with their paths. */
type Shared = Map<unknown, Path>;

const isPlain = (value: object) => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

/** What {@link outlining} makes of a value; JSON drops a `value` that is undefined. */
export type Node = Scalar | undefined | Branch;
type Scalar = string | number | boolean | null;
type Branch = { ref?: Path; array?: Node[]; object?: [key: string, node: Node][]; like?: Path; value?: unknown };

/**
 * Describes `originals`, in steps, with references to all parts of them that `present` still holds. `rebuild` makes them of the description,
 * which is JSON as far as the originals are. It holds no object of the caller's that JSON could hold, so a store that sorts keys
 * changes nothing.
 *
 * A node is a text, number, boolean or null as it is, `{ ref: path into present }`, `{ array: nodes }`,
 * `{ object: [key, node][] }` (with `like`, the path of an instance whose class it has) or `{ value }` for all else.
 */
export function* outlining(originals: readonly unknown[], present: readonly unknown[]): Steps<Node[]> {
  const shared: Shared | undefined = present.length === 0 ? undefined : new Map();
  for (let index = 0; index < present.length; index++) collect(present[index], [index], shared as Shared, MESSAGE, shownBy(present[index]));
  const nodes = new Array<Node>(originals.length);
  for (let index = 0; index < nodes.length; index++) {
    if (pace.isDue) yield;
    nodes[index] = nodeOf(originals[index], shared, present);
  }
  return nodes;
}

/**
 * Returns the objects in the JSON form of an instance; undefined for any other message. Only these may be referred to: another
 * instance with the same JSON may hold something else elsewhere, such as LangChain's `lc_kwargs`.
 */
function shownBy(message: unknown) {
  if (!hasMembers(message) || typeof message.toJSON !== 'function') return undefined;
  const shown = new Set<unknown>();
  const pending: unknown[] = [message.toJSON()];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value === null || typeof value !== 'object' || shown.has(value)) continue;
    shown.add(value);
    if (!ArrayBuffer.isView(value)) pending.push(...Object.values(value));
  }
  return shown;
}

/** Frameworks change what is not sent, so nothing refers to that. */
function collect(value: unknown, path: Path, shared: Shared, level: number, shown?: Set<unknown>) {
  if (typeof value === 'string') {
    if (value.length >= MIN_SHARED_TEXT && !shared.has(value)) shared.set(value, path);
  } else if (hasMembers(value) && !shared.has(value)) {
    shared.set(value, path);
    if (!isPlain(value) && path.length > 1) return;
    if (Array.isArray(value)) value.forEach((item: unknown, index) => collect(item, [...path, index], shared, level));
    else {
      for (const key of Object.keys(value)) {
        const inner = value[key];
        if (isScalar(inner) || isUnsent(key, inner, value, level)) continue;
        const isHidden = shown !== undefined && typeof inner === 'object' && !shown.has(inner);
        if (!isHidden) collect(inner, [...path, key], shared, inside(level, key, value));
      }
    }
  }
}

function nodeOf(value: unknown, shared: Shared | undefined, present: readonly unknown[], depth = 0): Node {
  if (isScalar(value)) return value;
  // A look-up hashes the text.
  const ref = shared?.get(value);
  if (ref !== undefined) return { ref };
  if (typeof value === 'string') return value;
  if (!hasMembers(value)) return { value };
  if (Array.isArray(value)) {
    const array: unknown[] = [...value];
    for (let index = 0; index < array.length; index++) array[index] = nodeOf(array[index], shared, present, depth + 1);
    return { array: array as Node[] };
  }
  let like = -1;
  if (!isPlain(value)) {
    like = present.findIndex((other) => Object.getPrototypeOf(other) === Object.getPrototypeOf(value));
    if (depth > 0 || like < 0) return { value };
  }
  const object = Object.entries(value) as [string, Node][];
  for (let index = 0; index < object.length; index++) {
    const member = object[index];
    if (!isScalar(member[1])) member[1] = nodeOf(member[1], shared, present, depth + 1);
  }
  return like < 0 ? { object } : { object, like: [like] };
}

/** Whether a value is JSON of its own that is never stored as a reference. */
function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'string') return value.length < MIN_SHARED_TEXT;
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}

/** Rebuilds the originals that `nodes` describe; `present` equals that given to {@link outlining}. */
export function rebuild(nodes: readonly Node[], present: readonly unknown[]): unknown[] {
  return nodes.map((node) => build(node, present));
}

function build(node: Node, present: readonly unknown[]): unknown {
  if (node === null || typeof node !== 'object') return node;
  if (node.ref) return getIn(present, node.ref);
  if (node.array) {
    return node.array.map((item) => {
      const value = build(item, present);
      return value === ABSENT ? null : value;
    });
  }
  if (!node.object) return Object.hasOwn(node, 'value') ? node.value : ABSENT;
  const like: unknown = node.like && getIn(present, node.like);
  const isInstance = like !== null && typeof like === 'object';
  const result = (isInstance ? copyOf(like) : {}) as Record<string, unknown>;
  if (isInstance) for (const key of Object.keys(result)) delete result[key];
  for (let index = 0; index < node.object.length; index++) {
    const [key, item] = node.object[index];
    // Most values are texts, which take no call.
    const value = typeof item === 'string' ? item : build(item, present);
    if (value !== ABSENT) setOwn(result, key, value);
  }
  return result;
}
