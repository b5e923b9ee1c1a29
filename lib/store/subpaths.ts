/** Each store has a subpath of the package: `palimpsest/store/NAME`. `scripts/entries.mjs` writes the entries and the exports from this list. */
export const STORES = ['memory', 'sqlite', 'redis', 'postgres'];
