// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./langchain.js') : load('./langchain.js');

export const { palimpsestEdit, palimpsestMiddleware, recallTool } = integration;
