import { describe, isObject, mismatch } from '../checks.js';
import { checkOptions } from '../options/index.js';
import { redactorOf } from '../redact.js';
import { read, written } from './lines.js';
import { join, split } from './parts.js';
import type { Originals, SaveOriginalsOptions, Store } from '../../index.d.ts';

/** Maximum number of parts of a call, and of UTF-16 code units. */
const MAX_PARTS = 1000;
const MAX_UNITS = 2 ** 20;
/** Maximum number of tries of a save that finds that the conversation was deleted meanwhile. */
const MAX_TRIES = 3;
/** Maximum number of conversations of a store whose parts are remembered. */
const MAX_KNOWN = 1000;

const partKey = (name: string) => `part:${name}`;
/** The roots of all that was saved are a list that only grows: whoever puts the next one first has it. */
const rootKey = (index: number) => `originals:${index}`;
/** A random number that a conversation gets before its first originals: another one when it is begun again after it was deleted. */
const BIRTH = 'originals:birth';

/** The part of a store that originals need. */
type Parts = Pick<Store, 'get' | 'put'>;

/** What a process knows of a conversation. */
interface Place {
  birth: string | undefined;
  /** of roots */
  count: number;
  /** the last one */
  root: string | undefined;
  /** of its parts */
  names: Set<string>;
  isDamaged: boolean;
}

const known = new WeakMap<Parts, Map<string, Place>>();

/** See `saveOriginals` in `index.d.ts`. */
export async function saveOriginals(store: Parts, id: string, originals: Originals, options?: SaveOriginalsOptions | null) {
  checkStore('saveOriginals()', store, ['get', 'put']);
  if (!isObject(originals)) throw mismatch('saveOriginals(): originals', 'an object', originals);
  const { redact } = checkOptions('saveOriginals', options);
  const redactor = redact == null ? undefined : redactorOf(redact, 'saveOriginals()');
  const parts = split(written(originals, redactor));
  for (let tries = 0; tries < MAX_TRIES; tries++) if (await isSaved(store, id, parts, tries > 0)) return parts[parts.length - 1][0];
  throw new Error('saveOriginals(): the store does not have what was put there');
}

/**
 * Saves parts, of which the last one is the root. Returns false if the conversation was deleted meanwhile, and maybe some of the parts with it.
 * Then the root may be there without them, and the next try puts all of them.
 */
async function isSaved(store: Parts, id: string, parts: [name: string, part: string][], isAgain: boolean) {
  const [root] = parts[parts.length - 1];
  const place = await placeOf(store, id);
  if (place.root === root && !isAgain) return true;
  await putAll(
    store,
    id,
    parts.filter(([name]) => isAgain || !place.names.has(name)),
  );
  for (let index = place.count; ; index++) {
    await store.put(id, [[rootKey(index), root]]);
    const [there, birth] = await store.get(id, [rootKey(index), BIRTH]);
    if (there === undefined || birth === undefined || birth !== place.birth) return false;
    // Another process may have put its root there first.
    if (there !== root) continue;
    // What is there stays as it is, also if it is damaged.
    if (place.isDamaged) await textOf(store, id, root, 'saveOriginals(): the store has damaged parts of these originals');
    remember(store, id, { ...place, count: index + 1, root, names: new Set(parts.map(([name]) => name)), isDamaged: false });
    return true;
  }
}

/** See `loadOriginals` in `index.d.ts`. */
export async function loadOriginals(store: Parts, id: string, key: string) {
  checkStore('loadOriginals()', store, ['get']);
  if (key !== undefined && key !== null && typeof key !== 'string') throw mismatch('loadOriginals(): key', 'a string', key);
  const root = key ?? (await lastRoot(store, id)).root;
  if (root === undefined) return undefined;
  const what = key == null ? 'the originals that were saved last' : 'these originals';
  return read(await textOf(store, id, root, `loadOriginals(): the store does not have all parts of ${what}`));
}

/** Reads a tree; an error says what is wrong if parts of it are missing or damaged. */
async function textOf(store: Parts, id: string, root: string, wrong: string | undefined) {
  const found = await join(root, (names) => getAll(store, id, names), { hasText: true });
  if (found !== undefined) return found.text;
  throw Object.assign(new Error(wrong), { code: 'ERR_PALIMPSEST_PARTS' });
}

function checkStore(caller: string, store: Parts, methods: (keyof Parts)[]) {
  if (methods.some((name) => typeof store?.[name] !== 'function'))
    throw new TypeError(`${caller}: store must be a store, such as palimpsest/store/sqlite makes, got ${describe(store)}`);
}

async function putAll(store: Parts, id: string, parts: readonly [name: string, part: string][]) {
  let batch: [key: string, part: string][] = [];
  let units = 0;
  for (const [name, part] of parts) {
    batch.push([partKey(name), part]);
    units += part.length;
    if (batch.length < MAX_PARTS && units < MAX_UNITS) continue;
    await store.put(id, batch);
    [batch, units] = [[], 0];
  }
  if (batch.length > 0) await store.put(id, batch);
}

async function getAll(store: Parts, id: string, names: readonly string[]) {
  const found: (string | undefined)[] = [];
  for (let start = 0; start < names.length; start += MAX_PARTS)
    found.push(...(await store.get(id, names.slice(start, start + MAX_PARTS).map(partKey))));
  return found;
}

/** What is known of a conversation; from the store if this process has not saved there yet. */
async function placeOf(store: Parts, id: string): Promise<Place> {
  const place = known.get(store)?.get(id);
  if (place !== undefined && (await birthOf(store, id)) === place.birth) return place;
  await store.put(id, [[BIRTH, String(Math.random())]]);
  const birth = await birthOf(store, id);
  const { count, root } = await lastRoot(store, id);
  const found = root === undefined ? undefined : await join(root, (names) => getAll(store, id, names), { hasText: false });
  return { birth, count, root: found && root, names: new Set(found?.names), isDamaged: root !== undefined && found === undefined };
}

const birthOf = async (store: Parts, id: string) => (await store.get(id, [BIRTH]))[0];

function remember(store: Parts, id: string, place: Place) {
  const conversations = known.get(store) ?? new Map<string, Place>();
  known.set(store, conversations);
  conversations.delete(id);
  conversations.set(id, place);
  if (conversations.size > MAX_KNOWN) conversations.delete(conversations.keys().next().value as string);
}

/** Finds the end of the list of roots: by doubling, then by halving. */
async function lastRoot(store: Parts, id: string) {
  const powers = Array.from({ length: 24 }, (_, power) => 2 ** power - 1);
  const roots = await store.get(id, powers.map(rootKey));
  const free = roots.indexOf(undefined);
  if (free === 0) return { count: 0, root: undefined };
  let [low, high, root] = [powers[free - 1], powers[free], roots[free - 1]];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const [there] = await store.get(id, [rootKey(middle)]);
    if (there === undefined) high = middle;
    else [low, root] = [middle, there];
  }
  return { count: high, root };
}
