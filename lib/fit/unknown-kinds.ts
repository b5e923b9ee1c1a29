import { fingerprintsOf } from '../equality/fingerprint.js';
import { setOwn } from '../providers/shared/copy.js';
import { lazyFields } from '../lazy-fields.js';
import type { FitReport } from '../../index.js';

/** Maximum number of kinds that a report names, and of UTF-16 code units of each. */
const MAX_KINDS = 100;
const MAX_NAME = 128;

/** Adds what {@link kindsIn} returns to a report. Most callers never read it, and of what fits the parts need not be read before. */
export const addKinds = lazyFields<FitReport>(['unknownKinds']);

/** The kinds of content that the format doesn't know, each with how often it is among `names`. */
export function kindsIn(names: readonly string[]): Record<string, number> {
  const kinds = new Map<string, number>();
  for (const full of names) {
    const name = full.slice(0, MAX_NAME);
    if (kinds.has(name) || kinds.size < MAX_KINDS) kinds.set(name, (kinds.get(name) ?? 0) + 1);
  }
  const named = {};
  for (const [name, count] of kinds) setOwn(named, name, count);
  return named;
}

/**
 * The kinds among `names` that nobody was told of.
 *
 * @param told fingerprints of the kinds that were named before
 * @returns `told` with theirs
 */
export function newKinds(names: readonly string[], told: ReadonlySet<string>) {
  if (names.length === 0) return { unknownKinds: {}, told };
  const named = Object.entries(kindsIn(names));
  const prints = fingerprintsOf(named.map(([name]) => name));
  return { unknownKinds: Object.fromEntries(named.filter((_, index) => !told.has(prints[index]))), told: new Set([...told, ...prints]) };
}
