// Written by scripts/entries.mjs.
import store from './memory.js';

export const { memoryStore } = store;
