// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./openai-agents.js') : load('./openai-agents.js');

export const { palimpsestFilter, palimpsestModel, recallTool } = integration;
