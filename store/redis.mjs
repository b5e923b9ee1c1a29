// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const store = typeof require === 'function' ? require('./redis.js') : load('./redis.js');

export const { redisStore } = store;
