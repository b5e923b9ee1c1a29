// Written by scripts/entries.mjs.
import integration from './anthropic.js';

export const { recallTool, shortenResults, withPalimpsest } = integration;
