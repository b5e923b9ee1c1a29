// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { recallTool, withPalimpsest } = typeof require === 'function' ? require('./gemini.js') : load('./gemini.js');
