// Written by scripts/entries.mjs.
import integration from './mastra.js';

export const { palimpsestProcessor } = integration;
