// Written by scripts/entries.mjs.
import store from './postgres.js';

export const { postgresStore } = store;
