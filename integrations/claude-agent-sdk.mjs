// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { recallTool, shortenToolOutput } = typeof require === 'function' ? require('./claude-agent-sdk.js') : load('./claude-agent-sdk.js');
