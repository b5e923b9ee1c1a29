// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const store = typeof require === 'function' ? require('./sqlite.js') : load('./sqlite.js');

export const { sqliteStore } = store;
