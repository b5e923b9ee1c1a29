import { setOwn } from '../providers/shared/copy.js';
import { named } from '../places.js';
import { checkOriginals } from './entries.js';
import { roundsOf } from './rounds.js';
import type { Originals } from './originals.js';
import type { Cut } from './rounds.js';
import type * as api from '../../index.js';

/** What two entries of a key agree on if they are the same. The rest follows from it, in another form after a trip through a store. */
const CUT = ['round', 'step', 'length', 'at', 'before', 'after', 'of'] as const;
const STUB = ['of', 'left'] as const;
const PLACE = ['in', 'up', 'written'] as const;

type Entry = Originals[string];

/** See `index.d.ts`. */
function mergeOriginals(...rounds: api.Originals[]): Originals {
  const merged: Originals = {};
  const order = new Map<string, number | undefined>(); // round → its place among all
  rounds.forEach((originals, index) => {
    checkOriginals(originals, `mergeOriginals(): originals[${index}]`);
    const { rounds: own, inOrder } = roundsOf(originals);
    for (const { id } of own) if (!order.has(id)) order.set(id, inOrder ? order.size : undefined);
    for (const key of Object.keys(originals)) {
      const entry = originals[key] as Entry;
      setOwn(merged, key, Object.hasOwn(merged, key) ? united(key, merged[key], entry) : entry);
    }
  });
  // A store may sort the keys.
  for (const [key, entry] of Object.entries(merged))
    if (entry.places === undefined && entry.order !== order.get(entry.round))
      setOwn(merged, key, { ...entry, order: order.get(entry.round) });
  return merged;
}

/** Returns the later of two entries, or the one that still has its secrets. */
function united(key: string, known: Entry, entry: Entry): Entry {
  if (known === entry) return entry;
  if (!isSame(known, entry)) {
    const text = `mergeOriginals(): different originals have the key ${JSON.stringify(key)}, so one object can't hold both: keep them apart, and restore with the later ones first`;
    throw Object.assign(new Error(text), { code: 'ERR_PALIMPSEST_COLLISION' });
  }
  const kept = entry.redacted === true && known.redacted !== true ? known : entry;
  // One entry of a round holds the fingerprints of all.
  if (kept.places !== undefined) return kept;
  const prints = kept.prints ?? (known as Cut).prints ?? (entry as Cut).prints;
  return kept.prints === prints ? kept : { ...kept, prints };
}

function isSame(one: Entry, other: Entry) {
  if (one.places === undefined || other.places === undefined)
    return one.places === other.places && areSame([one as Cut], [other as Cut], CUT) && areEqual((one as Cut).now, (other as Cut).now);
  return areSame([one], [other], STUB) && areSame(one.places, other.places, PLACE);
}

const areSame = <T>(some: readonly T[], others: readonly T[], fields: readonly (keyof T)[]) =>
  some.length === others.length && some.every((one, index) => fields.every((field) => one[field] === others[index][field]));

const areEqual = (some: readonly unknown[], others: readonly unknown[]) =>
  some.length === others.length && some.every((one, index) => one === others[index]);

const mergeOriginalsNamed = named('mergeOriginals', mergeOriginals);
export { mergeOriginalsNamed as mergeOriginals };
