// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./openai.js') : load('./openai.js');

export const { recallTool, withPalimpsest } = integration;
