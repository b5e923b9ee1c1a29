// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { memoryStore } = createRequire(import.meta.url)('palimpsest/store/memory');
