// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const store = typeof require === 'function' ? require('./postgres.js') : load('./postgres.js');

export const { postgresStore } = store;
