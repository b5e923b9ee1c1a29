// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./anthropic.js') : load('./anthropic.js');

export const { recallTool, shortenResults, withPalimpsest } = integration;
