// Written by scripts/entries.mjs.
import store from './redis.js';

export const { redisStore } = store;
