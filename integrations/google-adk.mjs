// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./google-adk.js') : load('./google-adk.js');

export const { palimpsestPlugin, recallTool } = integration;
