// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { palimpsestMiddleware, prepareStep, recallTool } = typeof require === 'function' ? require('./ai-sdk.js') : load('./ai-sdk.js');
