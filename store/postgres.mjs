// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { postgresStore } = createRequire(import.meta.url)('palimpsest/store/postgres');
