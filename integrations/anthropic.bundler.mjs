// Written by scripts/entries.mjs.
import integration from './anthropic.js';

export const { shortenResults, withPalimpsest } = integration;
