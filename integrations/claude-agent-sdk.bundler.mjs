// Written by scripts/entries.mjs.
import integration from './claude-agent-sdk.js';

export const { recallTool, shortenToolOutput } = integration;
