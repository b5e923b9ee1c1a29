// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { memoryStore } = typeof require === 'function' ? require('./memory.js') : load('./memory.js');
