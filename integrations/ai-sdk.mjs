// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./ai-sdk.js') : load('./ai-sdk.js');

export const { palimpsestMiddleware, prepareStep, recallTool } = integration;
