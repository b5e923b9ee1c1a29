// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { createChatParser } = typeof require === 'function' ? require('./web.js') : load('./web.js');
