// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { redisStore } = typeof require === 'function' ? require('./redis.js') : load('./redis.js');
