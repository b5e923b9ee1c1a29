// Written by scripts/entries.mjs.
import store from './sqlite.js';

export const { sqliteStore } = store;
