// Written by scripts/entries.mjs.
import integration from './openai.js';

export const { recallTool, withPalimpsest } = integration;
