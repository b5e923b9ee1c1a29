// Written by scripts/entries.mjs.
import integration from './gemini.js';

export const { recallTool, withPalimpsest } = integration;
