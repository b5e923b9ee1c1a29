// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { sqliteStore } = typeof require === 'function' ? require('./sqlite.js') : load('./sqlite.js');
