// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { postgresStore } = typeof require === 'function' ? require('./postgres.js') : load('./postgres.js');
