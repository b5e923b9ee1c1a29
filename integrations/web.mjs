// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./web.js') : load('./web.js');

export const { createChatParser } = integration;
