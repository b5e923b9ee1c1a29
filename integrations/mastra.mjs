// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./mastra.js') : load('./mastra.js');

export const { palimpsestProcessor, recallTool } = integration;
