// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./claude-agent-sdk.js') : load('./claude-agent-sdk.js');

export const { recallTool, shortenToolOutput } = integration;
