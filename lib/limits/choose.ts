import { added, excessesOf } from './load.js';
import type { Figures } from './figures.js';
import type { Excess, Load } from './load.js';

/** What a part has of what a limit counts. */
const OF_LIMIT: Record<keyof Figures, (load: Load) => number> = {
  bytes: ({ bytes }) => bytes,
  media: ({ images, pages }) => images + pages,
  images: ({ images }) => images,
  documents: ({ documents }) => documents,
  pages: ({ pages }) => pages,
  imageBytes: ({ heavy }) => heavy,
  imagePixels: ({ wide }) => wide,
  // Fewer images may be wider.
  manyImagePixels: ({ images }) => images,
};

const counts = (load: Load, excesses: readonly Excess[]) => excesses.some(({ name }) => OF_LIMIT[name](load) > 0);

/**
 * Chooses the parts that go so that a request keeps its limits, or comes as near to them as it can.
 *
 * @param order the parts with files that may go, those that go first at the start
 * @param total of all that is sent with them
 * @param share of each limit that may be left where one is exceeded
 * @returns the parts that go
 */
export function excessive<P>(order: readonly [part: P, load: Load][], total: Load, figures: Figures, share = 1): Set<P> {
  const gone = new Set<P>();
  const single = { imageBytes: figures.imageBytes, imagePixels: figures.imagePixels } as Figures;
  let left = total;
  const take = ([part, load]: [P, Load]) => {
    gone.add(part);
    left = added(left, load, -1);
  };
  if (excessesOf(total, figures).length === 0) return gone;
  // No request may have these.
  for (const one of order) if (excessesOf(one[1], single).length > 0) take(one);
  const exceeded = excessesOf(left, figures);
  if (exceeded.length === 0) return gone;
  for (const one of order) {
    const excesses = excessesOf(left, figures, share);
    if (excesses.length === 0) break;
    if (!gone.has(one[0]) && counts(one[1], excesses)) take(one);
  }
  if (left.wideOfMany > 0 || exceeded.every(({ name }) => name !== 'manyImagePixels')) return gone;
  // Without wide images there may be many: small ones that went before the last wide one stay.
  for (const [part, load] of order.toReversed()) {
    if (!gone.has(part) || load.wideOfMany > 0 || excessesOf(added(left, load), figures, share).length > 0) continue;
    gone.delete(part);
    left = added(left, load);
  }
  return gone;
}
