// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { palimpsestEdit, palimpsestMiddleware, recallTool } = typeof require === 'function' ? require('./langchain.js') : load('./langchain.js');
