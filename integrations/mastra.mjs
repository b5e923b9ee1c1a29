// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { palimpsestProcessor, recallTool } = typeof require === 'function' ? require('./mastra.js') : load('./mastra.js');
