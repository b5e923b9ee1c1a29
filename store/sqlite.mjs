// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { sqliteStore } = createRequire(import.meta.url)('palimpsest/store/sqlite');
