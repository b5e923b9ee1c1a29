// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { palimpsestFilter, palimpsestModel, recallTool } = typeof require === 'function' ? require('./openai-agents.js') : load('./openai-agents.js');
