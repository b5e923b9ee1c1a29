// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { redisStore } = createRequire(import.meta.url)('palimpsest/store/redis');
