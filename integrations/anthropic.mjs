// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { recallTool, shortenResults, withPalimpsest } = typeof require === 'function' ? require('./anthropic.js') : load('./anthropic.js');
