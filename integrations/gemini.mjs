// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./gemini.js') : load('./gemini.js');

export const { recallTool, withPalimpsest } = integration;
