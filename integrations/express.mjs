// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./express.js') : load('./express.js');

export const { palimpsestMiddleware } = integration;
