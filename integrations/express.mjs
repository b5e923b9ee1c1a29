// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { palimpsestMiddleware } = typeof require === 'function' ? require('./express.js') : load('./express.js');
