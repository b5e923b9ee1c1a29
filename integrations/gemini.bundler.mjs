// Written by scripts/entries.mjs.
import integration from './gemini.js';

export const { withPalimpsest } = integration;
