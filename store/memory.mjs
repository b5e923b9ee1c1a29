// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const store = typeof require === 'function' ? require('./memory.js') : load('./memory.js');

export const { memoryStore } = store;
