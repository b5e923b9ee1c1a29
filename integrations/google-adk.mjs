// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { palimpsestPlugin, recallTool } = typeof require === 'function' ? require('./google-adk.js') : load('./google-adk.js');
